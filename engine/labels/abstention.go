package labels

import (
	"cmp"
	"context"
	"slices"

	"caliper/engine"
	"caliper/model"
)

// MaxAbstention is how many labelled queries Abstain asks at most, because each of them
// needs an index of its own.
const MaxAbstention = 500

// Abstention is the effect of every min_confidence, measured on labelled queries. Each is
// asked twice: of the session's catalog, which has a tool that answers it, and of the
// catalog without the tools that answer it, which has none.
type Abstention struct {
	Ranker  string
	Queries int     // asked
	LeftOut int     // no tool of the catalog answers them, or there were more than MaxAbstention
	AUC     float64 // how often a query has more confidence with its tools than another one without: 0.5 is chance
	Brier   float64 // mean squared error of the confidence: 0.25 is chance
	Points  []AbstentionPoint
	Worded  []Abstention // the same of the queries of each wording, by WordClass; nil in one of these
}

// AbstentionPoint is the effect of one min_confidence.
type AbstentionPoint struct {
	MinConfidence    float64
	FalseHits        float64 // share of the queries without their tools that still get hits, 0 to 1
	FalseAbstentions float64 // share of the queries with their tools that get none, 0 to 1
}

// At returns the point of a min_confidence that one of the Points has.
func (a Abstention) At(minConfidence float64) AbstentionPoint {
	return a.Points[slices.IndexFunc(a.Points, func(p AbstentionPoint) bool { return p.MinConfidence == minConfidence })]
}

// Best returns the point with the fewest errors of both kinds together: the setting for
// those to whom both cost the same and who ask as many queries that no tool answers as
// queries that one does. Of equal ones it is that with the least min_confidence.
func (a Abstention) Best() AbstentionPoint {
	return slices.MinFunc(a.Points, func(a, b AbstentionPoint) int {
		return cmp.Compare(a.FalseHits+a.FalseAbstentions, b.FalseHits+b.FalseAbstentions)
	})
}

// abstentionSteps is how many parts the range of min_confidence is cut in.
const abstentionSteps = 20

// queryConfidence is the confidence of a query, and whether it finds a tool at all.
type queryConfidence struct {
	confidence float64
	found      bool
}

// gets reports whether a query gets hits.
func (a queryConfidence) gets(minConfidence float64) bool {
	return a.found && a.confidence >= minConfidence
}

// Abstain measures what every min_confidence would do. A ranker that learns has not
// learned from the query that it is asked, as with Evaluate. progress is as there. The
// error is ctx's.
func Abstain(ctx context.Context, s *engine.Snapshot, queries []Query, progress func(done, total int)) (Abstention, error) {
	a := Abstention{Ranker: s.Config.ToolSearch.Ranker}
	answered, right := answerable(s, AsCalled(s.Registry, queries))
	a.Queries, a.LeftOut = len(answered), len(queries)-len(answered)
	with, without := make([]queryConfidence, len(answered)), make([]queryConfidence, len(answered))
	err := Each(ctx, len(answered), progress, func(i int) error {
		q := answered[i]
		taught, _ := s.Untaught(q.Lesson())
		less := taught.Lacking(right[i])
		if less.Prepare(ctx, engine.WorkIndexing) == nil {
			with[i], without[i] = confidenceOf(taught, q), confidenceOf(less, q)
		}
		return nil
	})
	if err != nil {
		return Abstention{}, err
	}
	a.measure(with, without)
	a.Worded = make([]Abstention, len(WordClasses))
	for class := range a.Worded {
		part := Abstention{Ranker: a.Ranker}
		var its, lacking []queryConfidence
		for i, q := range answered {
			if q.Wording(s.Registry) == WordClass(class) {
				its, lacking = append(its, with[i]), append(lacking, without[i])
			}
		}
		part.Queries = len(its)
		part.measure(its, lacking)
		a.Worded[class] = part
	}
	return a, nil
}

// confidenceOf asks a query.
func confidenceOf(s *engine.Snapshot, q Query) queryConfidence {
	c := s.Confidence(q.Text)
	return queryConfidence{c.Value, c.Evidence.Hits > 0}
}

// answerable returns the queries that a tool of the session's catalog answers, with all
// tools of it that do: at most MaxAbstention, evenly drawn.
func answerable(s *engine.Snapshot, queries []Query) (answered []Query, right [][]*model.Tool) {
	for _, q := range queries {
		var tools []*model.Tool
		for _, name := range q.Relevant {
			for _, t := range s.Registry.Lookup(name) {
				if _, ok := s.Document(t); ok && !slices.Contains(tools, t) {
					tools = append(tools, t)
				}
			}
		}
		if len(tools) > 0 {
			answered, right = append(answered, q), append(right, tools)
		}
	}
	n := len(answered)
	if n <= MaxAbstention {
		return answered, right
	}
	for i := range MaxAbstention {
		answered[i], right[i] = answered[i*n/MaxAbstention], right[i*n/MaxAbstention]
	}
	return answered[:MaxAbstention], right[:MaxAbstention]
}

// measure sets the figures from the confidences of the queries with and without their
// tools.
func (a *Abstention) measure(with, without []queryConfidence) {
	n := float64(max(1, len(with)))
	for step := range abstentionSteps + 1 {
		p := AbstentionPoint{MinConfidence: float64(step) / abstentionSteps}
		for i := range with {
			if without[i].gets(p.MinConfidence) {
				p.FalseHits++
			}
			if !with[i].gets(p.MinConfidence) {
				p.FalseAbstentions++
			}
		}
		p.FalseHits, p.FalseAbstentions = p.FalseHits/n, p.FalseAbstentions/n
		a.Points = append(a.Points, p)
	}
	for i := range with {
		fits, not := with[i].confidence, without[i].confidence
		a.Brier += ((1-fits)*(1-fits) + not*not) / (2 * n)
	}
	if len(with) == 0 {
		return
	}
	// How often a confidence with the tools is above one without; equal ones count half.
	others := make([]float64, len(without))
	for i, w := range without {
		others[i] = w.confidence
	}
	slices.Sort(others)
	wins := 0
	for _, w := range with {
		below, _ := slices.BinarySearch(others, w.confidence)
		equal := below
		for equal < len(others) && others[equal] == w.confidence {
			equal++
		}
		wins += below + equal
	}
	a.AUC = float64(wins) / 2 / float64(len(with)*len(without))
}
