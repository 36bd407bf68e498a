package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/retrieval"
	"caliper/engine/whatif"
	"caliper/model"
	"caliper/model/words"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// Searched is the answer to a query.
type Searched struct {
	engine.Results
	State   workbench.State   // under the ranker that orders the hits
	Rivals  []workbench.State // the same under others
	Limit   int               // that was asked for; 0: the config's
	Explain bool              // whether every hit has what its score is the sum of
	WhyNot  *whatif.Answer    // why one tool is not among the hits; may be nil

	// Reader ranks with a ranker that reads letters of the query which the snapshot's does
	// not; nil where there are none.
	Reader *engine.Snapshot

	Confidence *engine.Confidence // that a hit fits; nil where it is not asked for
}

// abstains reports whether the model gets none of the hits.
func (s Searched) abstains() bool { return s.Confidence != nil && s.Confidence.Abstains }

// Search returns the report of a query.
func Search(s Searched) *Report {
	r := new(Report)
	snapshot := s.State.Snapshot
	found := s.Results
	title := Textf("%d of %d scored", len(found.Hits), found.Scored)
	switch {
	case found.Scored == 0:
		title = TextOf("no hit")
	case found.Fallback:
		title = Textf("%d of %d found by name", len(found.Hits), found.Scored)
	}
	r.Head(title, "in a catalog of %d; session %s, %s, limit %s",
		found.Total, Name(snapshot.Session.Name), snapshot.Config.ToolSearch.Ranker, strconv.Itoa(found.Limit))
	if host := snapshot.Host(); host.Generation == "" && !snapshot.Active() {
		r.Say("The search of %s is off: the model is sent every tool. It is on %s.", host.Called(), host.On)
	} else if host.Generation != "" && !snapshot.Active() {
		r.Say("%s", inactive(snapshot.Budget(false)))
	}
	if support, ok := snapshot.Support(); ok && support.Weight == 0 {
		r.Say("%s", Learning(support))
	}
	if found.Fallback {
		r.Say("The query shares no word with any tool: these are the tools whose name contains it, all with the same score.")
	}
	if s.Confidence != nil {
		r.Say("%s", confidence(*s.Confidence, snapshot.Config.ToolSearch.MinConfidence))
	}
	if len(found.Own) > 0 {
		r.Say("Among the first %d are tools of the agent's own: %s.", found.Limit+len(found.Own), strings.Join(found.Own, ", "))
	}
	if gets, of := found.Tied(); of > 0 {
		r.Say("By chance: the model gets %d of %d tied hits.", gets, of)
	}
	if found.Untold {
		r.Say("The order of the first hits is not known of %s: %s.", snapshot.Host().Title, snapshot.Host().Untold)
	}
	switch {
	case len(found.Hits) > 0:
		r.Blank()
		r.Table(s.hits())
	case found.Query == "":
		r.Say("The query is empty. The bridge would answer missing_query.")
	case found.Total == 0:
		r.Say("The catalog is empty: no tool of this session is deferrable.")
	default:
		r.Say("Nothing is found: %s.", Sentence(snapshot.WhyNone(found.Query)))
		if s.Reader == nil {
			break
		}
		other, name := s.Reader.Search(s.Query, s.Limit, 0), s.Reader.Config.ToolSearch.Ranker
		if len(other.Hits) == 0 {
			r.Say("%s finds nothing either: %s.", name, Sentence(s.Reader.WhyNone(s.Query)))
			break
		}
		r.Say("With tools.tool_search.ranker: %s it finds %s, first %s.", name, Count(other.Scored, "tool"), Name(other.Hits[0].Tool.Qualified))
	}
	if len(found.Hits) == 0 || !s.Explain {
		s.onlyRivals(r)
	}
	if s.WhyNot != nil {
		r.Blank()
		r.Add(WhyNot(*s.WhyNot))
	}
	return r
}

