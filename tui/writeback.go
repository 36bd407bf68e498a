package tui

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/config"
	"caliper/config/diff"
	"caliper/model"
	"caliper/tui/atomicfile"
	"caliper/tui/cells"
	"caliper/tui/workbench"
)

// writeback is a change of the configuration file that is shown and waits to
// be confirmed. The file is written only if it still holds what the change was
// made for; if it does not, the change is made anew and shown again.
type writeback struct {
	path    string
	changes []config.Change
	old     []byte
	new     []byte
	lines   []diff.Line
	again   bool // the file changed since the change was shown first
	aside   *int // the --context that goes before a context that is written, and is put aside by it; nil: none
	top     int
}

// keyContext is the setting that --context goes before.
const keyContext = "model.context_length"

// proposedMsg tells what a change would do to the file.
type proposedMsg struct {
	proposal writeback
	err      error
	anew     bool // of a change that was shown already; it is told only as long as that is
}

// wroteMsg tells that the file was written, or why not.
type wroteMsg struct {
	proposal writeback
	err      error
}

// proposeKnobs returns a command that works out how to write knobs into the
// configuration file.
func (a *App) proposeKnobs(knobs []workbench.Knob) tea.Cmd {
	if a.opt.ConfigName == "" {
		return a.notices.show(levelWarn, "there is no config file to write to: start with --config")
	}
	w := writeback{path: a.opt.ConfigName}
	for _, k := range knobs {
		// The agent knows the context by the model, and reads no setting of it.
		if k.Key == keyContext && a.state.Config.Model.ID != "" {
			left := a.notices.show(levelWarn, fmt.Sprintf("the context is not written: the agent has it by the model; try it with --context %v", k.Value))
			if len(knobs) == 1 {
				return left
			}
			continue
		}
		w.changes = append(w.changes, config.Change{Key: k.Key, Value: k.Value})
		if k.Key == keyContext {
			w.aside = a.input.Flags.Context
		}
	}
	return func() tea.Msg {
		data, err := os.ReadFile(w.path)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return proposedMsg{proposal: w, err: err}
		}
		return w.propose(data)
	}
}

// propose works out the change of a file that holds data.
func (w writeback) propose(data []byte) proposedMsg {
	changed, err := config.Set(w.path, data, w.changes)
	w.old, w.new = data, changed
	if err == nil {
		w.lines = diff.Lines(w.old, w.new)
	}
	return proposedMsg{proposal: w, err: err}
}

// repropose returns a command that makes the change that is shown anew, for
// what the config file holds now; nil when that is what the change was made
// for, or cannot be read.
func (a *App) repropose() tea.Cmd {
	f := a.input.Config
	if a.confirm == nil || f == nil || f.Err != nil || bytes.Equal(a.confirm.old, f.Data) {
		return nil
	}
	w := *a.confirm
	w.again, w.top = true, 0
	return func() tea.Msg {
		msg := w.propose(f.Data)
		msg.anew = true
		return msg
	}
}

// outdated reports whether a change that was made anew is no more that of the
// dialog, or of the file.
func (a *App) outdated(w writeback) bool {
	return a.confirm == nil || !reflect.DeepEqual(a.confirm.changes, w.changes) || !bytes.Equal(a.input.Config.Data, w.old)
}

// proposed shows a change and asks for a yes.
func (a *App) proposed(msg proposedMsg) tea.Cmd {
	if msg.anew && a.outdated(msg.proposal) {
		return nil
	}
	var load tea.Cmd
	switch {
	case msg.err != nil:
		a.confirm = nil
		return a.notices.show(levelBad, "not written: "+model.Sanitize(msg.err.Error()))
	case len(msg.proposal.lines) == 0:
		a.confirm = nil
		if msg.proposal.aside != nil { // the file says it, and that is what was asked for
			a.input.Flags.Context = nil
			a.budget.forget(knobContext)
			load = a.budget.load()
		}
		words, level := "nothing to write: the file says so already", levelInfo
		if msg.proposal.again {
			words = "nothing is left to write: the file changed meanwhile, and says so already"
		}
		words += msg.proposal.asideWords()
		if n := a.notices; n.showing && n.level == levelFlip {
			words, level = n.text+" · "+words, levelFlip // which nobody has dismissed
		}
		return tea.Batch(load, a.notices.show(level, words))
	}
	if msg.proposal.again && msg.proposal.aside != nil {
		a.input.Flags.Context = msg.proposal.aside // nothing was written yet
	}
	a.confirm = &msg.proposal
	return nil
}

