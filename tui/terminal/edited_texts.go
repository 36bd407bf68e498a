package terminal

import (
	"errors"
	"os"
	"sync"

	tea "github.com/charmbracelet/bubbletea"
)

// EditedTexts edits texts in temporary files. A file is removed when its editor closes, and
// Remove removes the others, because a program may end before it has run an editor that
// is prepared, or while one runs. It is safe for concurrent use.
type EditedTexts struct {
	getenv func(string) string

	mu    sync.Mutex
	files map[string]bool
	ended bool
}

// NewEditedTexts returns an EditedTexts without files, for the editor that an environment names.
func NewEditedTexts(getenv func(string) string) *EditedTexts {
	return &EditedTexts{getenv: getenv, files: map[string]bool{}}
}

// errEnded is the error of a text that is edited after Remove.
var errEnded = errors.New("the program ends")

// Edit returns a command that prepares to edit a text in a temporary file. The name of
// the file is made from pattern, as in os.CreateTemp. Edited returns the message for the
// edited text, or for the original text and an error.
func (t *EditedTexts) Edit(pattern, text string, edited func(text string, err error) tea.Msg) tea.Cmd {
	return func() tea.Msg {
		t.mu.Lock() // no text can be edited after Remove
		path, err := "", errEnded
		if !t.ended {
			var file *os.File
			if file, err = os.CreateTemp("", pattern); err == nil {
				path = file.Name()
				t.files[path] = true
				_, err = file.WriteString(text + "\n")
				err = errors.Join(err, file.Close())
			}
		}
		t.mu.Unlock()
		if err != nil {
			t.remove(path)
			return EditorClosedMsg{err, edited(text, err)}
		}
		args, err := editorCommand(t.getenv, path, 1)
		if err != nil {
			t.remove(path)
			return EditorClosedMsg{err, edited(text, err)}
		}
		return EditorReadyMsg{args, func(err error) tea.Msg {
			defer t.remove(path)
			data, readErr := os.ReadFile(path)
			err = errors.Join(err, readErr)
			return EditorClosedMsg{err, edited(string(data), err)}
		}}
	}
}

// remove removes one file.
func (t *EditedTexts) remove(path string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	_ = os.Remove(path) // the editor may have
	delete(t.files, path)
}

// Remove removes all files. No text can be edited from then on.
func (t *EditedTexts) Remove() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ended = true
	for path := range t.files {
		_ = os.Remove(path) // the editor may have
	}
	clear(t.files)
}

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
