package labels

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/internal/fixture"
	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
)

// built builds a snapshot of the default session with search on.
func built(t testing.TB, r *model.Registry, changes ...func(*config.Config)) *engine.Snapshot {
	t.Helper()
	s, err := engine.Build(t.Context(), engine.Inputs{Registry: r, Config: fixture.Config(changes...)})
	require.NoError(t, err)
	return s
}

// evaluated evaluates queries.
func evaluated(t testing.TB, s *engine.Snapshot, queries ...Query) Evaluation {
	t.Helper()
	e, err := Evaluate(t.Context(), s, queries, nil)
	require.NoError(t, err)
	return e
}

func TestEvaluate(t *testing.T) {
	r := fixture.Registry(t,
		fixture.Entry("send_mail", "Send a letter by mail.", "mcp-mail"),
		fixture.Entry("send_parcel", "Send a parcel.", "mcp-mail"),
		fixture.Entry("send_wire", "Send a wire.", "mcp-mail"),
		fixture.Entry("terminal", "Run a command.", "core"),
		fixture.Entry("twin", "Paint a fence.", "mcp-a"),
		fixture.Entry("twin", "Mow a lawn.", "mcp-b"))
	s := built(t, r, func(c *config.Config) { c.ToolSearch.DefaultLimit = 1 })
	e := evaluated(t, s,
		Query{ID: "first", Text: "letter", Relevant: []string{"send_mail"}},
		Query{ID: "second", Text: "send send parcel", Relevant: []string{"send_wire", "send_parcel"}},
		Query{ID: "below", Text: "parcel send wire wire", Relevant: []string{"send_parcel"}},
		Query{ID: "farther", Text: "parcel parcel send wire wire", Relevant: []string{"send_mail"}},
		Query{ID: "nothing", Text: "volcano", Relevant: []string{"send_mail", "gone"}},
		Query{ID: "core", Text: "run a command", Relevant: []string{"terminal"}},
		Query{ID: "twins", Text: "lawn", Relevant: []string{"mcp-b/twin"}},
		Query{ID: "grouped", Text: "wire send", Groups: [][]string{{"send_mail", "send_wire"}}, Relevant: []string{"send_mail", "send_wire"}},
	)
	best := map[string]int{}
	for _, a := range e.Answers {
		best[a.Query.ID] = a.Best
	}
	for id, want := range map[string]int{"first": 1, "second": 1, "below": 2, "farther": 3, "nothing": 0, "core": 0, "twins": 1, "grouped": 1} {
		if best[id] != want {
			t.Errorf("%s: best rank %d, want %d", id, best[id], want)
		}
	}
	var missed []string
	for _, a := range e.Misses() {
		missed = append(missed, a.Query.ID)
	}
	if got := strings.Join(missed, " "); got != "nothing core farther below" {
		t.Errorf("misses %s", got)
	}
	if !slices.Equal(e.Unknown, []string{"gone"}) || !slices.Equal(e.Sent, []string{"terminal"}) {
		t.Errorf("unknown %v, sent %v", e.Unknown, e.Sent)
	}
	// 1, 1/2, 0, 0, 0, 0, 1, 1 of 8.
	if got := e.Metrics.Recall[0]; math.Abs(got-3.5/8) > 1e-12 {
		t.Errorf("recall@1 %v", got)
	}
	if got := e.Metrics.Recall[1]; math.Abs(got-6.0/8) > 1e-12 { // second: both, below and farther: found
		t.Errorf("recall@3 %v", got)
	}
}

// TestWorded: every query is in the part of its wording, and the parts together are the
// whole. Names are the registry's, which sets the server apart.
func TestWorded(t *testing.T) {
	r := fixture.Registry(t,
		fixture.Entry("mcp_post_send_mail", "Send a letter.", "mcp-post"),
		fixture.Entry("mcp_post_mow_lawn", "Mow a lawn.", "mcp-post"))
	queries := []Query{
		{ID: "all", Text: "sending the mails", Relevant: []string{"mcp_post_send_mail"}},
		{ID: "some", Text: "send it by post", Relevant: []string{"mcp_post_send_mail"}},
		{ID: "none", Text: "post a letter", Relevant: []string{"mcp_post_send_mail"}},
		{ID: "unknown", Text: "gone fishing", Relevant: []string{"gone_fishing"}},
		{ID: "grouped", Text: "cut the lawn", Relevant: []string{"mcp_post_send_mail", "mcp_post_mow_lawn"}, Groups: [][]string{{"mcp_post_send_mail", "mcp_post_mow_lawn"}}},
	}
	want := map[string]WordClass{"all": AllWords, "some": SomeWords, "none": NoWords, "unknown": AllWords, "grouped": SomeWords}
	whole := evaluated(t, built(t, r), queries...)
	for _, a := range whole.Answers {
		if a.Wording != want[a.Query.ID] {
			t.Errorf("%s: %v", a.Query.ID, a.Wording)
		}
	}
	last := 0
	folded, err := EvaluateFolds(t.Context(), built(t, r), queries, 2, func(done, total int) {
		if done < last || done > total || total != len(queries) {
			t.Errorf("%d of %d after %d", done, total, last)
		}
		last = done
	})
	if err != nil || last != len(queries) {
		t.Fatal(err, last)
	}
	for _, e := range []Evaluation{whole, folded} {
		answers, ndcg, misses := 0, 0.0, 0
		for _, c := range WordClasses {
			part := e.Worded(c)
			answers += len(part.Answers)
			ndcg += part.Metrics.NDCG * float64(len(part.Answers))
			misses += len(part.Misses())
			if part.Folds != e.Folds || part.Low.NDCG > part.Metrics.NDCG || e.Folds > 0 && part.High.NDCG < part.Metrics.NDCG {
				t.Errorf("%v: %+v", c, part)
			}
		}
		if n := len(queries); answers != n || math.Abs(ndcg/float64(n)-e.Metrics.NDCG) > 1e-12 || misses != len(e.Misses()) {
			t.Errorf("%d of %d answers, nDCG %v of %v, %d misses", answers, n, ndcg/float64(n), e.Metrics.NDCG, misses)
		}
	}
}

