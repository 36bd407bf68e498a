package workbench

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/labels"
)

// NoLabels is the text that explains how to get a file of labelled queries.
const NoLabels = "on Explore and Queries, a labels a query with the tool that answers it, and creates the file for it"

// LabelsWrittenMsg reports that the file was written, or the error.
type LabelsWrittenMsg struct {
	Did string // text that describes the change; empty when none was needed
	Err error

	Path          string
	Before, After []byte // content of the file; nil for a missing one
}

// HoldsLabels reports whether a file has a labelled query. One of another format only has
// the name.
func HoldsLabels(path string) bool {
	data, err := ReadFile(path)
	if err != nil {
		return false
	}
	known, _ := labels.Parse(path, data)
	return len(known) > 0
}

// RewriteLabels returns a command that applies change to the current content of a
// file of labelled queries and reports a LabelsWrittenMsg. A change that did nothing
// writes nothing. It creates a missing file.
func RewriteLabels(path string, change func([]byte) (changed []byte, did string, err error)) tea.Cmd {
	return func() tea.Msg {
		msg := LabelsWrittenMsg{Path: path}
		msg.Before, msg.After, msg.Err = RewriteFile(path, 0o644, func(data []byte) (changed []byte, err error) {
			changed, msg.Did, err = change(data)
			if msg.Did == "" {
				return data, err
			}
			return changed, err
		})
		if errors.Is(msg.Err, ErrBusy) {
			msg.Err = errors.New(filepath.Base(path) + " keeps changing")
		}
		return msg
	}
}

// FindLabel returns the labelled query with a text, nil if no query has it.
func FindLabel(queries []labels.Query, text string) *labels.Query {
	for i := range queries {
		if slices.Equal(strings.Fields(queries[i].Text), strings.Fields(text)) {
			return &queries[i]
		}
	}
	return nil
}
