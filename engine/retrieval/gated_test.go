package retrieval

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"caliper/engine/internal/fixture"
	"caliper/model"
	"caliper/model/require"
)

// Both are what the engine asks of a ranker.
var (
	_ Ranker = (*Index)(nil)
	_ Ranker = (*Gated)(nil)
)

// TestGatedEqualsReference: for every k, the hits equal the ranking by
// definition, and ranks and explanations agree with them.
func TestGatedEqualsReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tools := drawGatedCatalog(60).Draw(t, "catalog")
		x, r := mustGated(t, tools), newGatedReference(tools)
		query := drawGatedQuery(t, tools)
		checkGated(t, x, r, query, 0, 1, 2, 5, 20)
		checkGatedPlaces(t, x, r, query)
	})
}

// gatedCatalog is the catalog that the cases below ask.
func gatedCatalog() []*model.Tool {
	tools := []*model.Tool{
		newTool("mcp__harbor__book_berth", "Books a berth in the harbor for a ship.", nil),
		newTool("list_berths", "Lists berths.", []byte(`{"properties":{"harbor":{},"date":{}}}`)),
		newTool("tide_table", "Tides of a day.", nil),
		newTool("crane", "Book it.", nil),
	}
	for i, toolset := range []string{"mcp-harbor", "mcp-port", "mcp-port", "crane"} {
		tools[i].Toolset = toolset
	}
	return tools
}

