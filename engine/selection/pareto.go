package selection

import (
	"context"
	"math"
	"slices"

	"caliper/engine/labels"
	"caliper/model"
)

// MaxParetoK is the largest K of a Pareto view.
const MaxParetoK = 32

// Point is the cost and the recall of a strategy at one K.
type Point struct {
	Strategy     Strategy
	K            int              // 0 for a strategy that ranks nothing
	SchemaTokens float64          // mean of one call
	Recall       float64          // mean of the labelled queries
	Worded       labels.WordSplit // Recall by wording
	// Frontier reports whether the point is on the Pareto frontier: no other
	// point has at most its tokens and at least its recall, with one of the two
	// better.
	Frontier bool
}

// Knee returns the point of the frontier that is farthest above the line from its first to its last
// one, by recall over the logarithm of tokens: before it tokens buy much recall, after it little. It
// is not ok where no point is above that line.
func Knee(points []Point) (knee Point, ok bool) {
	var first, last *Point
	for i := range points {
		p := &points[i]
		if p.Frontier && (first == nil || p.SchemaTokens < first.SchemaTokens) {
			first = p
		}
		if p.Frontier && (last == nil || p.SchemaTokens > last.SchemaTokens) {
			last = p
		}
	}
	most := 1e-9
	for _, p := range points {
		if !p.Frontier || first.SchemaTokens <= 0 {
			continue
		}
		along := math.Log(p.SchemaTokens/first.SchemaTokens) / math.Log(last.SchemaTokens/first.SchemaTokens)
		if above := p.Recall - first.Recall - along*(last.Recall-first.Recall); above > most {
			knee, most, ok = p, above, true
		}
	}
	return knee, ok
}

// Pareto returns the points of every strategy over labelled queries. A strategy
// that ranks has a point for each K from 1 to MaxParetoK. Queries without labels
// are left out. Each query is ranked once for all K. Order, progress and error are
// Compare's.
func (s *Selector) Pareto(ctx context.Context, queries []labels.Query, progress func(done, total int)) ([]Point, error) {
	var labelled []labels.Query
	var wordings []labels.WordClass
	for _, q := range queries {
		if len(q.Needs()) > 0 {
			labelled, wordings = append(labelled, q), append(wordings, q.Wording(s.scope.snapshot.Registry))
		}
	}
	var cuts []*Selector // for each point
	for _, strategy := range Strategies {
		under := s.under(strategy)
		if !strategy.Ranks() {
			cuts = append(cuts, under)
			continue
		}
		for k := 1; k <= MaxParetoK; k++ {
			set := under.settings
			set.K = k
			cuts = append(cuts, under.With(set))
		}
	}
	outcomes := make([][]outcome, len(labelled))
	err := labels.Each(ctx, len(labelled), progress, func(i int) error {
		out, err := s.paretoOutcomes(ctx, labelled[i], cuts)
		outcomes[i] = out
		return err
	})
	if err != nil {
		return nil, err
	}
	points := make([]Point, len(cuts))
	for p, cut := range cuts {
		points[p] = Point{Strategy: cut.settings.Strategy}
		if cut.settings.Strategy.Ranks() {
			points[p].K = cut.settings.K
		}
		n := float64(max(len(labelled), 1))
		for i := range labelled {
			points[p].SchemaTokens += float64(outcomes[i][p].tokens)
			points[p].Recall += outcomes[i][p].recall
			points[p].Worded.Add(wordings[i], outcomes[i][p].recall)
		}
		points[p].SchemaTokens /= n
		points[p].Recall /= n
		points[p].Worded.Means()
	}
	for i, at := range points {
		points[i].Frontier = !slices.ContainsFunc(points, func(p Point) bool {
			return p.SchemaTokens <= at.SchemaTokens && p.Recall >= at.Recall && (p.SchemaTokens < at.SchemaTokens || p.Recall > at.Recall)
		})
	}
	return points, nil
}

// paretoOutcomes returns the outcome of one query for every cut. It fuses the
// rankings once for each strategy.
func (s *Selector) paretoOutcomes(ctx context.Context, q labels.Query, cuts []*Selector) ([]outcome, error) {
	l, err := s.untaught(q).ask(ctx, q.Text, true, true)
	if err != nil {
		return nil, err
	}
	named, _ := s.named(q.Text)
	out := make([]outcome, len(cuts))
	f := &fusion{}
	for i, cut := range cuts {
		if !cut.settings.Strategy.Ranks() {
			out[i] = cut.wholeOutcome(q)
			continue
		}
		if cut.settings.K == 1 {
			f = cut.fuse(l, MaxParetoK+len(named))
		}
		c := cut.cut(named, f)
		a := cut.assembly(c)
		out[i].tokens, _ = cut.scope.snapshot.Tokens(a)
		out[i].recall, _ = cut.recalls(q, a)
	}
	return out, nil
}

// Sent is the tools sent with one message.
type Sent struct {
	Ranking []*model.Tool // the chosen tools besides the core: those that the message names, then the best ranked, K together
	Tokens  int           // of all that is sent
}

// Variants returns the tools sent for labelled queries, each under each of some settings, which
// differ from the Selector's in K, RRFK and the weights. A query is ranked once, by
// nothing that it taught. Ranking stops at K also where all candidates are sent. progress
// and error are Compare's.
func (s *Selector) Variants(ctx context.Context, queries []labels.Query, settings []Settings, progress func(done, total int)) ([][]Sent, error) {
	most, keyword, semantic := 0, false, false
	for _, set := range settings {
		most = max(most, set.K)
		x := s.With(set)
		keyword, semantic = keyword || x.settings.wantsKeywords(), semantic || x.settings.wantsSimilarity()
	}
	out := make([][]Sent, len(queries))
	err := labels.Each(ctx, len(queries), progress, func(i int) error {
		q := queries[i]
		l, err := s.untaught(q).ask(ctx, q.Text, keyword, semantic)
		if err != nil {
			return err
		}
		named, _ := s.named(q.Text)
		out[i] = make([]Sent, len(settings))
		f := &fusion{}
		for j, set := range settings {
			x := s.With(set)
			if j == 0 || set.RRFK != settings[j-1].RRFK || set.Keyword != settings[j-1].Keyword || set.Semantic != settings[j-1].Semantic {
				f = x.fuse(l, most+len(named))
			}
			out[i][j].Tokens, _ = s.scope.snapshot.Tokens(x.assembly(x.cut(named, f)))
			for _, p := range x.best(named, f).picks {
				out[i][j].Ranking = append(out[i][j].Ranking, s.scope.Candidates[p.doc])
			}
		}
		return nil
	})
	return out, err
}
