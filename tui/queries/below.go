package queries

import (
	"slices"
	"strconv"

	"caliper/engine"
	"caliper/engine/labels"
	"caliper/engine/whatif"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/tui/desk"
	"caliper/tui/report"
	"caliper/tui/report/changes"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// details returns the lines about the selected row.
func (s *Screen) details(t *ui.Theme, w int) ui.Lines {
	heading := [viewCount]string{"why", "by its own words", "remedy", "what each setting does alone", "what the queries find"}[s.Tab]
	if _, header, ok := s.selectedGroup(); ok && header {
		heading = "kind of finding"
	}
	if s.view() == viewTuning {
		return changes.TuningEffects(*s.found.tuned).Under(t, w, heading)
	}
	return ui.DrawnLines(heading, "", s.detail(t, w))
}

// detail returns the lines about the selected row.
func (s *Screen) detail(t *ui.Theme, w int) []string {
	row, ok := s.row()
	if !ok {
		return nil
	}
	switch s.view() {
	case viewDark:
		return s.darkDetail(t, w, row.i)
	case viewMap:
		return s.mapDetail(t, w, row.i)
	case viewFindings:
		if row.header {
			return s.groupDetail(t, w, s.groups[row.group])
		}
		return s.findingDetail(t, w, row.i)
	}
	return append(s.queryDetail(t, w, row.i), s.agentLines(t, w)...)
}

// queryDetail says where each relevant tool ranks, what stopped it, and what would help most.
func (s *Screen) queryDetail(t *ui.Theme, w, i int) []string {
	a := &s.found.evaluated.now().Answers[i]
	out := ui.Flow(w, 1, []ui.Phrase{{Style: t.Name, Text: safetext.Line(ui.OneLine(a.Query.Text))}, {Style: t.Faint, Text: safetext.Line(a.Query.ID)}}, []ui.Phrase{{Style: t.Faint, Text: "wording " + a.Wording.String()}})
	if _, split := report.Split(s.found.evaluated.splits[0]); s.H < ui.SplitHeight && w < leastCounted { // no room above the list
		out = append(out, ui.Flow(w, 1, []ui.Phrase{{Style: t.Faint, Text: splitMetric + " by wording:"}, {Style: t.Number, Text: split}})...)
	}
	out = append(out, s.onward(t, w, a)...)
	if s.explaining.Of != queryKey(a.Query) || s.answers == nil {
		for _, name := range a.Query.Relevant {
			out = append(out, ui.Flow(w, 1, []ui.Phrase{{Style: t.Text, Text: safetext.Line(name)}, {Style: t.Faint, Text: t.Ellipsis}})...)
		}
		if s.explaining.Err != nil {
			out = append(out, ui.Flow(w, 1, []ui.Phrase{{Style: t.Bad, Text: safetext.Line(s.explaining.Err.Error())}})...)
		}
		return out
	}
	for _, why := range s.answers {
		out = append(out, ui.Flow(w, 1, append([]ui.Phrase{{Style: t.Text, Text: safetext.Line(why.Name)}}, desk.WhyNot(t, &why)...))...)
		for _, r := range why.Remedies {
			if r.Kind == whatif.RemedyRanker {
				key := ui.Phrase{Style: t.Faint, Text: "ctrl-p ranker " + safetext.Line(r.Change)}
				out = append(out, ui.Flow(w, 3, append(desk.Remedy(t, &why, r), key))...)
			}
		}
		// Words for the description come before all others, because they are what the author of a tool can change.
		var best whatif.Remedy
		ok := false
		for _, r := range why.Remedies {
			described := r.Kind == whatif.RemedyDescriptionWords
			was := best.Kind == whatif.RemedyDescriptionWords
			if !ok || described && !was || described == was && r.NewRank < best.NewRank {
				best, ok = r, true
			}
		}
		if ok && best.Kind != whatif.RemedyRanker {
			out = append(out, ui.Flow(w, 3, desk.Remedy(t, &why, best))...)
		}
		if ranked := why.Stage == whatif.StageNoMatch || why.Stage == whatif.StageBelowLimit; ranked && (!ok || best.Kind != whatif.RemedyDescriptionWords) {
			out = append(out, ui.Flow(w, 3, []ui.Phrase{{Style: t.Faint, Text: why.Described()}})...)
		}
		if why.Tool != nil {
			out = append(out, s.triedLines(t, w, why.Tool)...)
		}
	}
	if rest := len(a.Query.Relevant) - len(s.answers); rest > 0 {
		out = append(out, ui.Flow(w, 1, []ui.Phrase{{Style: t.Faint, Text: ui.Thousands(rest) + " more"}})...)
	}
	for _, e := range s.found.evaluated.columns[1:] {
		if len(e.Answers[i].Hits) > 0 {
			continue
		}
		at := slices.IndexFunc(s.state.Rivals, func(r *engine.Snapshot) bool { return r.Config.ToolSearch.Ranker == e.Ranker })
		if at >= 0 {
			out = append(out, ui.Flow(w, 1, []ui.Phrase{{Style: t.Warn, Text: e.Ranker + " finds nothing"}, {Style: t.Faint, Text: s.state.Rivals[at].WhyNone(a.Query.Text)}})...)
		}
	}
	return out
}

// triedLines tells the cost of a tool whose description is tried; none for any other.
func (s *Screen) triedLines(t *ui.Theme, w int, tool *model.Tool) []string {
	if s.state.Baseline == nil || !slices.ContainsFunc(s.host.Knobs.Edits(), func(e workbench.Edit) bool { return e.Tool == tool.Qualified }) {
		return nil
	}
	is, was := s.state.Snapshot, s.state.Baseline.Snapshot
	a, b := was.Registry.Named(tool.Qualified), is.Registry.Named(tool.Qualified)
	if a == nil || b == nil {
		return nil
	}
	return ui.Flow(w, 1, []ui.Phrase{{Style: t.Changed, Text: "draft description"}, {Style: t.Number, Text: ui.Thousands(was.ToolTokens(a)) + " → " + ui.Thousands(is.ToolTokens(b)) + " tok"}})
}

// outOfScope reports whether the session that the queries were asked in may call none
// of the relevant tools of a query, although the registry has one: the search is not
// to blame.
func (s *Screen) outOfScope(q *labels.Query) bool {
	asked, known := s.found.evaluated.state.Snapshot.Unasked(), false
	for _, name := range q.Relevant {
		tools := asked.Registry.Lookup(name)
		if slices.ContainsFunc(tools, func(t *model.Tool) bool { return asked.Granted(t) }) {
			return false
		}
		known = known || len(tools) > 0
	}
	return known
}

// gone reports whether the registry has none of the relevant tools of a query.
func (s *Screen) gone(q *labels.Query) bool {
	r := s.found.evaluated.state.Snapshot.Registry
	return !slices.ContainsFunc(q.Relevant, func(name string) bool { return len(r.Lookup(name)) > 0 })
}

// onward says which keys lead on from a query: for a miss those that mend it.
func (s *Screen) onward(t *ui.Theme, w int, a *labels.Answer) []string {
	if !a.Missed {
		return nil
	}
	key := func(k, does string) []ui.Phrase {
		return []ui.Phrase{{Style: t.Key, Text: k}, {Style: t.KeyLabel, Text: does}}
	}
	if s.gone(&a.Query) {
		return ui.Flow(w, 1, []ui.Phrase{{Style: t.Warn, Text: "the registry has none of its tools"}}, key("d", "deletes the label"))
	}
	if s.outOfScope(&a.Query) {
		return ui.Flow(w, 1, key("s", "another session"), key("w", "why not, in Explore"))
	}
	return ui.Flow(w, 1, key("t", "edits the description"), key("w", "why not, in Explore: enter takes a change"))
}

// missMark returns what stands for the rank of a query that finds none of its tools in
// the ranks that are looked at: below them a tool may still have one.
func (s *Screen) missMark(t *ui.Theme, a *labels.Answer, room int) string {
	switch {
	case s.gone(&a.Query):
		return ui.Longest(room, t.Cross+" gone", "gone")
	case s.outOfScope(&a.Query):
		return ui.Longest(room, t.Cross+" scope", "scope")
	case len(a.Hits) < labels.EvaluationDepth: // all that are found
		return ui.Longest(room, t.Cross+" none", "none")
	}
	return t.Cross + " >" + strconv.Itoa(labels.EvaluationDepth)
}
