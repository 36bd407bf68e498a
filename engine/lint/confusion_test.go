package lint

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/internal/fixture"
	"caliper/engine/labels"
	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
	"caliper/tui/demo"
)

// Slow is the flag of both test packages.
var Slow = flag.Bool("slow", false, "run the slow suites: remedies five times as many")

// built builds a session of entries that searches with a ranker.
func built(t fixture.T, ranker string, entries ...string) *engine.Snapshot {
	t.Helper()
	s, err := engine.Build(context.Background(), engine.Inputs{Registry: fixture.Registry(t, entries...), Config: fixture.Config(func(c *config.Config) {
		c.ToolSearch.Ranker = ranker
	})})
	require.NoError(t, err)
	return s
}

// mappedConfusion returns the map of a session.
func mappedConfusion(t fixture.T, s *engine.Snapshot, queries ...labels.Query) *ConfusionMap {
	t.Helper()
	m, err := MapConfusion(context.Background(), s, queries, nil)
	require.NoError(t, err)
	return m
}

// named returns the pairs by names: "a b kind".
func named(m *ConfusionMap) []string {
	var out []string
	for _, p := range m.Pairs {
		out = append(out, fmt.Sprintf("%s %s %s", m.Tools[p.A].Name, m.Tools[p.B].Name, p.Kind))
	}
	return out
}

func TestPairs(t *testing.T) {
	mail := []string{
		fixture.Entry("send_mail", "Send a letter to somebody.", "mcp-post"),
		fixture.Entry("mail_send", "Send a letter to somebody.", "mcp-mail"),
		fixture.Entry("open_door", "Open the door of the house.", "mcp-house"),
		fixture.Entry("weigh_gold", "Weigh gold on scales.", "mcp-house"),
	}
	crowd := append(slices.Clone(mail[2:]),
		fixture.Entry("lamp_light", "Lamp light, lamp light.", "mcp-house"),
		fixture.Entry("light", "Switch on the lamp light of the long and dark hall, which is at the end of the northern wing of the house, and wait until it burns.", "mcp-hall"))
	label := func(query string, names ...string) labels.Query {
		return labels.Query{ID: query, Text: query, Relevant: names}
	}
	for _, x := range []struct {
		name    string
		entries []string
		queries []labels.Query
		want    []string
	}{
		{"the same words", mail, nil, []string{"mail_send send_mail twin"}},
		{"one has the other's words, and less else", crowd, nil, []string{"lamp_light light shadow"}},
		{"labels decide", mail, []labels.Query{label("gold scales", "open_door"), label("scales of gold", "open_door")}, []string{"mail_send send_mail twin", "weigh_gold open_door shadow"}},
		{"one label does not", mail, []labels.Query{label("gold scales", "open_door")}, []string{"mail_send send_mail twin"}},
		{"both are right", mail, []labels.Query{label("send a letter", "send_mail", "mail_send"), label("a letter", "send_mail", "mail_send")}, []string{"mail_send send_mail shadow"}},
		{"no tool", nil, nil, nil},
		{"one tool", mail[:1], nil, nil},
		{"a label of a tool that is not there", mail[2:], []labels.Query{label("gold", "gone")}, nil},
	} {
		t.Run(x.name, func(t *testing.T) {
			if got := named(mappedConfusion(t, built(t, config.RankerBM25, x.entries...), x.queries...)); !slices.Equal(got, x.want) {
				t.Errorf("%q, want %q", got, x.want)
			}
		})
	}
}

// TestConfusionIsTheFormula compares every link with the formula of the package, by
// searches without a bound.
func TestConfusionIsTheFormula(t *testing.T) {
	s := demoSession(t, config.RankerBM25)
	queries := demoQueries(t)
	m := mappedConfusion(t, s, queries...)
	for p, tool := range m.Tools {
		t1 := s.Registry.Named(tool.Name)
		var asked []labels.Query
		for _, q := range queries {
			if slices.Contains(q.Relevant, tool.Name) {
				asked = append(asked, q)
			}
		}
		if len(asked) != tool.Labelled {
			t.Fatalf("%s: %d labels, want %d", tool.Name, tool.Labelled, len(asked))
		}
		asked = append(asked, labels.Query{Text: NameQuery(t1)}, labels.Query{Text: SentenceQuery(t1)})
		for other := range m.Tools {
			want, above := 0.0, 0.0
			for _, q := range asked {
				t2 := s.Registry.Named(m.Tools[other].Name)
				if other == p || slices.Contains(q.Relevant, t2.Name) {
					continue
				}
				rank, score, ok := s.Rank(q.Text, t2)
				own, best, found := s.Rank(q.Text, t1)
				if !ok || rank > m.Bounds.Depth {
					continue
				}
				if !found || own > m.Bounds.Depth {
					own, best = m.Bounds.Depth+1, s.Search(q.Text, 0, 1).Hits[0].Score
				}
				want += min(1, score/best)
				if rank < own && rank <= s.Config.ToolSearch.DefaultLimit {
					above++
				}
			}
			n := float64(len(asked))
			if l := m.Link(p, other); !near(l.Confusion, want/n) || !near(m.Above(p, other), above/n) {
				t.Fatalf("%s with %s: %+v, want %v, %v", tool.Name, m.Tools[other].Name, l, want/n, above/n)
			}
		}
	}
}

