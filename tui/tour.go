package tui

import (
	"bytes"
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/config"
	"caliper/model"
	"caliper/model/words"
	"caliper/tui/demo"
	"caliper/tui/desk"
	"caliper/tui/screen"
	"caliper/tui/topics"
	"caliper/tui/ui"
	"caliper/tui/workbench"
	"caliper/watch"
)

// guide walks through the tour on the demo: a line or two above the footer say
// what to press and what will be seen. A step is over when the user has done it,
// by whatever key.
type guide struct {
	job   ui.Job[bool, topics.Tour]
	walk  *topics.Tour // nil while it is computed
	steps []tourStep
	at    int // the step to do; len(steps) when all are done
	// fresh: nothing was pressed since the tour began or did a step for the
	// user: enter then goes on, as it means nothing else yet.
	fresh bool
}

// tourStep is a step as the explorer walks it.
type tourStep struct {
	name  string
	press func(*App, *topics.Tour) []string // what the key does or what to press, the longest text first
	short string                            // the same in few words, for a line of 40 cells without the name
	see   func(*App, *topics.Tour) []string // what will be seen, the longest text first
	do    func(*App, *topics.Tour) tea.Cmd
	done  func(*App, *topics.Tour) bool
}

// tourScreens are the screens that the last steps open.
const (
	thresholdScreen = "Budget"
	proofScreen     = "Queries"
)

// tourSteps are the steps, in the order of topics.Tour.
func tourSteps() []tourStep {
	opens := func(name string) (do func(*App, *topics.Tour) tea.Cmd, done func(*App, *topics.Tour) bool) {
		return func(a *App, _ *topics.Tour) tea.Cmd {
				a.goTo(slices.IndexFunc(a.screens, nameIs(name)))
				return nil
			}, func(a *App, _ *topics.Tour) bool {
				return a.screen().Name() == name
			}
	}
	toBudget, atBudget := opens(thresholdScreen)
	toQueries, atQueries := opens(proofScreen)
	return []tourStep{{
		name: "Find", short: "types a question",
		press: func(*App, *topics.Tour) []string {
			return []string{"types a question, or type it: " + topics.TourQuery, "asks: " + topics.TourQuery}
		},
		see: func(_ *App, t *topics.Tour) []string {
			found := fmt.Sprintf("%d of %s with a word of it", len(t.Found.Hits), ui.Count(t.Found.Scored, "tool"))
			return []string{found + "; first " + t.Found.Hits[0].Tool.ShownName, found}
		},
		do: func(a *App, _ *topics.Tour) tea.Cmd { return a.tourAsks(topics.TourQuery, nil) },
		done: func(a *App, _ *topics.Tour) bool {
			return strings.EqualFold(ui.OneLine(a.explore.Case().Query), topics.TourQuery)
		},
	}, {
		name: "Why not", short: "pins the missed tool",
		press: func(a *App, t *topics.Tour) []string {
			pins := "pins " + t.WhyNot.Tool.ShownName
			return []string{
				fmt.Sprintf("%s, which should be found; or select it at rank %d of the hits and press %s, then enter", pins, *t.WhyNot.Rank, a.keyOf(ui.Expect)),
				fmt.Sprintf("%s, which should be found, as %s and enter on rank %d do", pins, a.keyOf(ui.Expect), *t.WhyNot.Rank),
				pins + ", which is missed, as " + a.keyOf(ui.Expect) + " does",
				pins + ", as " + a.keyOf(ui.Expect) + " does", pins,
			}
		},
		see: func(_ *App, t *topics.Tour) []string {
			return []string{fmt.Sprintf("why: rank %d, below the limit of %d; its score is %.3f too low", *t.WhyNot.Rank, t.WhyNot.Limit, *t.WhyNot.Gap)}
		},
		do: func(a *App, t *topics.Tour) tea.Cmd {
			return a.tourAsks(topics.TourQuery, a.state.Snapshot.Registry.Named(t.WhyNot.Tool.Qualified))
		},
		done: func(a *App, t *topics.Tour) bool {
			c := a.explore.Case()
			return c.Expected == t.WhyNot.Tool.Qualified && strings.EqualFold(ui.OneLine(c.Query), topics.TourQuery)
		},
	}, {
		name: "Fix", short: "tries a better text",
		press: func(a *App, t *topics.Tour) []string {
			adds := fmt.Sprintf("adds %q to its description", t.Words)
			return []string{adds + ", in memory only; or press " + a.keyOf(ui.Try) + " and type it", adds + ", as " + a.keyOf(ui.Try) + " does", adds}
		},
		see: func(a *App, t *topics.Tour) []string {
			return []string{fmt.Sprintf("rank %d %s %d for %d tokens more, as a WHAT IF; %s undoes it", *t.WhyNot.Rank, a.theme.Right, t.NewRank, t.Tokens[1]-t.Tokens[0], a.keyOf(ui.Undo))}
		},
		do:   func(a *App, t *topics.Tour) tea.Cmd { return a.tryDescription(t.WhyNot.Tool.Qualified, t.Draft) },
		done: func(a *App, t *topics.Tour) bool { return a.editOf(t.WhyNot.Tool.Qualified) != nil },
	}, {
		name: "Threshold", short: "opens " + thresholdScreen,
		press: func(a *App, _ *topics.Tour) []string { return []string{"opens " + a.keysTo(thresholdScreen)} },
		see: func(a *App, _ *topics.Tour) []string {
			b := a.state.Budget
			sent := fmt.Sprintf("%s sent in place of %s", ui.Thousands(b.AfterTokens), ui.Thousands(b.EagerTokens))
			return []string{
				fmt.Sprintf("%s deferrable tokens, threshold %s; %s", ui.Thousands(b.DeferredTokens), ui.Thousands(b.ThresholdTokens), sent),
				fmt.Sprintf("the threshold, %s tokens; %s", ui.Thousands(b.ThresholdTokens), sent),
			}
		},
		do: toBudget, done: atBudget,
	}, {
		name: "Prove", short: "opens " + proofScreen,
		press: func(a *App, _ *topics.Tour) []string { return []string{"opens " + a.keysTo(proofScreen)} },
		see: func(_ *App, t *topics.Tour) []string {
			text := fmt.Sprintf("%s: with the draft %d are missed", ui.LabelledQueries(len(t.Drafted.Answers)), len(t.Drafted.Misses()))
			var texts []string
			for i, ev := range t.Measured {
				if i == 0 {
					text += fmt.Sprintf(", without %d", len(ev.Misses()))
				} else {
					text += fmt.Sprintf("; %s %d", ev.Ranker, len(ev.Misses()))
				}
				texts = append([]string{text}, texts...)
			}
			return texts
		},
		do: toQueries, done: atQueries,
	}, {
		name: "Meaning", short: "asks by meaning",
		press: func(a *App, _ *topics.Tour) []string {
			return []string{
				"asks: " + topics.Paraphrase + ", by " + a.keyOf(ui.Palette) + " ranker " + config.RankerHybrid,
				"asks: " + topics.Paraphrase + ", by " + config.RankerHybrid, "asks: " + topics.Paraphrase,
			}
		},
		see: func(_ *App, t *topics.Tour) []string {
			found := fmt.Sprintf("rank %d by %s", t.MeantAt, t.Unmeant.Nearest[0])
			return []string{
				fmt.Sprintf("%s on %s; %s", t.Unmeant.Tool.ShownName, found, t.Unfound()),
				fmt.Sprintf("%s; %s", found, t.Unfound()), found,
			}
		},
		do: func(a *App, _ *topics.Tour) tea.Cmd {
			asked := a.tourAsks(topics.Paraphrase, nil)
			if !a.knobs.Put(desk.KnobOf(config.KeyRanker), config.RankerHybrid) {
				return asked
			}
			return tea.Batch(asked, a.Load(true))
		},
		done: func(a *App, _ *topics.Tour) bool {
			return strings.EqualFold(ui.OneLine(a.explore.Case().Query), topics.Paraphrase) && a.knobs.Value(desk.KnobOf(config.KeyRanker)) == config.RankerHybrid
		},
	}}
}

