package ui

import (
	"image"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// A note beside tabs of views is never cut inside a word: it has a short form, or its
// first words, or is left out, and then the tabs have its room.
func TestNoteIsCutBetweenWords(t *testing.T) {
	t.Parallel()
	theme, line := NewTheme(Look{Plain: true}), regexp.MustCompile("─+")
	for _, tt := range []struct {
		name, note, short string
		w                 int
		want              string // with the line as one sign
	}{
		{"room for all", "tool_search active", "tool_search", 54, " [table] bytes  labelled  up  ─ tool_search active "},
		{"the short form", "tool_search active", "tool_search", 53, " [table] bytes  labelled  up  ─ tool_search "},
		{"a short form without room", "tool_search active", "tool_search", 46, " [table] bytes  labelled  up  ─"},
		{"the first words", "failed, enter starts it", "", 51, " [table] bytes  labelled  up  ─ failed, enter… "},
		{"no comma before what is left out", "failed, enter starts it", "", 45, " [table] bytes  labelled  up  ─ failed… "},
		{"too little of it", "no violation", "", 47, " [table] bytes  labelled  up  ─"},
		{"one long word", "mcp_forge_create_issue", "", 50, " [table] bytes  labelled  up  ─"},
		{"further tabs take the room of what is left out", "mcp_forge_create_issue", "", 33, " [table] bytes  labelled… ─"},
		{"tabs beside a short form", "tool_search active", "search", 32, " [table] bytes… ─ search "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := Frame{Tabs: Tabs{Labels: []string{"table", "bytes", "labelled", "up"}}, Note: tt.note, Short: tt.short, Yield: true}
			head := ansi.Strip(f.Draw(theme, NewBox(image.Rect(0, 0, tt.w, 4), false, true), nil)[0])
			if got := line.ReplaceAllString(strings.Trim(head, "╭╮"), "─"); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
			if got := ansi.StringWidth(head); got != tt.w {
				t.Errorf("%d cells, want %d", got, tt.w)
			}
		})
	}
}
