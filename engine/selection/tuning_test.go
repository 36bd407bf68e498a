package selection

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/embed"
	"caliper/engine/internal/fixture"
	"caliper/engine/labels"
	"caliper/engine/retrieval"
	"caliper/model"
	"caliper/model/require"
)

// tuningSession returns a snapshot of a set with its queries.
func tuningSession(t testing.TB, name string, most int, changes ...func(*engine.Inputs)) (*engine.Snapshot, []labels.Query) {
	t.Helper()
	s := fixture.ReadSet(t, name)
	var queries []labels.Query
	for _, q := range s.Queries[:min(most, len(s.Queries))] {
		queries = append(queries, labels.Query{ID: q.ID, Text: q.Query, Relevant: q.Relevant, Groups: q.Groups, Grades: q.Grades, Group: q.Group})
	}
	return build(t, s.Registry, changes...), queries
}

// build returns a snapshot of a registry.
func build(t testing.TB, r *model.Registry, changes ...func(*engine.Inputs)) *engine.Snapshot {
	t.Helper()
	in := engine.Inputs{Registry: r, Config: config.Default()}
	for _, change := range changes {
		change(&in)
	}
	snapshot, err := engine.Build(context.Background(), in)
	require.NoError(t, err)
	return snapshot
}

// tune searches settings.
func tune(t testing.TB, r TuningRequest) Tuning {
	t.Helper()
	x, err := Tune(context.Background(), r)
	require.NoError(t, err)
	return x
}

// teaching lets a snapshot learn from queries.
func teaching(queries []labels.Query) func(*engine.Inputs) {
	return func(in *engine.Inputs) { in.Lessons = labels.Lessons(in.Registry, queries) }
}

// TestTune: on a public set fielded or hybrid is better than bm25 and is chosen; every figure
// follows from the others.
func TestTune(t *testing.T) {
	snapshot, queries := tuningSession(t, "livemcpbench", 500)
	for _, objective := range TuningObjectives {
		last := 0
		x := tune(t, TuningRequest{Snapshot: snapshot, Queries: queries, Objective: objective, Progress: func(done, total int) {
			if done < last || done > total {
				t.Fatalf("%d after %d of %d", done, last, total)
			}
			last = done
		}})
		t.Logf("%s: %+v", objective, x)
		if x.Verdict != retrieval.Better || !slices.Contains(x.Changes(), TunedSetting{config.KeyRanker, config.RankerFielded}) && !slices.Contains(x.Changes(), TunedSetting{config.KeyRanker, config.RankerHybrid}) {
			t.Errorf("%s: %v, %v", objective, x.Verdict, x.Changes())
		}
		checkResult(t, x)
	}
}

// checkResult checks the invariants of a result.
func checkResult(t *testing.T, x Tuning) {
	t.Helper()
	if math.Abs(x.Difference.Mean-(x.Best.Mean-x.Baseline.Mean)) > 1e-12 {
		t.Errorf("difference %v of %v and %v", x.Difference.Mean, x.Best.Mean, x.Baseline.Mean)
	}
	if x.Difference.Low > x.Difference.Mean+1e-9 || x.Difference.High < x.Difference.Mean-1e-9 || x.Stability < 0 || x.Stability > 1 {
		t.Errorf("%+v", x)
	}
	for i, p := range x.Frontier {
		if i > 0 && (p.Tokens < x.Frontier[i-1].Tokens || p.Score <= x.Frontier[i-1].Score) {
			t.Errorf("the frontier goes from %v to %v", x.Frontier[i-1], p)
		}
	}
	queries, change := 0, 0.0
	for _, w := range x.Worded {
		queries += w.Queries
		change += float64(w.Queries) * w.Difference.Mean
		if math.Abs(w.Difference.Mean-(w.Best-w.Baseline)) > 1e-12 {
			t.Errorf("by wording %+v", w)
		}
	}
	if queries != x.Queries || math.Abs(change/float64(queries)-x.Difference.Mean) > 1e-12 {
		t.Errorf("%d queries by wording of %d, difference %v of %v", queries, x.Queries, change/float64(queries), x.Difference.Mean)
	}
	if len(x.Effects) != len(x.Best.Settings) {
		t.Errorf("%d effects of %d settings", len(x.Effects), len(x.Best.Settings))
	}
}

