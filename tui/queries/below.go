package queries

import (
	"slices"

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
	row, ok := s.row()
	if !ok {
		return ui.DrawnLines(heading, "", nil)
	}
	switch s.view() {
	case viewDark:
		return ui.DrawnLines(heading, "", s.darkDetail(t, w, row.i))
	case viewMap:
		return ui.DrawnLines(heading, "", s.mapDetail(t, w, row.i))
	case viewFindings:
		if row.header {
			return ui.DrawnLines(heading, "", s.groupDetail(t, w, s.groups[row.group]))
		}
		f := &s.found.report.Findings[row.i]
		name := "catalog"
		if f.Tool != nil {
			name = f.Tool.ShownName
		}
		out := ui.Flow(w, 1, []ui.Phrase{{Style: t.Name, Text: name}, {Style: severityStyle(t, f.Severity), Text: string(f.Severity)}, {Style: t.Text, Text: f.Code.Label()}, {Style: t.Faint, Text: f.Code.Meaning()}})
		out = append(out, ui.Flow(w, 1, []ui.Phrase{{Style: t.Text, Text: f.Message}})...)
		if f.Tool != nil {
			out = append(out, s.triedLines(t, w, f.Tool)...)
		}
		r := f.Remedy
		if r == nil {
			return ui.DrawnLines(heading, "", append(out, ui.Flow(w, 1, []ui.Phrase{{Style: t.Faint, Text: "no change that was tried helps"}})...))
		}
		effect := []ui.Phrase{{Style: t.Ok, Text: report.RemedyText(r)}}
		if r.Ranked() {
			effect = append(effect, ui.Phrase{Style: t.Text, Text: "rank " + rankText(r.RankBefore) + " → " + rankText(r.RankAfter)})
		}
		if r.TokensBefore != r.TokensAfter {
			effect = append(effect, ui.Phrase{Style: t.Number, Text: ui.Thousands(r.TokensBefore) + " → " + ui.Thousands(r.TokensAfter) + " tok"})
		}
		return ui.DrawnLines(heading, "", append(out, ui.Flow(w, 3, effect)...))
	}
	return ui.DrawnLines(heading, "", append(s.queryDetail(t, w, row.i), s.agentLines(t, w)...))
}

// queryDetail says where each relevant tool ranks, what stopped it, and what would help most.
func (s *Screen) queryDetail(t *ui.Theme, w, i int) []string {
	a := &s.found.evaluated.now().Answers[i]
	out := ui.Flow(w, 1, []ui.Phrase{{Style: t.Name, Text: safetext.Line(ui.OneLine(a.Query.Text))}, {Style: t.Faint, Text: safetext.Line(a.Query.ID)}}, []ui.Phrase{{Style: t.Faint, Text: "wording " + a.Wording.String()}})
	if _, split := report.Split(s.found.evaluated.splits[0]); s.H < ui.SplitHeight && w < leastCounted { // no room above the list
		out = append(out, ui.Flow(w, 1, []ui.Phrase{{Style: t.Faint, Text: splitMetric + " by wording:"}, {Style: t.Number, Text: split}})...)
	}
	if a.Missed {
		key := func(k, does string) []ui.Phrase {
			return []ui.Phrase{{Style: t.Key, Text: k}, {Style: t.Faint, Text: does}}
		}
		switch {
		case s.gone(&a.Query):
			out = append(out, ui.Flow(w, 1, []ui.Phrase{{Style: t.Warn, Text: "the registry has none of its tools"}}, key("d", "deletes the label"))...)
		case s.outOfScope(&a.Query):
			out = append(out, ui.Flow(w, 1, key("s", "another session"), key("w", "why not, in Explore"))...)
		default:
			out = append(out, ui.Flow(w, 1, key("t", "edits the description"), key("w", "why not, in Explore: enter takes a change"))...)
		}
	}
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
	return ui.Flow(w, 1, []ui.Phrase{{Style: t.Warn, Text: "draft description"}, {Style: t.Number, Text: ui.Thousands(was.ToolTokens(a)) + " → " + ui.Thousands(is.ToolTokens(b)) + " tok"}})
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
