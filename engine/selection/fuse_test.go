package selection

import (
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"caliper/engine/retrieval"

	"pgregory.net/rapid"
)

// TestFuseAgainstTheFormula computes every score apart and sorts them all.
func TestFuseAgainstTheFormula(t *testing.T) {
	const candidates = 12
	rapid.Check(t, func(t *rapid.T) {
		list := func(label string) []retrieval.Hit {
			docs := rapid.Permutation([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}).Draw(t, label)
			var hits []retrieval.Hit
			for i, doc := range docs[:rapid.IntRange(0, candidates).Draw(t, label)] {
				hits = append(hits, retrieval.Hit{Doc: doc, Score: float64(candidates-i) / 2})
			}
			return hits
		}
		l := rankings{keyword: list("keyword"), semantic: list("semantic"), whole: 7.5}
		weights := rapid.SampledFrom([]float64{0, 0.5, 1, 3})
		keyword, semantic := weights.Draw(t, "keyword weight"), weights.Draw(t, "semantic weight")
		k := rapid.SampledFrom([]float64{0, 1, 60}).Draw(t, "k")
		depth := rapid.IntRange(1, candidates+1).Draw(t, "depth")

		var want []ranked
		for doc := range candidates {
			r := ranked{doc: doc}
			if at := slices.IndexFunc(l.keyword, func(h retrieval.Hit) bool { return h.Doc == doc }); at >= 0 && keyword > 0 {
				r.keyword, r.keywordScore = at+1, l.keyword[at].Score
				if r.score += keyword / (k + float64(at+1)); k == 0 {
					r.score = keyword * (r.keywordScore / l.whole)
				}
			}
			if at := slices.IndexFunc(l.semantic, func(h retrieval.Hit) bool { return h.Doc == doc }); at >= 0 && semantic > 0 {
				r.semantic = at + 1
				if by := semantic / (k + float64(at+1)); k == 0 {
					r.score += semantic * (l.semantic[at].Score / l.semantic[0].Score)
				} else {
					r.score += by
				}
			}
			if r.score > 0 {
				want = append(want, r)
			}
		}
		slices.SortStableFunc(want, func(a, b ranked) int {
			switch {
			case a.score > b.score, a.score == b.score && a.keywordScore > b.keywordScore:
				return -1
			case a.score == b.score && a.keywordScore == b.keywordScore:
				return 0
			}
			return 1
		})
		f := fuse(l, keyword, semantic, k, candidates, depth)
		if !slices.Equal(f.best, want[:min(depth, len(want))]) {
			t.Fatalf("best %v\nwant %v", f.best, want)
		}
		for _, r := range want {
			if f.of(r.doc) != r {
				t.Fatalf("of %d: %v, want %v", r.doc, f.of(r.doc), r)
			}
		}
	})
}

// TestTimeIsTold checks that selections are timed by the clock they are given.
func TestTimeIsTold(t *testing.T) {
	var ticks atomic.Int64
	clock := func(k *Settings) {
		k.Now = func() time.Time { return time.Unix(ticks.Add(1), 0) }
	}
	x := selector(t, session(t, office), knobs(Eager, clock), &scripted{})
	for _, strategy := range Strategies {
		set := x.Settings()
		set.Strategy = strategy
		if got := selecting(t, x.With(set), "letter"); got.Took < time.Second || got.Took > 20*time.Second {
			t.Errorf("%s took %v", strategy, got.Took)
		}
	}
	for strategy, row := range compared(t, x, asked) {
		if row.Took < time.Second {
			t.Errorf("%s took %v on the mean", strategy, row.Took)
		}
	}
}

// Which ranking was empty is said, and each candidate's similarity is in the selection,
// below the floor too.
func TestEmptyRankings(t *testing.T) {
	for _, c := range []struct {
		name, message, code, text string
		scores                    map[string]float64
	}{
		{"nothing similar", "letter", NoteNoneSimilar, "keywords only: no tool is above the floor of scripted:m, 0.40", map[string]float64{"send_mail": .25}},
		{"no keyword", "zzz", NoteNoKeyword, "scripted:m only: no tool has a word of the message", map[string]float64{"send_mail": .55}},
	} {
		x := selector(t, session(t, office), knobs(Hybrid), &scripted{scores: c.scores, floor: .4})
		got := selecting(t, x, c.message)
		wantShown(t, got, "terminal=core send_mail=ranked")
		if codes(got) != c.code || got.Notes[0].Text != c.text {
			t.Errorf("%s: %+v", c.name, got.Notes)
		}
		if got.Floor == nil || *got.Floor != .4 || got.Tools[0].Similarity != nil || *got.Tools[1].Similarity != c.scores["send_mail"] {
			t.Errorf("%s: floor %v, %+v", c.name, got.Floor, got.Tools)
		}
		if got := selecting(t, x.With(knobs(Keyword)), "letter"); got.Floor != nil || got.Tools[1].Similarity != nil {
			t.Errorf("%s: keyword compares", c.name)
		}
	}
}
