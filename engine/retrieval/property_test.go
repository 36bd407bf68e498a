package retrieval

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/model"
	"caliper/model/require"
)

// drawWord draws from few words, so that ties, repeats and terms of every
// density are frequent.
func drawWord() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		n := rapid.SampledFrom([]int{2, 6, 40}).Draw(t, "vocabulary")
		return fmt.Sprintf("w%d", rapid.IntRange(0, n).Draw(t, "word"))
	})
}

// drawText draws words and what separates them.
func drawText(most int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		separator := rapid.SampledFrom([]string{" ", "_", ", ", "é", "\n"}).Draw(t, "separator")
		return strings.Join(rapid.SliceOfN(drawWord(), 0, most).Draw(t, "words"), separator)
	})
}

func drawTool() *rapid.Generator[*model.Tool] {
	return rapid.Custom(func(t *rapid.T) *model.Tool {
		name := drawText(3).Draw(t, "name")
		if rapid.IntRange(0, 3).Draw(t, "case") == 0 {
			name = "Prefix" + name
		}
		description := drawText(12).Draw(t, "description")
		var fields []string
		for i, p := range rapid.SliceOfN(drawWord(), 0, 3).Draw(t, "parameters") {
			fields = append(fields, fmt.Sprintf(`"%s-%d":{}`, p, i))
		}
		return newTool(name, description, []byte(`{"properties":{`+strings.Join(fields, ",")+`}}`))
	})
}

func drawParams() *rapid.Generator[Params] {
	return rapid.Custom(func(t *rapid.T) Params {
		return Params{
			K1: rapid.SampledFrom([]float64{1.5, 1.5, 0, 0.3, 1000}).Draw(t, "k1"),
			B:  rapid.SampledFrom([]float64{0.75, 0.75, 0, 1, 0.1}).Draw(t, "b"),
		}
	})
}

// drawCatalog draws up to n tools, in which one tool may stand many times.
func drawCatalog(n int) *rapid.Generator[[]*model.Tool] {
	return rapid.Custom(func(t *rapid.T) []*model.Tool {
		kinds := rapid.SliceOfN(drawTool(), 1, 20).Draw(t, "kinds")
		return rapid.SliceOfN(rapid.SampledFrom(kinds), 0, n).Draw(t, "tools")
	})
}

func drawQuery() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		q := drawText(9).Draw(t, "query")
		switch rapid.IntRange(0, 9).Draw(t, "kind") {
		case 0:
			return strings.Repeat(q+" ", 120)
		case 1:
			return rapid.SampledFrom([]string{"refix", "PREFIX", " x", "unknown", "fixw1"}).Draw(t, "literal")
		}
		return q
	})
}

// checkSearch compares searches, the count and some ranks with the ranking by
// definition, to the last bit.
func checkSearch(t rapid.TB, x *Index, r *reference, query string, ks ...int) {
	t.Helper()
	want, fallback := r.search(query)
	if got := x.Scored(query); got != len(want) {
		t.Fatalf("Scored(%q) = %d, want %d", query, got, len(want))
	}
	for _, k := range append(ks, len(want)-1, len(want), x.Len()+1) {
		got := x.Search(query, k)
		if w := want[:max(0, min(k, len(want)))]; !slices.Equal(got.Hits, w) {
			t.Fatalf("Search(%q, %d) =\n%v, want\n%v", query, k, got.Hits, w)
		}
		if got.Fallback != (fallback && k > 0) {
			t.Fatalf("Search(%q, %d): fallback %v, want %v", query, k, got.Fallback, fallback)
		}
	}
	checkFinds(t, x, query, want)
}

// checkFinds compares Finds with all hits of a query, for every document.
func checkFinds(t rapid.TB, x Ranker, query string, hits []Hit) {
	t.Helper()
	found := make(map[int]bool, len(hits))
	for _, h := range hits {
		found[h.Doc] = true
	}
	for doc := -1; doc <= x.Len(); doc++ {
		if got := x.Finds(query, doc); got != found[doc] {
			t.Fatalf("Finds(%q, %d) = %t", query, doc, got)
		}
	}
}

// TestSearchEqualsReference: for every k, the hits equal the ranking
// by definition.
func TestSearchEqualsReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tools := drawCatalog(150).Draw(t, "catalog")
		p := drawParams().Draw(t, "params")
		query := drawQuery().Draw(t, "query")
		x, err := NewCorpus().Index(context.Background(), tools, p)
		require.NoError(t, err)
		checkSearch(t, x, newReference(tools, p), query, 0, 1, 2, 3, 5, 10, 20, 50)
	})
}

// TestRank: Rank gives every document the place that a search without a limit
// gives it, and no place to the others.
func TestRank(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tools := drawCatalog(60).Draw(t, "catalog")
		query := drawQuery().Draw(t, "query")
		x, err := NewCorpus().Index(context.Background(), tools, Reference)
		require.NoError(t, err)
		place := map[int]int{}
		for i, h := range x.Search(query, x.Len()).Hits {
			place[h.Doc] = i + 1
			if rank, score, ok := x.Rank(query, h.Doc); !ok || rank != i+1 || score != h.Score {
				t.Fatalf("Rank(%q, %d) = %d, %v, %v, want %d, %v", query, h.Doc, rank, score, ok, i+1, h.Score)
			}
		}
		for doc := -1; doc <= x.Len(); doc++ {
			if rank, score, ok := x.Rank(query, doc); place[doc] == 0 && (ok || rank != 0 || score != 0) {
				t.Fatalf("Rank(%q, %d) = %d, %v, %v, want no rank", query, doc, rank, score, ok)
			}
		}
	})
}

