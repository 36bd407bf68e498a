package tui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/tui/desk"
)

// turned are the screens with knobs: the group of these, and the keys that lead to
// the first.
var turned = []struct {
	name  string
	group desk.KnobGroup
	keys  []string
}{
	{"Budget", desk.BudgetKnobs, []string{"alt+2", "v"}},
	{"Strategies", desk.StrategiesKnobs, []string{"alt+4", "tab"}},
	{"Results", desk.ResultsKnobs, []string{"alt+6", "tab"}},
}

// onKnob returns an explorer on n synthetic tools, with a query, that shows the knob
// of a row, which was turned there and back.
func onKnob(t testing.TB, n int, keys []string, row int) *driver {
	d := startExplorer(t, testOptions(syntheticDump(n), nil), benchWidth, benchHeight).Type("create a file").Press("esc").Press(keys...)
	for range row {
		d.Press("down")
	}
	return d.Press("right", "left")
}

// BenchmarkKnob turns each knob by a step and back: from the key until all work that
// it causes has ended and is drawn.
func BenchmarkKnob(b *testing.B) {
	for _, n := range benchSizes[1:] {
		for _, on := range turned {
			for row, k := range desk.KnobsOf(on.group) {
				b.Run(benchName(n)+"/"+on.name+"/"+k.Label, func(b *testing.B) {
					d := onKnob(b, n, on.keys, row)
					b.ReportAllocs()
					for i := 0; b.Loop(); i++ {
						d.Send(tea.KeyMsg{Type: []tea.KeyType{tea.KeyRight, tea.KeyLeft}[i%2]})
					}
				})
			}
		}
	}
}

// TestBenchmarkTurnsKnobs checks that BenchmarkKnob does what it says.
func TestBenchmarkTurnsKnobs(t *testing.T) {
	for _, on := range turned {
		if d := onKnob(t, 30, on.keys, 0); !strings.Contains(d.Press("right").Screen(), "1 changed") && !strings.Contains(d.Screen(), "1 knob changed") {
			t.Errorf("%s:\n%s", on.name, d.Screen())
		}
	}
}

// TestKnobCostsTheSameAtAnySize turns a knob that decides nothing anew. What it
// causes may look at every tool, and may not make anything for each.
func TestKnobCostsTheSameAtAnySize(t *testing.T) {
	cost := func(n int) float64 {
		d := onKnob(t, n, turned[0].keys, 0)
		return testing.AllocsPerRun(4, func() { d.Press("right", "left") })
	}
	if few, many := cost(500), cost(5_000); many > 2*few {
		t.Errorf("a knob costs %.0f allocations with 500 tools, %.0f with 5,000", few, many)
	}
}
