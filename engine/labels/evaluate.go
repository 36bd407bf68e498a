package labels

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"caliper/engine"
	"caliper/engine/retrieval"
	"caliper/engine/retrieval/learned"
	"caliper/model"
)

// EvaluationDepth is how many ranks of every labelled query are looked at,
// whatever the limit.
const EvaluationDepth = 50

// Evaluation is how well a session's search answers labelled queries.
type Evaluation struct {
	Ranker        string
	Limit         int     // the cut line beyond which a tool is missed
	MinConfidence float64 // of the configuration; 0: no answer is abstained
	Metrics       retrieval.Metrics
	Answers       []Answer // in the order of the queries

	// Unknown are the relevant names that no tool of the registry bears, and
	// Sent those that the model has without a search, because the tool is a
	// core one. Neither can be found. Both are sorted, each name once.
	Unknown []string
	Sent    []string

	// Unlabelled are the tools of the catalog that no query is labelled with, by their
	// qualified names, in catalog order.
	Unlabelled []string

	// LeftOut is how many labelled queries were not learned from while a query was
	// asked that has their id, text or group; 0 where nothing is learned.
	LeftOut int

	// Folds is into how many the queries were dealt; 0 without cross-validation, which
	// alone has intervals. Low and High are the ends of the 95 % interval of each metric.
	Folds     int
	Low, High retrieval.Metrics

	// Support is how far what was learned helps; nil for a ranker that does not learn.
	Support *learned.Support
}

// Answer is how one labelled query is answered.
type Answer struct {
	Query   Query
	Best    int // rank of the best relevant tool; 0: none within EvaluationDepth
	Missed  bool
	Metrics retrieval.Metrics
	Wording WordClass
	Hits    []engine.Hit // the first EvaluationDepth

	// Abstained is set when the model gets none of the hits, because the confidence in
	// them is below min_confidence. The metrics and Missed are the ranking's.
	Abstained bool

	left []int // labels that were left out, by their numbers
}

// Misses returns the answers whose best relevant tool is beyond the limit:
// those without any first, then those with the worst rank; equal ones stay in
// the order of the queries.
func (e Evaluation) Misses() []Answer {
	var missed []Answer
	for _, a := range e.Answers {
		if a.Missed {
			missed = append(missed, a)
		}
	}
	place := func(a Answer) int {
		if a.Best == 0 {
			return EvaluationDepth + 1
		}
		return a.Best
	}
	slices.SortStableFunc(missed, func(a, b Answer) int { return place(b) - place(a) })
	return missed
}

// Abstained returns for how many queries the model gets no hit for want of confidence,
// and for how many of them a relevant tool was within the limit.
func (e Evaluation) Abstained() (queries, found int) {
	for _, a := range e.Answers {
		if a.Abstained {
			queries++
			if !a.Missed {
				found++
			}
		}
	}
	return queries, found
}

// Worded returns the evaluation of the queries of one wording alone: their answers, their
// metrics, and with folds the intervals of these.
func (e Evaluation) Worded(c WordClass) Evaluation {
	part := Evaluation{Ranker: e.Ranker, Limit: e.Limit, MinConfidence: e.MinConfidence, Folds: e.Folds}
	var queries []Query
	for _, a := range e.Answers {
		if a.Wording == c {
			part.Answers, queries = append(part.Answers, a), append(queries, a.Query)
		}
	}
	part.measure()
	if e.Folds > 0 {
		part.intervals(Tasks(queries))
	}
	return part
}

// Split returns a metric by wording. The error is Metrics.Value's.
func (e Evaluation) Split(metric string) (s WordSplit, err error) {
	for _, c := range WordClasses {
		part := e.Worded(c)
		s[c].Queries = len(part.Answers)
		if s[c].Recall, err = part.Metrics.Value(metric); err != nil {
			return s, err
		}
	}
	return s, nil
}