// TestTuneByTokens: settings that cost more than the bound are neither chosen nor on the
// frontier, and a larger limit is chosen only under a bound.
func TestTuneByTokens(t *testing.T) {
	snapshot, queries := tuningSession(t, "livemcpbench", 200, func(in *engine.Inputs) { in.Config.ToolSearch.DefaultLimit = 2 })
	over := []string{"limit"}
	free := tune(t, TuningRequest{Snapshot: snapshot, Queries: queries, Over: over})
	limit := func(x Tuning) int { return x.Best.Settings[0].Value.(int) }
	if limit(free) > 2 {
		t.Errorf("the limit %d is chosen without a bound", limit(free))
	}
	last := free.Frontier[len(free.Frontier)-1]
	if last.Settings[0].Value.(int) <= 2 {
		t.Errorf("the frontier ends at %v", last)
	}
	x := tune(t, TuningRequest{Snapshot: snapshot, Queries: queries, Over: over, MaxTokens: int(last.Tokens) + 1})
	if limit(x) <= 2 || x.Verdict != retrieval.Better {
		t.Errorf("under a bound of %v: %v, %v", last.Tokens, x.Best, x.Verdict)
	}
	most := int(free.Frontier[0].Tokens) + 1
	x = tune(t, TuningRequest{Snapshot: snapshot, Queries: queries, Over: over, MaxTokens: most})
	if x.Best.Tokens > float64(most) {
		t.Errorf("%v tokens of %d", x.Best.Tokens, most)
	}
	for _, p := range x.Frontier {
		if p.Tokens > float64(most) {
			t.Errorf("%v tokens of %d", p.Tokens, most)
		}
	}
	checkResult(t, x)
	var expensive *ExpensiveTuningError
	if _, err := Tune(t.Context(), TuningRequest{Snapshot: snapshot, Queries: queries, Over: over, MaxTokens: 1}); !errors.As(err, &expensive) || expensive.Least > free.Frontier[0].Tokens {
		t.Errorf("with 1 token: %v", err)
	}
}

// TestTuneLearned: the ranker that learns is tried where there is something to learn from,
// and it scores as cross-validation tells. Queries call a tool by a word that only labels know.
func TestTuneLearned(t *testing.T) {
	snapshot, asked := small(t)
	if x := tune(t, TuningRequest{Snapshot: snapshot, Queries: asked, Objective: "ndcg@10", Over: []string{"ranker"}}); !x.Unteachable {
		t.Error("learned is tried without labels")
	}
	var queries []labels.Query
	for i, name := range []string{"alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliett"} {
		for _, when := range []string{"again", "soon", "later", "twice", "tonight", "always"} {
			queries = append(queries, labels.Query{ID: name + when, Text: name + " " + when, Relevant: asked[i].Relevant})
		}
	}
	snapshot, _ = small(t, teaching(queries))
	m := &measuring{TuningRequest: TuningRequest{Snapshot: snapshot, Queries: queries, Objective: "ndcg@10"}}
	var err error
	if m.axes, _, err = axes(snapshot, []string{"ranker"}); err != nil {
		t.Fatal(err)
	}
	m.list = combinations(m.axes, config.RankerBM25, config.RankerFielded)
	m.scores.folds = 5
	m.scores.tasks, m.scores.fold = labels.Tasks(queries), labels.Deal(queries, 5)
	require.NoError(t, m.measure(t.Context()))
	learned := slices.IndexFunc(m.list, func(c combination) bool { return c.settings(m.axes)[0].Value == config.RankerLearned })
	limit := snapshot.Config.ToolSearch.DefaultLimit
	in := snapshot.Inputs()
	in.Config.ToolSearch.Ranker = config.RankerLearned
	e, err := labels.EvaluateFolds(t.Context(), build(t, in.Registry, func(to *engine.Inputs) { *to = in }), queries, 5, nil)
	require.NoError(t, err)
	for q, a := range e.Answers {
		var ranking []retrieval.RankedItem
		for _, h := range a.Hits[:min(limit, len(a.Hits))] {
			ranking = append(ranking, retrieval.RankedItem{Name: h.Tool.Name, Qualified: h.Tool.Qualified})
		}
		want := retrieval.Measure(retrieval.Label{Groups: a.Query.Needs()}, ranking).NDCG
		if got := m.scores.held[m.list[learned].column][q]; got != want {
			t.Fatalf("query %d scores %v, by cross-validation %v", q, got, want)
		}
	}
	if scores := m.scores.held; meanOf(scores[m.list[learned].column]) <= meanOf(scores[0]) {
		t.Error("nothing is learned")
	}
}

