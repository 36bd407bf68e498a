package fielded

import (
	"slices"
	"strings"
	"testing"

	"caliper/model"
)

// TestServerSupport: of tools that are alike, the first is that whose server has another
// tool for the query.
func TestServerSupport(t *testing.T) {
	tools := []*model.Tool{
		newTool("remove_note", "alpha", "Removes a note.", nil),
		newTool("remove_note", "gamma", "Removes a note.", nil),
		newTool("anchor", "gamma", "Anchors a ship in a harbour.", nil),
		newTool("remove_note", model.NoToolset, "Removes a note.", nil),
		newTool("list_wrecks", "alpha", "List the wrecks.", nil),
	}
	const query = "remove the note, and anchor my ship in the harbour"
	alike := func(r Recipe) (docs []int) { // the first of the tools that are alike
		for _, h := range index(t, NewCorpus(), tools, nil, r).Search(query, 5).Hits {
			if h.Doc <= 1 {
				docs = append(docs, h.Doc)
			}
		}
		return docs
	}
	without := Default
	without.ServerSupport = 0
	if got := alike(without); !slices.Equal(got, []int{0, 1}) {
		t.Errorf("%v without support, want the order of the catalog", got)
	}
	if got := alike(Default); !slices.Equal(got, []int{1, 0}) {
		t.Errorf("%v, want that of gamma first", got)
	}
	x := index(t, NewCorpus(), tools, nil, Default)
	for _, c := range []struct {
		query string
		doc   int
		want  string // in the explanation; empty: no component
	}{
		{query, 1, "server: the best of its toolset has "},
		{query, 2, "server: it is the best of its toolset: "},
		{query, 3, "server: a tool without a toolset supports itself: "},
		{"list a note", 4, ""}, // it has the verb alone
		{"list", 4, "server: it is the best of its toolset: "},
	} {
		text := draw(x.Explain(c.query, c.doc))
		if has := strings.Contains(text, "server: "); has != (c.want != "") || !strings.Contains(text, c.want) {
			t.Errorf("%s of %s: want %q in\n%s", c.query, tools[c.doc].Name, c.want, text)
		}
	}
}

// TestServerOfName: a tool gains nothing for the name of another tool of its toolset.
func TestServerOfName(t *testing.T) {
	tools := harbour()
	x := index(t, NewCorpus(), tools, toolsets, Default)
	hits := x.Search("list_branches", 5).Hits
	if hits[0].Doc != 1 || hits[0].Score < Default.ExactName {
		t.Fatalf("%v, want list_branches first for its name", hits)
	}
	for _, h := range hits[1:] {
		if h.Score > 3 {
			t.Errorf("%s gains for the name of another\n%s", tools[h.Doc].Name, draw(x.Explain("list_branches", h.Doc)))
		}
	}
}
