package report

import (
	"cmp"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"caliper/config"
	"caliper/engine/selection"
	"caliper/model"
	"caliper/tui/workbench"
)

// Chosen is what selected, besides the message: the state, and the settings of
// its configuration with the flags on top.
type Chosen struct {
	State    workbench.State
	Settings selection.Settings
	Flagged  bool // whether a flag names the strategy
}

// shownUnranked is how many tools a terminal is shown that were not chosen by
// the message. JSON has all of them.
const shownUnranked = 12

// Selection returns the report of a selection: the tools sent of so many
// that may be, why, and what just missed.
func Selection(by Chosen, x selection.Selection, sendable int) *Report {
	r := new(Report)
	s := TextOf(string(x.Strategy)) // what the selection was made by, and where that is set
	if x.Strategy == selection.Semantic || x.Strategy == selection.Hybrid {
		asked, keyword, semantic := Or(Name(x.Embedder), "no embedder"), by.Settings.Keyword > 0, by.Settings.Semantic > 0
		switch hybrid := x.Strategy == selection.Hybrid; { // whose ranking without a weight is not asked
		case hybrid && !keyword && !semantic:
			asked = TextOf("both weights 0")
		case hybrid && !semantic:
			asked = TextOf("keywords only")
		case hybrid && !keyword:
			asked = Textf("%s only", asked)
		}
		s = Textf("%s with %s", s, asked)
	}
	if !by.Flagged {
		s = Textf("%s (%s)", s, by.from())
	}
	if x.Strategy.Ranks() {
		s = Textf("%s, K %s", s, strconv.Itoa(x.K))
	}
	s = Textf("%s; session %s", s, Name(by.State.Snapshot.Session.Name))
	if x.Strategy.Ranks() && by.Settings.Sticky {
		s = Textf("%s, turn 1 (nothing cached)", s)
	}
	r.Head(Textf("%d of %d selected", len(x.Tools), sendable), "%s", s)
	if !x.Strategy.Ranks() {
		what := map[selection.Strategy]string{
			selection.Eager:      "every granted tool",
			selection.Lazy:       "the names of all granted tools",
			selection.ToolSearch: "the session's assembly",
		}[x.Strategy]
		r.Say("%s is %s, which sends %s whatever the message says. Try --strategy hybrid, or caliper compare for all of them.", by.from(), x.Strategy, what)
	}
	if len(x.Tools) > 0 {
		r.Blank()
		by.selected(r, x)
	}
	r.Blank()
	saved := Percent(x.SavedPct) + " saved"
	if x.SavedPct < 0 {
		saved = Percent(-x.SavedPct) + " more"
	}
	r.Line(Strong("%s", Count(x.SchemaTokens, "token")), Textf(", against %d of every tool (%s): %s", x.EagerTokens, by.State.Snapshot.Tokenizer, saved))
	switch {
	case x.Strategy == selection.Lazy:
		r.Say("%s named; the schema of one costs %s.", Count(x.Deferred, "tool"), Count(x.RoundTrips, "extra round trip"))
	case x.Bridge:
		r.Say("Behind the bridge: %s; the bridge takes %s of that.", Count(x.Deferred, "tool"), Count(x.BridgeTokens, "token"))
	}
	for _, n := range x.Notes {
		r.Say("Note: %s.", Sentence(n.Text))
	}
	return r
}

// from returns what says which strategy it is.
func (by Chosen) from() string {
	if by.Flagged {
		return "--strategy"
	}
	if h := by.State.Snapshot.Host(); h.Generation == "" {
		return h.Called() + "'s strategy"
	}
	return "tools.selection"
}

// agent returns the agent that chooses.
func (by Chosen) agent() string {
	if h := by.State.Snapshot.Host(); h.Generation == "" {
		return "as " + h.Called()
	}
	return "agent of " + string(by.State.Snapshot.Config.ToolSearch.Generation)
}

