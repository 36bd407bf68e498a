package tui

import (
	"slices"

	"caliper/tui/activity"
	"caliper/tui/budget"
	"caliper/tui/desk"
	"caliper/tui/explore"
	"caliper/tui/queries"
	"caliper/tui/replay"
	"caliper/tui/results"
	"caliper/tui/scope"
	"caliper/tui/screen"
	"caliper/tui/sides"
	"caliper/tui/strategies"
	"caliper/tui/workbench"
)

// addScreens creates the screens in the order of their tabs. A new screen is
// one line here.
func (a *App) addScreens(query string, history []string) {
	g, opt := a.theme.Glyphs, &a.opt
	h := desk.Desk{Demo: opt.Demo != "", Host: a, Clip: a.clip, Knobs: a.knobs, Bench: a.bench, Input: &a.input, Header: &a.header.Header, Texts: a.texts}
	a.explore = explore.New(h, g, query, history)
	var events screen.Screen
	if opt.Serving != nil {
		served := activity.NewServed(h, g, *opt.Serving)
		a.activity, events = served.Screen, served
	} else {
		a.activity = activity.New(h)
		events = a.activity
	}
	a.sides = sides.New(h)
	selecting := strategies.New(h, g, strategies.Options{Embedding: opt.Embedding, Open: opt.OpenSimilarity, Still: opt.Still, Remember: a.explore.Remember})
	a.prepare = func(in *workbench.Input) { in.Similarity = selecting.OpenIndex() }
	a.screens = []screen.Screen{
		a.explore,
		budget.New(h, g, a.explore.DrawHits),
		scope.New(h, g),
		selecting,
		queries.New(h, g),
		results.New(h, g, results.Options{Store: opt.Store, Home: opt.getenv("HOME"), Still: opt.Still}),
		events,
	}
	if opt.ReadSessions != nil {
		a.screens = append(a.screens, replay.New(h, g, replay.Options{
			Read: opt.ReadSessions, Paths: opt.Sessions, Found: opt.FoundSessions, Open: opt.OpenSimilarity, Embedding: opt.Embedding, Still: opt.Still,
			Prices: opt.Prices, Calibrated: opt.Calibrated,
		}))
	}
	for _, s := range a.screens {
		names, _ := s.Views()
		a.views = append(a.views, slices.Clone(names)) // nothing is drawn yet, so each has a tab
	}
}
