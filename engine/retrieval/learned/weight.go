package learned

import (
	"cmp"
	"context"
	"hash/fnv"
	"math"
	"runtime"
	"slices"

	"caliper/engine/retrieval"
	"caliper/engine/retrieval/fielded"
)

// Limits of the choice of the weight.
const (
	MinLessons = 15  // that name a tool of the catalog; fewer teach nothing
	maxAsked   = 400 // lessons that are asked
	folds      = 10
	ranks      = 10 // that nDCG looks at

	maxCompared = 30 // tools with the best scores, and as many that gain most, that are compared

	spareGain = 0.007 // of nDCG@10, that unlabelled tools gain before the others count alone: the next label takes from them
)

// shares are the tried parts of the typical gain of a named tool for Support.Unlabelled.
var shares = []float64{0.65, 0.75, 0.85, 1, 1.15, 1.3}

// Support is how far the lessons help to answer each other, and so what they weigh.
type Support struct {
	Meant   bool    // the scores that lessons add to are those of hybrid, not of fielded
	Lessons int     // that name a tool of the catalog
	Asked   int     // of them, to choose the weight; 0: too few
	Weight  float64 // of the component; 0: it does not count
	Gain    float64 // of the mean nDCG@10 with the best weight, 0 to 1; below 0: all weights make it worse
	Error   float64 // the standard error of Gain

	// Unlabelled is the gain, with the weight 1, of a tool that no lesson names and that has
	// the best score.
	Unlabelled float64

	// Hidden is how many lessons were asked while no other one named their tools, and Lost
	// what the component took from their mean nDCG@10, 0 to 1; below 0: they gained.
	Hidden int
	Lost   float64
}

// Support returns how far the lessons help.
func (x *Index) Support() Support {
	s := x.support
	s.Meant = x.meant != nil
	return s
}

// choose returns the weight, and the share of tools that no lesson names.
func (x *Index) choose(ctx context.Context) (Support, error) {
	var s Support
	var known []int32
	for i := range x.core.lessons {
		if len(x.core.lessons[i].docs) > 0 {
			known = append(known, int32(i))
		}
	}
	if s.Lessons = len(known); s.Lessons < MinLessons {
		return s, ctx.Err()
	}
	asked := slices.Clone(known)
	slices.SortFunc(asked, func(a, b int32) int {
		return cmp.Or(cmp.Compare(x.fingerprint(a, "asked"), x.fingerprint(b, "asked")), int(a-b))
	})
	asked = asked[:min(len(asked), maxAsked)]
	s.Asked = len(asked)
	// The lessons of each fold are asked of what those of the other folds taught of the tools that are not hidden in
	// this one. A lesson that names hidden tools alone is asked whatever its fold, and one that names hidden ones among
	// others is not.
	var trials []trial
	for fold := range uint64(folds) {
		others := slices.DeleteFunc(slices.Clone(known), func(l int32) bool { return x.fold(l) == fold })
		taught := *x.core
		taught.learn(others, func(doc int32) bool { return taught.deals[doc] == fold })
		y := &Index{base: x.base, meant: x.meant, core: &taught}
		some := make([]trial, len(asked))
		err := retrieval.Parallel(ctx, len(asked), runtime.GOMAXPROCS(0), func(_, from, to int) {
			for i := from; i < to; i++ {
				l, hidden := &taught.lessons[asked[i]], 0
				for _, doc := range l.docs {
					if taught.deals[doc] == fold {
						hidden++
					}
				}
				if hidden == len(l.docs) || hidden == 0 && x.fold(asked[i]) == fold {
					some[i] = y.try(l, hidden > 0)
				}
			}
		})
		if err != nil {
			return Support{}, err
		}
		trials = append(trials, slices.DeleteFunc(some, func(t trial) bool { return t.docs == nil })...)
	}
	s.settle(trials)
	return s, ctx.Err()
}

// settle chooses the weight, and what tools gain that no lesson names: those that are worth
// most.
func (s *Support) settle(trials []trial) {
	usual := 0.0 // what lessons add in the mean, with the weight 1, to a tool for a query that it answers
	for _, t := range trials {
		if t.hidden {
			s.Hidden++
		} else {
			usual += t.own
		}
	}
	usual /= float64(max(1, len(trials)-s.Hidden))
	if len(trials)-s.Hidden < 2 {
		return // the error is not known
	}
	best := Support{Lost: math.Inf(1)}
	gains, lost := make([]float64, 0, len(trials)), make([]float64, 0, s.Hidden)
	c := *s
	for _, c.Weight = range Weights {
		for _, share := range shares {
			c.Unlabelled = share * usual
			gains, lost = gains[:0], lost[:0]
			for i := range trials {
				gain := trials[i].ndcg(&c) - trials[i].without
				if trials[i].hidden {
					lost = append(lost, -gain)
				} else {
					gains = append(gains, gain)
				}
			}
			c.Gain, c.Error = meanError(gains)
			c.Lost, _ = meanError(lost)
			if c.worth() > best.worth() {
				best = c
			}
		}
	}
	if *s = best; s.Gain <= s.Error {
		s.Weight = 0
	}
}