// reasons are the reasons of selected tools in the order of the table.
var reasons = []selection.Reason{selection.Core, selection.All, selection.Mentioned, selection.Ranked, selection.Sticky}

// selected adds the tools of a selection: core and named ones, then the rest by
// score, and what just missed under the line of the cut.
func (by Chosen) selected(r *Report, x selection.Selection) {
	keyword, semantic, similar := false, false, false // which rankings have a rank to show, and that tools were compared
	for _, t := range slices.Concat(x.Tools, x.Missed) {
		keyword = keyword || t.KeywordRank > 0
		semantic = semantic || t.SemanticRank > 0
		similar = similar || t.Similarity != nil
	}
	t := Columns("reason", "tool")
	if keyword {
		t.Column(">keyword")
	}
	if semantic {
		t.Column(">" + StrategyName(selection.Semantic, x.Embedder))
	}
	if similar {
		t.Column(">similarity")
	}
	if keyword || semantic {
		t.Column(">score")
	}
	t.Column(">tokens", "description…")
	add := func(c selection.Selected, reason string) {
		cells := []any{reason, Name(c.Tool.Qualified)}
		if keyword {
			cells = append(cells, OrNone(c.KeywordRank, "–"))
		}
		if semantic {
			cells = append(cells, OrNone(c.SemanticRank, "–"))
		}
		switch {
		case similar && c.Similarity != nil:
			cells = append(cells, strconv.FormatFloat(*c.Similarity, 'f', 3, 64))
		case similar:
			cells = append(cells, "–")
		}
		if keyword || semantic {
			score := "–"
			if c.Score != 0 {
				score = strconv.FormatFloat(c.Score, 'f', 5, 64)
			}
			cells = append(cells, score)
		}
		t.Row(append(cells, by.State.Snapshot.ToolTokens(c.Tool), Name(firstLine(c.Tool.ShownDescription())))...)
	}
	shown := x.Tools
	if keyword || semantic {
		shown = slices.Clone(shown)
		model.Sort(shown, func(a, b selection.Selected) int {
			return cmp.Or(cmp.Compare(slices.Index(reasons, a.Reason), slices.Index(reasons, b.Reason)), cmp.Compare(b.Score, a.Score))
		})
	} else {
		shown = shown[:min(len(shown), shownUnranked)]
	}
	for _, c := range shown {
		add(c, ReasonWord(c.Reason))
	}
	if len(x.Missed) > 0 {
		t.Ruler("K " + strconv.Itoa(x.K))
	}
	for _, c := range x.Missed {
		add(c, "below cutoff")
		t.rows[len(t.rows)-1].faint = true
	}
	r.Table(t)
	if more := len(x.Tools) - len(shown); more > 0 {
		r.Line("  ", Faint("%d more; --json lists them all", more))
	}
}

// ReasonWord returns a reason in the words of the glossary. The list of those that
// are always sent is not the agent's list of core tools.
func ReasonWord(r selection.Reason) string {
	switch r {
	case selection.Core:
		return "always sent"
	case selection.Sticky:
		return "kept pick"
	}
	return string(r)
}

// Selected is the selections of strategies, by which settings. Times are left out,
// which differ from run to run.
type Selected struct {
	Message    string
	Turns      []string // that come before the message in its session
	Settings   selection.Settings
	Selections []selection.Selection // one for each strategy
	Needs      [][]string            // the needs of the message, by groups of names where any one will do
	File       string                // of labelled queries; only the last part of its path is written
}

