package tui

import (
	"path/filepath"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/config/diff"
	"caliper/engine/labels"
	"caliper/engine/retrieval/learned"
	"caliper/model/safetext"
	"caliper/tui/atomicfile"
	"caliper/tui/ui"
)

// forgetMsg reports what forgetting a labelled query would change in its file.
type forgetMsg struct {
	path   string
	lines  []diff.Line
	forget func([]byte) (changed []byte, did string, err error)
	err    error
}

// forget asks whether the line of a labelled query that was learned from is deleted from
// its file, and shows the line.
func (a *App) forget(l learned.Lesson) tea.Cmd {
	path := a.state.Learn
	undone := "; " + a.keyOf(ui.Unwrite) + " undoes it"
	change := func(data []byte) ([]byte, string, error) {
		changed, did, err := atomicfile.Unlabel(data, labels.Query{ID: l.ID, Text: l.Text})
		if did != "" {
			did += undone
		}
		return changed, did, err
	}
	return func() tea.Msg {
		data, err := atomicfile.Read(path)
		if err != nil {
			return forgetMsg{err: err}
		}
		changed, _, err := change(data)
		return forgetMsg{path: path, lines: diff.Lines(data, changed), forget: change, err: err}
	}
}

// askForget opens the question.
func (a *App) askForget(msg forgetMsg) tea.Cmd {
	if msg.err != nil {
		return a.notify(ui.LevelBad, "not written: "+safetext.Line(msg.err.Error()))
	}
	q := &question{
		app: a, title: "forget it, in " + safetext.Line(filepath.Base(msg.path)) + "?", before: []string{safetext.Line(msg.path)},
		does: "deletes the line", after: []string{"what it taught every tool that it names is forgotten"},
		yes: func() tea.Cmd { return atomicfile.RewriteLabels(msg.path, msg.forget) },
	}
	for _, line := range msg.lines {
		if line.Op == diff.Added || line.Op == diff.Removed {
			q.lines = append(q.lines, line)
		}
	}
	a.open(q)
	return nil
}
