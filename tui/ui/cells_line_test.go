package ui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

const (
	boldStyle = Style("\x1b[1m")
	redStyle  = Style("\x1b[31m")
	onBg      = Style("\x1b[48;5;236m")
)

func TestLine(t *testing.T) {
	tests := []struct {
		name string
		w    int
		draw func(l *Line)
		want string
	}{
		{"empty", 3, func(l *Line) {}, "   "},
		{"nothing", 0, func(l *Line) { l.Text("", "x") }, ""},
		{"plain has no sequences", 6, func(l *Line) { l.Text("", "ab"); l.Gap(1); l.Text("", "c") }, "ab c  "},
		{"styled", 4, func(l *Line) { l.Text(boldStyle, "ab") }, "\x1b[1mab\x1b[0m  "},
		{"styled to the edge", 2, func(l *Line) { l.Text(boldStyle, "ab") }, "\x1b[1mab\x1b[0m"},
		{"one style once", 4, func(l *Line) { l.Text(boldStyle, "ab"); l.Text(boldStyle, "cd") }, "\x1b[1mabcd\x1b[0m"},
		{"two styles", 4, func(l *Line) { l.Text(boldStyle, "ab"); l.Text(redStyle, "cd") }, "\x1b[1mab\x1b[0m\x1b[31mcd\x1b[0m"},
		{"under", 4, func(l *Line) { l.Under(onBg); l.Text(redStyle, "ab") },
			"\x1b[48;5;236m\x1b[31mab\x1b[0m\x1b[48;5;236m  \x1b[0m"},
		{"cut", 4, func(l *Line) { l.Text("", "abcdef") }, "abc…"},
		{"cut by the next segment", 4, func(l *Line) { l.Text("", "abcd"); l.Text(boldStyle, "e") }, "abc…"},
		{"cut in the style of what is cut", 4, func(l *Line) { l.Text(redStyle, "abcd"); l.Text(boldStyle, "e") }, "\x1b[31mabc…\x1b[0m"},
		{"cut back into the segment before", 3, func(l *Line) { l.Text(redStyle, "ab"); l.Text(boldStyle, "課") }, "\x1b[31mab\x1b[0m\x1b[1m…\x1b[0m"},
		{"spaces are dropped without a sign", 4, func(l *Line) { l.Text("", "abcd"); l.Text("", "  ") }, "abcd"},
		{"a column is not cut by what follows", 4, func(l *Line) { l.Cell("", "abcd", 4); l.Text("", "e") }, "abcd"},
		{"column", 6, func(l *Line) { l.Cell("", "ab", 4); l.Text("", "cd") }, "ab  cd"},
		{"column cut", 6, func(l *Line) { l.Cell("", "abcdef", 4); l.Text("", "gh") }, "abc…gh"},
		{"column wider than the line", 3, func(l *Line) { l.Cell("", "abcdef", 10) }, "ab…"},
		{"number column", 7, func(l *Line) { l.CellRight("", "1.5", 5); l.Text("", "|") }, "  1.5| "},
		{"right", 8, func(l *Line) { l.Text("", "ab"); l.Right(boldStyle, "cd") }, "ab    \x1b[1mcd\x1b[0m"},
		{"right cut", 5, func(l *Line) { l.Text("", "ab"); l.Right("", "cdef") }, "abcd…"},
		{"to", 6, func(l *Line) { l.Text("", "ab"); l.To(4); l.Text("", "c") }, "ab  c "},
		{"to the left does nothing", 3, func(l *Line) { l.Text("", "ab"); l.To(1); l.Text("", "c") }, "abc"},
		{"repeat", 5, func(l *Line) { l.Repeat("", "─", 3) }, "───  "},
		{"repeat clips", 2, func(l *Line) { l.Repeat("", "─", 9) }, "──"},
		{"wide leaves a gap", 3, func(l *Line) { l.Text("", "課題") }, "課…"},
		{"wide gap is filled", 4, func(l *Line) { l.Text("", "a課題課") }, "a課…"},
		{"wide repeat leaves a gap", 3, func(l *Line) { l.Repeat("", "課", 2) }, "課 "},
		{"spans", 8, func(l *Line) { l.Spans("", boldStyle, "abcdef", [][2]int{{1, 2}, {4, 99}}) },
			"a\x1b[1mb\x1b[0mcd\x1b[1mef\x1b[0m  "},
		{"no cluster across segments", 6, func(l *Line) { l.Text("", "🇳"); l.Text("", "🇴x") }, "🇳?x  "},
		{"no cluster across styles", 6, func(l *Line) { l.Text("", "👩\u200d"); l.Text(boldStyle, "👩") }, "👩\u200d\x1b[1m?\x1b[0m   "},
		{"no selector on a border", 3, func(l *Line) { l.Repeat("", "│", 1); l.Text("", "\ufe0fx") }, "│x "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var l Line
			l.Start(tt.w)
			tt.draw(&l)
			if got := l.End(); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

// TestLineIsExact draws anything in any order and any width.
func TestLineIsExact(t *testing.T) {
	var l Line
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.IntRange(-1, 40).Draw(t, "w")
		l.Start(w)
		if rapid.Bool().Draw(t, "selected") {
			l.Under(onBg)
		}
		for range rapid.IntRange(0, 8).Draw(t, "segments") {
			st := rapid.SampledFrom([]Style{"", "", boldStyle, redStyle}).Draw(t, "style")
			s := nasty().Draw(t, "text")
			n := rapid.IntRange(-2, 20).Draw(t, "n")
			switch rapid.IntRange(0, 7).Draw(t, "kind") {
			case 0:
				l.Gap(n)
			case 1:
				l.Cell(st, s, n)
			case 2:
				l.CellRight(st, s, n)
			case 3:
				l.Repeat(st, rapid.SampledFrom([]string{"─", "-", "課", "", "\x1b"}).Draw(t, "glyph"), n)
			case 4:
				l.To(n)
			case 5:
				l.Spans(st, boldStyle, s, [][2]int{{n, n + 3}})
			default:
				l.Text(st, s)
			}
			if l.At() > max(w, 0) || l.Room() < 0 {
				t.Fatalf("at %d of %d", l.At(), w)
			}
		}
		got := l.End()
		harmless(t, got)
		if width := ansi.StringWidth(got); width != max(w, 0) {
			t.Fatalf("%q has %d cells, want %d", got, width, w)
		}
		if strings.LastIndex(got, "\x1b") != strings.LastIndex(got, reset) {
			t.Fatalf("%q leaves a style on", got)
		}
		if fitted := Fit(got, max(w, 0)); fitted != got && !joinsBorder(firstUnit(got)) {
			t.Fatalf("Fit changed a line that fits: %q", fitted)
		}
	})
}

func TestFit(t *testing.T) {
	tests := []struct {
		name, s string
		w       int
		want    string
	}{
		{"fits", "\x1b[1mab\x1b[0m", 2, "\x1b[1mab\x1b[0m"},
		{"short", "\x1b[1mab\x1b[0m", 4, "\x1b[1mab\x1b[0m  "},
		{"long", "\x1b[1mabcd\x1b[0m", 2, "\x1b[1mab\x1b[0m"},
		{"left on", "\x1b[1mab", 3, "\x1b[1mab\x1b[0m "},
		{"wide at the edge", "a課", 2, "a "},
		{"other sequences", "\x1b[2Jab", 5, "?[2Ja"},
		{"unfinished", "\x1b[3", 3, "?[3"},
		{"mark at the start", "\x1b[1m\u0903a\x1b[0m", 3, "\x1b[1m?a\x1b[0m "},
	}
	for _, tt := range tests {
		if got := Fit(tt.s, tt.w); got != tt.want {
			t.Errorf("%s: Fit(%q, %d) = %q, want %q", tt.name, tt.s, tt.w, got, tt.want)
		}
	}
}

func TestFitIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, w := nasty().Draw(t, "s"), rapid.IntRange(0, 30).Draw(t, "w")
		got := Fit(s, w)
		harmless(t, got)
		if width := ansi.StringWidth("│" + got + "│"); width != w+2 {
			t.Fatalf("Fit(%q, %d) = %q, %d cells", s, w, got, width-2)
		}
	})
}

// firstUnit returns what a styled line begins with.
func firstUnit(s string) string {
	for n := sgr(s); n > 0; n = sgr(s) {
		s = s[n:]
	}
	if s == "" {
		return ""
	}
	draw, _, _ := next(s)
	return draw
}