// nameIs returns what finds a screen by its name.
func nameIs(name string) func(screen.Screen) bool {
	return func(s screen.Screen) bool { return s.Name() == name }
}

// noTour returns why the tour cannot begin or go on, empty when it can.
func (a *App) noTour() string {
	in := &a.input
	untouched := len(in.Registry) == 1 && bytes.Equal(in.Registry[0].Data, demo.Registry()) && in.Config != nil && bytes.Equal(in.Config.Data, demo.Config())
	switch {
	case a.opt.Demo == "":
		return "the tour is about the demo: caliper tour opens it"
	case a.state == nil:
		return "the demo is being read"
	case a.tour == nil && !untouched:
		return "the tour is about the demo as it was, and its files are edited: caliper tour opens it afresh"
	case a.tour != nil && a.tour.walk == nil:
		return "the figures of the tour are being computed"
	}
	return ""
}

// tourKey begins the tour, or does its step for the user.
func (a *App) tourKey() tea.Cmd {
	g := a.tour
	a.over, a.find = nil, nil
	switch {
	case g == nil:
		return a.startTour()
	case g.at == len(g.steps):
		a.endTour()
		return a.Notify(ui.LevelInfo, "the tour is over; this is the demo, and everything in it may be tried")
	}
	g.fresh = true
	return g.steps[g.at].do(a, g.walk)
}

