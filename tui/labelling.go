package tui

import (
	"path/filepath"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/config/diff"
	"caliper/engine/labels"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/tui/atomicfile"
	"caliper/tui/report"
	"caliper/tui/screen"
	"caliper/tui/ui"
)

// label adds a query to the labelled queries, with a tool that answers it. Without
// a file of labelled queries it first asks whether to create one.
func (a *App) label(query string, t *model.Tool) tea.Cmd {
	name := t.Name
	if len(a.state.Snapshot.Registry.Lookup(name)) != 1 {
		name = t.Qualified
	}
	qualified := t.Qualified
	undone := "; " + a.keyOf(ui.Unwrite) + " undoes it"
	change := func(data []byte) ([]byte, string, error) {
		changed, did, err := atomicfile.Label(data, query, name, qualified)
		if did != "" {
			did += undone
		}
		return changed, did, err
	}
	if a.opt.Queries != "" {
		return atomicfile.RewriteLabels(a.opt.Queries, change)
	}
	if a.opt.NewQueries == "" {
		return a.notify(ui.LevelWarn, atomicfile.NoLabels)
	}
	path := a.opt.NewQueries
	return func() tea.Msg {
		data, err := atomicfile.Read(path)
		if err != nil {
			return atomicfile.LabelsWrittenMsg{Err: err}
		}
		changed, _, err := change(data)
		return firstLabelMsg{path: path, old: data, new: changed, label: change, err: err}
	}
}

// firstLabelMsg reports what the first label would write.
type firstLabelMsg struct {
	path     string
	old, new []byte // content of the file; empty if the file does not exist
	label    func([]byte) (changed []byte, did string, err error)
	err      error
}

// askFirstLabel opens the question whether the first label is written.
func (a *App) askFirstLabel(msg firstLabelMsg) tea.Cmd {
	if msg.err != nil {
		return a.notify(ui.LevelBad, "not written: "+safetext.Line(msg.err.Error()))
	}
	q := &question{
		app: a, title: "create " + safetext.Line(filepath.Base(msg.path)) + "?", before: []string{safetext.Line(msg.path)},
		does: "writes it", yes: func() tea.Cmd { return a.createLabels(msg) },
	}
	if len(msg.old) > 0 {
		known, _ := labels.Parse(msg.path, msg.old)
		q.title = "write to " + safetext.Line(filepath.Base(msg.path)) + "?"
		q.before = append(q.before, "the file is there, with "+ui.LabelledQueries(len(known)))
	}
	for _, line := range diff.Lines(msg.old, msg.new) {
		if line.Op == diff.Added || line.Op == diff.Removed {
			q.lines = append(q.lines, line)
		}
	}
	q.after = []string{"it is watched from then on"}
	if len(q.lines) == 0 {
		q.after = []string{"it has this label already, and is watched from then on"}
	}
	a.over = nil
	a.open(q)
	return nil
}

// createLabels writes the first label and watches the file from then on.
func (a *App) createLabels(msg firstLabelMsg) tea.Cmd {
	write := atomicfile.RewriteLabels(msg.path, msg.label)
	return func() tea.Msg {
		written, _ := write().(atomicfile.LabelsWrittenMsg)
		if written.Err != nil {
			return written
		}
		return labelsCreatedMsg{path: msg.path, written: written}
	}
}

// labelsCreatedMsg reports that a file of labelled queries has its first label.
type labelsCreatedMsg struct {
	path    string
	written atomicfile.LabelsWrittenMsg
}

// labelsCreated takes the file as that of the labelled queries, as if it had been
// named at the start.
func (a *App) labelsCreated(msg labelsCreatedMsg) tea.Cmd {
	a.opt.Queries = msg.path
	changed := a.watch(screen.QueriesFile, msg.path)
	if msg.written.Did == "" {
		msg.written.Did = filepath.Base(msg.path) + " is watched"
	} else {
		msg.written.Did += " · " + filepath.Base(msg.path) + " is watched"
	}
	return tea.Batch(changed, a.labelWritten(msg.written))
}

// labelWritten records in Activity what was written to the file of labelled queries, and
// tells the screens.
func (a *App) labelWritten(msg atomicfile.LabelsWrittenMsg) tea.Cmd {
	if msg.Err == nil && msg.Did != "" {
		a.written = append(a.written, writeback{file: screen.QueriesFile, path: msg.Path, old: msg.Before, new: msg.After})
		a.activity.Record(report.Line{Level: report.Good, Text: msg.Did})
	}
	return a.toScreens(msg)
}
