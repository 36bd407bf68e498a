package tui

import (
	"path/filepath"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/config"
	"caliper/engine/labels"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/tui/report"
	"caliper/tui/screen"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// labelChange changes the content of a file of labelled queries, and tells what it did; nothing
// where the content stays.
type labelChange = func([]byte) (changed []byte, did string, err error)

// label adds a query to the labelled queries, with a tool that answers it. Without
// a file of labelled queries it first asks whether to create one.
func (a *App) label(query string, t *model.Tool) tea.Cmd {
	name, qualified := t.Name, t.Qualified
	if len(a.state.Snapshot.Registry.Lookup(name)) != 1 {
		name = qualified
	}
	change := a.undoable(func(data []byte) ([]byte, string, error) { return workbench.AddLabel(data, query, name, qualified) })
	switch path := a.opt.NewQueries; {
	case a.opt.Queries != "":
		return workbench.RewriteLabels(a.opt.Queries, change)
	case path == "":
		return a.Notify(ui.LevelWarn, workbench.NoLabels)
	default:
		write := workbench.RewriteLabels(path, change)
		create := func() tea.Cmd { // and takes the file as if it had been named at the start
			return func() tea.Msg {
				msg := write().(workbench.LabelsWrittenMsg)
				if msg.Err != nil {
					return msg
				}
				return thenMsg(func() tea.Cmd {
					a.opt.Queries = path
					if msg.Did != "" {
						msg.Did += " · "
					}
					msg.Did += filepath.Base(path) + " is watched"
					return tea.Batch(a.watch(screen.QueriesFile, path), a.labelWritten(msg))
				})
			}
		}
		return a.proposeLabels(path, change, func(q *question, old []byte) {
			q.title, q.does, q.yes = "create "+safetext.Line(filepath.Base(path))+"?", "writes it", create
			if len(old) > 0 {
				known, _ := labels.Parse(path, old)
				q.title = "write to " + safetext.Line(filepath.Base(path)) + "?"
				q.before = append(q.before, "the file is there, with "+ui.LabelledQueries(len(known)))
			}
			q.after = []string{"it is watched from then on"}
			if len(q.lines) == 0 {
				q.after = []string{"it has this label already, and is watched from then on"}
			}
			a.over = nil
		})
	}
}

// undoable returns a change that says which key undoes it.
func (a *App) undoable(change labelChange) labelChange {
	undone := "; " + a.keyOf(ui.Unwrite) + " undoes it"
	return func(data []byte) ([]byte, string, error) {
		changed, did, err := change(data)
		if did != "" {
			did += undone
		}
		return changed, did, err
	}
}

// proposeLabels asks whether a change of a file of labelled queries is written, and shows its
// lines. About completes the question; old is the content of the file, empty where there is none.
func (a *App) proposeLabels(path string, change labelChange, about func(q *question, old []byte)) tea.Cmd {
	return func() tea.Msg {
		data, err := workbench.ReadFile(path)
		if err != nil {
			return workbench.LabelsWrittenMsg{Err: err}
		}
		changed, _, err := change(data)
		return thenMsg(func() tea.Cmd {
			if err != nil {
				return a.Notify(ui.LevelBad, "not written: "+safetext.Line(err.Error()))
			}
			q := &question{Box: a.questionBox, before: []string{safetext.Line(path)}}
			for _, line := range config.Diff(data, changed) {
				if line.Op == config.Added || line.Op == config.Removed {
					q.lines = append(q.lines, line)
				}
			}
			about(q, data)
			a.Open(q)
			return nil
		})
	}
}

// labelWritten records in Activity what was written to the file of labelled queries, and
// tells the screens.
func (a *App) labelWritten(msg workbench.LabelsWrittenMsg) tea.Cmd {
	if msg.Err == nil && msg.Did != "" {
		a.written = append(a.written, writeback{file: screen.QueriesFile, path: msg.Path, old: msg.Before, new: msg.After})
		a.activity.Record(report.Line{Level: report.Good, Text: msg.Did})
	}
	return a.toScreens(msg)
}