// Metrics are the ranking's, whether or not the model gets the hits.
func TestEvaluateAbstained(t *testing.T) {
	r := fixture.Registry(t,
		fixture.Entry("send_mail", "Send a letter by mail.", "mcp-mail"),
		fixture.Entry("paint_fence", "Paint a fence.", "mcp-paint"))
	queries := []Query{
		{ID: "sure", Text: "send_mail", Relevant: []string{"send_mail"}},
		{ID: "found", Text: "the letter to my old aunt in Genoa", Relevant: []string{"send_mail"}},
		{ID: "other", Text: "the letter to my old aunt in Genoa", Relevant: []string{"paint_fence"}},
		{ID: "nothing", Text: "volcano", Relevant: []string{"send_mail"}},
	}
	off := evaluated(t, built(t, r), queries...)
	on := evaluated(t, built(t, r, func(c *config.Config) { c.ToolSearch.MinConfidence = 0.9 }), queries...)
	if n, found := off.Abstained(); n != 0 || found != 0 || off.MinConfidence != 0 {
		t.Errorf("off: %d, %d", n, found)
	}
	if n, found := on.Abstained(); n != 3 || found != 1 || on.Answers[0].Abstained || on.MinConfidence != 0.9 {
		t.Errorf("on: %d, %d", n, found)
	}
	if on.Metrics != off.Metrics || len(on.Misses()) != len(off.Misses()) {
		t.Errorf("metrics %v, without min_confidence %v", on.Metrics, off.Metrics)
	}
}