// startTour begins the tour at its first step.
func (a *App) startTour() tea.Cmd {
	var aside tea.Cmd
	if a.state != nil { // trials end and the session of the beginning is back, so that the tour shows the figures that it tells
		tried, text := a.trials(), ""
		if a.knobs.Reset() {
			text = "what was tried is set aside for the tour; " + a.keyOf(ui.Undo) + " brings it back"
			if tried > 0 {
				text = words.Count(tried, "trial") + " set aside for the tour; " + a.keyOf(ui.Undo) + " goes back"
			}
		}
		moved := !reflect.DeepEqual(a.input.Flags, a.opt.Flags)
		if a.input.Flags.Session != a.opt.Flags.Session {
			text = join(text, "the session is that of the beginning")
		}
		if a.input.Flags = a.opt.Flags; moved || text != "" {
			aside = a.Load(true)
		}
		if text != "" {
			aside = tea.Batch(aside, a.Notify(ui.LevelInfo, text))
		}
	}
	g := &guide{steps: tourSteps(), fresh: true}
	a.tour = g
	a.goTo(0)
	a.explore.Ask("", nil)
	a.explore.FocusQuery()
	flags, queries := a.opt.Flags, a.input.Queries
	return tea.Batch(aside, g.job.Start(a.ctx, true, func(ctx context.Context, progress ui.Progress) (topics.Tour, error) {
		in := workbench.Input{Flags: flags, OnDemand: true, Registry: []watch.File{{Name: demo.RegistryFile, Data: demo.Registry()}},
			Config: &watch.File{Name: demo.ConfigFile, Data: demo.Config()}, Queries: queries}
		return topics.WalkTour(ctx, workbench.New(), in, progress)
	}))
}

// endTour removes the tour's lines.
func (a *App) endTour() {
	a.tour.job.Reset()
	a.tour = nil
	a.arrange()
}

// tourUpdate handles the messages of the tour's own work; mine is false for others.
func (a *App) tourUpdate(msg tea.Msg) (cmd tea.Cmd, mine bool) {
	if a.tour == nil {
		return nil, false
	}
	walk, cmd, mine := a.tour.job.Update(msg)
	switch {
	case walk != nil:
		a.tour.walk = walk
	case a.tour.job.Err != nil:
		err := a.tour.job.Err
		a.endTour()
		return a.Notify(ui.LevelBad, "no tour: "+err.Error()), true
	}
	return cmd, mine
}

// tourAsks asks a question of the tour, with the tool that is expected; nil for
// none.
func (a *App) tourAsks(query string, expected *model.Tool) tea.Cmd {
	a.goTo(0)
	asked := a.explore.Ask(query, expected)
	if expected != nil {
		a.explore.ShowWhy()
	}
	return asked
}

// keyOf returns the key of an action of any screen, as help shows it.
func (a *App) keyOf(action ui.Action) string {
	for _, g := range a.everyGroup() {
		if b := g.Binding(action); b != nil {
			return b.Help().Key
		}
	}
	return ""
}

// keysTo returns the name of a screen with the keys that lead there.
func (a *App) keysTo(name string) string {
	keys := strings.Fields(a.keyOf(ui.Action(strings.ToLower(name))))
	if len(keys) == 0 {
		return name
	}
	return fmt.Sprintf("%s, as %s does everywhere", name, keys[len(keys)-1])
}

// leastPress is how many cells what to press has before the key that ends the tour.
const leastPress = 40

// drawTour draws the step to do in the lines of the tour: what to press, and where
// there is room for it what will be seen.
func (a *App) drawTour(w, h int) []string {
	g, t := a.tour, a.theme
	key := a.keyOf(ui.Tour)
	if g.fresh {
		key = "enter"
	}
	badge, name, before := " tour ", "Done", "next"
	press, short := []string{"ends the tour, as esc does"}, "ends the tour"
	see := []string{"caliper without arguments offers the tools of your own clients"}
	if g.at < len(g.steps) {
		s := g.steps[g.at]
		badge, name, before, short = fmt.Sprintf(" tour %d/%d ", g.at+1, len(g.steps)), s.name, "you will see", s.short
		press, see = nil, []string{"one moment: the figures are being computed"}
		if g.walk != nil && a.state != nil {
			press, see = s.press(a, g.walk), s.see(a, g.walk)
		}
	}
	l := ui.StartLine(w, 0)
	l.Text(t.Badge, badge)
	l.Gap(1)
	if room := l.Room() - ui.Width(name+key+short) - 3; room >= 0 { // the key and what it does come first
		l.Text(t.Strong, name)
		l.Gap(2)
	}
	l.Text(t.Key, key)
	l.Gap(1)
	end := ""
	if g.at < len(g.steps) {
		end = ui.Longest(max(0, l.Room()-leastPress), "  esc ends the tour", "  esc ends", "")
	}
	l.Text(t.Text, ui.Longest(l.Room()-ui.Width(end), append(press, short)...))
	l.Right(t.Faint, strings.TrimSpace(end))
	lines := []string{l.End()}
	if h > 1 {
		l.StartAt(w, 1)
		l.Text(t.Faint, before)
		l.Gap(1)
		l.Text(t.Text, ui.Longest(l.Room(), see...))
		lines = append(lines, l.End())
	}
	return lines
}
