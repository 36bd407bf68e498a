package fielded

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/engine/internal/fixture"
	"caliper/engine/retrieval"
	"caliper/model"
	"caliper/model/require"
)

// precision is how near to each other scores by different orders of addition
// are.
const precision = 1e-9

// checkSearch compares a search for everything with the ranking by definition, and a
// search for a few, which leaves most tools out, with its beginning, to the last bit.
// Tools whose scores are as near as rounding may change places.
func checkSearch(t rapid.TB, x *Index, o *oracle, query string) {
	t.Helper()
	got, want := x.Search(query, x.Len()+1).Hits, o.search(query)
	if len(got) != len(want) {
		t.Fatalf("Search(%q) finds %d tools, want %d", query, len(got), len(want))
	}
	for _, k := range []int{1, 3, 20, 130} {
		if few := x.Search(query, k).Hits; !slices.Equal(few, got[:min(k, len(got))]) {
			t.Fatalf("Search(%q, %d) = %v, want %v", query, k, few, got[:min(k, len(got))])
		}
	}
	scores, found := map[int]float64{}, map[int]bool{}
	for _, h := range want {
		scores[h.doc], found[h.doc] = h.score, true
	}
	for doc := -1; doc <= x.Len(); doc++ {
		if x.Finds(query, doc) != found[doc] {
			t.Fatalf("Finds(%q, %d) = %t", query, doc, !found[doc])
		}
	}
	for i, h := range got {
		if h.Doc != want[i].doc && math.Abs(want[i].score-scores[h.Doc]) > precision || math.Abs(h.Score-scores[h.Doc]) > precision {
			t.Fatalf("Search(%q): rank %d is %d with %v, want %d with %v (%v)", query, i+1, h.Doc, h.Score, want[i].doc, want[i].score, want[i].parts)
		}
	}
}

// testWords are words of every kind: of the lexicon, generic and rare, in
// several scripts and forms, and misspelled ones.
var testWords = strings.Fields(`repo repository branch branches delete remove get list create file files document weather forecast umbrella
	rain send message email issue getHTTPFile2 iPhone iPhones h264 x y the to of please need want could information
	repositry mesage documnt pullrequest pull request movie film restaurant dinner 港口 港口管理 天気予報 в файле файл погода ไฟล์ อากาศ
	macOS macos MacOS PDFs pdf pdfs LLM llms https listAPIs API oauth2 OAuth show update 24fps set settings invioces invoices invocies
	查询天气 預訂酒店 数据库 weather hotel database été ÉTÉ Straße straße ДокументОбмен café naïve mcp 42 3 a`)

// drawText draws words and what separates them.
func drawText(most int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		separator := rapid.SampledFrom([]string{" ", " ", " ", "_", ", ", ". ", "\n", "-", "/"}).Draw(t, "separator")
		words := rapid.SliceOfN(rapid.SampledFrom(testWords), 0, most).Draw(t, "words")
		return strings.Join(words, separator)
	})
}

func newTool(name, toolset, description string, parameters []byte) *model.Tool {
	t := &model.Tool{Name: name, Qualified: name, Toolset: toolset, Description: description, Parameters: parameters}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q", name, description, parameters))
	t.Hash = model.Hash(sum[:16])
	return t
}

func drawTool() *rapid.Generator[*model.Tool] {
	return rapid.Custom(func(t *rapid.T) *model.Tool {
		var properties []string
		for i, name := range rapid.SliceOfN(rapid.SampledFrom(testWords), 0, 3).Draw(t, "parameters") {
			properties = append(properties, fmt.Sprintf(`"%s-%d":{"description":%q,"enum":["%s",%d],"items":{"properties":{"x":{"enum":[null,{}]}}}}`,
				name, i, drawText(3).Draw(t, "text"), name, i))
		}
		tool := newTool(drawText(3).Draw(t, "name"), rapid.SampledFrom([]string{model.NoToolset, "mcp-github", "files", "天気"}).Draw(t, "toolset"),
			drawText(10).Draw(t, "description"), []byte(`{"properties":{`+strings.Join(properties, ",")+`}}`))
		if rapid.Bool().Draw(t, "served") {
			tool.OriginalName = drawText(3).Draw(t, "original")
		}
		return tool
	})
}

// drawCatalog draws up to n tools, in which one tool may stand many times.
func drawCatalog(n int) *rapid.Generator[[]*model.Tool] {
	return rapid.Custom(func(t *rapid.T) []*model.Tool {
		kinds := rapid.SliceOfN(drawTool(), 1, 20).Draw(t, "kinds")
		return rapid.SliceOfN(rapid.SampledFrom(kinds), 0, n).Draw(t, "tools")
	})
}