// Evaluate asks the session's catalog every labelled query, several at a time.
// progress, which may be nil, is called with how many are done, one call at a
// time.
// The error is ctx's.
func Evaluate(ctx context.Context, s *engine.Snapshot, queries []Query, progress func(done, total int)) (Evaluation, error) {
	queries = AsCalled(s.Registry, queries)
	e := Evaluation{
		Ranker:        s.Config.ToolSearch.Ranker,
		Limit:         s.Config.ToolSearch.DefaultLimit,
		MinConfidence: s.Config.ToolSearch.MinConfidence,
		Answers:       make([]Answer, len(queries)),
	}
	err := Each(ctx, len(queries), progress, func(i int) error {
		q := queries[i]
		s, left := s.Untaught(q.Lesson())
		found := s.Search(q.Text, 0, EvaluationDepth)
		a := Answer{Query: q, Wording: q.Wording(s.Registry), left: left, Hits: found.Hits[:min(len(found.Hits), EvaluationDepth)], Abstained: s.Config.ToolSearch.MinConfidence > 0 && s.Confidence(q.Text).Abstains}
		ranking := make([]retrieval.RankedItem, 0, len(a.Hits))
		for _, h := range unlucky(a.Hits, q) {
			ranking = append(ranking, retrieval.RankedItem{Name: h.Tool.Name, Qualified: h.Tool.Qualified})
			if a.Best == 0 && q.Wants(h.Tool) {
				a.Best = h.Worst
			}
		}
		a.Metrics = retrieval.Measure(retrieval.Label{Groups: q.Needs(), Grades: q.Grades}, ranking)
		a.Missed = a.Best == 0 || a.Best > e.Limit
		e.Answers[i] = a
		return nil
	})
	if err != nil {
		return Evaluation{}, err
	}
	e.measure()
	left := map[int]bool{}
	for _, a := range e.Answers {
		for _, l := range a.left {
			left[l] = true
		}
	}
	e.LeftOut = len(left)
	if support, ok := s.Support(); ok {
		e.Support = &support
	}
	e.Unknown, e.Sent = notFindable(s, queries)
	e.Unlabelled = unlabelled(s, queries)
	return e, nil
}

// Each calls do for 0 to n-1, several at a time, until one fails. progress is Evaluate's. The
// error is do's or ctx's, with which the rest is left out.
func Each(ctx context.Context, n int, progress func(done, total int), do func(i int) error) error {
	var next atomic.Int64
	var mu sync.Mutex
	var wg sync.WaitGroup
	var failed error
	done := 0
	for range min(runtime.GOMAXPROCS(0), n) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				err := do(i)
				mu.Lock()
				if err != nil {
					failed = err
				} else if done++; progress != nil {
					progress(done, n)
				}
				mu.Unlock()
				if err != nil {
					return
				}
			}
		})
	}
	wg.Wait()
	if failed != nil {
		return failed
	}
	return ctx.Err()
}

// measure sets Metrics.
func (e *Evaluation) measure() {
	all := make([]retrieval.Metrics, len(e.Answers))
	for i, a := range e.Answers {
		all[i] = a.Metrics
	}
	e.Metrics = retrieval.MeanMetrics(all)
}

// unlucky returns hits in the order in which the relevant ones come last among those that only
// chance puts before or behind them, and without those that chance may put behind all: an agent
// that leaves an order to chance wins no query by it.
func unlucky(hits []engine.Hit, q Query) []engine.Hit {
	if !slices.ContainsFunc(hits, func(h engine.Hit) bool { return h.Worst != h.Rank }) {
		return hits
	}
	last := hits[len(hits)-1].Rank
	out := slices.DeleteFunc(slices.Clone(hits), func(h engine.Hit) bool { return q.Wants(h.Tool) && h.Worst > last })
	model.Sort(out, func(a, b engine.Hit) int {
		wanted := 0
		switch a, b := q.Wants(a.Tool), q.Wants(b.Tool); {
		case a && !b:
			wanted = 1
		case b && !a:
			wanted = -1
		}
		return cmp.Or(cmp.Compare(a.Worst, b.Worst), wanted)
	})
	return out
}

// Wants reports whether a tool is relevant, by either of its names.
func (q Query) Wants(t *model.Tool) bool {
	return slices.Contains(q.Relevant, t.Name) || slices.Contains(q.Relevant, t.Qualified)
}

