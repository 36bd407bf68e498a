package selection

import (
	"cmp"
	"math"
	"slices"

	"caliper/engine/retrieval"
)

// scoreTable are what candidates score for queries.
type scoreTable struct {
	tasks []int // of each query, numbered from 0
	fold  []int // of each query
	folds int

	// held has the score of each column for each query, where nothing of the query's fold
	// was learned. outside[f] has it for queries outside fold f, where nothing of f nor of
	// the query itself was learned; its rows equal held's for a ranker that does not
	// learn.
	held    [][]float64
	outside [][][]float64

	// control has the scores of held where what was learned is about the wrong queries; nil
	// for the column of a ranker that does not learn.
	control [][]float64
}

// everywhere is the fold of no query: nothing is outside it.
const everywhere = -1

// in returns the scores of a column by which the choice outside a fold is made.
func (s *scoreTable) in(column, fold int) []float64 {
	if fold == everywhere {
		return s.held[column]
	}
	return s.outside[fold][column]
}

// choose returns the number of the candidate that is chosen from the queries outside a
// fold, or from all for everywhere. allowed are the numbers of the candidates that can be
// chosen, those that are nearest to the settings in force first; there is one or more.
func (s *scoreTable) choose(list []combination, allowed []int, fold int) int {
	means := map[int]float64{} // by column
	for _, i := range allowed {
		column := list[i].column
		if _, known := means[column]; !known {
			means[column] = s.mean(column, fold)
		}
	}
	best := slices.MaxFunc(allowed, func(a, b int) int {
		return cmp.Or(cmp.Compare(means[list[a].column], means[list[b].column]), cmp.Compare(b, a))
	})
	within := map[int]bool{}
	known := map[int]bool{}
	chosen := best
	for _, i := range allowed {
		column := list[i].column
		if !known[column] {
			known[column] = true
			within[column] = means[list[best].column]-means[column] <= s.standardError(list[best].column, column, fold)
		}
		// Of those that are as good, the nearer is preferred, then what scores more, then what costs less.
		x, y := list[i], list[chosen]
		if within[column] && cmp.Or(cmp.Compare(x.changed, y.changed), cmp.Compare(x.steps, y.steps),
			cmp.Compare(means[y.column], means[x.column]), cmp.Compare(x.tokens, y.tokens), cmp.Compare(i, chosen)) < 0 {
			chosen = i
		}
	}
	return chosen
}

// mean returns the mean score of a column over the queries outside a fold.
func (s *scoreTable) mean(column, fold int) float64 {
	sum, n := 0.0, 0
	for q, v := range s.in(column, fold) {
		if s.fold[q] != fold {
			sum, n = sum+v, n+1
		}
	}
	return sum / float64(max(n, 1))
}

// standardError returns the standard error of the mean difference of two columns over the
// queries outside a fold, by tasks. It is infinite for fewer than two tasks, and 0 for a
// column and itself.
func (s *scoreTable) standardError(a, b, fold int) float64 {
	if a == b {
		return 0
	}
	sums, counts := make([]float64, len(s.tasks)), make([]float64, len(s.tasks)) // by task
	x, y := s.in(a, fold), s.in(b, fold)
	sum, n := 0.0, 0.0
	for q, task := range s.tasks {
		if s.fold[q] != fold {
			d := x[q] - y[q]
			sums[task] += d
			counts[task]++
			sum, n = sum+d, n+1
		}
	}
	square, tasks := 0.0, 0.0
	for task, count := range counts {
		if count > 0 {
			d := sums[task] - sum/n*count
			square, tasks = square+float64(d*d), tasks+1
		}
	}
	if tasks < 2 {
		return math.Inf(1)
	}
	return math.Sqrt(square*tasks/(tasks-1)) / n
}

// nested returns the score of each query under the candidate that is chosen outside its
// fold, and the candidate of each fold.
func (s *scoreTable) nested(list []combination, allowed []int) (chosen []float64, byFold []int) {
	byFold = make([]int, s.folds)
	for f := range byFold {
		byFold[f] = s.choose(list, allowed, f)
	}
	chosen = make([]float64, len(s.tasks))
	for q, f := range s.fold {
		chosen[q] = s.held[list[byFold[f]].column][q]
	}
	return chosen, byFold
}

// worth returns the scores of nested, the candidate of each fold, and how far the scores
// are from the settings in force, which are the first candidate. A gain that a
// ranker has as well when it learned from the wrong queries is not told from 0.
func (s *scoreTable) worth(list []combination, allowed []int) (chosen []float64, byFold []int, d retrieval.Difference) {
	chosen, byFold = s.nested(list, allowed)
	inForce := s.held[list[0].column]
	d = s.difference(inForce, chosen)
	if d.Low <= 0 {
		return chosen, byFold, d
	}
	control, learns := slices.Clone(inForce), false
	for q, f := range s.fold {
		if wrong := s.control[list[byFold[f]].column]; wrong != nil && byFold[f] != 0 {
			control[q], learns = wrong[q], true
		}
	}
	if learns && s.difference(control, chosen).Low <= 0 {
		d.Low = 0
	}
	return chosen, byFold, d
}

// meanOf returns the mean of values, 0 of none.
func meanOf(values []float64) (sum float64) {
	for _, v := range values {
		sum += v
	}
	return sum / float64(max(1, len(values)))
}

// significance is how often chance may give a difference that is told from 0.
const significance = 0.05

// difference returns how far queries score from what they score under the settings in
// force. Its interval is retrieval.ComparePaired's, widened as the package tells.
func (s *scoreTable) difference(inForce, chosen []float64) retrieval.Difference {
	d := retrieval.ComparePaired(inForce, chosen, s.tasks)
	wider := float64(s.folds) / float64(s.folds-1)
	d.Low, d.High = d.Mean-(d.Mean-d.Low)*math.Sqrt(wider), d.Mean+(d.High-d.Mean)*math.Sqrt(wider)
	if d.P > significance {
		d.Low, d.High = min(d.Low, 0), max(d.High, 0)
	}
	d.Needed = int(min(math.MaxInt32, math.Ceil(float64(d.Needed)*wider)))
	return d
}