func drawQuery(tools []*model.Tool) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		query := drawText(12).Draw(t, "query")
		if len(tools) == 0 {
			return query
		}
		named := rapid.SampledFrom(tools).Draw(t, "named")
		name := named.Name
		if named.OriginalName != "" && rapid.Bool().Draw(t, "own") {
			name = named.OriginalName
		}
		switch rapid.IntRange(0, 6).Draw(t, "kind") {
		case 4:
			return "could you take " + strings.NewReplacer("_", " ", "-", " ").Replace(name) + " for the " + query
		case 0:
			return name
		case 1:
			return "please use " + name + " to " + query
		case 2:
			if r := []rune(name); len(r) > 1 {
				at := rapid.IntRange(0, len(r)-1).Draw(t, "at")
				return string(slices.Delete(r, at, at+1))
			}
		case 3:
			return query + ". " + drawText(4).Draw(t, "second") + "; " + drawText(4).Draw(t, "third")
		}
		return query
	})
}

// drawRecipe draws few candidates, so that most tools are none.
func drawRecipe() *rapid.Generator[Recipe] {
	return rapid.Custom(func(t *rapid.T) Recipe {
		r := Default
		r.Candidates = rapid.SampledFrom([]int{1, 3, 10, 128}).Draw(t, "candidates")
		r.Covering = rapid.SampledFrom([]int{0, 2, 10}).Draw(t, "covering")
		r.CoveredAbove = rapid.SampledFrom([]float64{0, 0.2, 0.5}).Draw(t, "covered above")
		return r
	})
}

// toolsets are the toolsets of drawn tools.
func toolsets(name string) (*model.Toolset, bool) {
	t, ok := map[string]*model.Toolset{
		"mcp-github": {Name: "mcp-github", Title: "GitHub", Description: "repositories and issues"},
		"files":      {Name: "files", Description: "documents on the disk"},
	}[name]
	return t, ok
}

func index(t rapid.TB, c *Corpus, tools []*model.Tool, toolsets Toolsets, r Recipe) *Index {
	t.Helper()
	x, err := c.Index(context.Background(), tools, toolsets, r)
	require.NoError(t, err)
	return x
}

// TestSearchEqualsOracle: for any catalog and query, tools, order and scores
// equal the ranking by definition.
func TestSearchEqualsOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tools := drawCatalog(60).Draw(t, "catalog")
		r := drawRecipe().Draw(t, "recipe")
		x, o := index(t, NewCorpus(), tools, toolsets, r), newOracle(tools, toolsets, r)
		for range 4 {
			checkSearch(t, x, o, drawQuery(tools).Draw(t, "query"))
		}
	})
}

// TestSearchEqualsOracleReal: the same for real tools and requests.
func TestSearchEqualsOracleReal(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: long, in one goroutine")
	}
	for _, name := range []string{"livemcpbench", "mcpproxy_golden", "metatool"} {
		s := fixture.ReadSet(t, name)
		x, o := index(t, NewCorpus(), s.Registry.Tools, s.Toolset, Default), newOracle(s.Registry.Tools, s.Toolset, Default)
		for i := 0; i < len(s.Queries); i += 1 + len(s.Queries)/3 {
			checkSearch(t, x, o, s.Queries[i].Query)
		}
	}
}

// TestOrder: a search without a limit is ordered by score, then document;
// other searches are the beginning of it; Scored, Rank and Explain agree with
// it, and explanations add up.
func TestOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tools := drawCatalog(60).Draw(t, "catalog")
		x := index(t, NewCorpus(), tools, toolsets, drawRecipe().Draw(t, "recipe"))
		checkOrder(t, x, drawQuery(tools).Draw(t, "query"), 1)
	})
}

// TestOrderLarge: the same where there are many tools behind the candidates.
func TestOrderLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: long, in one goroutine")
	}
	tools := fixture.Tools(2500, 5)
	x := mustIndex(t, NewCorpus(), tools)
	for _, kind := range fixture.Kinds {
		for _, query := range fixture.Queries(kind, 3, 3, tools) {
			checkOrder(t, x, query+". "+query+"; and issues", 60)
		}
	}
}

// checkOrder checks every step-th document.
func checkOrder(t rapid.TB, x *Index, query string, step int) {
	t.Helper()
	all := x.Search(query, x.Len()+1).Hits
	if !slices.IsSortedFunc(all, func(a, b retrieval.Hit) int { return compare(a.Score, b.Score, uint32(a.Doc), uint32(b.Doc)) }) {
		t.Fatalf("Search(%q) is out of order: %v", query, all)
	}
	for _, k := range []int{-1, 0, 1, 2, 5, 20, 127, 128, 129, 200} {
		if got, want := x.Search(query, k).Hits, all[:max(0, min(k, len(all)))]; !slices.Equal(got, want) {
			t.Fatalf("Search(%q, %d) = %v, want %v", query, k, got, want)
		}
	}
	if n := x.Scored(query); n != len(all) {
		t.Fatalf("Scored(%q) = %d, want %d", query, n, len(all))
	}
	found := map[int]int{}
	for i, h := range all {
		if found[h.Doc] = i + 1; h.Score <= 0 {
			t.Fatalf("Search(%q) finds %d with %v", query, h.Doc, h.Score)
		}
	}
	for doc := -1; doc <= x.Len(); doc += step {
		rank, score, ok := x.Rank(query, doc)
		if rank != found[doc] || ok != (rank > 0) || ok && score != all[rank-1].Score {
			t.Fatalf("Rank(%q, %d) = %d, %v, %v, want %d", query, doc, rank, score, ok, found[doc])
		}
		if doc >= 0 && doc < x.Len() {
			checkExplanation(t, x, query, doc, score)
		}
	}
}