// hits returns a table of the hits, with a line at the limit.
func (s Searched) hits() *Table {
	t := Columns(">rank", ">score", "tool", "toolset")
	if !s.Explain {
		for _, rival := range s.Rivals {
			t.Column(">" + rival.Snapshot.Config.ToolSearch.Ranker)
		}
		t.Column("description…")
	}
	for i, h := range s.Hits {
		switch {
		case i == 0 && s.abstains():
			t.Ruler("the model gets none of these")
		case i == s.Results.Limit && !s.abstains():
			t.Ruler("limit " + strconv.Itoa(i))
		}
		points := score(h.Score)
		if h.Tied {
			points = "= " + points
		}
		rank := any(h.Rank)
		if !h.Sure() {
			rank = ""
		}
		cells := []any{rank, points, Name(h.Tool.Qualified), Name(h.Tool.Toolset)}
		if !s.Explain {
			for _, rival := range s.Rivals {
				rank, _, _ := rival.Snapshot.Rank(s.Query, h.Tool)
				switch {
				case rank == 0:
					cells = append(cells, "none")
				case rank < h.Rank:
					cells = append(cells, Textf("▲%d %d", h.Rank-rank, rank))
				case rank > h.Rank:
					cells = append(cells, Textf("▼%d %d", rank-h.Rank, rank))
				default:
					cells = append(cells, rank)
				}
			}
			cells = append(cells, Name(firstLine(h.Tool.ShownDescription())))
		}
		t.Row(cells...)
		t.rows[len(t.rows)-1].faint = !h.Within || s.abstains()
		if s.Explain {
			t.Below(func(r *Report) {
				if e, ok := s.State.Snapshot.Explain(s.Query, h.Tool); ok {
					r.Table(waterfall(e))
				}
			})
		}
	}
	return t
}

// onlyRivals adds for every other ranker which tools only it has within the
// limit, or why it finds nothing.
func (s Searched) onlyRivals(r *Report) {
	for _, rival := range s.Rivals {
		other := rival.Snapshot.Search(s.Query, s.Limit, 0)
		name := rival.Snapshot.Config.ToolSearch.Ranker
		var only []string
		for _, h := range other.Hits[:min(len(other.Hits), other.Limit)] {
			if rank, _, _ := s.State.Snapshot.Rank(s.Query, h.Tool); rank == 0 || rank > s.Results.Limit {
				only = append(only, words.Thousands(h.Rank)+" "+h.Tool.ShownName)
			}
		}
		if len(only) > 0 {
			r.Blank()
			r.Say("Within the limit of %s only: %s.", name, Sentence(strings.Join(only, ", ")))
		}
		if len(other.Hits) == 0 {
			r.Blank()
			r.Say("%s finds nothing: %s.", name, Sentence(rival.Snapshot.WhyNone(s.Query)))
		}
	}
}

// inactive returns that the model could not search, and why.
func inactive(b engine.Budget) Text {
	why := Textf("its %d deferrable tokens (%s) are below the threshold of %d", b.DeferredTokens, b.Tokenizer, b.ThresholdTokens)
	switch {
	case b.Unreachable > 0:
		return Textf("Search is off in this session: %s cannot be reached.", Count(b.Unreachable, "unselected tool"))
	case b.DeferredCount == 0 && engine.PreSelects(b.Selection):
		why = TextOf("every tool is selected")
	case b.DeferredCount == 0:
		why = TextOf("it has no deferrable tool")
	case b.Mode == "off":
		why = TextOf("the config has it off")
	}
	return Textf("Search is not active in this session: %s. The model is sent every tool and cannot search.", why)
}

// firstLine returns the first line of a description that has been made safe,
// in which ⏎ stands for the end of a line.
func firstLine(shown string) string {
	line, _, _ := strings.Cut(strings.TrimLeft(shown, "⏎ "), "⏎")
	return strings.TrimSpace(line)
}

// Draft returns the report of words that a draft adds to the description of a tool:
// the rank that a query gives it, and its tokens, before and after.
func Draft(added string, before *engine.Snapshot, tool *model.Tool, after *engine.Snapshot, edited *model.Tool, query string) *Report {
	r := new(Report)
	was, _, _ := before.Rank(query, tool)
	is, _, _ := after.Rank(query, edited)
	r.Say("With \"%s\" added to the description of %s, searched again:", Name(added), Name(tool.Qualified))
	t := Columns("", ">now", ">draft")
	t.Row("rank", OrNone(was, "none"), OrNone(is, "none"))
	t.Row("tokens", before.ToolTokens(tool), after.ToolTokens(edited))
	r.Table(t)
	return r
}

// Stages are the words for where a tool stopped on its way to the hits.
var Stages = map[whatif.Stage]string{
	whatif.StageUnknown:    "unknown tool",
	whatif.StageCore:       "core tool",
	whatif.StageOutOfScope: "out of scope",
	whatif.StageNoMatch:    "no match",
	whatif.StageBelowLimit: "below the limit",
	whatif.StageFound:      "found",
}

