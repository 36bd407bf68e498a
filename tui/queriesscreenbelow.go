package tui

import (
	"slices"

	"caliper/engine"
	"caliper/model"
	"caliper/tui/cells"
)

// drawBelow draws what there is to say about the selected row, in exactly h
// lines under a rule.
func (s *queriesScreen) drawBelow(t *Theme, w, h int) []string {
	lines := s.detail(t, w)
	s.belowRoom, s.belowAll = max(0, h-1), len(lines)
	s.belowList.clamp(s.belowRoom, s.belowAll)
	note := ""
	if more := len(lines) - s.belowList.top - s.belowRoom; more > 0 {
		note = thousands(more) + " more "
	}
	heading := [queriesPartCount]string{"why", "by its own words", "remedy"}[s.part]
	out := []string{s.app.budget.rule(t, w, s.below, heading, note)}
	lines = lines[s.belowList.top:]
	out = append(out, lines[:min(len(lines), s.belowRoom)]...)
	for len(out) < h {
		out = append(out, cells.Spaces(w))
	}
	return out[:h]
}

// detail returns the lines about the selected row.
func (s *queriesScreen) detail(t *Theme, w int) []string {
	row, ok := s.row()
	if !ok {
		return nil
	}
	switch s.part {
	case partDark:
		return s.darkDetail(t, w, row.i)
	case partFindings:
		return s.findingDetail(t, w, row.i)
	}
	return s.queryDetail(t, w, row.i)
}

// queryDetail says where each relevant tool ranks, what stopped it, and what
// would help most.
func (s *queriesScreen) queryDetail(t *Theme, w, i int) []string {
	a := &s.found.evaluated.now().Answers[i]
	out := flow(w, 1, []phrase{{t.Name, model.Sanitize(folded(a.Query.Text))}, {t.Faint, model.Sanitize(a.Query.ID)}})
	if s.why.of != queryKey(a.Query) || s.why.answers == nil {
		for _, name := range a.Query.Relevant {
			out = append(out, flow(w, 1, []phrase{{t.Text, model.Sanitize(name)}, {t.Faint, t.Ellipsis}})...)
		}
		if s.why.err != nil {
			out = append(out, flow(w, 1, []phrase{{t.Bad, model.Sanitize(s.why.err.Error())}})...)
		}
		return out
	}
	for _, why := range s.why.answers {
		out = append(out, flow(w, 1, append([]phrase{{t.Text, model.Sanitize(why.Name)}}, stagePhrases(t, &why)...))...)
		if best, ok := bestRemedy(&why); ok {
			out = append(out, flow(w, 3, []phrase{{t.Ok, remedyWords(best)}, {t.Faint, "rank " + thousands(best.NewRank)}})...)
		}
		if why.Tool != nil {
			out = append(out, s.triedLines(t, w, why.Tool)...)
		}
	}
	if rest := len(a.Query.Relevant) - len(s.why.answers); rest > 0 {
		out = append(out, flow(w, 1, []phrase{{t.Faint, thousands(rest) + " more"}})...)
	}
	for _, e := range s.found.evaluated.columns[1:] {
		if len(e.Answers[i].Hits) > 0 {
			continue
		}
		at := slices.IndexFunc(s.state.Rivals, func(r *engine.Snapshot) bool { return r.Config.ToolSearch.Ranker == e.Ranker })
		if at >= 0 {
			out = append(out, flow(w, 1, []phrase{{t.Warn, e.Ranker + " finds nothing"}, {t.Faint, s.state.Rivals[at].Cut(a.Query.Text)}})...)
		}
	}
	return out
}

// bestRemedy returns the remedy to tell: words for the description before all
// others, because it is what the author of a tool can change, and of each the
// one that leads highest.
func bestRemedy(w *engine.WhyNot) (best engine.Remedy, ok bool) {
	for _, r := range w.Remedies {
		described := r.Kind == engine.RemedyDescriptionWords
		was := best.Kind == engine.RemedyDescriptionWords
		if !ok || described && !was || described == was && r.NewRank < best.NewRank {
			best, ok = r, true
		}
	}
	return best, ok
}

// triedLines says what a tool whose description is tried costs; none for any
// other.
func (s *queriesScreen) triedLines(t *Theme, w int, tool *model.Tool) []string {
	if s.app.editOf(tool.Qualified) == nil || s.state.Baseline == nil {
		return nil
	}
	is, was := s.state.Snapshot, s.state.Baseline.Snapshot
	a, b := named(was.Registry, tool.Qualified), named(is.Registry, tool.Qualified)
	if a == nil || b == nil {
		return nil
	}
	return flow(w, 1, []phrase{{t.Changed, "description as tried"}, {t.Number, thousands(was.ToolTokens(a)) + " → " + thousands(is.ToolTokens(b)) + " tok"}})
}