func TestGates(t *testing.T) {
	x := mustGated(t, gatedCatalog())
	for _, c := range []struct {
		name, query string
		want        Gates
	}{
		{"nothing", " …", Gates{}},
		{"one", "Berths", Gates{Tokens: 1, Gate: "berth", Word: "berths", DF: 2, Answerable: 1, Required: 1, Admitted: 2}},
		{"a word that no tool has", "book a spaceship berth", Gates{Tokens: 4, Gate: "spaceship", Word: "spaceship", Answerable: 3, Required: 1}},
		{"of equals the first", "tides cranes", Gates{Tokens: 2, Gate: "tide", Word: "tides", DF: 1, Answerable: 2, Required: 1, Admitted: 1}},
		{"half of five", "books a berths harbor crane", Gates{Tokens: 5, Gate: "crane", Word: "crane", DF: 1, Answerable: 5, Required: 3}},
		{"half of four", "book a berth ship", Gates{Tokens: 4, Gate: "ship", Word: "ship", DF: 1, Answerable: 4, Required: 2, Admitted: 1}},
		{"exact name beside the gate", "MCP__harbor__book_berth", Gates{Tokens: 4, Gate: "mcp", Word: "mcp", Answerable: 3, Required: 1, Exact: 1, Admitted: 1}},
		{"toolset", "port", Gates{Tokens: 1, Gate: "port", Word: "port", DF: 2, Answerable: 1, Required: 1, Admitted: 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := x.Gates(c.query); got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
}

// TestGatedExplains: the messages of what was added and why a tool was not
// admitted.
func TestGatedExplains(t *testing.T) {
	x := mustGated(t, gatedCatalog())
	for _, c := range []struct {
		name, query string
		doc         int
		want        string
	}{
		{"admitted", "berths", 1, `
the one token of the query
  berth: idf × tf norm, the stem of berths
    idf(df=2, N=4)
    tf norm(tf=2, dl=7, avgdl=7.25, k1=1.5, b=0.75)
`},
		{"no tool has a word", "spaceship", 2, `
the one token of the query
  spaceship: in no tool of the catalog
  not admitted: no tool has spaceship, so the query finds nothing
`},
		{"the rarest is missing", "tides book", 3, `
sum over 2 tokens of the query
  tide: not in this tool, the stem of tides
    idf(df=1, N=4)
    tf norm(tf=0, dl=3)
  book: idf × tf norm
    idf(df=2, N=4)
    tf norm(tf=1, dl=3, avgdl=7.25, k1=1.5, b=0.75)
  not admitted: lacks tide (tides), the rarest token of the query (df=1)
`},
		{"no tokens", "…", 0, `
sum over 0 tokens of the query
  not admitted: the query has no tokens
`},
		{"exact name", " Crane ", 3, `
the one token of the query
  crane: idf × tf norm
    idf(df=1, N=4)
    tf norm(tf=1, dl=3, avgdl=7.25, k1=1.5, b=0.75)
  the name is the query: first, whatever the score
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b strings.Builder
			x.Explain(c.query, c.doc).write(&b, "")
			if got := b.String(); got != c.want[1:] {
				t.Errorf("got:\n%swant:%s", got, c.want)
			}
		})
	}
	if e := x.Explain("books a berth harbor crane", 3); !strings.HasSuffix(e.Children[5].Message, "has 2 of the 5 tokens that are in the catalog, 3 are required") {
		t.Errorf("%q", e.Children[5].Message)
	}
}

// TestGatedToolset: the toolset is part of the document, so that the corpus
// tells tools apart that differ in nothing else; reference documents are not
// touched by it.
func TestGatedToolset(t *testing.T) {
	one, two := newTool("a_b", "", nil), newTool("a_b", "", nil)
	one.Toolset, two.Toolset = "mcp-first", "mcp-second"
	c := NewCorpusOf(Stems)
	for _, tools := range [][]*model.Tool{{one}, {two}, {one, two}} {
		x, err := c.Gated(context.Background(), tools)
		require.NoError(t, err)
		checkGated(t, x, newGatedReference(tools), "first", 5)
		checkGated(t, x, newGatedReference(tools), "second", 5)
	}
	if len(c.cache.entries) != 2 {
		t.Errorf("%d documents", len(c.cache.entries))
	}
	if _, err := NewCorpus().Gated(context.Background(), nil); err == nil {
		t.Error("a corpus of words: no error")
	}
}

// TestGatedSameNames: thousands of tools of one name are found in order, and
// the table of names does not slow down.
func TestGatedSameNames(t *testing.T) {
	tools := slices.Repeat([]*model.Tool{newTool("same_name", "x", nil), newTool("other", "same name", nil)}, 3000)
	x := mustGated(t, tools)
	hits := x.Search("SAME_name", 3001).Hits
	for i, h := range hits[:3000] {
		if h.Doc != i*2 {
			t.Fatalf("hit %d is %d", i, h.Doc)
		}
	}
	if h := hits[3000]; h.Doc != 1 {
		t.Errorf("after them %v", h)
	}
}

// TestGatedAllocates: in the steady state, nothing.
func TestGatedAllocates(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector makes pools forget")
	}
	tools := fixture.Tools(3000, 1)
	x := mustGated(t, tools)
	dst := make([]Hit, 0, 20)
	for _, query := range []string{"get", "gets getting", "creating the issues", "the a to of", tools[5].Name, "etch", "?", strings.ToLower(tools[7].Description)} {
		ask := func() { x.SearchInto(dst, query, 20); x.Scored(query); x.Rank(query, 1) }
		ask()
		if n := testing.AllocsPerRun(100, ask); n > 0 {
			t.Errorf("%q: %v allocations", query, n)
		}
	}
}

// TestGatedConcurrently searches one index from many goroutines while its
// corpus makes others. Run it with -race.
func TestGatedConcurrently(t *testing.T) {
	tools := fixture.Tools(400, 2)
	corpus := NewCorpusOf(Stems)
	x, err := corpus.Gated(context.Background(), tools)
	require.NoError(t, err)
	queries := fixture.Queries(fixture.Mixed, 40, 4, tools)
	var wg sync.WaitGroup
	for g := range 6 {
		wg.Go(func() {
			for i := range queries {
				i = (i + g*5) % len(queries)
				hits := x.Search(queries[i], 10).Hits
				if n := x.Scored(queries[i]); n < len(hits) || n == 0 != (len(hits) == 0) {
					t.Errorf("%q: %d scored, %d hits", queries[i], n, len(hits))
				}
				x.Rank(queries[i], i)
				x.Explain(queries[i], i)
				x.Gates(queries[i])
				if i%10 == g {
					other := slices.Clone(tools[g*20:])
					other[0] = fixture.Revise(other[0], i)
					if _, err := corpus.Gated(context.Background(), other); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	wg.Wait()
}

// FuzzGated makes a catalog of the lines of a text, as FuzzSearch does.
func FuzzGated(f *testing.F) {
	f.Add("berth_book\tbook a berth\ntide\tof the day\n\tno name", "book the berth", 2)
	f.Add("mcp__a\ta a a\na\ta\nb\n\n", "MCP__A", 1)
	f.Add("mcp_1\nmcp_2\nmcp_3\trare", "MCP rare rares unheard", 3)
	f.Add("list_issues\tlists issues of a repository", "listing issue repositories of", 3)
	f.Fuzz(func(t *testing.T, text, query string, k int) {
		for _, s := range []string{text, query} {
			if strings.ContainsFunc(s, func(r rune) bool { return r >= 0x80 || r >= 0x1c && r < 0x20 }) {
				t.Skip("the oracle lowers and trims ASCII only")
			}
		}
		var tools []*model.Tool
		for line := range strings.SplitSeq(text, "\n") {
			name, description, _ := strings.Cut(line, "\t")
			tools = append(tools, newTool(name, description, nil))
		}
		x, r := mustGated(t, tools), newGatedReference(tools)
		checkGated(t, x, r, query, k%100, 1, 20)
		checkGatedPlaces(t, x, r, query)
	})
}