// TestExplain: the explanation of every document, found or not, adds up to
// its score exactly, with one part per token and each part the product of its
// factors.
func TestExplain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tools := drawCatalog(40).Draw(t, "catalog")
		query := drawQuery().Draw(t, "query")
		x, err := NewCorpus().Index(context.Background(), tools, drawParams().Draw(t, "params"))
		require.NoError(t, err)
		scores := make([]float64, len(tools))
		result := x.Search(query, x.Len())
		for _, h := range result.Hits {
			scores[h.Doc] = h.Score
		}
		for doc, score := range scores {
			e := x.Explain(query, doc)
			if e.Value != score {
				t.Fatalf("Explain(%q, %d) = %v, want %v", query, doc, e.Value, score)
			}
			sum := 0.0
			for _, part := range e.Children {
				sum += part.Value
				if !result.Fallback && part.Value != part.IDF*part.TFNorm {
					t.Fatalf("%v is not %v * %v", part.Value, part.IDF, part.TFNorm)
				}
				if n := len(part.Children); n > 0 && part.Value != part.Children[0].Value*part.Children[1].Value {
					t.Fatalf("factors of %v: %v", part.Value, part.Children)
				}
			}
			if sum != e.Value {
				t.Fatalf("Explain(%q, %d): parts add up to %v, want %v", query, doc, sum, e.Value)
			}
			if n := len(Tokens(query)); (!result.Fallback || score == 0) && len(e.Children) != n {
				t.Fatalf("%d parts for %d tokens", len(e.Children), n)
			}
		}
	})
}

// TestAddBest: what AddBest and Top leave out is not among the best: these are, to the last bit, those of all sums.
func TestAddBest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shares := rapid.SliceOfN(rapid.SampledFrom([]float64{0.003, 0.01, 0.03, 0.2, 1}), 0, 12).Draw(t, "share of documents by term")
		step := rapid.SampledFrom([]float64{0x1p-52, 0.001, 0.1}).Draw(t, "between values")
		checkAddBest(t, rapid.Uint64().Draw(t, "seed"), rapid.IntRange(20, 3000).Draw(t, "documents"), rapid.IntRange(2, 20).Draw(t, "tokens"), step, shares)
	})
	for seed := range uint64(20) { // so many documents that champions are kept, of which one can have a part of its sum
		checkAddBest(t, seed, championReads/4, 10, 0x1p-52, []float64{0.01, 0.03, 0.03})
	}
}

// checkAddBest draws documents that have the first term, and a share of them each other one, with nine values
// that differ by a step, and compares what queries of some tokens find.
func checkAddBest(t rapid.TB, seed uint64, docs, tokens int, step float64, shares []float64) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	shares = append([]float64{1}, shares...)
	p, err := NewPostings(context.Background(), len(shares), docs, func(doc int, terms, tallies []uint32) ([]uint32, []uint32) {
		r := rand.New(rand.NewPCG(uint64(doc), 2))
		for id, share := range shares {
			if tally := r.Uint32N(9); r.Float64() < share {
				terms, tallies = append(terms, uint32(id)), append(tallies, tally)
			}
		}
		return terms, tallies
	}, func(int) float64 { return 1 }, func(tally uint32, _ float64) float64 { return 1.9 + float64(tally)*step })
	require.NoError(t, err)
	queries := [][]Weighted{nil}
	for id := range uint32(len(shares)) {
		if p.DF(id) > 0 {
			queries = append(queries, []Weighted{{id, idf(p.DF(id), docs)}})
		}
	}
	for range tokens {
		queries[0] = append(queries[0], queries[r.IntN(len(queries)-1)+1][0])
	}
	all, some := NewSums(docs), NewSums(docs)
	for _, query := range queries {
		for _, w := range query {
			all.Add(p, w.Term, w.Weight)
		}
		for _, k := range []int{1, 20, mostLeaders, mostLeaders + 1} {
			want := all.Best(k)
			some.AddBest(p, query, k)
			if got := some.Best(k); !slices.Equal(got, want) {
				t.Fatalf("k = %d of %d: got %v, want %v", k, docs, got, want)
			}
			some.Clear()
			if got := some.Top(p, query, k); !slices.Equal(got, want) {
				t.Fatalf("k = %d of %d: Top returns %v, want %v", k, docs, got, want)
			}
			some.Clear()
			for range 2 { // which keeps the champions
				if got := some.addChampions(p, query, k); got && !slices.Equal(some.Best(k), want) {
					t.Fatalf("k = %d of %d: champions are %v, want %v", k, docs, some.Best(k), want)
				}
				some.Clear()
			}
		}
		all.Clear()
	}
}