// Strategies returns the report of what the strategies send with a message, and
// of what one of them selected and why.
func (c Case) Strategies(s Selected, chosen selection.Strategy) *Report {
	r := new(Report)
	s.how(r)
	if s.Message == "" {
		r.Say("There is no message.")
	} else {
		r.Fence("text", s.Message)
	}
	if len(s.Turns) > 0 {
		r.Say("It is turn %d of a session:", len(s.Turns)+1)
		r.Fence("text", strings.Join(append(slices.Clone(s.Turns), s.Message), "\n"))
	}
	if len(s.Needs) > 0 {
		groups := names(s.Needs[0])
		for _, group := range s.Needs[1:] {
			groups = Textf("%s; and %s", groups, names(group))
		}
		r.Say("It needs %s.", groups)
	}
	t := Columns("strategy", "schema tokens", "saved", "extra round trips", "tools sent", "tools deferred")
	if len(s.Needs) > 0 {
		t.Column("expected tools sent")
	}
	for _, x := range s.Selections {
		cells := []any{c.strategy(x.Strategy), x.SchemaTokens, Tenths(x.SavedPct), x.RoundTrips, len(x.Tools), x.Deferred}
		if len(s.Needs) > 0 {
			met := 0
			for _, group := range s.Needs {
				if slices.ContainsFunc(x.Tools, func(t selection.Selected) bool {
					return slices.Contains(group, t.Tool.Name) || slices.Contains(group, t.Tool.Qualified)
				}) {
					met++
				}
			}
			cells = append(cells, Textf("%d of %d", met, len(s.Needs)))
		}
		t.Row(cells...)
	}
	r.Table(t)
	for _, x := range s.Selections {
		if x.Strategy == chosen {
			r.Heading(3, "Selected by %s", c.strategy(x.Strategy))
			r.Add(Selection(c.chosen(s), x, len(x.Tools)+x.Deferred))
		}
	}
	var again *command
	switch {
	case len(s.Turns) > 0:
		again = c.inTurns()
	case s.Message != "":
		again = c.Command("compare", s.Message)
	}
	return c.Issue("caliper compare", r, again)
}

// how adds the settings that rank.
func (s Selected) how(r *Report) {
	sticky := "picks not kept"
	if s.Settings.Sticky {
		sticky = "picks kept"
	}
	short := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	fusion := "the sum of scores"
	if s.Settings.RRFK > 0 {
		fusion = "by ranks with k " + short(s.Settings.RRFK)
	}
	r.Say("K %d, fusion %s, weights keyword %s and embedder %s, %s.", s.Settings.K,
		fusion, short(s.Settings.Keyword), short(s.Settings.Semantic), sticky)
}

// Compared returns the report of the strategies over labelled queries for an issue, with
// points also of their frontier.
func (c Case) Compared(s Selected, measured []selection.Row, points []selection.Point) *Report {
	r := new(Report)
	s.how(r)
	title, command := "caliper compare, labelled queries", c.Command("compare")
	command.add("--queries", filepath.Base(s.File))
	if len(points) > 0 {
		title = "caliper compare, tokens against recall"
		command.add("--pareto")
	}
	switch {
	case len(measured) > 0:
		r.Add(Compare(Compared{Chosen: c.chosen(s), Embedder: c.Snapshot.Config.PreSelection.EmbedModel, Queries: measured[0].Queries, Rows: measured, Points: points, Timeless: true}))
	case len(points) > 0:
		pareto(r, points, c.Snapshot.Config)
	}
	return c.Issue(title, r, command)
}

// chosen returns what selected.
func (c Case) chosen(s Selected) Chosen {
	return Chosen{State: workbench.State{Snapshot: c.Snapshot}, Settings: s.Settings, Flagged: true}
}

// StrategyName returns what a strategy is called for people: semantic is called fuzzy
// while the embedder is config.EmbedFuzzy, which compares letters and
// knows no meanings. JSON and settings have the strategy's own name.
func StrategyName(s selection.Strategy, embedder string) string {
	if s == selection.Semantic && embedder == config.EmbedFuzzy {
		return config.EmbedFuzzy
	}
	return string(s)
}

// FuzzyNote explains semantic while it is called by another name.
const FuzzyNote = "%s is the strategy semantic with the embedder fuzzy: letters, word forms and typing errors, no meanings."

// strategy returns the name of a strategy under the configuration of the case.
func (c Case) strategy(s selection.Strategy) Text {
	return Name(StrategyName(s, c.Snapshot.Config.PreSelection.EmbedModel))
}