func near(a, b float64) bool { return a-b < 1e-9 && b-a < 1e-9 }

// demoSession builds the default session of the demo.
func demoSession(t testing.TB, ranker string) *engine.Snapshot {
	t.Helper()
	r, err := shapes.Parse(t.Context(), model.Source{Name: "registry.json", Data: demo.Registry()})
	require.NoError(t, err)
	f, err := config.Parse("config.yaml", demo.Config())
	require.NoError(t, err)
	f.Config.ToolSearch.Ranker = ranker
	s, err := engine.Build(t.Context(), engine.Inputs{Registry: r, Config: f.Config})
	require.NoError(t, err)
	return s
}

func demoQueries(t testing.TB) []labels.Query {
	t.Helper()
	queries, faults := labels.Parse("queries.jsonl", demo.Queries())
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	return queries
}

// TestOrderOfToolsIsNothing permutes registries, whatever the ranker.
func TestOrderOfToolsIsNothing(t *testing.T) {
	tools := fixture.Tools(300, 3)
	words := []string{"door", "gate", "open", "shut", "lock", "the", "of"}
	rapid.Check(t, func(rt *rapid.T) {
		var entries []string
		var queries []labels.Query
		for i := range rapid.IntRange(0, 12).Draw(rt, "tools") {
			text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 4).Draw(rt, "text"), " ")
			entries = append(entries, fixture.Entry(fmt.Sprintf("%s_%d", words[i%5], i), text, fmt.Sprint("mcp-", i%3)))
			if rapid.IntRange(0, 3).Draw(rt, "labelled") == 0 {
				queries = append(queries, labels.Query{ID: fmt.Sprint(i), Text: text, Relevant: []string{fmt.Sprintf("%s_%d", words[i%5], i)}})
			}
		}
		for _, x := range tools[:rapid.IntRange(0, 20).Draw(rt, "more")] {
			entries = append(entries, fixture.Entry(x.Name, x.Description, x.Toolset))
		}
		ranker := rapid.SampledFrom([]string{config.RankerBM25, config.RankerFielded, config.RankerGated}).Draw(rt, "ranker")
		want := mappedConfusion(rt, built(rt, ranker, entries...), queries...)
		checkConfusion(rt, want)
		shuffled := slices.Clone(entries)
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
		r.Shuffle(len(shuffled), func(i, k int) { shuffled[i], shuffled[k] = shuffled[k], shuffled[i] })
		got := mappedConfusion(rt, built(rt, ranker, shuffled...), queries...)
		want.catalog, got.catalog = nil, nil
		if !reflect.DeepEqual(got, want) {
			rt.Fatalf("in another order %+v, want %+v", got, want)
		}
	})
}

// check checks the invariants of a map.
func checkConfusion(t fixture.T, m *ConfusionMap) {
	seen := map[string]bool{}
	for p, tool := range m.Tools {
		if seen[tool.Name] {
			t.Fatal(tool.Name, " is there twice")
		}
		seen[tool.Name] = true
		for _, l := range m.links[p] {
			if above := m.Above(p, int(l.To)); int(l.To) == p || l.Confusion < 0 || l.Confusion > 1 || above < 0 || above > 1 {
				t.Fatal(tool.Name, l)
			}
		}
	}
	for i, pair := range m.Pairs {
		ab, ba := m.Link(pair.A, pair.B), m.Link(pair.B, pair.A)
		twin := ab.Confusion >= ConfusedFrom && ba.Confusion >= ConfusedFrom
		if twin != (pair.Kind == Twin) || !twin && (ba.Confusion != pair.Confusion || m.Above(pair.B, pair.A) < outranked) || i > 0 && pair.Confusion > m.Pairs[i-1].Confusion {
			t.Fatal(pair, ab, ba)
		}
	}
	for _, s := range m.Servers {
		if s.Overlap < Duplicates || s.Overlap > 1 || s.A == s.B {
			t.Fatal(s)
		}
	}
}

