package tui

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/tui/knob"
)

// onBudget returns an explorer on n synthetic tools that shows the knobs of
// Budget, with one of them turned there and back.
func onBudget(t testing.TB, n, row int) *driver {
	d := startExplorer(t, testOptions(syntheticDump(n), nil), benchWidth, benchHeight).Press("alt+2", "v")
	for range row {
		d.Press("down")
	}
	return d.Press("right", "left")
}

// BenchmarkKnob turns each knob of Budget by a step and back: from the key until
// all work that it causes has ended and is drawn.
func BenchmarkKnob(b *testing.B) {
	for _, n := range benchSizes[1:3] {
		for row, k := range knob.In(knob.Budget) {
			b.Run(benchName(n)+"/"+k.Label, func(b *testing.B) {
				d := onBudget(b, n, row)
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					d.Send(tea.KeyMsg{Type: []tea.KeyType{tea.KeyRight, tea.KeyLeft}[i%2]})
				}
			})
		}
	}
}

// TestKnobCostsTheSameAtAnySize turns a knob that decides nothing anew. What it
// causes may look at every tool, and may not make anything for each.
func TestKnobCostsTheSameAtAnySize(t *testing.T) {
	cost := func(n int) float64 {
		d := onBudget(t, n, 0)
		return testing.AllocsPerRun(4, func() { d.Press("right", "left") })
	}
	if few, many := cost(500), cost(5_000); many > 2*few {
		t.Errorf("a knob costs %.0f allocations with 500 tools, %.0f with 5,000", few, many)
	}
}