func TestEvaluateProgressAndCancel(t *testing.T) {
	s := built(t, fixture.Registry(t, fixture.Entry("a", "One.", "mcp-a")))
	queries := slices.Repeat([]Query{{Text: "one", Relevant: []string{"a"}}}, 50)
	last := 0
	if _, err := Evaluate(t.Context(), s, queries, func(done, total int) {
		if done != last+1 || total != 50 {
			t.Errorf("%d of %d after %d", done, total, last)
		}
		last = done
	}); err != nil || last != 50 {
		t.Errorf("%d done: %v", last, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, err := Evaluate(ctx, s, queries, func(done, _ int) {
		if done == 5 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// baselines are what rankers must score on the development sets, nDCG@10 and
// recall@5 in percent: the reference agent's ranker as its README reports it,
// and the recipe g6 of that README, which fielded is measured by.
var baselines = []struct {
	set  string
	bm25 [2]float64
	g6   [2]float64
}{
	{"livemcpbench", [2]float64{28.6, 28.5}, [2]float64{39.9, 37.5}},
	{"mcpproxy_golden", [2]float64{67.3, 74.2}, [2]float64{78.5, 81.7}},
	{"metatool", [2]float64{37.1, 42.4}, [2]float64{58.1, 66.4}},
	{"sealtools", [2]float64{75.3, 70.6}, [2]float64{93.6, 91.5}},
	{"bfcl", [2]float64{63.2, 71.3}, [2]float64{78.0, 86.1}},
}

// evaluationSet reads a development set: its registry, with the known facts of
// its toolsets, and its queries. The test is skipped where the sets are not.
func evaluationSet(t testing.TB, set string) (*model.Registry, []Query) {
	t.Helper()
	folder := filepath.Join("..", "..", "..", "shared", "eval", set)
	tools, err := os.ReadFile(filepath.Join(folder, "tools.json"))
	if err != nil {
		t.Skip("no development sets here")
	}
	dump := tools
	if toolsets, err := os.ReadFile(filepath.Join(folder, "toolsets.json")); err == nil {
		dump = fmt.Appendf(nil, `{"toolsets":%s,"tools":%s}`, toolsets, tools)
	}
	r, err := shapes.Parse(t.Context(), model.Source{Name: set, Data: dump})
	require.NoError(t, err)
	data, err := os.ReadFile(filepath.Join(folder, "queries.jsonl"))
	require.NoError(t, err)
	queries, faults := Parse(set, data)
	if len(faults) > 0 {
		t.Fatal(faults[0])
	}
	return r, queries
}

// TestDevelopmentSets checks metrics and rankers at once: bm25 scores what the
// reference agent was measured to score, and fielded more than g6 did, in every
// set and clearly in the mean.
func TestDevelopmentSets(t *testing.T) {
	var mean, g6 [2]float64
	for _, b := range baselines {
		r, queries := evaluationSet(t, b.set)
		got := map[string][2]float64{}
		for _, ranker := range config.Rankers {
			s := built(t, r, func(c *config.Config) { c.Core, c.ToolSearch.Ranker = []string{}, ranker })
			e := evaluated(t, s, queries...)
			got[ranker] = [2]float64{100 * e.Metrics.NDCG, 100 * e.Metrics.Recall[2]}
			t.Logf("%-16s %5d queries  %-10s %6.2f %6.2f", b.set, len(queries), ranker, got[ranker][0], got[ranker][1])
			split, _ := e.Split("recall@5")
			t.Logf("%-16s by wording %+v", "", split)
			if len(e.Unknown) > 0 {
				t.Errorf("%s: unknown %v", b.set, e.Unknown)
			}
		}
		for i := range mean {
			if math.Abs(got[config.RankerBM25][i]-b.bm25[i]) > 0.2 {
				t.Errorf("%s: bm25 %.2f, want %.1f", b.set, got[config.RankerBM25], b.bm25)
			}
			if got[config.RankerFielded][i] < b.g6[i] {
				t.Errorf("%s: fielded %.2f, below g6's %.1f", b.set, got[config.RankerFielded], b.g6)
			}
			mean[i] += got[config.RankerFielded][i] / float64(len(baselines))
			g6[i] += b.g6[i] / float64(len(baselines))
		}
	}
	t.Logf("mean of fielded %.2f, of g6 %.2f", mean, g6)
	if mean[0] < g6[0]+3 || mean[1] < g6[1]+3 {
		t.Errorf("fielded %.2f, want 3 points above %.2f", mean, g6)
	}
}

// A relevant tool among equals that chance orders counts as the last of them, so that eval
// says the same of Codex as caliper hosts.
func TestEvaluateLeavesNothingToChance(t *testing.T) {
	var tools []string
	for i := range 24 {
		tools = append(tools, fmt.Sprintf(`{"type":"function","function":{"name":"s__t%02d","description":"%s","parameters":{"type":"object"}},"toolset":"mcp-s","server":"s","original_name":"t%02d"}`, i, []string{"twin", "a twin ship of a pair"}[min(1, i/22)], i))
	}
	s := built(t, fixture.Registry(t, tools...), func(c *config.Config) { c.Host = "codex" })
	e := evaluated(t, s, Query{Text: "twin", Relevant: []string{"s__t00"}}, Query{Text: "ship", Relevant: []string{"s__t22"}}, Query{Text: "ship", Relevant: []string{"s__t22", "s__t23"}})
	for i, want := range []struct {
		best   int
		missed bool
		first  float64
	}{{22, true, 0}, {2, false, 0}, {2, false, .5}} {
		a := e.Answers[i]
		if a.Best != want.best || a.Missed != want.missed || a.Metrics.Recall[0] != want.first {
			t.Errorf("%q: best %d, missed %v, recall@1 %v, want %+v", a.Query.Text, a.Best, a.Missed, a.Metrics.Recall[0], want)
		}
	}
}

// evaluationOf returns an evaluation of queries that are missed where a letter is x.
func evaluationOf(ranker, answers string) Evaluation {
	e := Evaluation{Ranker: ranker}
	for i, c := range answers {
		e.Answers = append(e.Answers, Answer{Query: Query{Text: fmt.Sprint("query ", i)}, Missed: c == 'x'})
	}
	return e
}

// TestBetterOf: the ranker that finds most more is named where that is proven, with what it
// loses.
func TestBetterOf(t *testing.T) {
	now := evaluationOf("now", "xxxxxxxxx.............")
	for _, tt := range []struct {
		name string
		all  []Evaluation
		want Better
	}{
		{"none", nil, Better{}},
		{"one", []Evaluation{now}, Better{}},
		{"the same", []Evaluation{now, evaluationOf("same", "xxxxxxxxx.............")}, Better{}},
		{"one more is no proof", []Evaluation{now, evaluationOf("more", "xxxxxxxx..............")}, Better{}},
		{"as many others", []Evaluation{now, evaluationOf("other", "......xxxxxxxxx.......")}, Better{}},
		{"most", []Evaluation{now, evaluationOf("few", "xxx......x............"), evaluationOf("many", "x........x............"), evaluationOf("worse", "xxxxxxxxxxxxxxxxxxxxxx")}, Better{"many", 8, 9, 1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := BetterOf(tt.all)
			if got != tt.want || ok != (tt.want != Better{}) {
				t.Errorf("got %+v, %v, want %+v", got, ok, tt.want)
			}
		})
	}
}
