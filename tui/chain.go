package tui

import (
	"cmp"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine"
	"caliper/engine/reach"
	"caliper/tui/report"
	"caliper/tui/screen"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// noChain returns why no tool can be followed.
func (a *App) noChain() string {
	if reason := a.noState(); reason != "" {
		return reason
	}
	if a.question().Tool == nil {
		return a.screen().Name() + " has no tool here: select a row that has one"
	}
	return ""
}

// follow shows how far a tool comes: in a new box, or in the one that is open.
func (a *App) follow(asked screen.Question, opens bool) tea.Cmd {
	st, bench, find := a.state, a.bench, a.opt.AgentFiles
	q := reach.Question{Tool: asked.Tool.Qualified, Config: a.opt.Config}
	return func() tea.Msg {
		var err error
		if q.Snapshot, err = bench.InSession(a.ctx, *st, cmp.Or(asked.Session, st.Snapshot.Session.Name)); err == nil {
			err = q.Snapshot.Prepare(a.ctx, engine.WorkIndexing)
		}
		if err != nil { // the program ends, or the session is gone
			return nil
		}
		if q.Host = q.Snapshot.Host(); find != nil {
			q.Files = find(a.ctx, q.Host)
		}
		c := reach.Find(q)
		var old, mended []byte
		if c.Remedy != nil {
			if old, err = workbench.ReadFile(c.Remedy.File); err == nil {
				mended, err = c.Remedy.Write(old)
			}
			if err != nil {
				old, mended, c.Remedy = nil, nil, nil
			}
		}
		page := report.Reach(c, old, mended)
		return thenMsg(func() tea.Cmd {
			if a.state != st { // there is another state by now, whose chain may be another
				return a.follow(asked, opens)
			}
			box, open := a.top().(*text)
			if open = open && box.chain.Tool != nil; !open {
				if !opens {
					return nil
				}
				box = &text{Reader: new(ui.Reader), app: a}
				a.openAlone(box)
			}
			box.chain, box.remedy, box.Title = asked, c.Remedy, asked.Tool.ShownName+": "+report.ReachVerdict(c)
			box.Text = func(t *ui.Theme, w int) ([]string, int) {
				inner := min(w, noticeWidth)
				under := page.Under(t, inner, "")
				lines := make([]string, under.Count)
				for i := range lines {
					lines[i] = under.Line(i)
				}
				return lines, inner
			}
			return nil
		})
	}
}

// followAgain follows the tool of the open chain in a new state.
func (a *App) followAgain() tea.Cmd {
	i := slices.IndexFunc(a.over, func(o screen.Overlay) bool { box, is := o.(*text); return is && box.chain.Tool != nil })
	if i < 0 {
		return nil
	}
	asked := a.over[i].(*text).chain
	if asked.Tool = a.state.Snapshot.Registry.Named(asked.Tool.Qualified); asked.Tool == nil {
		a.over = slices.Delete(a.over, i, i+1)
		return nil
	}
	return a.follow(asked, false)
}

// mendChain proposes the change that mends the open chain.
func (a *App) mendChain() tea.Cmd {
	r := *a.top().(*text).remedy
	if r.File != a.opt.Config {
		return a.propose(writeback{file: screen.Files, path: r.File, remedy: &r}, nil)
	}
	if r.Path != nil {
		return a.propose(writeback{file: screen.ConfigFile, path: r.File, remedy: &r}, a.effects())
	}
	return a.writeSetting(r.Key, r.Value)
}

// noMend returns why nothing can be written.
func (a *App) noMend() string {
	if box, ok := a.top().(*text); ok && box.remedy != nil {
		return ""
	}
	return "no setting of a file mends it"
}

// question returns what the visible screen is about: what its selected row asks, else the query of
// Explore and the selected tool.
func (a *App) question() screen.Question {
	if q, ok := a.screen().Asked(); ok {
		return q
	}
	return screen.Question{Query: a.explore.Case().Query, Tool: a.screen().Tool()}
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