// TestSimilarToolsAreNeighbours: the tools of a group stand together.
func TestSimilarToolsAreNeighbours(t *testing.T) {
	var entries []string
	for i := range 5 {
		for k, text := range []string{"Read the weather of a town", "Bake bread and rolls at dawn", "Paint fences and gates green"} {
			entries = append(entries, fixture.Entry(fmt.Sprintf("%c%d", 'a'+i, k), text+strings.Repeat(" now", i), fmt.Sprint("mcp-", i)))
		}
	}
	m := mappedConfusion(t, built(t, config.RankerBM25, entries...))
	changes := 0
	for i := range m.Tools[1:] {
		if m.Tools[i].Name[1] != m.Tools[i+1].Name[1] {
			changes++
		}
	}
	if changes != 2 {
		t.Errorf("the groups are not together: %v", m.Tools)
	}
}

// TestServers finds the server that does what another does, and what dropping it loses.
func TestServers(t *testing.T) {
	entries := []string{
		fixture.Entry("mcp_one_send", "Send a letter to somebody.", "mcp-one"),
		fixture.Entry("mcp_one_read", "Read the letters that have come.", "mcp-one"),
		fixture.Entry("mcp_one_burn", "Burn a heap of paper.", "mcp-one"),
		fixture.Entry("mcp_one_fold", "Fold the sheets of an envelope.", "mcp-one"),
		fixture.Entry("mcp_two_send", "Send a letter to somebody.", "mcp-two"),
		fixture.Entry("mcp_two_read", "Read the letters that have come.", "mcp-two"),
		fixture.Entry("mcp_two_stamp", "Stamp parcels with a seal.", "mcp-two"),
		fixture.Entry("mcp_three_send", "Send a letter to somebody.", "mcp-three"),
		fixture.Entry("mcp_three_dig", "Dig a hole behind a barn.", "mcp-three"),
	}
	s := built(t, config.RankerBM25, entries...)
	m := mappedConfusion(t, s, labels.Query{ID: "1", Text: "seal of wax", Relevant: []string{"mcp_two_stamp"}}, labels.Query{ID: "2", Text: "seal parcels", Relevant: []string{"mcp_two_stamp"}})
	if len(m.Servers) != 1 {
		t.Fatalf("%+v", m.Servers)
	}
	got, saved := m.Servers[0], 0
	for _, tool := range s.Registry.Tools {
		if tool.Toolset == "mcp-two" {
			saved += s.ToolTokens(tool)
		}
	}
	if got.A != "mcp-one" || got.B != "mcp-two" || !near(got.Overlap, 2./3) || got.Saved != saved || len(got.Lost) != 1 || m.Tools[got.Lost[0]].Name != "mcp_two_stamp" || got.LostQueries != 2 {
		t.Errorf("%+v, want two of three answered, %d tokens", got, saved)
	}
}

