package tui

import (
	"errors"
	"os"
	"path/filepath"

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
	top     int
}

// proposedMsg tells what a change would do to the file.
type proposedMsg struct {
	proposal writeback
	err      error
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
		w.changes = append(w.changes, config.Change{Key: k.Key, Value: k.Value})
	}
	return func() tea.Msg {
		data, err := os.ReadFile(w.path)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return proposedMsg{w, err}
		}
		return w.propose(data)
	}
}

// propose works out the change of a file that holds data.
func (w writeback) propose(data []byte) tea.Msg {
	changed, err := config.Set(w.path, data, w.changes)
	w.old, w.new = data, changed
	if err == nil {
		w.lines = diff.Lines(w.old, w.new)
	}
	return proposedMsg{w, err}
}

// proposed shows a change and asks for a yes.
func (a *App) proposed(msg proposedMsg) tea.Cmd {
	switch {
	case msg.err != nil:
		a.confirm = nil
		return a.notices.show(levelBad, "not written: "+model.Sanitize(msg.err.Error()))
	case len(msg.proposal.lines) == 0:
		a.confirm = nil
		return a.notices.show(levelInfo, "nothing to write: the file says so already")
	}
	a.confirm = &msg.proposal
	return nil
}

// confirmed returns a command that writes the change that was shown.
func (a *App) confirmed() tea.Cmd {
	w := *a.confirm
	a.confirm = nil
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
		return a.notices.show(levelBad, "not written: "+model.Sanitize(msg.err.Error()))
	}
	a.written = append(a.written, msg.proposal)
	return a.notices.show(levelOk, "wrote "+model.Sanitize(filepath.Base(msg.proposal.path)))
}

// unwrite proposes to take back the last change that was written.
func (a *App) unwrite() (tea.Cmd, bool) {
	if len(a.written) == 0 {
		return nil, false
	}
	last := a.written[len(a.written)-1]
	a.written = a.written[:len(a.written)-1]
	last.old, last.new = last.new, last.old
	return func() tea.Msg {
		if err := atomicfile.Replace(last.path, last.old, last.new); err != nil {
			return wroteBackMsg{err}
		}
		return wroteBackMsg{}
	}, true
}

// wroteBackMsg tells that a written change was taken back, or why not.
type wroteBackMsg struct{ err error }

// wroteBack tells so.
func (a *App) wroteBack(msg wroteBackMsg) tea.Cmd {
	if msg.err != nil {
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
	if c.again {
		text(t.Warn, "the file changed meanwhile: this is the change of what it holds now")
	}
	room := max(1, h-6)
	for _, line := range c.lines[min(c.top, len(c.lines)):] {
		if len(content) == room {
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
