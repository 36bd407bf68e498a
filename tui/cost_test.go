package tui

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

// down is the key that goes to the next row.
var down = tea.KeyMsg{Type: tea.KeyDown}

func TestUnchangedScreenIsNotDrawnAgain(t *testing.T) {
	a := explorer(t, benchWidth, benchHeight).app()
	for _, r := range "create a branch" {
		press(a, r)
	}
	a.View()
	unchanged := testing.AllocsPerRun(20, func() { a.View() })
	moved := testing.AllocsPerRun(20, func() { a.Update(down); a.View() })
	if unchanged > moved/2 {
		t.Errorf("%.0f allocations for a screen that has not changed, %.0f for one where a row further is selected", unchanged, moved)
	}
}

func TestKeyCostsTheSameAtAnySize(t *testing.T) {
	cost := func(n int) float64 {
		a := large(t, n)
		for _, r := range "create a file" {
			press(a, r)
		}
		a.View()
		return testing.AllocsPerRun(20, func() { a.Update(down); a.View() })
	}
	if few, many := cost(500), cost(10_000); many > 1.5*few {
		t.Errorf("a key costs %.0f allocations with 500 tools, %.0f with 10,000", few, many)
	}
}