// TestMapConfusionEnds with its context.
func TestMapConfusionEnds(t *testing.T) {
	s := demoSession(t, config.RankerBM25)
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := MapConfusion(ctx, s, nil, func(int, int) { cancel() }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestBoundsOf(t *testing.T) {
	if b := boundsOf(MapWithinBounds); b.Narrow() || b.Depth != 100 {
		t.Errorf("%d tools: %+v", MapWithinBounds, b)
	}
	if b := boundsOf(MapWithinBounds + 1); !b.Narrow() || b.Depth >= 100 {
		t.Errorf("%d tools: %+v", MapWithinBounds+1, b)
	}
}

// A sentence that is too long keeps the words that the fewest other sentences have, in
// its order, each once.
func TestSentences(t *testing.T) {
	s := built(t, config.RankerBM25,
		fixture.Entry("a", "Open the gate and the old door of the house.", "mcp-a"),
		fixture.Entry("b", "Open the door.", "mcp-a"),
		fixture.Entry("c", "Weigh gold, gold and the coins of the house.", "mcp-a"),
		fixture.Entry("d", "", "mcp-a"))
	got := ConfusionBounds{Depth: 1, Words: 3}.sentences(s.Catalog())
	// Open and door are in two sentences, and open is first.
	want := []string{"open gate old", "Open the door.", "weigh gold coins", ""}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	whole := ConfusionBounds{Depth: 1}.sentences(s.Catalog())
	if whole[0] != "Open the gate and the old door of the house." {
		t.Errorf("without a bound: %q", whole[0])
	}
}

// equal returns entries of tools with one description and names of one word in common.
func equal(n int) []string {
	var entries []string
	for i := range n {
		entries = append(entries, fixture.Entry(fmt.Sprintf("tool_%04d", i), "Work with the orders of a customer.", "mcp-a"))
	}
	return entries
}

// A map says for how many tools it leaves out others that answer their queries. Those that
// the catalog holds no more of than are compared are not left out.
func TestCrowded(t *testing.T) {
	var own []string // of words of their own, so that the one in common hardly counts
	for i := range 103 {
		own = append(own, fixture.Entry(fmt.Sprintf("tool_%04d", i), fmt.Sprintf("Weigh%d gold%d.", i, i), "mcp-a"))
	}
	if m := mappedConfusion(t, built(t, config.RankerBM25, own...)); m.Crowded != 0 {
		t.Errorf("other words: %d are crowded", m.Crowded)
	}
	for n, want := range map[int]int{100: 0, 103: 103} {
		if m := mappedConfusion(t, built(t, config.RankerBM25, append(equal(n), fixture.Entry("weigh_gold", "Weigh gold.", "mcp-b"))...)); m.Crowded != want {
			t.Errorf("%d equal tools: %d are crowded, want %d", n, m.Crowded, want)
		}
	}
}

// Equal hits that go on behind those that are compared are compared up to the bound; so
// are all that the model is shown. Others are not cut.
func TestTiedHits(t *testing.T) {
	s := built(t, config.RankerBM25, equal(60)...)
	links := func(b ConfusionBounds, limit int) int {
		a := newAsking(s, nil)
		a.bounds, a.limit = b, limit
		links, _, _ := a.ask(59)
		return len(links)
	}
	for _, c := range []struct {
		name   string
		bounds ConfusionBounds
		limit  int
		want   int
	}{
		{"no bound", ConfusionBounds{Depth: 50}, 5, 50},
		{"bound", ConfusionBounds{Depth: 50, Tied: 10}, 5, 10},
		{"shown", ConfusionBounds{Depth: 50, Tied: 10}, 20, 20},
		{"all are compared", ConfusionBounds{Depth: 60, Tied: 10}, 5, 59},
	} {
		if got := links(c.bounds, c.limit); got != c.want {
			t.Errorf("%s: %d links, want %d", c.name, got, c.want)
		}
	}
}

// A query that many tools ask is ranked once, and each has its own rank in it.
func TestSharedQueries(t *testing.T) {
	for _, ranker := range []string{config.RankerBM25, config.RankerFielded} {
		s := built(t, ranker, equal(150)...)
		index, err := s.IndexOver(t.Context(), s.Catalog())
		require.NoError(t, err)
		reach, err := Survey(t.Context(), s, nil)
		require.NoError(t, err)
		for doc, r := range reach {
			for _, p := range []Probe{r.Name, r.Sentence, r.Parameters} {
				if want, _, _ := index.Rank(p.Query, doc); p.Query != "" && p.Rank != want {
					t.Errorf("%s: %q ranks tool %d as %d, want %d", ranker, p.Query, doc, p.Rank, want)
				}
			}
		}
	}
	entries := equal(sharedBy) // a small part of a large catalog
	for i := range 5000 {
		entries = append(entries, fixture.Entry(fmt.Sprintf("gold%d", i), fmt.Sprintf("Weigh%d.", i), "mcp-b"))
	}
	s := built(t, config.RankerBM25, entries...)
	if a, _, err := prepared(t.Context(), s); err != nil || len(a.shared) == 0 || len(newAsking(s, nil).shared) == 0 {
		t.Errorf("no query is shared: %v", err)
	}
}

// In a large catalog remedies are tried for a few of the tools that one query does not find,
// the first of them; in others for all that the bound has room for.
func TestTiedRemedies(t *testing.T) {
	if testing.Short() {
		t.Skip("twenty thousand tools")
	}
	for n, want := range map[int]int{60: 55, MapWithinBounds + 1: 10} {
		entries := equal(60)
		for i := len(entries); i < n; i++ {
			entries = append(entries, fixture.Entry(fmt.Sprintf("gold%d", i), fmt.Sprintf("Weigh%d.", i), "mcp-b"))
		}
		s := built(t, config.RankerBM25, entries...)
		r, err := Run(t.Context(), s, Options{Keep: func(f Finding) bool { return f.Code == SentenceNotFound }})
		require.NoError(t, err)
		tried := 0
		for i, f := range r.Findings {
			if f.Remedy != nil {
				tried++
				if i != tried-1 || f.Remedy.Subject != f.Tool || f.Remedy.RankAfter == 0 {
					t.Errorf("%d tools: finding %d has %+v", n, i, f.Remedy)
				}
			}
		}
		if len(r.Findings) != 55 || tried != want || r.Untried != len(r.Findings)-want {
			t.Errorf("%d tools: %d findings, %d remedies, %d untried", n, len(r.Findings), tried, r.Untried)
		}
	}
}