// asideWords say which flag is put aside, empty for none.
func (w writeback) asideWords() string {
	if w.aside == nil {
		return ""
	}
	return " · --context " + thousands(*w.aside) + " is put aside"
}

// confirmed returns a command that writes the change that was shown. A flag that
// goes before what is written is put aside: whoever writes a value wants to have
// it.
func (a *App) confirmed() tea.Cmd {
	w := *a.confirm
	a.confirm, a.budget.ours = nil, w.new
	if w.aside != nil {
		a.input.Flags.Context = nil
	}
	return func() tea.Msg {
		err := atomicfile.Replace(w.path, w.old, w.new)
		var changed *atomicfile.ChangedError
		if errors.As(err, &changed) {
			w.again = true
			return w.propose(changed.Data)
		}
		return wroteMsg{w, err}
	}
}

// wrote tells that the file was written. The watcher then reports it, and the
// knobs that it agrees with drop out.
func (a *App) wrote(msg wroteMsg) tea.Cmd {
	if msg.err != nil {
		if msg.proposal.aside != nil {
			a.input.Flags.Context = msg.proposal.aside
		}
		return a.notices.show(levelBad, "not written: "+model.Sanitize(msg.err.Error()))
	}
	a.written = append(a.written, msg.proposal)
	return a.notices.show(levelOk, "wrote "+model.Sanitize(filepath.Base(msg.proposal.path))+msg.proposal.asideWords())
}

// wroteItself reports whether a config file that was read holds what was
// written here, and did not before. What that changes is no surprise.
func (a *App) wroteItself(read *workbench.File) bool {
	return read != nil && readAnew(a.configRead, read) && a.budget.ours != nil && bytes.Equal(read.Data, a.budget.ours)
}

// unwrite proposes to take back the last change that was written.
func (a *App) unwrite() (tea.Cmd, bool) {
	if len(a.written) == 0 {
		return nil, false
	}
	last := a.written[len(a.written)-1]
	a.written = a.written[:len(a.written)-1]
	last.old, last.new = last.new, last.old
	a.budget.ours = last.new
	if last.aside != nil {
		a.input.Flags.Context = last.aside
	}
	return func() tea.Msg {
		return wroteBackMsg{last, atomicfile.Replace(last.path, last.old, last.new)}
	}, true
}

// wroteBackMsg tells that a written change was taken back, or why not.
type wroteBackMsg struct {
	taken writeback
	err   error
}

// wroteBack tells so.
func (a *App) wroteBack(msg wroteBackMsg) tea.Cmd {
	if msg.err != nil {
		if msg.taken.aside != nil {
			a.input.Flags.Context = nil
		}
		return a.notices.show(levelBad, "not taken back: "+model.Sanitize(msg.err.Error()))
	}
	return a.notices.show(levelOk, "the config file is as it was before")
}

// draw returns the box that shows the change, for a screen of w×h cells.
func (c *writeback) draw(t *Theme, w, h int) []string {
	inner := max(20, min(w-8, 90))
	var content []string
	var l cells.Line
	text := func(style cells.Style, s string) {
		l.Start(inner)
		l.Text(style, s)
		content = append(content, l.End())
	}
	room := max(1, h-6)
	lines, meanwhile := c.lines, "the file changed meanwhile: this is the change of what it holds now"
	if room < 8 { // only what matters most
		meanwhile = "the file changed meanwhile"
		lines = slices.DeleteFunc(slices.Clone(lines), func(l diff.Line) bool { return l.Op != diff.Added && l.Op != diff.Removed })
	}
	if c.again {
		for _, line := range cells.Wrap(meanwhile, inner) {
			text(t.Warn, line)
		}
	}
	if c.aside != nil && room >= 8 {
		for _, line := range cells.Wrap("--context "+thousands(*c.aside)+" goes before the file; writing puts it aside", inner) {
			text(t.Warn, line)
		}
	}
	for _, line := range lines[max(0, min(c.top, len(lines)-1)):] {
		if len(content) >= room {
			break
		}
		style, sign := t.Faint, " "
		switch line.Op {
		case diff.Added:
			style, sign = t.Added, "+"
		case diff.Removed:
			style, sign = t.Removed, "-"
		case diff.Hunk:
			sign = ""
		}
		text(style, sign+model.Sanitize(line.Text))
	}
	text("", "")
	l.Start(inner)
	l.Text(t.Key, "y")
	l.Text(t.KeyLabel, " writes it  ")
	l.Text(t.Key, "n")
	l.Text(t.KeyLabel, " does not")
	content = append(content, l.End())
	return dialog(t, "write to "+model.Sanitize(filepath.Base(c.path)), content, inner+4)
}