// worth returns the worth of a choice: the gain of trials, less what trials of hidden tools
// lose: one point weighs 1.7 points of gain, and two points 4.8.
func (s *Support) worth() float64 {
	loss := max(0, s.Lost+spareGain)
	return s.Gain - loss - float64(70*loss*loss)
}

// fold returns the fold of a lesson.
func (x *Index) fold(lesson int32) uint64 { return x.fingerprint(lesson, "fold") % folds }

// fingerprint returns a number that lessons of one task share, another one for another
// purpose.
func (x *Index) fingerprint(lesson int32, purpose string) uint64 {
	l := &x.core.lessons[lesson]
	h := fnv.New64a()
	_, _ = h.Write([]byte(purpose + "\x00" + cmp.Or(l.Group, l.Text)))
	return mix(h.Sum64())
}

// mix spreads the bits of a hash, whose low ones hardly differ for texts that end alike
// (the finalizer of MurmurHash3, Austin Appleby, public domain).
func mix(h uint64) uint64 {
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// meanError returns the mean of values and its standard error.
func meanError(values []float64) (mean, standardError float64) {
	n := float64(len(values))
	for _, v := range values {
		mean += v / n
	}
	sum := 0.0
	for _, v := range values {
		sum += float64((v - mean) * (v - mean))
	}
	return mean, math.Sqrt(sum / (n - 1) / n)
}

// trial is a lesson that is asked of what others taught.
type trial struct {
	docs    []int32 // that it names
	hidden  bool    // the others name none of them
	found   []found
	best    float64 // the best score, with meaning
	own     float64 // how like those are in the mean that it names
	without float64 // its nDCG without the component
}

// found is a document that is found for a trial.
type found struct {
	fielded.Compared      // the component with the weight 1, the score and what meaning adds to it
	named            bool // a lesson names it
}

// try asks an index a lesson.
func (x *Index) try(l *lesson, hidden bool) trial {
	t := trial{docs: l.docs, hidden: hidden}
	all := x.base.Compare(l.Text, func(a fielded.Asked) (values, others []fielded.Addition) {
		others = x.meanings(a)
		added := x.additions(a.Words, 1)
		slices.SortFunc(added, func(a, b fielded.Addition) int {
			return cmp.Or(cmp.Compare(b.Value, a.Value), cmp.Compare(a.Doc, b.Doc))
		})
		return added[:min(len(added), maxCompared)], others
	})
	slices.SortFunc(all, func(a, b fielded.Compared) int {
		return cmp.Or(cmp.Compare(b.Score+b.Other, a.Score+a.Other), cmp.Compare(a.Doc, b.Doc))
	})
	for i, c := range all {
		if i < maxCompared || c.Value > 0 {
			t.found = append(t.found, found{c, x.named(c.Doc)})
			t.best = max(t.best, c.Score+c.Other)
			if slices.Contains(t.docs, int32(c.Doc)) {
				t.own += c.Value / float64(len(t.docs))
			}
		}
	}
	t.without = t.ndcg(&Support{})
	return t
}

// ndcg returns the nDCG of a trial with a weight.
func (t *trial) ndcg(s *Support) float64 {
	share := s.share(t.best)
	var top [ranks]fielded.Addition
	n := 0
	for _, f := range t.found {
		score := f.Score + f.Other
		a := fielded.Addition{Doc: f.Doc, Value: score + float64(s.Weight*f.Value)}
		if !f.named {
			a.Value += float64(share * score)
		}
		at := n
		for at > 0 && (top[at-1].Value < a.Value || top[at-1].Value == a.Value && top[at-1].Doc > a.Doc) {
			at--
		}
		if at == ranks {
			continue
		}
		n = min(n+1, ranks)
		copy(top[at+1:n], top[at:n-1])
		top[at] = a
	}
	gain, ideal := 0.0, 0.0
	for i := range top[:n] {
		if top[i].Value > 0 && slices.Contains(t.docs, int32(top[i].Doc)) {
			gain += 1 / math.Log2(float64(i+2))
		}
	}
	for i := range min(ranks, len(t.docs)) {
		ideal += 1 / math.Log2(float64(i+2))
	}
	return gain / ideal
}
