package terminal

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// editorCommand returns the command line that opens a file at a line in the
// editor that the environment names: VISUAL, else EDITOR, else vi.
func editorCommand(getenv func(string) string, file string, line int) ([]string, error) {
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
	default: // an unknown editor may read +N as a file name
		return append(args, file), nil
	}
}

// splitWords splits a command line as a POSIX shell would, with quotes and
// backslashes but without expansions.
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
