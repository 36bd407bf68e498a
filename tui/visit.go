package tui

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/config"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/tui/keymap"
	"caliper/tui/ui"
)

// visitor is the screen that has shown the dry run of a tool in Explore, and the
// session before.
type visitor struct {
	screen  int
	session string // of the flags
	changed bool   // the dry run is that of another session
}

// visit shows the dry run of a tool in a session, in Explore. It says what that
// changed, and that esc brings it back.
func (a *App) visit(session string, t *model.Tool) tea.Cmd {
	v := &visitor{screen: a.current, session: a.input.Flags.Session}
	v.changed = a.state != nil && a.state.Snapshot.Session.Name != session
	text, back := "", a.screen().Name()
	if a.explore.Case().Query != "" {
		back += ", the query is as before"
	}
	if v.changed {
		text = "session is now " + safetext.Line(session) + "; "
		back = a.screen().Name() + ", session and query as before"
	}
	a.goTo(0)
	a.explore.DryRun(t)
	a.visitor = v
	notice := a.notify(ui.LevelInfo, text+"esc goes back to "+back)
	if !v.changed {
		return notice
	}
	a.input.Flags.Session = session
	return tea.Batch(a.loadQuietly(), notice)
}

// endVisit goes back to where the dry run of a tool was asked for.
func (a *App) endVisit() tea.Cmd {
	v := a.visitor
	a.visitor = nil
	a.explore.Return()
	a.goTo(v.screen)
	if !v.changed {
		return nil
	}
	a.input.Flags.Session = v.session
	return a.load()
}

// relive shows a query in a session, as an agent of that session asked it, and says what
// is not as it was for the agent.
func (a *App) relive(session, query string) tea.Cmd {
	a.goTo(0)
	show := a.explore.Ask(query, nil)
	if a.state == nil {
		return show
	}
	text := ""
	if a.state.Baseline != nil {
		text = "the agent was served without WHAT IF; " + a.keyOf(keymap.Reset) + " resets it"
	}
	if a.state.Snapshot.Session.Name == session || !slices.ContainsFunc(a.state.Snapshot.Config.Sessions, func(x config.Session) bool { return x.Name == session }) {
		if text == "" {
			return show
		}
		return tea.Batch(show, a.notify(ui.LevelWarn, text))
	}
	a.input.Flags.Session = session
	return tea.Batch(show, a.loadQuietly(), a.notify(ui.LevelInfo, strings.TrimSuffix("session is now "+safetext.Line(session)+"; "+text, "; ")))
}
