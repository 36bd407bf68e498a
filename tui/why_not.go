package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"caliper/tui/screen"
)

// question returns what the visible screen is about: what its selected row asks, else the query of
// Explore and the selected tool.
func (a *App) question() screen.Question {
	if q, ok := a.screen().Asked(); ok {
		return q
	}
	return screen.Question{Query: a.explore.Case().Query, Tool: a.subject()}
}

// whyNot shows in Explore why the tool at hand is not found by the query at hand. A screen that
// shows itself what an expected tool changes stays, and asks for the tool.
func (a *App) whyNot() tea.Cmd {
	q := a.question()
	show := func() tea.Cmd {
		return a.leads(func() tea.Cmd { return a.explore.WhyNot(q.Query, q.Tool) })
	}
	if q.Shown {
		return a.explore.Expect(q.Query, q.Tool, show)
	}
	return show()
}

// noWhyNot returns why there is nothing to ask why not for.
func (a *App) noWhyNot() string {
	if reason := a.noState(); reason != "" {
		return reason
	}
	if q := a.question(); q.Query == "" && q.Tool == nil {
		return a.screen().Name() + " has no query and no tool here: select a row that has one"
	}
	return ""
}
