package explore

import (
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine"
	"caliper/engine/labels"
	"caliper/engine/lint"
	"caliper/model"
	"caliper/tui/cells"
	"caliper/tui/desk"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// overview is the text of the why pane while no query is typed: what the tools cost a turn,
// what the model is sent instead, how many labelled queries miss their tool, and in how many
// tools lint finds errors. Every figure is one that the screen behind its key shows.
type overview struct {
	missing ui.Job[*workbench.State, int] // how many labelled queries miss their tool
	missed  *int                          // nil: not known
	linting ui.Job[*workbench.State, int] // in how many tools lint finds errors
	errors  *int                          // nil: not known
	keys    overviewKeys
	version uint64
}

// overviewKeys are the keys that lead to the figures.
type overviewKeys struct{ budget, queries, findings string }

// lintUnasked is the largest catalog that is linted without being asked for.
const lintUnasked = 2_000

// showsOverview reports whether the why pane says the overview, as there is no score to
// explain.
func (s *Screen) showsOverview() bool { return s.state != nil && s.why.state == whyNothing }

// askOverview begins to count what the overview does not know yet, while it can be seen.
// Nobody waits for it.
func (s *Screen) askOverview(visible bool) tea.Cmd {
	v := &s.overview
	if !visible || !s.showsOverview() {
		v.missing.Abandon()
		v.linting.Abandon()
		return nil
	}
	if keys := (overviewKeys{s.host.Way("Budget", ""), s.host.Way("Queries", "queries"), s.host.Way("Queries", "findings")}); keys != v.keys {
		v.keys = keys
		v.version++
	}
	st := s.state
	var cmds []tea.Cmd
	if !v.missing.Begun || v.missing.Of != st {
		v.missed = nil
		v.version++
		if len(st.Queries)*len(st.Snapshot.Catalog()) > desk.EvaluateAtOnce {
			v.missing.Hold(st)
		} else {
			cmds = append(cmds, v.missing.StartIdle(s.host.Context(), st, func(ctx context.Context, _ ui.Progress, _ func()) (int, error) {
				e, err := labels.Evaluate(ctx, st.Snapshot.Unasked(), st.Queries, nil)
				return len(e.Misses()), err
			}))
		}
	}
	if !v.linting.Begun || v.linting.Of != st {
		v.errors = nil
		v.version++
		if len(st.Snapshot.Catalog()) > lintUnasked {
			v.linting.Hold(st)
		} else {
			cmds = append(cmds, v.linting.StartIdle(s.host.Context(), st, func(ctx context.Context, _ ui.Progress, _ func()) (int, error) {
				faults, err := lint.Errors(ctx, st.Snapshot)
				tools := map[*model.Tool]bool{}
				for _, f := range faults {
					tools[f.Tool] = true
				}
				return len(tools), err
			}))
		}
	}
	return tea.Batch(cmds...)
}

// update handles a message of the counting.
func (v *overview) update(msg tea.Msg) (cmd tea.Cmd, mine bool) {
	if missed, cmd, mine := v.missing.Update(msg); mine {
		v.missed = missed
		v.version++
		return cmd, true
	}
	errors, cmd, mine := v.linting.Update(msg)
	if mine {
		v.errors = errors
		v.version++
	}
	return cmd, mine
}

// fact is one sentence of the overview, in short and in full, with the key that leads to
// its figure.
type fact struct {
	key         string
	style       cells.Style
	long, short string
}

// facts returns the sentences of the overview. A figure that is not known is left out.
func (s *Screen) facts(t *ui.Theme) []fact {
	v, b := &s.overview, s.state.Budget
	eager, sent := ui.Thousands(b.EagerTokens), ui.Thousands(b.AfterTokens)
	facts := []fact{{v.keys.budget, t.Text, "sent eagerly, the tools cost " + eager + " tokens a turn", "eager " + eager + " tok a turn"}}
	instead := fact{key: v.keys.budget, style: t.Ok}
	by, short := "tool search", "search"
	if engine.PreSelects(b.Selection) {
		by, short = "selection "+b.Selection, b.Selection
	}
	switch saved := ui.Thousands(b.SavedTokens) + " (" + ui.Percent(b.SavedPct) + ")"; {
	case !b.Measured():
		instead.style, instead.long, instead.short = t.Faint, "what the agent sends beside its search is not measured", "sent with search: not measured"
	case !b.Active && b.AfterTokens == b.EagerTokens:
		instead.style, instead.long, instead.short = t.Text, by+" is OFF here: all of them are sent", short+" OFF: all are sent"
	case b.SavedTokens <= 0:
		instead.style, instead.long, instead.short = t.Bad, by+" sends "+sent+" instead, which saves nothing", short+" "+sent+", saves nothing"
	default:
		instead.long, instead.short = by+" sends "+sent+" instead and saves "+saved, short+" "+sent+", saves "+ui.Percent(b.SavedPct)
	}
	return append(append(facts, instead), s.qualityFacts(t)...)
}

// qualityFacts returns the sentences about labelled queries and findings.
func (s *Screen) qualityFacts(t *ui.Theme) []fact {
	v := &s.overview
	asked := fact{key: v.keys.queries, style: t.Text}
	switch of := ui.LabelledQueries(len(s.state.Queries)); {
	case len(s.state.Queries) == 0:
		asked = fact{"a", t.Text, "labels the first query: type one, tab to the hits, a on the tool that answers it", "labels a query, on its hit"}
	case v.missing.Held:
		asked.long, asked.short = of+": enter there counts those that miss their tool", of+" to ask"
	case v.missed == nil && v.missing.Waits():
		asked.long, asked.short = of, of
	case v.missed == nil:
		asked.long, asked.short = of+": counting those that miss their tool", of+", counting"
	case *v.missed == 0:
		asked.style, asked.long, asked.short = t.Ok, "0 of "+of+" miss their tool", "no labelled query misses"
	case !s.state.Budget.Active: // the model would need a search, and makes none
		n := ui.Thousands(*v.missed) + " of "
		asked.long, asked.short = "searched, "+n+of+" would miss their tool", n+ui.Thousands(len(s.state.Queries))+" would miss"
	default:
		n := ui.Thousands(*v.missed) + " of "
		asked.style, asked.long, asked.short = t.Bad, n+of+" miss their tool", n+ui.Thousands(len(s.state.Queries))+" queries miss"
	}
	facts := []fact{asked}
	if v.errors != nil && *v.errors > 0 {
		n := ui.Count(*v.errors, "tool")
		facts = append(facts, fact{v.keys.findings, t.Bad, "lint finds errors in the definitions of " + n, "lint finds errors in " + n})
	}
	return facts
}

// drawWhy returns h lines of the why pane: the overview, or why the tool has its score.
func (s *Screen) drawWhy(t *ui.Theme, w, h int) []string {
	pinned := s.pinBlock(t, w)
	if !s.showsOverview() {
		s.why.besides = s.aboutTwo()
		return s.why.draw(t, pinned, w, h)
	}
	return ui.FitLines(slices.Concat(pinned, s.drawOverview(t, w, h-len(pinned))), w, h)
}

// drawOverview returns the overview in lines of w cells, in short where it would take more
// than h lines in full.
func (s *Screen) drawOverview(t *ui.Theme, w, h int) []string {
	facts := s.facts(t)
	column := 1
	for _, f := range facts {
		column = max(column, cells.Width(f.key))
	}
	room := max(1, w-column-3)
	draw := func(text func(fact) []string) (out []string) {
		for _, f := range facts {
			key := f.key
			for _, part := range text(f) {
				var l cells.Line
				l.Start(w)
				l.Gap(1)
				l.Cell(t.Key, key, column)
				l.Gap(2)
				l.Text(f.style, part)
				out = append(out, l.End())
				key = ""
			}
		}
		return out
	}
	full := draw(func(f fact) []string { return cells.Wrap(f.long, room) })
	if len(full) <= h {
		return full
	}
	return draw(func(f fact) []string { return []string{cells.Truncate(f.short, room)} })
}
