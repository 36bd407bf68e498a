package retrieval

import (
	"strings"
	"testing"

	"caliper/engine/internal/synthetic"
	"caliper/model"
	"caliper/model/shapes"
)

// Within tells a rank within a limit as Rank does, of queries of rare words and of
// words that many tools have, and keeps nothing for a query once it was asked.
func TestWithin(t *testing.T) {
	r, err := shapes.Parse(t.Context(), model.Source{Name: "r.json", Data: synthetic.Dump(700, 5)})
	if err != nil {
		t.Fatal(err)
	}
	x, err := NewCorpus().Index(t.Context(), r.Tools, Reference)
	if err != nil {
		t.Fatal(err)
	}
	within := 0
	for doc, tool := range r.Tools {
		parameters := strings.ReplaceAll(strings.Join(tool.PropertyNames(), " "), "_", " ")
		for _, query := range []string{tool.Name, tool.Description, parameters, "the a to of", "nothing has this", ""} {
			rank, _, found := x.Rank(query, doc)
			for _, limit := range []int{0, 1, 5, 1000} {
				want := found && rank <= limit
				got, ok := x.Within(query, doc, limit)
				if ok != want || ok && got != rank {
					t.Fatalf("%q: rank %d, %t of document %d within %d, want %d, %t", query, got, ok, doc, limit, rank, want)
				}
				if ok {
					within++
				}
			}
		}
	}
	if within < len(r.Tools) {
		t.Errorf("%d ranks within the limit", within)
	}
	if n := testing.AllocsPerRun(100, func() { x.Within("date page id name", 3, 5) }); n > 0 && !raceEnabled {
		t.Errorf("%v allocations", n)
	}
}