// checkExplanation: leaves add up to the score, and components to their parts.
func checkExplanation(t rapid.TB, x *Index, query string, doc int, score float64) {
	t.Helper()
	e := x.Explain(query, doc)
	if e.Value != score {
		t.Fatalf("Explain(%q, %d) = %v, want %v", query, doc, e.Value, score)
	}
	sum := 0.0
	for leaf := range e.Leaves {
		if sum += leaf.Value; leaf.Message == "" || math.IsNaN(leaf.Value) {
			t.Fatalf("Explain(%q, %d): leaf %+v", query, doc, leaf)
		}
	}
	if math.Abs(sum-score) > precision {
		t.Fatalf("Explain(%q, %d): leaves add up to %v, want %v", query, doc, sum, score)
	}
	sum = 0
	for _, c := range e.Children {
		if sum += c.Value; c.Component == "" {
			t.Fatalf("Explain(%q, %d): %+v is no component", query, doc, c)
		}
		part := 0.0
		for _, leaf := range c.Children {
			part += leaf.Value
		}
		if (len(c.Children) > 0 || c.Component == NameCoverage || c.Component == DescriptionCoverage) && math.Abs(part-c.Value) > precision {
			t.Fatalf("Explain(%q, %d): %s adds up to %v, want %v", query, doc, c.Component, part, c.Value)
		}
	}
	if sum != e.Value {
		t.Fatalf("Explain(%q, %d): components add up to %v, want %v", query, doc, sum, e.Value)
	}
}

// The best documents of common words are the same when a query is asked again, and its words have
// champions.
func TestChampions(t *testing.T) {
	word := func(n int) string { // of letters alone, since numbers are no words
		return strings.Map(func(r rune) rune { return rune("bcdfghjklm"[r-'0']) }, fmt.Sprintf("8%05o", n))
	}
	var tools []*model.Tool
	for i := range 20_000 {
		tools = append(tools, newTool("berth_book_"+word(i), "mcp-port", "Books a berth for a vessel in harbour "+word(100_000+i/3)+".", nil))
	}
	x := index(t, NewCorpus(), tools, nil, Default)
	for _, query := range []string{"book vessel berth in harbour", "book vessel harbour " + word(100_012) + " berth", word(100_050) + ". Vessel berth in harbour. Book " + word(100_007), "berth book " + word(4711) + " vessel harbour"} {
		for _, k := range []int{1, 130, 300} {
			first := x.Search(query, k).Hits
			for range 2 {
				if again := x.Search(query, k).Hits; !slices.Equal(again, first) {
					t.Errorf("the best %d for %q are %v, first %v", k, query, again, first)
				}
			}
			if all := x.Search(query, len(tools)).Hits; !slices.Equal(first, all[:k]) {
				t.Errorf("the best %d for %q are %v, of all %v", k, query, first, all[:k])
			}
		}
	}
}

// TestScanChosen: what the postings say of the candidates of a large catalog is what their records
// say, and the first of a search for few are the first of a search for all.
func TestScanChosen(t *testing.T) {
	tools := fixture.Catalog(2000)
	for _, c := range []struct {
		name       string
		candidates int
	}{
		{"all postings are read", Default.Candidates},
		{"few candidates are looked up in the postings of a common term", 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			recipe := Default
			recipe.Candidates = c.candidates
			x, err := NewCorpus().Index(context.Background(), tools, nil, recipe)
			require.NoError(t, err)
			for _, kind := range fixture.Kinds {
				for i, query := range fixture.Queries(kind, 40, 3, tools) {
					if i%2 > 0 {
						query += " mcp. " + query + "?" // a word that all have, and sentences
					}
					s := x.acquire(query)
					s.chooseCandidates(1)
					for _, c := range s.candidates {
						r := s.scanDocument(c.doc)
						if !slices.Equal(s.hits[c.hits.from:c.hits.to], s.hits[r.hits.from:r.hits.to]) ||
							!slices.Equal(s.pairHits[c.pairHits.from:c.pairHits.to], s.pairHits[r.pairHits.from:r.pairHits.to]) ||
							c.bm25f != r.bm25f || c.description != r.description || c.name != r.name {
							t.Fatalf("%q: the postings say %+v of document %d, its record %+v", query, c.scanned, c.doc, r)
						}
					}
					x.release(s)
					all := x.Search(query, x.Len()).Hits
					for _, k := range []int{1, 20, 128, 300} {
						if got := x.Search(query, k).Hits; !slices.Equal(got, all[:min(k, len(all))]) {
							t.Fatalf("Search(%q, %d) is not the beginning of a search for all", query, k)
						}
					}
				}
			}
		})
	}
}
