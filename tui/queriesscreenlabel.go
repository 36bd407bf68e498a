package tui

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine"
	"caliper/model"
	"caliper/tui/atomicfile"
)

// startWithQueries is how one gets a file of labelled queries.
const startWithQueries = "start with --queries FILE to keep labelled queries"

// labelledMsg tells that the file of labelled queries was written, or why not.
type labelledMsg struct {
	did string // what changed; empty: nothing needed to
	err error
}

// label makes the query of Explore a labelled one that wants the selected
// tool.
func (a *App) label() tea.Cmd {
	t := a.selected()
	switch {
	case a.state == nil || t == nil:
		return a.noTool()
	case a.opt.QueriesName == "":
		return a.notices.show(levelWarn, startWithQueries)
	case a.hits.browsing:
		return a.notices.show(levelInfo, "type a query first: it is what is labelled")
	}
	name := t.Name
	if len(a.state.Snapshot.Registry.Lookup(name)) != 1 {
		name = t.Qualified
	}
	query := a.hits.results.Query
	return a.rewriteLabels(func(data []byte) ([]byte, string, error) { return labelQuery(data, query, name, t.Qualified) })
}

// unlabel takes the selected query away, when it is asked for twice.
func (s *queriesScreen) unlabel() tea.Cmd {
	row, ok := s.row()
	switch {
	case s.part != partQueries || !ok:
		return s.app.notices.show(levelInfo, "no labelled query is selected")
	case s.app.opt.QueriesName == "":
		return s.app.notices.show(levelWarn, startWithQueries)
	case s.sure != row.key:
		s.sure = row.key
		return nil
	}
	s.sure = ""
	q := s.found.evaluated.now().Answers[row.i].Query
	return s.app.rewriteLabels(func(data []byte) ([]byte, string, error) { return unlabelQuery(data, q) })
}

// rewriteLabels returns a command that changes the file of labelled queries as
// it is on disk by then. The watcher reports what came of it.
func (a *App) rewriteLabels(change func([]byte) (changed []byte, did string, err error)) tea.Cmd {
	path := a.opt.QueriesName
	return func() tea.Msg {
		for range 3 { // somebody else may write between the look and the change
			data, err := os.ReadFile(path)
			missing := errors.Is(err, fs.ErrNotExist)
			if err != nil && !missing {
				return labelledMsg{err: err}
			}
			changed, did, err := change(data)
			if err != nil || did == "" {
				return labelledMsg{err: err}
			}
			if missing {
				err = createFile(path, changed)
			} else {
				err = atomicfile.Replace(path, data, changed)
			}
			var meanwhile *atomicfile.ChangedError
			if !errors.As(err, &meanwhile) && !errors.Is(err, fs.ErrExist) {
				return labelledMsg{did, err}
			}
		}
		return labelledMsg{err: errors.New(filepath.Base(path) + " keeps changing")}
	}
}

// createFile writes a file that must not be there yet.
func createFile(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Sync(), f.Close())
}

// labelled tells what was written, and has the file read.
func (a *App) labelled(msg labelledMsg) tea.Cmd {
	switch {
	case msg.err != nil:
		words := msg.err.Error()
		var path *fs.PathError
		if errors.As(msg.err, &path) { // whose folders would take the room of what is wrong
			words = filepath.Base(path.Path) + ": " + path.Err.Error()
		}
		return a.notices.show(levelBad, "not written: "+model.Sanitize(words))
	case msg.did == "":
		return a.notices.show(levelInfo, "nothing to write: the labelled queries say so already")
	}
	a.queries.did = msg.did
	return tea.Batch(a.notices.show(levelOk, msg.did), func() tea.Msg {
		if poke := a.opt.Poke[QueriesPart]; poke != nil {
			poke()
		}
		return nil
	})
}

// labelOf returns the labelled query of a text, nil when there is none.
func labelOf(queries []engine.Query, text string) *engine.Query {
	for i := range queries {
		if folded(queries[i].Text) == folded(text) {
			return &queries[i]
		}
	}
	return nil
}
