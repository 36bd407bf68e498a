package meaning

import (
	"cmp"
	"context"
	"os"
	"slices"
	"testing"

	"caliper/config"
	"caliper/engine/internal/fixture"
	"caliper/engine/retrieval"
	"caliper/engine/retrieval/fielded"
	"caliper/model"
)

// TestSimilarity: the tool that means what a message says is above the floor and first, and
// small talk and foreign words are like none.
func TestSimilarity(t *testing.T) {
	s, err := NewSimilarity(t.Context(), few)
	if err != nil {
		t.Fatal(err)
	}
	stranger := tool("stranger", "It is not indexed.")
	for message, want := range map[string]int{
		"reimbursement": 1, "happy clients": 0, "list_files": 2,
		"hello": -1, "thanks a lot!": -1, "good morning": -1, "great, thanks": -1, "": -1, "?!": -1, "天气": -1,
	} {
		scores, err := s.Scores(t.Context(), message, append(slices.Clone(few), stranger))
		if err != nil || len(scores) != len(few)+1 || scores[len(few)] != 0 {
			t.Fatalf("%q has %v, %v", message, scores, err)
		}
		best := 0
		for i, score := range scores {
			if score > scores[best] {
				best = i
			}
		}
		switch above := scores[best] > s.Floor(scores, 1); {
		case want < 0 && above, want >= 0 && (!above || best != want):
			t.Errorf("%q has %v, want the best at %d", message, scores, want)
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := s.Scores(ended, "refund", few); err == nil {
		t.Error("an ended context is no error")
	}
}

// fused returns the documents by the sum of weight/(k+rank), the better rank of keywords
// first among equals; with a k of 0 by that of the keyword score, as a share of the first or
// of whole, and weight times the other, as a share of its first.
func fused(keyword, semantic []retrieval.Hit, k, weight, whole float64) []int {
	if len(keyword) > 0 {
		whole = max(whole, keyword[0].Score)
	}
	score, at := map[int]float64{}, map[int]int{}
	var docs []int
	for list, hits := range [][]retrieval.Hit{keyword, semantic} {
		by := []float64{1, weight}[list]
		for rank, h := range hits {
			if _, known := score[h.Doc]; !known {
				docs, at[h.Doc] = append(docs, h.Doc), len(at)
			}
			switch {
			case k > 0:
				score[h.Doc] += by / (k + float64(rank+1))
			case list == 0:
				score[h.Doc] += h.Score / whole
			default:
				score[h.Doc] += weight * h.Score / hits[0].Score
			}
		}
	}
	slices.SortFunc(docs, func(a, b int) int {
		return cmp.Or(cmp.Compare(score[b], score[a]), cmp.Compare(at[a], at[b]))
	})
	return docs
}

// TestSimilarityQuality: on the five sets of TestQuality (package embed) meaning finds more
// in the first eight than fuzzy does, which has 73.3, and with the weights of the configuration the
// fusion finds more than either ranker, and on the mean of both more than one by ranks.
func TestSimilarityQuality(t *testing.T) {
	if !*slow {
		t.Skip("asks all sets: -slow")
	}
	p := config.Default().PreSelection
	var alone, fielding, fieldedFused, bm25, bm25Fused, fieldedRanks, bm25Ranks float64
	for _, name := range fixture.Sets[:5] {
		s := fixture.ReadSet(t, name)
		base, err := fielded.NewCorpus().Index(t.Context(), s.Registry.Tools, s.Toolset, fielded.Default)
		if err != nil {
			t.Fatal(err)
		}
		plain, err := retrieval.NewCorpus().Index(t.Context(), s.Registry.Tools, retrieval.Reference)
		if err != nil {
			t.Fatal(err)
		}
		x, err := New(base, Alone)
		if err != nil {
			t.Fatal(err)
		}
		var recalls [7]float64
		for _, q := range s.Queries {
			near := x.Search(q.Query, x.Len()).Hits
			near = near[:len(near)-len(slices.DeleteFunc(slices.Clone(near), func(h retrieval.Hit) bool { return h.Score > leastLike }))]
			first, second := base.Search(q.Query, x.Len()).Hits, plain.Search(q.Query, x.Len()).Hits
			for i, docs := range [][]int{
				fused(nil, near, 60, 1, 0), fused(first, nil, 60, 1, 0), fused(first, near, p.RRFK, p.SemanticWeight, 0),
				fused(second, nil, 60, 1, 0), fused(second, near, p.RRFK, p.SemanticWeight, plain.Whole(q.Query)),
				fused(first, near, 2, 0.3, 0), fused(second, near, 2, 0.3, 0),
			} {
				var items []retrieval.RankedItem
				for _, doc := range docs[:min(8, len(docs))] {
					tool := s.Registry.Tools[doc]
					items = append(items, retrieval.RankedItem{Name: tool.Name, Qualified: tool.Qualified})
				}
				recall, err := retrieval.Measure(retrieval.Label{Groups: q.Needed(), Grades: q.Grades}, items).Value("recall@8")
				if err != nil {
					t.Fatal(err)
				}
				recalls[i] += 100 * recall / float64(len(s.Queries))
			}
		}
		t.Logf("%-16s semantic %.1f, fielded %.1f → hybrid %.1f, bm25 %.1f → hybrid %.1f; by ranks %.1f and %.1f", name, recalls[0], recalls[1], recalls[2], recalls[3], recalls[4], recalls[5], recalls[6])
		for i, sum := range []*float64{&alone, &fielding, &fieldedFused, &bm25, &bm25Fused, &fieldedRanks, &bm25Ranks} {
			*sum += recalls[i] / 5
		}
	}
	t.Logf("mean: semantic %.1f, fielded %.1f → hybrid %.1f, bm25 %.1f → hybrid %.1f; by ranks, with k 2 and weight 0.3, %.1f and %.1f", alone, fielding, fieldedFused, bm25, bm25Fused, fieldedRanks, bm25Ranks)
	if alone < 76.5 || fieldedFused <= fielding || bm25Fused <= alone || fieldedFused+bm25Fused <= fieldedRanks+bm25Ranks || fieldedFused+bm25Fused < 161 {
		t.Error("meaning does not help")
	}
}

// BenchmarkSimilarity measures a message over 10,000 tools.
func BenchmarkSimilarity(b *testing.B) {
	tools := fixture.Tools(10_000, 1)
	s, err := NewSimilarity(context.Background(), tools)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := s.Scores(context.Background(), "send the money back to the customer", []*model.Tool(tools)); err != nil {
			b.Fatal(err)
		}
	}
}

// TestSimilarityIsTheRankers: a tool is as near to a message as the ranker semantic says over
// the same tools, with the texts of their toolsets.
func TestSimilarityIsTheRankers(t *testing.T) {
	data, err := os.ReadFile("../../../tui/demo/registry.json")
	if err != nil {
		t.Fatal(err)
	}
	r := fixture.Parse(t, data)
	base, err := fielded.NewCorpus().Index(t.Context(), r.Tools, r.Toolset, fielded.Default)
	if err != nil {
		t.Fatal(err)
	}
	x, err := New(base, Alone)
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewSimilarity(t.Context(), r.Tools)
	if err != nil {
		t.Fatal(err)
	}
	const message = "are punters happy with us"
	scores, err := s.Scores(t.Context(), message, r.Tools)
	if err != nil {
		t.Fatal(err)
	}
	hits := x.Search(message, x.Len()).Hits
	for _, h := range hits {
		if scores[h.Doc] != h.Score {
			t.Errorf("%s has %v, by the ranker %v", r.Tools[h.Doc].Name, scores[h.Doc], h.Score)
		}
	}
	if len(hits) < 5 {
		t.Errorf("it finds %v", hits)
	}
}
