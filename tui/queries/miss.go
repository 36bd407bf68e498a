package queries

import (
	"slices"
	"strconv"

	"caliper/engine/labels"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/tui/report"
	"caliper/tui/ui"
)

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

// drawOutOfScope draws how many misses are of tools that the session may not call, for none
// which ranker is proven to find more; a blank line where none is.
func (s *Screen) drawOutOfScope(t *ui.Theme, w int) string {
	e := s.found.evaluated
	n := 0
	for i := range e.now().Answers {
		if a := &e.now().Answers[i]; a.Missed && s.outOfScope(&a.Query) {
			n++
		}
	}
	if b := e.better; n == 0 && b.Ranker != "" {
		more, key := report.BetterRanker(b).String(), ": ctrl-p ranker "+b.Ranker
		return ui.TextLine(w, 1, t.Added, ui.Longest(w-1, more+key, more))
	}
	if n == 0 {
		return ui.Spaces(w)
	}
	session := safetext.Line(e.state.Snapshot.Session.Name)
	of := ui.Thousands(n) + " of " + ui.Thousands(e.misses()) + " missed"
	text := ui.Longest(w-1, of+" are out of scope: session "+session+" may not call the tools; s switches the session",
		of+": tools out of scope in "+session+" (s switches)", ui.Thousands(n)+" out of scope in "+session, ui.Thousands(n)+" out of scope")
	return ui.TextLine(w, 1, t.Warn, text)
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
