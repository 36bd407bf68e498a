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
	"caliper/config/edit"
	"caliper/model/safetext"
	"caliper/tui/atomicfile"
	"caliper/tui/cells"
	"caliper/tui/keymap"
	"caliper/tui/screen"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// writeback is a change of the config file that is shown and waits for
// confirmation. It is written only if the file still holds the bytes in old;
// otherwise the change is computed again for the new content and shown again.
type writeback struct {
	path    string
	changes []edit.Change
	old     []byte
	new     []byte
	lines   []diff.Line
	again   bool // the file changed since the change was first shown
	aside   *int // value of the --context flag that overrides the context to be written, and is dropped by writing; nil for none
}

// proposedMsg reports how a change would alter the file.
type proposedMsg struct {
	proposal writeback
	err      error
	anew     bool // the change was computed again; it matters only while its dialog is open
}

// wroteMsg reports that the file was written, or the error.
type wroteMsg struct {
	proposal writeback
	err      error
}

// proposeKnobs returns a command that computes the change of the config file
// that writes the knobs.
func (a *App) proposeKnobs(knobs []workbench.Knob) tea.Cmd {
	if a.opt.ConfigName == "" {
		return a.notify(ui.LevelWarn, "there is no config file to write to: start with --config")
	}
	w := writeback{path: a.opt.ConfigName}
	for _, k := range knobs {
		// The agent takes the context from the model's id, and then ignores the
		// setting.
		if k.Key == config.KeyContext && a.state.Config.Model.ID != "" {
			left := a.notify(ui.LevelWarn, fmt.Sprintf("the context is not written: the agent has it by the model; try it with --context %v", k.Value))
			if len(knobs) == 1 {
				return left
			}
			continue
		}
		w.changes = append(w.changes, edit.Change{Key: k.Key, Value: k.Value})
		if k.Key == config.KeyContext {
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

// propose computes the change for a file that holds data.
func (w writeback) propose(data []byte) proposedMsg {
	changed, err := edit.Set(w.path, data, w.changes)
	w.old, w.new = data, changed
	if err == nil {
		w.lines = diff.Lines(w.old, w.new)
	}
	return proposedMsg{proposal: w, err: err}
}

// repropose returns a command that computes the open change again for the
// current content of the config file; nil when that has not changed or cannot
// be read.
func (a *App) repropose() tea.Cmd {
	f := a.input.Config
	if a.confirm == nil || f == nil || f.Err != nil || bytes.Equal(a.confirm.old, f.Data) {
		return nil
	}
	w := *a.confirm
	w.again = true
	return func() tea.Msg {
		msg := w.propose(f.Data)
		msg.anew = true
		return msg
	}
}

// outdated reports whether a change that was computed again no longer belongs
// to the open dialog or to the content of the file.
func (a *App) outdated(w writeback) bool {
	return a.confirm == nil || !reflect.DeepEqual(a.confirm.changes, w.changes) || !bytes.Equal(a.input.Config.Data, w.old)
}

// proposed opens the dialog that shows a change and asks for confirmation.
func (a *App) proposed(msg proposedMsg) tea.Cmd {
	if msg.anew && a.outdated(msg.proposal) {
		return nil
	}
	var load tea.Cmd
	switch {
	case msg.err != nil:
		a.ask(nil)
		return a.notify(ui.LevelBad, "not written: "+safetext.Line(msg.err.Error()))
	case len(msg.proposal.lines) == 0:
		a.ask(nil)
		if msg.proposal.aside != nil { // the file contains the requested value
			a.input.Flags.Context = nil
			a.knobs.Forget(config.KeyContext)
			load = a.loadQuietly()
		}
		text, level := "nothing to write: the file has these values already", ui.LevelInfo
		if msg.proposal.again {
			text = "nothing is left to write: the file changed meanwhile, and has these values already"
		}
		text += msg.proposal.asideText()
		if n := a.notices; n.Showing && n.Level == ui.LevelFlip {
			text, level = n.Text+" · "+text, ui.LevelFlip // which nobody has dismissed
		}
		return tea.Batch(load, a.notify(level, text))
	}
	if msg.proposal.again && msg.proposal.aside != nil {
		a.input.Flags.Context = msg.proposal.aside // restore the flag: nothing was written yet
	}
	a.ask(&msg.proposal)
	return nil
}

// asideText returns the text that a flag is dropped, empty for none.
func (w writeback) asideText() string {
	if w.aside == nil {
		return ""
	}
	return " · --context " + ui.Thousands(*w.aside) + " is put aside"
}

// confirmed returns a command that writes the change. A flag that overrides the
// written value is dropped, so that the value takes effect.
func (a *App) confirmed() tea.Cmd {
	w := *a.confirm
	a.ask(nil)
	a.ours, a.saved = w.new, true
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

// wrote shows that the file was written. When the watcher reports the new
// content, knobs with the same values are dropped.
func (a *App) wrote(msg wroteMsg) tea.Cmd {
	if msg.err != nil {
		if msg.proposal.aside != nil {
			a.input.Flags.Context = msg.proposal.aside
		}
		return a.notify(ui.LevelBad, "not written: "+safetext.Line(msg.err.Error()))
	}
	a.written = append(a.written, msg.proposal)
	return a.notify(ui.LevelOk, "wrote "+safetext.Line(filepath.Base(msg.proposal.path))+msg.proposal.asideText())
}

// wroteItself reports whether the content of a config file that was just read
// was written by the explorer. The user expects such changes.
func (a *App) wroteItself(read *workbench.File) bool {
	return read != nil && workbench.ReadAgain(a.configRead, read) && a.ours != nil && bytes.Equal(read.Data, a.ours)
}

// noneWritten returns why no written change can be reverted.
func (a *App) noneWritten() string {
	if len(a.written) == 0 {
		return "nothing was saved that could be undone"
	}
	return ""
}

// unwrite reverts the last change that was written.
func (a *App) unwrite() tea.Cmd {
	last := a.written[len(a.written)-1]
	a.written = a.written[:len(a.written)-1]
	last.old, last.new = last.new, last.old
	a.ours, a.saved = last.new, false
	if last.aside != nil {
		a.input.Flags.Context = last.aside
	}
	return func() tea.Msg {
		return wroteBackMsg{last, atomicfile.Replace(last.path, last.old, last.new)}
	}
}

// wroteBackMsg reports that a written change was reverted, or the error.
type wroteBackMsg struct {
	taken writeback
	err   error
}

// wroteBack shows the outcome of a revert.
func (a *App) wroteBack(msg wroteBackMsg) tea.Cmd {
	if msg.err != nil {
		if msg.taken.aside != nil {
			a.input.Flags.Context = nil
		}
		return a.notify(ui.LevelBad, "not undone: "+safetext.Line(msg.err.Error()))
	}
	return a.notify(ui.LevelOk, "the config file is as it was before")
}

// Yes is the action that confirms a change.
const Yes keymap.Action = "yes"

// question is the dialog in which the user confirms a change.
type question struct {
	*writeback
	app   *App
	layer *keymap.Layer
	top   int // first line that is drawn
}

// bindConfirm declares the keys of the dialog.
func (a *App) bindConfirm(g ui.Glyphs) *keymap.Group {
	return &keymap.Group{Title: "Questions", Bindings: []keymap.Binding{
		keymap.Bind(Yes, "y", "yes", "", "y").Does(a.confirmed),
		keymap.Bind(keymap.Open, "enter", "answers nothing: y or n", "", "enter").Unless(func() string { return "y writes the change, n does not" }),
		keymap.Bind(keymap.Back, "n esc", "no", "", "n", "esc", "q").Runs(func() { a.ask(nil) }),
		keymap.Bind(keymap.Up, g.Up, "up", "", "up", "k").Runs(func() { a.moveBy(-1) }),
		keymap.Bind(keymap.Down, g.Down, "down", "", "down", "j").Runs(func() { a.moveBy(1) }),
	}}
}

// ask opens the dialog for a change and closes the previous dialog; nil only
// closes it.
func (a *App) ask(w *writeback) {
	a.confirm = w
	a.over = slices.DeleteFunc(a.over, func(o screen.Overlay) bool {
		_, is := o.(*question)
		return is
	})
	if w != nil {
		a.open(&question{writeback: w, app: a, layer: a.questionLayer})
	}
}

// Layer returns the keys of the dialog.
func (q *question) Layer() *keymap.Layer { return q.layer }

// Move scrolls.
func (q *question) Move(rows int) { q.top = max(0, min(q.top+rows, len(q.lines)-1)) }

// Page is how far a page is.
func (q *question) Page() int { return 5 }

// Click does nothing: the dialog is answered by a key.
func (q *question) Click(int) tea.Cmd { return nil }

// Draw returns the dialog for a screen of w×h cells.
func (q *question) Draw(t *ui.Theme, w, h int) []string {
	inner := max(20, min(w-8, 90))
	var content []string
	var l cells.Line
	text := func(style cells.Style, s string) {
		l.Start(inner)
		l.Text(style, s)
		content = append(content, l.End())
	}
	room := max(1, h-6)
	lines, meanwhile := q.lines, "the file changed meanwhile: this is the change of what it holds now"
	if room < 8 { // only what matters most
		meanwhile = "the file changed meanwhile"
		lines = slices.DeleteFunc(slices.Clone(lines), func(l diff.Line) bool { return l.Op != diff.Added && l.Op != diff.Removed })
	}
	if q.again {
		for _, line := range cells.Wrap(meanwhile, inner) {
			text(t.Warn, line)
		}
	}
	if q.aside != nil && room >= 8 {
		for _, line := range cells.Wrap("--context "+ui.Thousands(*q.aside)+" goes before the file; writing puts it aside", inner) {
			text(t.Warn, line)
		}
	}
	for _, line := range lines[max(0, min(q.top, len(lines)-1)):] {
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
		text(style, sign+safetext.Line(line.Text))
	}
	text("", "")
	l.Start(inner)
	l.Text(t.Key, "y")
	l.Text(t.KeyLabel, " writes it  ")
	l.Text(t.Key, "n")
	l.Text(t.KeyLabel, " does not")
	content = append(content, l.End())
	return ui.Dialog(t, "write to "+safetext.Line(filepath.Base(q.path)), content, inner+4)
}