// Needs returns the needed capabilities, each with the tools that provide it: the
// groups of the query, without groups every relevant tool alone.
func (q Query) Needs() [][]string {
	if q.Groups != nil {
		return q.Groups
	}
	var needs [][]string
	for _, name := range q.Relevant {
		needs = append(needs, []string{name})
	}
	return needs
}

// Wording returns the wording of the query. The names of a label belong to the tools that
// the first registry to have any calls so; a name that none has is as it is written.
func (q Query) Wording(registries ...*model.Registry) WordClass {
	var needs [][]string
	for _, need := range q.Needs() {
		var names []string
		for _, label := range need {
			var bearers []*model.Tool
			for _, r := range registries {
				if bearers = r.Called(label); bearers != nil {
					break
				}
			}
			for _, t := range bearers {
				names = append(names, OwnName(t))
			}
			if bearers == nil {
				names = append(names, label)
			}
		}
		needs = append(needs, names)
	}
	return WordClassOf(q.Text, needs)
}

// unlabelled returns the tools of the catalog that no query is labelled with.
func unlabelled(s *engine.Snapshot, queries []Query) []string {
	wanted := map[string]bool{}
	for _, q := range queries {
		for _, name := range q.Relevant {
			wanted[name] = true
		}
	}
	var out []string
	for _, t := range s.Catalog() {
		if !wanted[t.Name] && !wanted[t.Qualified] {
			out = append(out, t.Qualified)
		}
	}
	return out
}

// notFindable returns the relevant names that no search can return.
func notFindable(s *engine.Snapshot, queries []Query) (unknown, sent []string) {
	seen := map[string]bool{}
	for _, q := range queries {
		for _, name := range q.Relevant {
			if seen[name] {
				continue
			}
			seen[name] = true
			switch bearers := s.Registry.Lookup(name); {
			case len(bearers) == 0:
				unknown = append(unknown, name)
			case !slices.ContainsFunc(bearers, func(t *model.Tool) bool { return s.Class(t) != engine.Visible }):
				sent = append(sent, name)
			}
		}
	}
	slices.Sort(unknown)
	slices.Sort(sent)
	return unknown, sent
}

// Better is a ranker that finds more labelled queries than the first of several.
type Better struct {
	Ranker string
	Found  int // misses of the first one that it finds
	Of     int // misses of the first one
	Lost   int // queries that it misses and the first one finds
}

// BetterOf returns the ranker that finds most more than the first one of several does, which
// answered the same queries; ok is false where none is proven to: where no 95 % interval of
// the difference is above 0. Of equals it is the first.
func BetterOf(all []Evaluation) (best Better, ok bool) {
	if len(all) == 0 || len(all[0].Answers) == 0 {
		return Better{}, false
	}
	now := all[0].Answers
	queries := make([]Query, len(now))
	before := make([]float64, len(now))
	for i, a := range now {
		queries[i], before[i] = a.Query, found(a)
	}
	tasks, most := Tasks(queries), 0.0
	for _, other := range all[1:] {
		b, after := Better{Ranker: other.Ranker}, make([]float64, len(now))
		for i, a := range other.Answers {
			after[i] = found(a)
			switch {
			case now[i].Missed && a.Missed:
				b.Of++
			case now[i].Missed:
				b.Of, b.Found = b.Of+1, b.Found+1
			case a.Missed:
				b.Lost++
			}
		}
		if gain := float64(b.Found-b.Lost) / float64(len(now)); gain > most && retrieval.ComparePaired(before, after, tasks).Low > 0 {
			best, most, ok = b, gain, true
		}
	}
	return best, ok
}

// found returns 1 for a query whose tool is within the limit, otherwise 0.
func found(a Answer) float64 {
	if a.Missed {
		return 0
	}
	return 1
}

// Lessons returns labelled queries as lessons about the tools of a registry, in their
// order. Names that labels have from the agent's other generation become the
// registry's.
func Lessons(r *model.Registry, queries []Query) *engine.Lessons {
	l := &engine.Lessons{}
	for _, q := range AsCalled(r, queries) {
		l.List = append(l.List, q.Lesson())
	}
	return l
}

// Lesson returns the query as a lesson.
func (q Query) Lesson() learned.Lesson {
	return learned.Lesson{ID: q.ID, Text: q.Text, Group: q.Group, Tools: q.Relevant}
}
