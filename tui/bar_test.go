package tui

import (
	"math"
	"slices"
	"strings"
	"testing"

	"caliper/tui/cells"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

func TestBar(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		bar   bar
		w     int
		ascii bool
		want  string
	}{
		{"nothing", bar{mark: -1}, 4, false, "    "},
		{"all", bar{fraction: 1, mark: -1}, 4, false, "████"},
		{"more than all", bar{fraction: 7, mark: -1}, 4, false, "████"},
		{"less than nothing", bar{fraction: -1, mark: -1}, 4, false, "    "},
		{"half", bar{fraction: 0.5, mark: -1}, 4, false, "██  "},
		{"eighths", bar{fraction: 0.40625, mark: -1}, 4, false, "█▋  "},
		{"a trace is seen", bar{fraction: 1e-9, mark: -1}, 4, false, "▏   "},
		{"empty part", bar{fraction: 0.5, mark: -1, empty: true}, 4, false, "██░░"},
		{"mark beyond", bar{fraction: 0.25, mark: 0.75, empty: true}, 8, false, "██░░░░│░"},
		{"mark inside", bar{fraction: 0.75, mark: 0.25}, 8, false, "██▓███  "},
		{"mark at the end of all", bar{fraction: 1, mark: 1}, 4, false, "███▓"},
		{"mark in a cell filled by half", bar{fraction: 0.375, mark: 0.25}, 4, false, "█▓  "},
		{"mark in a cell filled by less", bar{fraction: 0.34375, mark: 0.25}, 4, false, "█│  "},
		{"ascii mark inside", bar{fraction: 0.8, mark: 0.2, empty: true}, 10, true, "##@#####.."},
		{"mark at the end", bar{fraction: 0.5, mark: 1}, 4, false, "██ │"},
		{"ascii", bar{fraction: 0.6, mark: 0.8, empty: true}, 10, true, "######..|."},
		{"no room", bar{fraction: 1, mark: 0.5}, 0, false, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			theme := NewTheme(Look{Plain: true, ASCII: tt.ascii})
			var l cells.Line
			l.Start(max(tt.w, 0))
			tt.bar.draw(&l, theme, tt.w)
			if got := l.End(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestBarIsExact(t *testing.T) {
	t.Parallel()
	theme := NewTheme(Look{})
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.IntRange(0, 60).Draw(t, "w")
		b := bar{
			fraction: rapid.Float64().Draw(t, "fraction"),
			mark:     rapid.Float64Range(-1, 2).Draw(t, "mark"),
			fill:     theme.GaugeFill,
			empty:    rapid.Bool().Draw(t, "empty"),
		}
		var l cells.Line
		l.Start(w + 5)
		b.draw(&l, theme, w)
		if l.At() != w {
			t.Fatalf("%+v drew %d cells, want %d", b, l.At(), w)
		}
		if got := ansi.StringWidth(l.End()); got != w+5 {
			t.Fatalf("line of %d cells, want %d", got, w+5)
		}
	})
}

func TestBarShowsItsFillBesideTheMark(t *testing.T) {
	t.Parallel()
	theme := NewTheme(Look{Plain: true})
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.IntRange(2, 60).Draw(t, "w")
		b := bar{fraction: rapid.Float64Range(0, 1).Draw(t, "fraction"), mark: rapid.Float64Range(0, 1).Draw(t, "mark")}
		var l cells.Line
		l.Start(w)
		b.draw(&l, theme, w)
		filled := 0.0
		for _, r := range l.End() {
			if glyph := string(r); glyph == theme.Full || glyph == theme.Glyphs.MarkIn {
				filled++
			} else if i := slices.Index(theme.Eighths, glyph); i >= 0 {
				filled += float64(i+1) / 8
			}
		}
		// Half a cell under the mark, and the rounding to eighths.
		if want := b.fraction * float64(w); math.Abs(filled-want) > 0.5+1.0/8 {
			t.Fatalf("%+v fills %g of %d cells, not %g", b, filled, w, want)
		}
	})
}

func TestBarMarkHasTheColourOfTheFill(t *testing.T) {
	t.Parallel()
	theme := NewTheme(dark)
	for fraction, style := range map[float64]cells.Style{0.45: theme.GaugeMarkIn, 0.25: theme.GaugeMark, 1: theme.GaugeMarkIn} {
		var l cells.Line
		l.Start(10)
		bar{fraction: fraction, mark: 0.4, fill: theme.GaugeFill}.draw(&l, theme, 10)
		if line := l.End(); !strings.Contains(line, string(style)+theme.Mark) {
			t.Errorf("at %g the mark is not drawn in %q: %q", fraction, style, line)
		}
	}
}
