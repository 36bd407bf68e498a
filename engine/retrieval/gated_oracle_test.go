package retrieval

import (
	"cmp"
	"context"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/kljensen/snowball"
	"pgregory.net/rapid"

	"caliper/model"
	"caliper/model/require"
)

// gatedReference is the gated ranking by definition.
type gatedReference struct {
	names []string
	bags  []map[string]int
	dl    []int
	df    map[string]int
	avgdl float64
}

var wordRuns = regexp.MustCompile(`[A-Za-z0-9]+`)

func stems(text string) []string {
	var out []string
	for _, word := range wordRuns.FindAllString(text, -1) {
		s, _ := snowball.Stem(strings.ToLower(word), "english", true)
		out = append(out, s)
	}
	return out
}

func newGatedReference(tools []*model.Tool) *gatedReference {
	r := &gatedReference{df: map[string]int{}}
	total := 0
	for _, t := range tools {
		name := strings.NewReplacer("_", " ", ".", " ", ":", " ", "-", " ").Replace(strings.TrimPrefix(t.Name, "mcp__"))
		text := []string{name}
		if l := strings.TrimPrefix(t.Toolset, "mcp-"); t.Toolset != model.NoToolset && !slices.Contains(strings.Fields(name), l) {
			text = append(text, l)
		}
		text = append(append(text, t.Description), t.PropertyNames()...)
		bag, tokens := map[string]int{}, stems(strings.Join(text, " "))
		for _, token := range tokens {
			if bag[token]++; bag[token] == 1 {
				r.df[token]++
			}
		}
		r.names = append(r.names, strings.ToLower(t.Name))
		r.bags, r.dl, total = append(r.bags, bag), append(r.dl, len(tokens)), total+len(tokens)
	}
	r.avgdl = max(1, float64(total)/float64(len(tools)))
	return r
}

// search returns all hits, best first.
func (r *gatedReference) search(query string) []Hit {
	tokens, n := stems(query), float64(len(r.bags))
	gate, answerable := "", map[string]bool{}
	idf := func(token string) float64 {
		df := float64(r.df[token])
		return math.Log(1 + (n-df+0.5)/(df+0.5))
	}
	for _, token := range tokens {
		if gate == "" || idf(token) > idf(gate) {
			gate = token
		}
		if r.df[token] > 0 {
			answerable[token] = true
		}
	}
	least := 1
	if len(answerable) >= 4 {
		least = int(math.Ceil(float64(len(answerable)) / 2))
	}
	hits, exact := []Hit{}, map[int]bool{}
	for doc, bag := range r.bags {
		score, held := 0.0, 0
		for _, token := range tokens {
			if tf := float64(bag[token]); tf > 0 {
				part := idf(token) * (tf * 2.5 / (tf + 1.5*(0.25+float64(0.75*float64(r.dl[doc]))/r.avgdl)))
				score += part
			}
		}
		for token := range answerable {
			if bag[token] > 0 {
				held++
			}
		}
		switch name := strings.ToLower(strings.TrimSpace(query)); {
		case name != "" && name == r.names[doc]:
			exact[doc] = true
			hits = append(hits, Hit{doc, score})
		case gate != "" && bag[gate] > 0 && held >= least:
			hits = append(hits, Hit{doc, score})
		}
	}
	slices.SortStableFunc(hits, func(a, b Hit) int {
		if exact[a.Doc] != exact[b.Doc] {
			if exact[a.Doc] {
				return -1
			}
			return 1
		}
		return cmp.Compare(b.Score, a.Score)
	})
	return hits
}

func mustGated(t rapid.TB, tools []*model.Tool) *Gated {
	t.Helper()
	x, err := NewCorpusOf(Stems).Gated(context.Background(), tools)
	require.NoError(t, err)
	return x
}

// checkGated compares every answer with the ranking by definition, to the last
// bit.
func checkGated(t rapid.TB, x *Gated, r *gatedReference, query string, ks ...int) {
	t.Helper()
	want := r.search(query)
	if got := x.Scored(query); got != len(want) {
		t.Fatalf("Scored(%q) = %d, want %d", query, got, len(want))
	}
	for _, k := range append(ks, len(want)-1, len(want), x.Len()+1) {
		got := x.Search(query, k)
		if w := want[:max(0, min(k, len(want)))]; !slices.Equal(got.Hits, w) || got.Fallback {
			t.Fatalf("Search(%q, %d) =\n%v, want\n%v", query, k, got, w)
		}
	}
	checkFinds(t, x, query, want)
}

