package tui

import (
	"context"
	"reflect"
	"slices"
	"strconv"

	"caliper/engine"
	"caliper/tui/cells"
	"caliper/tui/workbench"
)

// evaluated is how a state answers its labelled queries.
type evaluated struct {
	state   *workbench.State
	columns []engine.Evaluation // of the ranker in force, then of the others
	base    *engine.Evaluation  // without knobs and edits; nil while there are none
	at      string              // when
}

// now returns the evaluation of the ranker in force.
func (e *evaluated) now() *engine.Evaluation { return &e.columns[0] }

// onDisk returns the evaluation of what the files have.
func (e *evaluated) onDisk() *engine.Evaluation {
	if e.base != nil {
		return e.base
	}
	return e.now()
}

// misses counts the queries that the ranker in force misses.
func (e *evaluated) misses() int { return missesOf(e.now()) }

// missesOf counts the queries that an evaluation misses.
func missesOf(e *engine.Evaluation) int {
	n := 0
	for _, a := range e.Answers {
		if a.Missed {
			n++
		}
	}
	return n
}

// evaluate asks every ranker of a state the labelled queries. The error is
// ctx's.
func evaluate(ctx context.Context, st *workbench.State, at string, progress func(done, total int)) (*evaluated, error) {
	// What a message selects is found without a search: the labelled queries
	// are asked of what can be searched for with none.
	asked := append([]*engine.Snapshot{st.Unasked}, rivalsOf(st, st.UnaskedRivals)...)
	if st.Baseline != nil {
		asked = append(asked, st.Baseline.Unasked)
	}
	out := &evaluated{state: st, at: at}
	for i, snapshot := range asked {
		e, err := snapshot.Evaluate(ctx, st.Queries, func(done, total int) { progress(i*total+done, len(asked)*total) })
		if err != nil {
			return nil, err
		}
		out.columns = append(out.columns, e)
	}
	if last := len(asked) - 1; st.Baseline != nil {
		out.base = &out.columns[last]
		out.columns = out.columns[:last:last]
	}
	return out, nil
}

// rivalsOf returns those of a state's rivals that rank by another ranker than
// the configuration's.
func rivalsOf(st *workbench.State, rivals []*engine.Snapshot) []*engine.Snapshot {
	return slices.DeleteFunc(slices.Clone(rivals), func(s *engine.Snapshot) bool {
		return s.Config.ToolSearch.Ranker == st.Snapshot.Config.ToolSearch.Ranker
	})
}

// remember keeps the evaluation that a new one is compared with: the newest of
// other files in the same session.
func (s *queriesScreen) remember(next *evaluated) {
	prev := s.found.evaluated
	if prev == nil {
		return
	}
	was, now := prev.state.OnDisk(), next.state.OnDisk()
	switch {
	case was.Snapshot.Session.Name != now.Snapshot.Session.Name:
		s.last = nil
	case was.Snapshot.Registry != now.Snapshot.Registry, !sameQueries(was.Queries, now.Queries),
		!reflect.DeepEqual(was.Snapshot.Config, now.Snapshot.Config):
		s.last = &evaluated{columns: []engine.Evaluation{*prev.onDisk()}, at: prev.at}
	}
}

// against returns what the evaluation on screen is compared with, nil for
// nothing.
func (s *queriesScreen) against() *engine.Evaluation {
	switch e := s.found.evaluated; {
	case e == nil:
		return nil
	case e.base != nil:
		return e.base
	case s.last != nil:
		return s.last.now()
	}
	return nil
}

// since says what the evaluation is compared with, and what became of the
// queries.
func (s *queriesScreen) since() string {
	was := s.against()
	if s.part != partQueries || was == nil {
		return ""
	}
	better, worse := 0, 0
	for _, a := range s.found.evaluated.now().Answers {
		before, known := s.ranks[queryKey(a.Query)]
		switch {
		case !known || before == a.Best:
		case depthOf(a.Best) < depthOf(before):
			better++
		default:
			worse++
		}
	}
	t := s.app.theme
	words := t.Risen + thousands(better) + " " + t.Fallen + thousands(worse)
	if better+worse == 0 {
		words = "no"
	}
	switch {
	case s.w < 60 && better+worse == 0:
		return ""
	case s.w < 60:
		return words
	case s.found.evaluated.base != nil:
		return words + " queries moved against the files"
	}
	return words + " queries moved since " + s.last.at
}

// compared takes in that the evaluation on screen, or what it is compared
// with, is another.
func (s *queriesScreen) compared() {
	s.ranks = nil
	if was := s.against(); was != nil {
		s.ranks = ranksOf(was)
	}
}

// depthOf orders ranks with none last.
func depthOf(rank int) int {
	if rank == 0 {
		return engine.EvaluationDepth + 1
	}
	return rank
}

// queryKey names a labelled query across reloads.
func queryKey(q engine.Query) string { return q.ID + "\x00" + q.Text }

// ranksOf returns the best rank of every query.
func ranksOf(e *engine.Evaluation) map[string]int {
	ranks := make(map[string]int, len(e.Answers))
	for _, a := range e.Answers {
		ranks[queryKey(a.Query)] = a.Best
	}
	return ranks
}

// moved says how a rank differs from the one before.
func moved(t *Theme, was, now int) (cells.Style, string) {
	switch {
	case was == now:
		return t.Faint, t.Same
	case now == 0:
		return t.Removed, "lost"
	case was == 0:
		return t.Added, "new"
	case was > now:
		return t.Added, t.Risen + strconv.Itoa(was-now)
	}
	return t.Removed, t.Fallen + strconv.Itoa(now-was)
}
