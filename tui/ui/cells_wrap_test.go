package ui

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

func TestWrapText(t *testing.T) {
	tests := []struct {
		name, s string
		w       int
		want    []string
	}{
		{"empty", "", 10, nil},
		{"no room", "text", 0, nil},
		{"one line", "create issue", 12, []string{"create issue"}},
		{"between words", "create an issue", 9, []string{"create an", "issue"}},
		{"break falls on the space", "create an issue", 10, []string{"create an", "issue"}},
		{"several spaces", "create     issue", 8, []string{"create", "issue"}},
		{"long word", "mcp_github_create", 6, []string{"mcp_gi", "thub_c", "reate"}},
		{"long word after a short one", "a mcp_github", 6, []string{"a", "mcp_gi", "thub"}},
		{"newlines", "one\n\ntwo\r\nthree", 10, []string{"one", "", "two", "three"}},
		{"trailing newline", "one\n", 10, []string{"one", ""}},
		{"indented", "- one\n  two", 10, []string{"- one", "  two"}},
		{"indented and broken", "  one two", 6, []string{"  one", "two"}},
		{"only spaces", "      ", 4, []string{"    ", ""}},
		{"wide", "課題を作る", 5, []string{"課題", "を作", "る"}},
		{"wide in one cell", "課a", 1, []string{"…", "a"}},
		{"mark stays", "cafe\u0301s", 4, []string{"cafe\u0301", "s"}},
		{"control", "a\x1b b", 2, []string{"a?", "b"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Wrap(tt.s, tt.w); !slices.Equal(got, tt.want) {
				t.Errorf("Wrap(%q, %d) = %q, want %q", tt.s, tt.w, got, tt.want)
			}
		})
	}
}

func TestWrapLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, w := nasty().Draw(t, "s"), rapid.IntRange(2, 20).Draw(t, "w")
		lines := Wrap(s, w)
		for _, line := range lines {
			harmless(t, line)
			if got := ansi.StringWidth(line); got > w {
				t.Fatalf("Wrap(%q, %d): %q has %d cells", s, w, line, got)
			}
		}
		squeeze := strings.NewReplacer(" ", "", "\n", "", "\r", "")
		var paragraphs []string
		for p := range strings.SplitSeq(s, "\n") {
			paragraphs = append(paragraphs, Clean(strings.TrimSuffix(p, "\r")))
		}
		got, want := squeeze.Replace(strings.Join(lines, "")), squeeze.Replace(strings.Join(paragraphs, ""))
		if got != want {
			t.Fatalf("Wrap(%q, %d) = %q: text was lost or added", s, w, lines)
		}
	})
}

func BenchmarkWrap(b *testing.B) {
	s := strings.Repeat("Create a new issue in a repository, with labels and assignees. ", 40)
	b.SetBytes(int64(len(s)))
	b.ReportAllocs()
	for b.Loop() {
		Wrap(s, 60)
	}
}
