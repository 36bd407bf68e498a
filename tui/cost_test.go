package tui

import (
	"slices"
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
	moved := testing.AllocsPerRun(20, func() {
		a.hits.version++
		a.schema.version++
		a.View()
	})
	if unchanged > moved/2 {
		t.Errorf("%.0f allocations for a screen that has not changed, %.0f for one with two new panes", unchanged, moved)
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

func TestOnlyWhatChangedIsDrawn(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		focus Pane
		do    func(a *App)
		drawn []Pane
	}{
		{"nothing", PaneHits, func(a *App) {}, nil},
		{"selection", PaneHits, func(a *App) { a.Update(down) }, []Pane{PaneHits, PaneSchema, PaneWhy, PaneDryRun}},
		{"schema", PaneSchema, func(a *App) { a.Update(down) }, []Pane{PaneSchema}},
		{"why", PaneWhy, func(a *App) { a.Update(down) }, []Pane{PaneWhy}},
		{"dry run", PaneDryRun, func(a *App) { a.Update(down) }, []Pane{PaneDryRun}},
		{"arguments", PaneDryRun, func(a *App) { a.args.Set(`{"owner":1}`); a.argumentsChanged() }, []Pane{PaneDryRun}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := explorer(t, benchWidth, benchHeight).app()
			for _, r := range "create a branch" {
				press(a, r)
			}
			a.setFocus(tt.focus)
			a.View()
			before := a.screen
			tt.do(a)
			a.View()
			var drawn []Pane
			for _, pane := range []Pane{PaneHits, PaneSchema, PaneWhy, PaneDryRun} {
				if &before[pane].lines[0] != &a.screen[pane].lines[0] {
					drawn = append(drawn, pane)
				}
			}
			if !slices.Equal(drawn, tt.drawn) {
				t.Errorf("drew %v, want %v", drawn, tt.drawn)
			}
		})
	}
}
