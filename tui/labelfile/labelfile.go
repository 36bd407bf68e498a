// Package labelfile adds and removes lines of a file of labelled queries.
// Unchanged lines keep their bytes, and lines that another program writes at
// the same time are not lost.
//
// Invariants:
//   - a file is replaced only while it holds the bytes that the change was
//     computed from; otherwise the change is computed again;
//   - every line that is not changed keeps its bytes.
package labelfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/labels"
	"caliper/tui/atomicfile"
	"caliper/tui/ui"
)

// None is the text that explains how to get a file of labelled queries.
const None = "start with --queries FILE to keep labelled queries"

// WrittenMsg reports that the file was written, or the error.
type WrittenMsg struct {
	Did string // text that describes the change; empty when none was needed
	Err error
}

// Rewrite returns a command that applies change to the current content of a
// file of labelled queries and reports a WrittenMsg. It creates a missing file.
func Rewrite(path string, change func([]byte) (changed []byte, did string, err error)) tea.Cmd {
	return func() tea.Msg {
		for range 3 { // another program may write between read and replace
			data, err := os.ReadFile(path)
			missing := errors.Is(err, fs.ErrNotExist)
			if err != nil && !missing {
				return WrittenMsg{Err: err}
			}
			changed, did, err := change(data)
			if err != nil || did == "" {
				return WrittenMsg{Err: err}
			}
			if missing {
				err = createFile(path, changed)
			} else {
				err = atomicfile.Replace(path, data, changed)
			}
			var meanwhile *atomicfile.ChangedError
			if !errors.As(err, &meanwhile) && !errors.Is(err, fs.ErrExist) {
				return WrittenMsg{did, err}
			}
		}
		return WrittenMsg{Err: errors.New(filepath.Base(path) + " keeps changing")}
	}
}

// createFile writes a file that must not exist yet.
func createFile(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Sync(), f.Close())
}

// find returns the labelled query with a text, nil when there is none.
func find(queries []labels.Query, text string) *labels.Query {
	for i := range queries {
		if ui.OneLine(queries[i].Text) == ui.OneLine(text) {
			return &queries[i]
		}
	}
	return nil
}
