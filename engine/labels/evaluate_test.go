package labels

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/internal/fixture"
	"caliper/engine/retrieval/learned"
	"caliper/model"
	"caliper/model/require"
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

// evaluationSet reads a development set: its registry, with the known facts of
// its toolsets, and its queries. The test is skipped where the sets are not.
func evaluationSet(t testing.TB, set string) (*model.Registry, []Query) {
	t.Helper()
	dump := fixture.SharedFile(t, "eval/"+set+"/tools.json")
	if toolsets, err := os.ReadFile("../../../shared/eval/" + set + "/toolsets.json"); err == nil {
		dump = fmt.Appendf(nil, `{"toolsets":%s,"tools":%s}`, toolsets, dump)
	}
	r, data := fixture.Parse(t, dump), fixture.SharedFile(t, "eval/"+set+"/queries.jsonl")
	queries, faults := Parse(set, data)
	if len(faults) > 0 {
		t.Fatal(faults[0])
	}
	return r, queries
}

// TestDevelopmentSets: on the public sets bm25 scores what the reference agent was measured to
// score, as its README reports: nDCG@10 and recall@5 in percent.
func TestDevelopmentSets(t *testing.T) {
	for _, b := range []struct {
		set  string
		want [2]float64
	}{
		{"livemcpbench", [2]float64{28.6, 28.5}},
		{"mcpproxy_golden", [2]float64{67.3, 74.2}},
		{"metatool", [2]float64{37.1, 42.4}},
		{"sealtools", [2]float64{75.3, 70.6}},
		{"bfcl", [2]float64{63.2, 71.3}},
	} {
		r, queries := evaluationSet(t, b.set)
		e := evaluated(t, built(t, r, func(c *config.Config) { c.Core, c.ToolSearch.Ranker = []string{}, config.RankerBM25 }), queries...)
		if len(e.Unknown) > 0 {
			t.Errorf("%s: unknown %v", b.set, e.Unknown)
		}
		for i, got := range [2]float64{100 * e.Metrics.NDCG, 100 * e.Metrics.Recall[2]} {
			if math.Abs(got-b.want[i]) > 0.2 {
				t.Errorf("%s: bm25 %.2f, want %.1f", b.set, got, b.want)
			}
		}
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

// TestAbstain: the curve falls and rises, and counts only queries that a tool answers.
func TestAbstain(t *testing.T) {
	r := fixture.Registry(t,
		fixture.Entry("send_mail", "Send a letter by mail.", "mcp-mail"),
		fixture.Entry("list_files", "List the files of a folder.", "mcp-files"),
		fixture.Entry("paint_fence", "Paint a fence white.", "mcp-a"),
		fixture.Entry("terminal", "Run a command.", "core"))
	for _, ranker := range config.Rankers {
		t.Run(ranker, func(t *testing.T) {
			s := built(t, r, func(c *config.Config) { c.ToolSearch.Ranker = ranker })
			calls := 0
			a, err := Abstain(t.Context(), s, []Query{
				{ID: "a", Text: "send a letter", Relevant: []string{"send_mail"}},
				{ID: "b", Text: "list files", Relevant: []string{"list_files", "gone"}},
				{ID: "c", Text: "paint the fence", Relevant: []string{"paint_fence"}},
				{ID: "core", Text: "run a command", Relevant: []string{"terminal"}},
				{ID: "unknown", Text: "fly", Relevant: []string{"gone"}},
			}, func(done, total int) {
				if calls++; done != calls || total != 3 {
					t.Errorf("progress %d of %d after %d", done, total, calls)
				}
			})
			require.NoError(t, err)
			// One has all words of the names, two have some of them.
			if got := [3]int{a.Worded[0].Queries, a.Worded[1].Queries, a.Worded[2].Queries}; got != [3]int{0, 2, 1} || a.Worded[1].AUC != 1 || a.Worded[0].AUC != 0 {
				t.Errorf("by wording: %d queries, told apart %v", got, a.Worded[1].AUC)
			}
			if a.Queries != 3 || a.LeftOut != 2 || calls != 3 || a.Ranker != ranker {
				t.Errorf("got %+v", a)
			}
			// Without its tool a query finds nothing, or tools that have only "a" of it.
			if best := a.Best(); a.AUC != 1 || best.FalseHits != 0 || best.FalseAbstentions != 0 {
				t.Errorf("AUC %v, points %+v", a.AUC, a.Points)
			}
			last := a.Points[len(a.Points)-1]
			if last.MinConfidence != 1 || last.FalseHits != 0 || last.FalseAbstentions != 1 {
				t.Errorf("at 1 it is %+v", last)
			}
			for i, p := range a.Points[1:] {
				if p.FalseHits > a.Points[i].FalseHits || p.FalseAbstentions < a.Points[i].FalseAbstentions {
					t.Errorf("%+v follows %+v", p, a.Points[i])
				}
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Abstain(ctx, built(t, r), []Query{{Text: "send", Relevant: []string{"send_mail"}}}, nil); err == nil {
		t.Error("what is no longer wanted goes on")
	}
}

// TestAbstainMeasures computes the figures of four confidences.
func TestAbstainMeasures(t *testing.T) {
	var a Abstention
	a.measure([]queryConfidence{{0.8, true}, {0.4, true}}, []queryConfidence{{0.4, true}, {0, false}})
	// 0.8 is above both, 0.4 is above one and as high as the other.
	if a.AUC != 3.5/4 {
		t.Errorf("AUC %v", a.AUC)
	}
	if want := (0.04 + 0.16 + 0.36 + 0) / 4; math.Abs(a.Brier-want) > 1e-12 {
		t.Errorf("Brier %v, want %v", a.Brier, want)
	}
	for _, p := range a.Points {
		want := map[string][2]float64{"0.00": {0.5, 0}, "0.40": {0.5, 0}, "0.45": {0, 0.5}, "0.80": {0, 0.5}, "0.85": {0, 1}, "1.00": {0, 1}}
		if w, ok := want[fmt.Sprintf("%.2f", p.MinConfidence)]; ok && (p.FalseHits != w[0] || p.FalseAbstentions != w[1]) {
			t.Errorf("%+v, want %v", p, w)
		}
	}
	if a.Best().MinConfidence != 0 {
		t.Errorf("best is %+v", a.Best())
	}
	var none Abstention
	none.measure(nil, nil)
	if len(none.Points) != 21 || none.AUC != 0 || none.Best().FalseHits != 0 {
		t.Errorf("of nothing it is %+v", none)
	}
}

// TestAbstainDraws: of more queries than are asked, the asked are drawn evenly.
func TestAbstainDraws(t *testing.T) {
	r := fixture.Registry(t, fixture.Entry("send_mail", "Send a letter.", "mcp-mail"))
	queries := make([]Query, 1500)
	for i := range queries {
		queries[i] = Query{ID: fmt.Sprint(i), Text: "send", Relevant: []string{"send_mail"}}
	}
	drawn, right := answerable(built(t, r), queries)
	if len(drawn) != 500 || len(right) != 500 || drawn[1].ID != "3" || drawn[499].ID != fmt.Sprint(1497) {
		t.Errorf("drawn are %d, the second is %s", len(drawn), drawn[1].ID)
	}
}

// TestDeal: queries of one task are in one fold, folds have as many tasks but for one, and
// the order of the queries changes no fold.
func TestDeal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var queries []Query
		for i := range rapid.IntRange(0, 40).Draw(t, "queries") {
			q := Query{ID: fmt.Sprint(i), Text: rapid.SampledFrom([]string{"a", "b", "c", "d", "e"}).Draw(t, "text") + fmt.Sprint(i%7)}
			if rapid.Bool().Draw(t, "grouped") {
				q.Group = rapid.SampledFrom([]string{"x", "y", "z"}).Draw(t, "group")
			}
			queries = append(queries, q)
		}
		folds := rapid.IntRange(2, 6).Draw(t, "folds")
		tasks := Tasks(queries)
		fold := Deal(queries, folds)
		foldOf, size := map[int]int{}, make([]int, folds)
		byID := map[string]int{}
		for i, task := range tasks {
			if first, known := foldOf[task]; known && first != fold[i] {
				t.Fatalf("a task is in the folds %d and %d", first, fold[i])
			} else if !known {
				foldOf[task] = fold[i]
				size[fold[i]]++
			}
			byID[queries[i].ID] = fold[i]
		}
		if slices.Max(size)-slices.Min(size) > 1 {
			t.Fatalf("the folds have %v tasks", size)
		}
		slices.Reverse(queries)
		for i, f := range Deal(queries, folds) {
			if byID[queries[i].ID] != f {
				t.Fatal("the order of the queries changes a fold")
			}
		}
	})
}

// TestWithoutLessons: a lesson is left out when it has the id, the text or the group of a query
// that is asked. Queries without a group share none.
func TestWithoutLessons(t *testing.T) {
	lessons := &engine.Lessons{List: []learned.Lesson{
		{ID: "1", Text: "a"}, {ID: "2", Text: "b"}, {ID: "3", Text: "c", Group: "g"}, {ID: "4", Text: "d"},
	}}
	rest, left := Without(lessons, []Query{{ID: "1", Text: "x"}, {ID: "9", Text: "b"}, {ID: "8", Text: "y", Group: "g"}})
	if len(rest.List) != 1 || rest.List[0].ID != "4" || !slices.Equal(left, []int{0, 1, 2}) {
		t.Errorf("%v stay, %v are left out", rest.List, left)
	}
	if rest, _ := Without(nil, nil); rest != nil {
		t.Error("nothing teaches something")
	}
}
