package tui

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// editorClosedMsg tells that the editor ended.
type editorClosedMsg struct {
	edited    string // name of the tool whose arguments were edited; empty for a file
	described string // qualified name of the tool whose description was
	text      string // what was edited, as it was left
	err       error
}

// editorArgs returns the command line that opens a file at a line in the
// editor that the environment names: VISUAL, else EDITOR, else vi.
func editorArgs(getenv func(string) string, file string, line int) ([]string, error) {
	words := getenv("VISUAL")
	if strings.TrimSpace(words) == "" {
		words = getenv("EDITOR")
	}
	if strings.TrimSpace(words) == "" {
		words = "vi"
	}
	args, err := splitWords(words)
	if err != nil {
		return nil, fmt.Errorf("editor %q: %w", words, err)
	}
	if line < 1 {
		return append(args, file), nil
	}
	name := strings.TrimSuffix(filepath.Base(args[0]), ".exe")
	at := file + ":" + strconv.Itoa(line)
	switch {
	case slices.Contains([]string{"code", "code-insiders", "codium", "cursor", "windsurf"}, name):
		return append(args, "--wait", "-g", at), nil
	case slices.Contains([]string{"hx", "helix", "subl", "zed", "micro"}, name):
		return append(args, at), nil
	case slices.Contains([]string{"vi", "vim", "nvim", "view", "nano", "emacs", "emacsclient", "kak", "joe", "pico", "mg", "ne", "jed"}, name):
		return append(args, "+"+strconv.Itoa(line), file), nil
	default: // an unknown editor may take +N for a file's name
		return append(args, file), nil
	}
}

// splitWords splits a command line as a POSIX shell would, with quotes and
// backslashes but no expansions.
func splitWords(s string) ([]string, error) {
	var words []string
	var word strings.Builder
	inWord, quote := false, rune(0)
	escaped := false
	for _, r := range s {
		switch {
		case escaped:
			if quote == '"' && !strings.ContainsRune("$`\"\\\n", r) {
				word.WriteByte('\\')
			}
			word.WriteRune(r)
			escaped = false
		case r == '\\' && quote != '\'':
			escaped, inWord = true, true
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, inWord = r, true
		case r == ' ' || r == '\t' || r == '\n':
			if inWord {
				words = append(words, word.String())
				word.Reset()
				inWord = false
			}
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	if quote != 0 || escaped {
		return nil, errors.New("a quote is not closed")
	}
	if inWord {
		words = append(words, word.String())
	}
	if len(words) == 0 || words[0] == "" {
		return nil, errors.New("no program named")
	}
	return words, nil
}

// openFile returns a command that makes ready to show a file in the editor.
func openFile(getenv func(string) string, file string, line int) tea.Cmd {
	return func() tea.Msg {
		args, err := editorArgs(getenv, file, line)
		if err != nil {
			return editorClosedMsg{err: err}
		}
		return editorReadyMsg{args: args, closed: func(err error) tea.Msg { return editorClosedMsg{err: err} }}
	}
}

// editArguments returns a command that makes ready to edit a tool's arguments
// in a temporary file, which is removed when the editor closes.
func editArguments(getenv func(string) string, tool, text string) tea.Cmd {
	return func() tea.Msg {
		file, err := os.CreateTemp("", "caliper-arguments-*.json")
		if err != nil {
			return editorClosedMsg{err: err}
		}
		_, err = file.WriteString(text + "\n")
		args, argsErr := editorArgs(getenv, file.Name(), 1)
		if err = errors.Join(err, file.Close(), argsErr); err != nil {
			os.Remove(file.Name())
			return editorClosedMsg{err: err}
		}
		return editorReadyMsg{args: args, closed: func(err error) tea.Msg {
			defer os.Remove(file.Name())
			data, readErr := os.ReadFile(file.Name())
			return editorClosedMsg{edited: tool, text: strings.TrimSpace(string(data)), err: errors.Join(err, readErr)}
		}}
	}
}
