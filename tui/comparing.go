package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"caliper/model/safetext"
	"caliper/tui/screen"
	"caliper/tui/sides"
	"caliper/tui/ui"
)

// comparing reports whether the comparison of two states is over the screen, with a
// box over it or not.
func (a *App) comparing() bool {
	return len(a.over) > 0 && a.fills(a.over[0])
}

// fills reports whether a box is the comparison, which takes the place of the screen between
// header and footer: the keys that work on every screen work in it too.
func (a *App) fills(o screen.Overlay) bool { return o == screen.Overlay(a.sides) }

// rankers is the ID of the row that compares the rankers.
const rankers = "rankers"

// pickState opens the picker of the state that is compared with the saved one.
func (a *App) pickState() tea.Cmd {
	choices := a.sides.Choices()
	if len(choices) == 0 {
		return a.Notify(ui.LevelInfo, "nothing is loaded yet")
	}
	choices = append(choices, ui.Choice{ID: rankers, Label: "the rankers, beside the hits", Note: a.keyOf(ui.Compare)})
	a.Choose("put beside what is on disk, session "+safetext.Line(a.state.OnDisk().Snapshot.Session.Name), choices, false, func(id string) tea.Cmd {
		if id == rankers {
			a.goTo(0)
			for _, g := range a.explore.Groups() {
				if b := g.Binding(ui.Compare); b != nil {
					return a.do(b)
				}
			}
			return nil
		}
		for _, c := range choices {
			if c.ID == id && c.Why != "" {
				return a.Notify(ui.LevelInfo, c.Why)
			}
		}
		if title := sides.PathTitles[id]; title != "" {
			return a.AskPath(title, "compare", false, func(path string) tea.Cmd { return a.compare(id, path) })
		}
		return a.compare(id, "")
	})
	return nil
}

// compare opens the comparison with a state.
func (a *App) compare(id, path string) tea.Cmd {
	a.find, a.over = nil, nil
	a.Open(a.sides)
	return a.sides.Choose(id, path)
}