// checkGatedPlaces compares rank and explanation of every document.
func checkGatedPlaces(t rapid.TB, x *Gated, r *gatedReference, query string) {
	t.Helper()
	place := map[int]int{}
	want := r.search(query)
	for i, h := range want {
		place[h.Doc] = i + 1
	}
	g := x.Gates(query)
	if g.Admitted != len(want) || g.Tokens != len(stems(query)) {
		t.Fatalf("Gates(%q) = %+v, %d hits", query, g, len(want))
	}
	for doc := -1; doc <= x.Len(); doc++ {
		score := 0.0
		if n := place[doc]; n > 0 {
			score = want[n-1].Score
		}
		if rank, got, ok := x.Rank(query, doc); rank != place[doc] || got != score || ok != (rank > 0) {
			t.Fatalf("Rank(%q, %d) = %d, %v, %v, want %d, %v", query, doc, rank, got, ok, place[doc], score)
		}
		if doc < 0 || doc == x.Len() {
			continue
		}
		e, sum := x.Explain(query, doc), 0.0
		for leaf := range e.Leaves {
			sum += leaf.Value
			if leaf.Component == Gate && place[doc] > 0 || leaf.Component == ExactName && place[doc] == 0 {
				t.Fatalf("Explain(%q, %d): %s at rank %d", query, doc, leaf.Message, place[doc])
			}
		}
		if e.Value != score || sum != score {
			t.Fatalf("Explain(%q, %d) = %v with leaves of %v, want %v", query, doc, e.Value, sum, score)
		}
		if last := len(e.Children) - 1; place[doc] == 0 && e.Children[last].Component != Gate {
			t.Fatalf("Explain(%q, %d) does not say why", query, doc)
		}
	}
}

// forms are words that meet in their stems, and words that do not.
var forms = []string{
	"create", "creates", "Creating", "issue", "issues", "issued", "list", "lists", "file", "files", "mcp", "get", "of",
	"rare", "slack", "github", "2", "h264", "harbor", "berth",
}

func drawForms(most int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		separator := rapid.SampledFrom([]string{" ", "_", ".", "__", "-", ", "}).Draw(t, "separator")
		few := rapid.SampledFrom([]int{3, 8, len(forms)}).Draw(t, "few")
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(forms[:few]), 0, most).Draw(t, "words"), separator)
	})
}

// drawGatedCatalog draws up to n tools, in which one may stand many times, and
// in which names are shared.
func drawGatedCatalog(n int) *rapid.Generator[[]*model.Tool] {
	one := rapid.Custom(func(t *rapid.T) *model.Tool {
		name := rapid.SampledFrom([]string{"", "", "mcp__", "MCP_"}).Draw(t, "prefix") + drawForms(3).Draw(t, "name")
		tool := newTool(name, drawForms(12).Draw(t, "description"), []byte(`{"properties":{"`+drawForms(1).Draw(t, "parameter")+`":{}}}`))
		tool.Toolset = rapid.SampledFrom([]string{model.NoToolset, "mcp-github", "slack", "mcp-list-files", ""}).Draw(t, "toolset")
		return tool
	})
	return rapid.Custom(func(t *rapid.T) []*model.Tool {
		kinds := rapid.SliceOfN(one, 1, 20).Draw(t, "kinds")
		return rapid.SliceOfN(rapid.SampledFrom(kinds), 0, n).Draw(t, "tools")
	})
}

// drawGatedQuery draws words, unknown ones, and names of the catalog.
func drawGatedQuery(t *rapid.T, tools []*model.Tool) string {
	q := drawForms(9).Draw(t, "query")
	switch kind := rapid.IntRange(0, 9).Draw(t, "kind"); {
	case kind == 0:
		return q + " unheard"
	case kind == 1:
		return strings.Repeat(q+" ", 40)
	case kind < 5 && len(tools) > 0:
		return "\t" + strings.ToUpper(rapid.SampledFrom(tools).Draw(t, "tool").Name) + " "
	}
	return q
}
