package labels

import "caliper/engine/retrieval"

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
