package terminal

import (
	tea "github.com/charmbracelet/bubbletea"
)

// EditorReadyMsg reports the command line to run on the terminal. Closed returns the
// EditorClosedMsg for the outcome of the run.
type EditorReadyMsg struct {
	Args   []string
	Closed func(error) tea.Msg
}

// EditorClosedMsg reports that the editor ended or could not start. Then is the
// message for the caller of EditedTexts, nil for a file that was only shown.
type EditorClosedMsg struct {
	Err  error
	Then tea.Msg
}

// OpenInEditor returns a command that prepares to show a file at a line, counting from
// 1; line 0 is the beginning.
func OpenInEditor(getenv func(string) string, file string, line int) tea.Cmd {
	return func() tea.Msg {
		args, err := editorCommand(getenv, file, line)
		if err != nil {
			return EditorClosedMsg{Err: err}
		}
		return EditorReadyMsg{args, func(err error) tea.Msg { return EditorClosedMsg{Err: err} }}
	}
}
