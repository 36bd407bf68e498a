package learned

import (
	"cmp"
	"context"
	"hash/fnv"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"caliper/engine/retrieval"
)

// Limits of the choice of the weight.
const (
	MinLessons = 10  // that name a tool of the catalog; fewer teach nothing
	maxAsked   = 400 // lessons that are asked
	folds      = 5
	ranks      = 10 // that nDCG looks at
)

// Support is how far the lessons help to answer each other, and so what they weigh.
type Support struct {
	Lessons int     // that name a tool of the catalog
	Asked   int     // of them, to choose the weight; 0: too few
	Weight  float64 // of the component; 0: it does not count
	Gain    float64 // of the mean nDCG@10 with the best weight, 0 to 1; below 0: all weights make it worse
	Error   float64 // the standard error of Gain
}

// Support returns how far the lessons help.
func (x *Index) Support() Support { return x.support }

// choose returns the weight.
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
	gains := make([][]float64, len(Weights)) // of each weight, of each lesson asked
	for i := range gains {
		gains[i] = make([]float64, len(asked))
	}
	for fold := range uint64(folds) {
		var others []int32
		for _, l := range known {
			if x.fold(l) != fold {
				others = append(others, l)
			}
		}
		taught := *x.core
		taught.learn(others)
		y := Index{base: x.base, core: &taught}
		err := parallel(ctx, len(asked), func(i int) {
			if x.fold(asked[i]) != fold {
				return
			}
			without := x.ndcg(x.base.Search(x.lesson(asked[i]).Text, ranks).Hits, asked[i])
			for w, weight := range Weights {
				z := y
				z.support.Weight = weight
				gains[w][i] = x.ndcg(z.Search(x.lesson(asked[i]).Text, ranks).Hits, asked[i]) - without
			}
		})
		if err != nil {
			return Support{}, err
		}
	}
	for w := range Weights {
		gain, deviation := meanError(gains[w])
		if w == 0 || gain > s.Gain {
			s.Gain, s.Error, s.Weight = gain, deviation, Weights[w]
		}
	}
	if s.Gain <= s.Error {
		s.Weight = 0
	}
	return s, nil
}

// fold returns the fold of a lesson.
func (x *Index) fold(lesson int32) uint64 { return x.fingerprint(lesson, "fold") % folds }

// fingerprint returns a number that lessons of one task share, another one for another
// purpose.
func (x *Index) fingerprint(lesson int32, purpose string) uint64 {
	l := x.lesson(lesson)
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

// ndcg returns the nDCG of hits where the tools of a lesson are right, each alike.
func (x *Index) ndcg(hits []retrieval.Hit, lesson int32) float64 {
	gain, ideal := 0.0, 0.0
	docs := x.lesson(lesson).docs
	for i, h := range hits {
		if slices.Contains(docs, int32(h.Doc)) {
			gain += 1 / math.Log2(float64(i+2))
		}
	}
	for i := range min(ranks, len(docs)) {
		ideal += 1 / math.Log2(float64(i+2))
	}
	return gain / ideal
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

// parallel calls do for 0 to n-1 from several goroutines. The error is ctx's.
func parallel(ctx context.Context, n int, do func(i int)) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}
