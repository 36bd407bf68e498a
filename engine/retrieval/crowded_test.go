package retrieval

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
)

// manyTools is so many that a word that all of them have is crowded.
const manyTools = 3000

// crowd returns the index of n tools whose names all have a word in common, and every
// third a second one, with the queries of all names. Descriptions are of two lengths.
func crowd(t *testing.T, n int) (*Index, []string) {
	t.Helper()
	dump := []byte(`{"tools":[`)
	var queries []string
	for i := range n {
		name := fmt.Sprintf("tool_%06d", i)
		if i%3 == 0 {
			name += "_record"
		}
		queries = append(queries, strings.ReplaceAll(name, "_", " "))
		if i > 0 {
			dump = append(dump, ',')
		}
		description := []string{"Work with the orders.", "Work with the orders of one room, tool."}[i%2]
		dump = fmt.Appendf(dump, `{"name":%q,"description":%q,"inputSchema":{"type":"object"}}`, name, description)
	}
	r, err := shapes.Parse(t.Context(), model.Source{Name: "r.json", Data: append(dump, "]}"...)})
	require.NoError(t, err)
	x, err := NewCorpus().Index(t.Context(), r.Tools, Reference)
	require.NoError(t, err)
	return x, queries
}

// BestInto has the hits of Search, whether their crowded words were asked before or not.
func TestBestInto(t *testing.T) {
	x, queries := crowd(t, manyTools)
	queries = append(queries, "tool", "orders tool orders", "room", "000007 000008 tool the", "tool nothing", "nothing", "")
	for _, k := range []int{0, 1, 7, 100} {
		for _, query := range queries {
			for range 2 {
				if got, want := x.BestInto(nil, query, k), x.Search(query, k).Hits; !slices.Equal(got, want) {
					t.Fatalf("%q, %d best: %v, want %v", query, k, got, want)
				}
			}
		}
	}
}

// The number of tools that a query scores does not grow with those that tie for the words
// that all of them have: the work of the queries of all tools is not the square of their
// number.
func TestBestIntoScoresFew(t *testing.T) {
	x, queries := crowd(t, manyTools)
	for _, query := range queries[:6] { // both kinds of name, so that the common words are known
		x.BestInto(nil, query, 10)
	}
	for _, query := range queries {
		s := x.acquire(query)
		if !x.scoreCrowded(s, query, 10) || len(s.hits) > 11 {
			t.Fatalf("%q: %d tools scored", query, len(s.hits))
		}
		x.release(s)
	}
}
