package ui

import (
	"slices"
	"strings"
	"testing"
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

func TestFuzzyMatch(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, query, text string
		spans             [][2]int // nil for no match
	}{
		{"the whole query", "strat", "Go to Strategies", [][2]int{{6, 11}}},
		{"inside a word", "ategi", "Go to Strategies", [][2]int{{9, 14}}},
		{"beginnings of words", "gtq", "Go to Queries", [][2]int{{0, 1}, {3, 4}, {6, 7}}},
		{"letters behind each other", "goque", "Go to Queries", [][2]int{{0, 2}, {6, 9}}},
		{"blanks do not count", "go que", "Go to Queries", [][2]int{{0, 2}, {6, 9}}},
		{"the first of two words does not do", "trs", "to tree search", [][2]int{{3, 5}, {8, 9}}},
		{"later words of a name", "cis", "mcp_tracker_create_issue", [][2]int{{12, 13}, {19, 21}}},
		{"words of a name in order", "mtci", "mcp_tracker_create_issue", [][2]int{{0, 1}, {4, 5}, {12, 13}, {19, 20}}},
		{"letters inside words", "gate", "Go to Strategies", nil},
		{"wrong order", "qg", "Go to Queries", nil},
		{"more than the text", "gggg", "Go", nil},
	}
	for _, tt := range tests {
		if _, spans, ok := fuzzyMatch(tt.query, tt.text); !slices.Equal(spans, tt.spans) || ok != (tt.spans != nil) {
			t.Errorf("%s: %q in %q: %v, %t, want %v", tt.name, tt.query, tt.text, spans, ok, tt.spans)
		}
	}
}

func TestFirstWords(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		w    int
		want string
	}{
		"all fits":                      {"Send a letter", 13, "Send a letter"},
		"the last word does not":        {"Send a letter", 12, "Send a…"},
		"nor does the sign":             {"Send a letter", 6, "Send…"},
		"the first word does not":       {"Send a letter", 4, ""},
		"punctuation before the sign":   {"Lists: names, dates", 16, "Lists: names…"},
		"punctuation alone is too long": {"Lists,,,,,,,,,, names", 6, "Lists…"},
		"wide letters":                  {"日本 東京 京都", 11, "日本 東京…"},
		"spaces alone":                  {"      ", 3, ""},
		"no room":                       {"Send", 0, ""},
	} {
		if got := FirstWords(c.text, c.w); got != c.want {
			t.Errorf("%s: FirstWords(%q, %d) = %q, want %q", name, c.text, c.w, got, c.want)
		}
	}
}