// WhyNot returns the report of why a tool is not found, and of what would change that.
func WhyNot(w whatif.Answer) *Report {
	r := new(Report)
	r.Head(Textf("why not %s", Name(w.Name)), "%s, by the rules of %s", Stages[w.Stage], cmp.Or(w.Host, string(w.Generation)))
	r.Indented(2, "%s", Sentence(w.String()))
	if advice := Sentence(w.Advice()); len(advice) > 0 {
		if len(w.Remedies) > 0 { // it names nothing
			advice = TextOf(w.Advice())
		}
		r.Blank()
		r.Indented(2, "%s", advice)
	}
	if len(w.Remedies) > 0 {
		t := Columns(">rank", "with this change")
		for _, x := range w.Remedies {
			change := x.String()
			if hurt := whatif.PushedOut(x.Displaced); hurt != "" {
				change += "; " + hurt
			}
			t.Row(x.NewRank, Sentence(change))
		}
		r.Table(t)
		if len(w.Tried)+len(w.Slips) > 0 {
			r.Blank()
			r.Indented(2, "%s", Sentence(w.Described()))
		}
	}
	if len(w.Suggestions) > 0 {
		r.Blank()
		r.Line("  ", Faint("Did you mean"))
		suggest(r, w.Suggestions)
	}
	return r
}

// suggest adds similar names.
func suggest(r *Report, names []string) {
	for _, name := range names {
		r.Line("  ", Name(name))
	}
}

// Search returns the report of a query for an issue and, unless why is nil, why one tool is
// not among its hits.
func (c Case) Search(st workbench.State, found engine.Results, why *whatif.Answer) *Report {
	s := Searched{Results: found, State: workbench.State{Snapshot: c.Snapshot}, WhyNot: why}
	if c.Snapshot.Config.ToolSearch.MinConfidence > 0 {
		is := c.Snapshot.Confidence(found.Query)
		s.Confidence = &is
	}
	r := new(Report)
	r.Fence("text", found.Query)
	r.Add(Search(s))
	SkillsFound(r, st, found.Query, found.Limit)
	command := c.Command("search", found.Query)
	command.add("--limit", strconv.Itoa(found.Limit))
	for _, s := range c.Settings {
		if s.Key == config.KeyRanker && s.Origin == config.OriginFlag {
			command.add("--ranker", word(s.Value))
		}
	}
	if why != nil {
		command.add("--why-not", why.Name)
	}
	return c.Issue("caliper search", r, command)
}

// score returns a score as text. JSON has every digit.
func score(v float64) string { return words.Minus(strconv.FormatFloat(v, 'f', 3, 64)) }

// The widths of bars, in blocks.
const (
	gaugeWidth = 32
	shareWidth = 16
)

// waterfall returns how a score came to be: a row for every word of the query
// with what it adds and the sum so far, which ends at the score.
func waterfall(e retrieval.Explanation) *Table {
	if slices.ContainsFunc(e.Children, func(part retrieval.Explanation) bool { return part.Component != "" }) {
		return components(e)
	}
	t := Columns("", "", ">", ">", ">", ">", ">", ">", "")
	sum := 0.0
	for _, part := range e.Children {
		sum += part.Value
		row := []any{"  ", Name(part.Label()), "", "", "", "", signedScore(part.Value), "= " + score(sum), bar(part.Value, e.Value, shareWidth)}
		switch {
		case part.Token == "":
			row[1] = Sentence(part.Message)
		case part.DF == 0:
			row[5] = "in no tool"
		default:
			row[2], row[3], row[4] = Textf("df %d", part.DF), Textf("tf %d", part.TF), Textf("dl %d", part.DL)
			row[5] = "idf " + score(part.IDF) + " × " + score(part.TFNorm)
		}
		t.Row(row...)
	}
	return t
}

// components returns how a score of several components came to be: each with
// its words below it, and the sum so far, which ends at the score. Words that
// add nothing are left out.
func components(e retrieval.Explanation) *Table {
	t := Columns("", "", ">", ">", "", "¶")
	sum := 0.0
	var add func(part retrieval.Explanation, depth int)
	add = func(part retrieval.Explanation, depth int) {
		label := Textf("%s%s%s", ui.Spaces(2*depth), part.Component, Name(part.Label()))
		detail := cmp.Or(part.Detail, part.Message)
		if part.Detail != "" && part.Note != "" {
			detail += "; " + part.Note
		}
		if part.Weight != 0 {
			detail = fmt.Sprintf("weight %.2f × %.2f; %s", part.Weight, part.Value/part.Weight, detail)
		}
		if part.Component != "" && len(part.Children) > 0 {
			t.Row("  ", label, signedScore(part.Value), "", "", Sentence(detail))
			for _, child := range part.Children {
				add(child, depth+1)
			}
			return
		}
		sum += part.Value
		if part.Value != 0 {
			t.Row("  ", label, signedScore(part.Value), "= "+score(sum), bar(part.Value, e.Value, shareWidth), Sentence(detail))
		}
	}
	for _, part := range e.Children {
		add(part, 0)
	}
	return t
}

// signedScore returns an addition to a score.
func signedScore(v float64) string {
	if v < 0 {
		return "− " + score(-v)
	}
	return "+ " + score(v)
}
