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
	"path/filepath"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/labels"
	"caliper/tui/atomicfile"
	"caliper/tui/ui"
)

// None is the text that explains how to get a file of labelled queries.
const None = "on Explore and Queries, a labels a query with the tool that answers it, and creates the file for it"

// WrittenMsg reports that the file was written, or the error.
type WrittenMsg struct {
	Did string // text that describes the change; empty when none was needed
	Err error

	Path          string
	Before, After []byte // content of the file; nil for a missing one
}

// Holds reports whether a file has a labelled query. One of another format only has
// the name.
func Holds(path string) bool {
	data, err := atomicfile.Read(path)
	if err != nil {
		return false
	}
	known, _ := labels.Parse(path, data)
	return len(known) > 0
}

// Rewrite returns a command that applies change to the current content of a
// file of labelled queries and reports a WrittenMsg. A change that did nothing
// writes nothing. It creates a missing file.
func Rewrite(path string, change func([]byte) (changed []byte, did string, err error)) tea.Cmd {
	return func() tea.Msg {
		msg := WrittenMsg{Path: path}
		msg.Before, msg.After, msg.Err = atomicfile.Rewrite(path, 0o644, func(data []byte) (changed []byte, err error) {
			changed, msg.Did, err = change(data)
			if msg.Did == "" {
				return data, err
			}
			return changed, err
		})
		if errors.Is(msg.Err, atomicfile.ErrBusy) {
			msg.Err = errors.New(filepath.Base(path) + " keeps changing")
		}
		return msg
	}
}

// Find returns the labelled query with a text, nil if no query has it.
func Find(queries []labels.Query, text string) *labels.Query {
	for i := range queries {
		if ui.OneLine(queries[i].Text) == ui.OneLine(text) {
			return &queries[i]
		}
	}
	return nil
}
