package tui

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/config"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/tui/ui"
)

// visitor is the screen that has shown something in Explore, and the session before.
type visitor struct {
	screen  int
	session *string // of the flags before; nil unless another one is shown
	query   *string // that it has shown; nil for the dry run of a tool
}

// visited reports whether Explore still shows what another screen has shown there, with
// nothing else to go back from.
func (a *App) visited() bool {
	v := a.visitor
	switch {
	case a.current != 0 || v == nil:
		return false
	case v.query != nil:
		return a.explore.Rests(*v.query)
	}
	return a.explore.Visited()
}

// exploreQuery shows a query in Explore, and the tool that it is expected to find.
func (a *App) exploreQuery(query string, expected *model.Tool) tea.Cmd {
	return a.leads(func() tea.Cmd { return a.explore.Ask(query, expected) })
}

// leads shows a query in Explore, as show does. It tells that esc leads back to the screen that
// is left, unless that is Explore, or show has more to say.
func (a *App) leads(show func() tea.Cmd) tea.Cmd {
	from := a.current
	a.goTo(0)
	if from == 0 {
		return show()
	}
	back := a.Notify(ui.LevelInfo, "esc goes back to "+a.screens[from].Name())
	shown := show()
	query := a.explore.Case().Query
	a.visitor = &visitor{screen: from, query: &query}
	return tea.Batch(back, shown)
}

// visit shows the dry run of a tool in a session, in Explore. It tells what that
// changed, and that esc brings it back.
func (a *App) visit(session string, t *model.Tool) tea.Cmd {
	v, was := &visitor{screen: a.current}, a.input.Flags.Session
	text, back := "", a.screen().Name()
	if a.explore.Case().Query != "" {
		back += ", the query is as before"
	}
	if a.state != nil && a.state.Snapshot.Session.Name != session {
		v.session = &was
		text = "session is now " + safetext.Line(session) + "; "
		back = a.screen().Name() + ", session and query as before"
	}
	a.goTo(0)
	a.explore.DryRun(t)
	a.visitor = v
	notice := a.Notify(ui.LevelInfo, text+"esc goes back to "+back)
	if v.session == nil {
		return notice
	}
	a.input.Flags.Session = session
	return tea.Batch(a.Load(true), notice)
}

// endVisit goes back to where a query or the dry run of a tool was asked for. A query stays
// in Explore.
func (a *App) endVisit() tea.Cmd {
	v := a.visitor
	a.visitor = nil
	if v.query == nil {
		a.explore.Return()
	}
	a.goTo(v.screen)
	if v.session == nil {
		return nil
	}
	a.input.Flags.Session = *v.session
	return a.Load(false)
}

// relive shows a query in a session, as an agent of that session asked it, and tells what
// is not as it was for the agent. Esc leads back to the screen and the session before.
func (a *App) relive(session, query string) tea.Cmd {
	show := a.exploreQuery(query, nil)
	if a.state == nil {
		return show
	}
	text := ""
	if a.state.Baseline != nil {
		text = "the agent was served without WHAT IF; " + a.keyOf(ui.Reset) + " resets it"
	}
	if a.state.Snapshot.Session.Name == session || !slices.ContainsFunc(a.state.Snapshot.Config.Choosable(), func(x config.Session) bool { return x.Name == session }) {
		if text == "" {
			return show
		}
		return tea.Batch(show, a.Notify(ui.LevelWarn, text))
	}
	if v := a.visitor; v != nil && v.query != nil {
		was := a.input.Flags.Session
		v.session = &was
		text = strings.TrimSuffix("esc goes back to "+a.screens[v.screen].Name()+", session as before; "+text, "; ")
	}
	a.input.Flags.Session = session
	return tea.Batch(show, a.Load(true), a.Notify(ui.LevelInfo, strings.TrimSuffix("session is now "+safetext.Line(session)+"; "+text, "; ")))
}