// TestTunePreselects: with a strategy of pre-selection K and the weights are searched, and
// the settings in force cost what Compare says.
func TestTunePreselects(t *testing.T) {
	snapshot, queries := tuningSession(t, "livemcpbench", 60, func(in *engine.Inputs) { in.Config.Selection = config.SelectHybrid })
	similarity, err := embed.NewFuzzy(t.Context(), snapshot.ByName())
	require.NoError(t, err)
	x := tune(t, TuningRequest{Snapshot: snapshot, Queries: queries, Similarity: similarity})
	var keys []string
	for _, s := range x.Best.Settings {
		keys = append(keys, s.Key)
	}
	if want := []string{config.KeyRanker, keyTopK, keyRRFK, keySemantic}; !slices.Equal(keys, want) {
		t.Errorf("searched are %v", keys)
	}
	t.Logf("%+v", x)
	checkResult(t, x)
}

// TestTuneRefuses: what cannot be searched is an error; there are two folds or more, and no more
// than tasks.
func TestTuneRefuses(t *testing.T) {
	snapshot, queries := small(t)
	for _, tt := range []struct {
		over  []string
		asked []labels.Query
		wants string
	}{
		{[]string{"K"}, queries, "K changes nothing with tools.selection eager and tool search auto; there are ranker, meaning, limit, k1, b and threshold"},
		{nil, queries[:1], ErrTooFewQueries.Error()},
	} {
		if _, err := Tune(t.Context(), TuningRequest{Snapshot: snapshot, Queries: tt.asked, Over: tt.over}); err == nil || err.Error() != tt.wants {
			t.Errorf("%v", err)
		}
	}
	for asked, folds := range map[int]int{0: TuningFolds, 1: 2, 7: 7, 99: len(queries)} { // of ten tasks
		if x := tune(t, TuningRequest{Snapshot: snapshot, Queries: queries, Over: []string{"limit"}, Folds: asked}); x.Folds != folds {
			t.Errorf("%d folds are %d, want %d", asked, x.Folds, folds)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := Tune(ctx, TuningRequest{Snapshot: snapshot, Queries: queries}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestTuneTries: each setting has the value in force among those that are tried, and what
// is not in its range is not tried.
func TestTuneTries(t *testing.T) {
	snapshot, queries := small(t, func(in *engine.Inputs) {
		in.Config.ToolSearch.DefaultLimit, in.Config.ToolSearch.MaxLimit, in.Config.ToolSearch.ThresholdPct = 4, 9, 7.5
	})
	request := TuningRequest{Snapshot: snapshot, Queries: queries, Over: []string{"ranker", "limit", "k1", "b", "threshold"}}
	x := tune(t, request)
	if again := tune(t, request); !reflect.DeepEqual(again, x) {
		t.Errorf("again: %+v", again)
	}
	if len(x.Baseline.Settings) != 5 || x.Baseline.Settings[1].Value != 4 || x.Baseline.Settings[4].Value != 7.5 {
		t.Errorf("in force are %v", x.Baseline.Settings)
	}
	list, _, err := axes(snapshot, []string{"limit"})
	if err != nil || !reflect.DeepEqual(list[0].values, []any{1, 2, 3, 4, 5, 8}) {
		t.Errorf("limits %v, %v", list[0].values, err)
	}
	checkResult(t, x)
}

// small returns a snapshot of a few tools with queries that name them.
func small(t testing.TB, changes ...func(*engine.Inputs)) (*engine.Snapshot, []labels.Query) {
	t.Helper()
	var dump string
	var queries []labels.Query
	for i, word := range []string{"anchor", "buoy", "cable", "davit", "ebb", "fender", "gunwale", "halyard", "jib", "keel"} {
		if i > 0 {
			dump += ","
		}
		dump += fmt.Sprintf(`{"type":"function","function":{"name":"get_%s","description":"Get the %s."},"toolset":"harbor"}`, word, word)
		queries = append(queries, labels.Query{ID: word, Text: "the " + word, Relevant: []string{"get_" + word}})
	}
	registry := fixture.Parse(t, []byte(`{"tools":[`+dump+`],"toolsets":{}}`))
	return build(t, registry, changes...), queries
}
