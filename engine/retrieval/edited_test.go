package retrieval

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"caliper/model"
	"caliper/model/require"
)

// changed returns the tools of a changed catalog, and the document there of each
// document of an Edited; -1 of one that was left out.
func changed(tools []*model.Tool, c Change) (now []*model.Tool, documents []int) {
	documents = make([]int, len(tools), len(tools)+1)
	added := -1
	add := func(at int) {
		if at == c.Before && c.Tool != nil {
			added = len(now)
			now = append(now, c.Tool)
		}
	}
	for doc, t := range tools {
		if add(doc); doc == c.Doc {
			continue
		}
		documents[doc] = len(now)
		now = append(now, t)
	}
	if add(len(tools)); c.Doc < 0 {
		return now, append(documents, added)
	}
	documents[c.Doc] = added
	return now, documents
}

// sameRanks compares the ranks and scores of all documents of a changed catalog
// with an index's of it, to the last bit.
func sameRanks(t rapid.TB, got Ranker, want Ranker, documents []int, query string) {
	t.Helper()
	for doc, now := range documents {
		rank, score, ok := got.Rank(query, doc)
		wantRank, wantScore, wantOK := 0, 0.0, false
		if now >= 0 {
			wantRank, wantScore, wantOK = want.Rank(query, now)
		}
		if rank != wantRank || score != wantScore || ok != wantOK {
			t.Fatalf("%q: document %d is at %d with %v (%v), in an index at %d with %v (%v)",
				query, doc, rank, score, ok, wantRank, wantScore, wantOK)
		}
	}
	place := make([]int, len(documents)) // by the document in an index of the changed catalog
	for doc, now := range documents {
		if now >= 0 {
			place[now] = doc
		}
	}
	for _, k := range []int{0, 3, len(documents) + 1} {
		found, scored := got.Search(query, k), got.Scored(query)
		wantFound := want.Search(query, k)
		for i := range wantFound.Hits {
			wantFound.Hits[i].Doc = place[wantFound.Hits[i].Doc]
		}
		if !slices.Equal(found.Hits, wantFound.Hits) || found.Fallback != wantFound.Fallback || scored != want.Scored(query) {
			t.Fatalf("%q: the best %d are %+v of %d, in an index %+v of %d", query, k, found, scored, wantFound, want.Scored(query))
		}
	}
	if _, _, ok := got.Rank(query, -1); ok {
		t.Fatalf("%q: a document of no number is found", query)
	}
	if _, _, ok := got.Rank(query, len(documents)); ok {
		t.Fatalf("%q: a document behind the last is found", query)
	}
}

// drawChange draws a change of a catalog: in its place, elsewhere, added or left out.
func drawChange(t *rapid.T, tools []*model.Tool, tool *rapid.Generator[*model.Tool]) Change {
	c := Change{Doc: rapid.IntRange(-1, len(tools)-1).Draw(t, "document")}
	c.Before = c.Doc
	if c.Doc < 0 || rapid.Bool().Draw(t, "moves") {
		c.Before = rapid.IntRange(0, len(tools)).Draw(t, "before")
	}
	if c.Doc < 0 || rapid.IntRange(0, 4).Draw(t, "left out") > 0 {
		c.Tool = tool.Draw(t, "tool")
	}
	return c
}

// The ranks and scores of a changed catalog equal an index's of it.
func TestEditedEqualsIndex(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, tools := drawParams().Draw(t, "parameters"), drawCatalog(60).Draw(t, "catalog")
		c := drawChange(t, tools, drawTool())
		now, documents := changed(tools, c)
		old, err := NewCorpus().Index(t.Context(), tools, p)
		require.NoError(t, err)
		want, err := NewCorpus().Index(t.Context(), now, p)
		require.NoError(t, err)
		got := old.Edited(c)
		for range 4 {
			sameRanks(t, got, want, documents, drawQuery().Draw(t, "query"))
		}
		if c.Tool != nil {
			sameRanks(t, got, want, documents, c.Tool.Name)
			sameRanks(t, got, want, documents, c.Tool.Description)
		}
	})
}

func TestEditedEqualsGated(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tools := drawGatedCatalog(60).Draw(t, "catalog")
		c := drawChange(t, tools, rapid.Map(drawGatedCatalog(1), func(list []*model.Tool) *model.Tool {
			if len(list) == 0 {
				return newTool("w1", "w2", nil)
			}
			return list[0]
		}))
		now, documents := changed(tools, c)
		got, want := mustGated(t, tools).Edited(c), mustGated(t, now)
		for range 4 {
			sameRanks(t, got, want, documents, drawGatedQuery(t, now))
		}
		if c.Tool != nil {
			sameRanks(t, got, want, documents, c.Tool.Name)
		}
	})
}
