package ui

import (
	"strings"
	"testing"

	_ "caliper/model/require"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

func TestBar(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		bar   Bar
		w     int
		ascii bool
		want  string
	}{
		{"nothing", Bar{Mark: -1}, 4, false, "    "},
		{"all", Bar{Fraction: 1, Mark: -1}, 4, false, "████"},
		{"more than all", Bar{Fraction: 7, Mark: -1}, 4, false, "████"},
		{"less than nothing", Bar{Fraction: -1, Mark: -1}, 4, false, "    "},
		{"half", Bar{Fraction: 0.5, Mark: -1}, 4, false, "██  "},
		{"eighths", Bar{Fraction: 0.40625, Mark: -1}, 4, false, "█▋  "},
		{"a trace is seen", Bar{Fraction: 1e-9, Mark: -1}, 4, false, "▏   "},
		{"empty part", Bar{Fraction: 0.5, Mark: -1, Empty: true}, 4, false, "██░░"},
		{"mark beyond", Bar{Fraction: 0.25, Mark: 0.75, Empty: true}, 8, false, "██░░░░│░"},
		{"mark inside", Bar{Fraction: 0.75, Mark: 0.25}, 8, false, "██▓███  "},
		{"mark at the end of all", Bar{Fraction: 1, Mark: 1}, 4, false, "███▓"},
		{"mark in a cell filled by half", Bar{Fraction: 0.375, Mark: 0.25}, 4, false, "█▓  "},
		{"mark in a cell filled by less", Bar{Fraction: 0.34375, Mark: 0.25}, 4, false, "█│  "},
		{"ascii mark inside", Bar{Fraction: 0.8, Mark: 0.2, Empty: true}, 10, true, "##@#####.."},
		{"mark at the end", Bar{Fraction: 0.5, Mark: 1}, 4, false, "██ │"},
		{"ascii", Bar{Fraction: 0.6, Mark: 0.8, Empty: true}, 10, true, "######..|."},
		{"no room", Bar{Fraction: 1, Mark: 0.5}, 0, false, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			theme := NewTheme(Look{Plain: true, ASCII: tt.ascii})
			var l Line
			l.Start(max(tt.w, 0))
			tt.bar.Draw(&l, theme, tt.w)
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
		b := Bar{
			Fraction: rapid.Float64().Draw(t, "fraction"),
			Mark:     rapid.Float64Range(-1, 2).Draw(t, "mark"),
			Fill:     theme.Accent,
			Empty:    rapid.Bool().Draw(t, "empty"),
		}
		var l Line
		l.Start(w + 5)
		b.Draw(&l, theme, w)
		if l.At() != w {
			t.Fatalf("%+v drew %d cells, want %d", b, l.At(), w)
		}
		if got := ansi.StringWidth(l.End()); got != w+5 {
			t.Fatalf("line of %d cells, want %d", got, w+5)
		}
	})
}

func TestBarMarkHasTheColourOfTheFill(t *testing.T) {
	t.Parallel()
	theme := NewTheme(dark)
	for fraction, style := range map[float64]Style{0.45: theme.GaugeMarkIn, 0.25: theme.GaugeMark, 1: theme.GaugeMarkIn} {
		var l Line
		l.Start(10)
		Bar{Fraction: fraction, Mark: 0.4, Fill: theme.Accent}.Draw(&l, theme, 10)
		if line := l.End(); !strings.Contains(line, string(style)+theme.Mark) {
			t.Errorf("at %g the mark is not drawn in %q: %q", fraction, style, line)
		}
	}
}
