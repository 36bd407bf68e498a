package fielded

import (
	"fmt"
	"slices"
	"testing"

	"caliper/engine/retrieval"
	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
)

// crowd returns the index of 3,000 tools whose names all have words in common and every
// third one more, with queries. Descriptions are of two lengths.
func crowd(t *testing.T) (*Index, []string) {
	t.Helper()
	dump := []byte(`{"tools":[`)
	var queries []string
	for i := range 3000 {
		name := fmt.Sprintf("do_thing_%06d", i)
		if i%3 == 0 {
			name += "_record"
		}
		queries = append(queries, fmt.Sprintf("do thing %06d", i), name)
		if i > 0 {
			dump = append(dump, ',')
		}
		description := []string{"Work with the orders.", "Work with the orders of one room, thing."}[i%2]
		dump = fmt.Appendf(dump, `{"name":%q,"description":%q,"inputSchema":{"type":"object"}}`, name, description)
	}
	r, err := shapes.Parse(t.Context(), model.Source{Name: "r.json", Data: append(dump, "]}"...)})
	require.NoError(t, err)
	x, err := NewCorpus().Index(t.Context(), r.Tools, nil, Default)
	require.NoError(t, err)
	return x, queries
}

// A query whose crowded terms were asked before has the hits, and the ranks, of one that
// asks them first.
func TestCrowdedHits(t *testing.T) {
	x, queries := crowd(t)
	queries = append(queries[:600], "thing", "orders thing orders", "room", "thing 000007. record 000008 thing", "work thing record",
		"thing nothing", "thimg 000009 ordesr", "do_thing_000017 orders", "nothing", "")
	for _, k := range []int{1, 7, 200} {
		for _, query := range queries {
			x.crowds = new(retrieval.Remembered[uint32])
			want := x.Search(query, k).Hits
			for range 2 {
				if got := x.Search(query, k).Hits; !slices.Equal(got, want) {
					t.Fatalf("%q, %d best: %v, want %v", query, k, got, want)
				}
			}
			for _, h := range []int{0, len(want) / 2, len(want) - 1} {
				if h < 0 || h >= len(want) {
					continue
				}
				rank, score, ok := x.Rank(query, want[h].Doc)
				if got := (retrieval.Hit{Doc: want[h].Doc, Score: score}); !ok || rank != h+1 || got != want[h] {
					t.Fatalf("%q: rank %d of %v, want %d of %v", query, rank, got, h+1, want[h])
				}
			}
		}
	}
}

// The memory for crowded terms belongs to their weights: a word that is only like one of the query weighs less.
func TestCrowdedWeights(t *testing.T) {
	dump := []byte(`{"tools":[`)
	for i := range 3000 {
		words := []string{"anchor", "harbour"}
		dump = fmt.Appendf(dump, `{"name":"%s_%06d","description":"Use the %s.","inputSchema":{"type":"object"}},`, words[i%2], i, words[1-i%2])
	}
	r, err := shapes.Parse(t.Context(), model.Source{Name: "r.json", Data: append(dump[:len(dump)-1], "]}"...)})
	require.NoError(t, err)
	x, err := NewCorpus().Index(t.Context(), r.Tools, nil, Default)
	require.NoError(t, err)
	queries := []string{"harbour anchor", "harbour anchr"}
	var want [2][]retrieval.Hit
	for i, query := range queries {
		x.crowds = new(retrieval.Remembered[uint32])
		want[i] = x.Search(query, 100).Hits
	}
	x.crowds = new(retrieval.Remembered[uint32])
	for i, query := range queries {
		for range 3 {
			if got := x.Search(query, 100).Hits; !slices.Equal(got, want[i]) {
				t.Errorf("%q: %v, want %v", query, got, want[i])
			}
		}
	}
}

// The number of documents that a query scans does not grow with those that tie for the terms
// that all of them have.
func TestCrowdedScansFew(t *testing.T) {
	x, queries := crowd(t)
	const warm = 12 // both kinds of name, so that the common terms are known
	for i, query := range queries {
		s := x.acquire(query)
		s.chooseCandidates(10)
		if most := x.recipe.Candidates + 10; i >= warm && len(s.scanned) > most {
			t.Fatalf("%q: %d documents scanned, want %d at most", query, len(s.scanned), most)
		}
		x.release(s)
	}
}
