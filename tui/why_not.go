package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"caliper/model"
	"caliper/tui/screen"
)

// caseHere returns the query that the visible screen is about and the tool that should
// answer it: what the selected row says, else the query of Explore and the selected tool.
func (a *App) caseHere() (query string, expected *model.Tool) {
	if s, ok := a.screen().(screen.Asking); ok {
		return s.Asked()
	}
	return a.explore.Case().Query, a.subject()
}

// whyNot shows in Explore why the tool at hand is not found by the query at hand. A screen that
// shows itself what an expected tool changes stays, and asks for the tool.
func (a *App) whyNot() tea.Cmd {
	query, expected := a.caseHere()
	show := func() tea.Cmd {
		return a.leads(func() tea.Cmd { return a.explore.WhyNot(query, expected) })
	}
	if s, ok := a.screen().(screen.Expecting); ok && s.Expects() {
		return a.explore.Expect(query, expected, show)
	}
	return show()
}

// noWhyNot returns why there is nothing to ask why not for.
func (a *App) noWhyNot() string {
	if reason := a.noState(); reason != "" {
		return reason
	}
	query, expected := a.caseHere()
	if s, ok := a.screen().(screen.Expecting); ok && s.Expects() && query == "" && expected == nil {
		return a.screen().Name() + " has no message yet: e types one"
	}
	if query == "" && expected == nil {
		return a.screen().Name() + " has no query and no tool here: select a row that has one"
	}
	return ""
}
