// Package editor opens files and texts in the user's editor. It works in three
// steps: a command of Open or Texts prepares the editor and reports a ReadyMsg;
// the owner of the terminal runs the command line of that message on it; when
// the editor has ended, the owner reports the ClosedMsg that Closed returns.
//
// Non-goals: the package neither runs the editor nor touches the terminal.
package editor

import (
	tea "github.com/charmbracelet/bubbletea"
)

// ReadyMsg reports the command line to run on the terminal. Closed returns the
// ClosedMsg for the outcome of the run.
type ReadyMsg struct {
	Args   []string
	Closed func(error) tea.Msg
}

// ClosedMsg reports that the editor ended or could not start. Then is the
// message for the caller of Texts, nil for a file that was only shown.
type ClosedMsg struct {
	Err  error
	Then tea.Msg
}

// Open returns a command that prepares to show a file at a line, counting from
// 1; line 0 is the beginning.
func Open(getenv func(string) string, file string, line int) tea.Cmd {
	return func() tea.Msg {
		args, err := commandLine(getenv, file, line)
		if err != nil {
			return ClosedMsg{Err: err}
		}
		return ReadyMsg{args, func(err error) tea.Msg { return ClosedMsg{Err: err} }}
	}
}
