package ui

import (
	"strings"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"
)

// dark is the look that most tests draw in.
var dark = Look{Profile: termenv.TrueColor}

// The limits of the fields under test, in characters.
const (
	longestQuery     = 4 << 10
	longestArguments = 1 << 20
)

func plainTheme() *Theme { return NewTheme(Look{Plain: true}) }

func pasted(s string) tea.KeyMsg {
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s), Paste: true}
}

// keyNamed returns the key that bubbletea calls by a name.
func keyNamed(name string) (tea.KeyMsg, bool) {
	alt := strings.HasPrefix(name, "alt+")
	bare := strings.TrimPrefix(name, "alt+")
	for k := tea.KeyType(-100); k < 128; k++ {
		if m := (tea.KeyMsg{Type: k, Alt: alt}); k != tea.KeyRunes && m.String() == name {
			return m, true
		}
	}
	if utf8.RuneCountInString(bare) == 1 {
		return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(bare), Alt: alt}, true
	}
	return tea.KeyMsg{}, false
}
