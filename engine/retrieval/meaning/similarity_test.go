package meaning

import (
	"cmp"
	"context"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine/embed"
	"caliper/engine/internal/fixture"
	"caliper/engine/retrieval"
	"caliper/engine/retrieval/fielded"
	"caliper/model"
	"caliper/model/require"
)

// TestSimilarity: the tool that means what a message says is above the floor and first, and
// small talk and foreign words are like none.
func TestSimilarity(t *testing.T) {
	s, err := NewSimilarity(t.Context(), few)
	require.NoError(t, err)
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

// preSelections are the ways of pre-selection that TestSimilarityQuality compares.
var preSelections = []string{"keyword", "semantic", "hybrid", "by ranks", "fuzzy", "hybrid with fuzzy",
	"with 0.4", "with 0.5", "with 0.6", "of the best", "by ranks of 60"} // the last five lost

// TestSimilarityQuality: on five development sets meaning finds more
// in the first eight than fuzzy does, and with the weights of the configuration the fusion
// finds more than either ranker, and on the mean of both more than one by ranks. The
// intervals of what it finds more are logged.
func TestSimilarityQuality(t *testing.T) {
	if !*slow {
		t.Skip("asks all sets: -slow")
	}
	letters, err := config.Parse("config.yaml", []byte("tools: {rag_embed_model: fuzzy}"))
	require.NoError(t, err)
	p, f := config.Default().PreSelection, letters.Config.PreSelection
	rankers := []string{config.RankerBM25, config.RankerFielded}
	means, gains := map[string]float64{}, map[string]*macro{}
	for _, name := range fixture.Sets[:5] {
		s := fixture.ReadSet(t, name)
		base, err := fielded.NewCorpus().Index(t.Context(), s.Registry.Tools, s.Toolset, fielded.Default)
		require.NoError(t, err)
		plain, err := retrieval.NewCorpus().Index(t.Context(), s.Registry.Tools, retrieval.Reference)
		require.NoError(t, err)
		x, err := New(base, Alone)
		require.NoError(t, err)
		spelled, err := embed.NewFuzzy(t.Context(), s.Registry.Tools)
		require.NoError(t, err)
		recalls := map[string][]float64{} // of each query, by ranker and way
		for _, q := range s.Queries {
			near := x.Search(q.Query, x.Len()).Hits
			near = near[:len(near)-len(slices.DeleteFunc(slices.Clone(near), func(h retrieval.Hit) bool { return h.Score > leastLike }))]
			var alike []retrieval.Hit
			scores, err := spelled.Scores(t.Context(), q.Query, s.Registry.Tools)
			require.NoError(t, err)
			for doc, score := range scores {
				if score > spelled.Floor(nil, 0) {
					alike = append(alike, retrieval.Hit{Doc: doc, Score: score})
				}
			}
			slices.SortStableFunc(alike, func(a, b retrieval.Hit) int { return cmp.Compare(b.Score, a.Score) })
			for _, ranker := range rankers {
				words, whole := base.Search(q.Query, x.Len()).Hits, 0.0
				if ranker == config.RankerBM25 {
					words, whole = plain.Search(q.Query, x.Len()).Hits, plain.Whole(q.Query)
				}
				for i, docs := range [][]int{
					fused(words, nil, 60, 1, 0), fused(nil, near, 60, 1, 0), fused(words, near, p.RRFK, p.SemanticWeight, whole),
					fused(words, near, 2, 0.3, 0), fused(nil, alike, 60, 1, 0), fused(words, alike, f.RRFK, f.SemanticWeight, 0),
					fused(words, near, p.RRFK, 0.4, whole), fused(words, near, p.RRFK, 0.5, whole), fused(words, near, p.RRFK, 0.6, whole),
					fused(words, near, p.RRFK, p.SemanticWeight, 0), fused(words, near, 60, 1, 0),
				} {
					var items []retrieval.RankedItem
					for _, doc := range docs[:min(8, len(docs))] {
						items = append(items, retrieval.RankedItem{Name: s.Registry.Tools[doc].Name, Qualified: s.Registry.Tools[doc].Qualified})
					}
					recall, err := retrieval.Measure(retrieval.Label{Groups: q.Needed(), Grades: q.Grades}, items).Value("recall@8")
					require.NoError(t, err)
					way := ranker + " " + preSelections[i]
					recalls[way] = append(recalls[way], 100*recall)
				}
			}
		}
		for _, way := range slices.Sorted(maps.Keys(recalls)) {
			m := mean(recalls[way])
			means[way] += m / 5
			t.Logf("%-16s %-27s %.1f", name, way, m)
			ranker, of, _ := strings.Cut(way, " ")
			if of != "hybrid" && of != "semantic" {
				continue
			}
			for _, other := range preSelections {
				if other == of {
					continue
				}
				d := retrieval.ComparePaired(recalls[ranker+" "+other], recalls[way], s.Tasks())
				label := way + " over " + other
				if gains[label] == nil {
					gains[label] = &macro{}
				}
				gains[label].add(d)
				t.Logf("%-16s %-27s %+.1f (%.1f to %.1f) over %s", name, way, d.Mean, d.Low, d.High, other)
			}
		}
	}
	for _, way := range slices.Sorted(maps.Keys(means)) {
		t.Logf("mean %s %.1f", way, means[way])
	}
	for _, label := range slices.Sorted(maps.Keys(gains)) {
		t.Logf("mean %s %v", label, gains[label])
	}
	both := means["fielded hybrid"] + means["bm25 hybrid"]
	if means["bm25 semantic"] < 76.5 || means["bm25 semantic"] <= means["bm25 fuzzy"] || means["fielded hybrid"] <= means["fielded keyword"] ||
		means["bm25 hybrid"] <= means["bm25 semantic"] || both <= means["fielded by ranks"]+means["bm25 by ranks"] || both < 161 {
		t.Error("meaning does not help")
	}
}

// BenchmarkSimilarity measures a message over 10,000 tools.
func BenchmarkSimilarity(b *testing.B) {
	tools := fixture.Tools(10_000, 1)
	s, err := NewSimilarity(context.Background(), tools)
	require.NoError(b, err)
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
	require.NoError(t, err)
	r := fixture.Parse(t, data)
	base, err := fielded.NewCorpus().Index(t.Context(), r.Tools, r.Toolset, fielded.Default)
	require.NoError(t, err)
	x, err := New(base, Alone)
	require.NoError(t, err)
	s, err := NewSimilarity(t.Context(), r.Tools)
	require.NoError(t, err)
	const message = "are punters happy with us"
	scores, err := s.Scores(t.Context(), message, r.Tools)
	require.NoError(t, err)
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
