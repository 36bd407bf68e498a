package whatif

import (
	"context"
	"errors"
	"fmt"
	"math"
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
)

// snapshot returns one of synthetic tools.
func snapshot(t testing.TB, tools int, ranker string) (*engine.Builder, *engine.Snapshot) {
	t.Helper()
	r, err := shapes.Parse(t.Context(), model.Source{Name: "r.json", Data: fixture.Dump(tools, 3)})
	require.NoError(t, err)
	c := config.Default()
	c.Core = []string{r.Tools[3].Name}
	c.ToolSearch.Ranker = ranker
	b := engine.NewBuilder()
	s, err := b.Build(t.Context(), engine.Inputs{Registry: r, Config: c})
	require.NoError(t, err)
	return b, s
}

// labelledQueries returns queries that expect the tools of a registry, one of them in
// groups and one a tool that nobody has.
func labelledQueries(r *model.Registry) []labels.Query {
	queries := []labels.Query{
		{Text: "create file list", Relevant: []string{r.Tools[1].Name, r.Tools[2].Name, r.Tools[5].Name},
			Groups: [][]string{{r.Tools[1].Name, r.Tools[2].Name}, {r.Tools[5].Qualified, r.Tools[5].Name}}},
		{Text: "update the list", Relevant: []string{"nobody", r.Tools[3].Name}},
	}
	for i, t := range r.Tools[:min(len(r.Tools), 30)] {
		queries = append(queries, labels.Query{Text: t.Description, Relevant: []string{r.Tools[(i+i%2)%len(r.Tools)].Name}})
	}
	return queries
}

// named returns hits by qualified name, without the private parts of a snapshot.
func named(r engine.Results) []any {
	list := []any{r.Query, r.Limit, r.Total, r.Scored, r.Fallback}
	for _, h := range r.Hits {
		list = append(list, h.Tool.Qualified, h.Rank, h.Score, h.Within, h.Tied)
	}
	return list
}

// A text has the effect of a new index with that description, with every ranker.
func TestTextsAreNewIndexes(t *testing.T) {
	bs, ss, befores := map[string]*engine.Builder{}, map[string]*engine.Snapshot{}, map[string]*Labels{}
	for _, ranker := range config.Rankers {
		b, s := snapshot(t, 30, ranker)
		before, err := Measure(t.Context(), s, labelledQueries(s.Registry))
		require.NoError(t, err)
		bs[ranker], ss[ranker], befores[ranker] = b, s, before
	}
	rapid.Check(t, func(rt *rapid.T) {
		ranker := rapid.SampledFrom(config.Rankers).Draw(rt, "ranker")
		b, s, before := bs[ranker], ss[ranker], befores[ranker]
		tool := s.Registry.Tools[rapid.IntRange(0, len(s.Registry.Tools)-1).Draw(rt, "tool")]
		words := rapid.SampledFrom([]string{"create", "file", "list", "delete", "zebra", "the", tool.Name, tool.Description, "É\n"})
		description := ""
		for _, w := range rapid.SliceOfN(words, 0, 12).Draw(rt, "words") {
			description += w + " "
		}
		edited, err := Apply(t.Context(), b, s, Edit{Tool: tool, Description: &description})
		if err != nil {
			rt.Fatal(err)
		}
		text, err := TryText(t.Context(), s, tool, description)
		if err != nil {
			rt.Fatal(err)
		}
		is := edited.Registry.Named(tool.Qualified)
		if was, now := text.Tokens(); was != s.ToolTokens(tool) || now != edited.ToolTokens(is) {
			rt.Fatalf("%d → %d tokens, want %d → %d", was, now, s.ToolTokens(tool), edited.ToolTokens(is))
		}
		for _, query := range []string{"create file list", "zebra", tool.Name, "é", "", "list_", description} {
			sameHits(rt, text, s, edited, tool, query)
		}
		got, err := before.With(t.Context(), text)
		if err != nil {
			rt.Fatal(err)
		}
		after, err := Measure(t.Context(), edited, labelledQueries(s.Registry))
		if err != nil {
			rt.Fatal(err)
		}
		if got.Before != before.recall || got.After != after.recall {
			rt.Fatalf("recall %v → %v, want %v → %v", got.Before, got.After, before.recall, after.recall)
		}
		sameHurt(rt, got, before, after)
		sameNeeds(rt, got, before, after)
	})
}

// sameHits compares the hits of a query with the edited snapshot's.
func sameHits(t rapid.TB, text *Trial, s, edited *engine.Snapshot, tool *model.Tool, query string) {
	t.Helper()
	got, err := text.Hits(context.Background(), query, 9)
	require.NoError(t, err)
	want := edited.Search(query, 0, 9)
	if !reflect.DeepEqual(named(got.Results), named(want)) {
		t.Fatalf("%q finds\n %v\nwant\n %v", query, named(got.Results), named(want))
	}
	rank, score, _ := edited.Rank(query, edited.Registry.Named(tool.Qualified))
	if got.After != (Place{rank, score}) {
		t.Fatalf("%q has the tool at %+v, want %d with %v", query, got.After, rank, score)
	}
	for i, hit := range got.Results.Hits {
		if was, _, _ := s.Rank(query, hit.Tool); got.Was[i] != was {
			t.Fatalf("%q had %s at %d, not at %d", query, hit.Tool.Qualified, was, got.Was[i])
		}
	}
	var fallen []*model.Tool
	for _, hit := range s.Search(query, 0, 0).Hits {
		now, _, _ := edited.Rank(query, edited.Registry.Named(hit.Tool.Qualified))
		if hit.Within && (now == 0 || now > got.Limit) {
			fallen = append(fallen, hit.Tool)
		}
	}
	if !slices.Equal(fallen, got.Fallen) {
		t.Fatalf("%q pushes %v below the limit, want %v", query, got.Fallen, fallen)
	}
}

// sameHurt compares who is hurt, won and lost with the ranks in two snapshots.
func sameHurt(t rapid.TB, got Outcome, before, after *Labels) {
	t.Helper()
	hurt := map[[2]string]Hurt{}
	for _, h := range got.Hurt {
		hurt[[2]string{h.Query.Text, h.Tool.Qualified}] = h
	}
	won, lost := 0, 0
	for i, q := range before.queries {
		now := after.queries[i]
		switch {
		case now.FoundBefore > q.FoundBefore:
			won++
		case now.FoundBefore < q.FoundBefore:
			lost++
		}
		for j, e := range q.expected {
			rank := now.expected[j].rank
			key := [2]string{q.Query.Text, e.tool.Qualified}
			h, ok := hurt[key]
			worse := e.rank > 0 && e.rank <= labels.EvaluationDepth && (rank == 0 || rank > e.rank)
			if ok != worse || ok && (h.Before != e.rank || h.After != rank || h.Below != (e.rank <= before.limit && (rank == 0 || rank > before.limit))) {
				t.Fatalf("%q: %s goes from %d to %d, hurt %t %+v", q.Query.Text, e.tool.Qualified, e.rank, rank, ok, h)
			}
		}
	}
	if won != len(got.Won) || lost != len(got.Lost) {
		t.Fatalf("%d won and %d lost, want %d and %d", len(got.Won), len(got.Lost), won, lost)
	}
	if !slices.IsSortedFunc(got.Hurt, compareHurt) {
		t.Fatalf("not in order: %+v", got.Hurt)
	}
}

// sameNeeds checks the rank of every need, and that those within the limit are the ones
// found.
func sameNeeds(t *rapid.T, got Outcome, before, after *Labels) {
	for i, a := range got.Asked {
		if !slices.Equal(a.NeedsBefore, before.queries[i].NeedsBefore) || !slices.Equal(a.NeedsAfter, after.queries[i].NeedsBefore) {
			t.Fatalf("%q has the ranks %v → %v, want %v → %v", a.Query.Text, a.NeedsBefore, a.NeedsAfter, before.queries[i].NeedsBefore, after.queries[i].NeedsBefore)
		}
		within := 0
		for n, need := range a.Query.Needs() {
			best := 0
			for _, e := range after.queries[i].expected {
				if slices.Contains(need, e.name) && e.rank > 0 && (best == 0 || e.rank < best) {
					best = e.rank
				}
			}
			if best != a.NeedsAfter[n] {
				t.Fatalf("%q: need %v has the rank %d, want %d", a.Query.Text, need, a.NeedsAfter[n], best)
			}
			if best > 0 && best <= got.Limit {
				within++
			}
		}
		if want := float64(within) / float64(max(1, len(a.NeedsAfter))); want != a.FoundAfter {
			t.Fatalf("%q finds %v, want %v", a.Query.Text, a.FoundAfter, want)
		}
	}
}

// Recall before is the one that an evaluation measures, where it measures at the limit.
func TestRecallIsTheOneOfAnEvaluation(t *testing.T) {
	for _, ranker := range config.Rankers {
		_, s := snapshot(t, 60, ranker)
		queries := labelledQueries(s.Registry)
		before, err := Measure(t.Context(), s, queries)
		require.NoError(t, err)
		e, err := labels.Evaluate(t.Context(), s, queries, nil)
		require.NoError(t, err)
		if want, err := e.Metrics.Value("recall@5"); err != nil || s.Config.ToolSearch.DefaultLimit != 5 || before.recall != want {
			t.Errorf("%s: recall %v at %d, an evaluation has %v, %v", ranker, before.recall, s.Config.ToolSearch.DefaultLimit, want, err)
		}
		same, err := TryText(t.Context(), s, s.Catalog()[0], s.Catalog()[0].Description)
		require.NoError(t, err)
		o, err := before.With(t.Context(), same)
		require.NoError(t, err)
		split, err := e.Split("recall@5")
		if was, is := o.Worded(); err != nil || was != split || is != split {
			t.Errorf("%s: by wording %v and %v, an evaluation has %v, %v", ranker, was, is, split, err)
		}
	}
}

// A cancelled question has no answer.
func TestCancelledTrial(t *testing.T) {
	_, s := snapshot(t, 60, config.RankerGated)
	queries := labelledQueries(s.Registry)
	before, err := Measure(t.Context(), s, queries)
	require.NoError(t, err)
	tool := s.Registry.Tools[7]
	text, err := TryText(t.Context(), s, tool, tool.Description)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, one := TryText(ctx, s, tool, "x")
	_, two := text.Hits(ctx, "file", 3)
	_, three := before.With(ctx, text)
	_, four := Measure(ctx, s, queries)
	for i, err := range []error{one, two, three, four} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%d: %v", i, err)
		}
	}
}

// BenchmarkKey is the cost of a key at 10,000 tools.
func BenchmarkKey(b *testing.B) {
	for _, ranker := range config.Rankers {
		_, s := snapshot(b, 10_000, ranker)
		before, err := Measure(b.Context(), s, labelledQueries(s.Registry))
		require.NoError(b, err)
		key := func() *Trial {
			text, err := TryText(b.Context(), s, s.Registry.Tools[7], "Create a file and list it.")
			if err == nil {
				_, err = text.Hits(b.Context(), "create a file", 200)
			}
			require.NoError(b, err)
			return text
		}
		b.Run(ranker+"/hits", func(b *testing.B) {
			for b.Loop() {
				key()
			}
		})
		b.Run(ranker+"/labels", func(b *testing.B) {
			text := key()
			for b.Loop() {
				if _, err := before.With(b.Context(), text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// An edit is offered when the tool's queries find more, and other tools' queries lose nothing
// within the limit and little near it, whatever others of them gain.
func TestBearable(t *testing.T) {
	found := func(rank int) float64 { return map[bool]float64{true: 1}[rank > 0 && rank <= 5] }
	own := func(before, after int) Asked {
		return Asked{Own: true, OwnBefore: before, OwnAfter: after, FoundBefore: found(before), FoundAfter: found(after)}
	}
	other := func(before, after int) Asked {
		return Asked{Before: before, After: after, FoundBefore: found(before), FoundAfter: found(after), NeedsBefore: []int{before}, NeedsAfter: []int{after}}
	}
	second := func(before, after int) Asked { // its best tool stays the first
		return Asked{Before: 1, After: 1, FoundBefore: (1 + found(before)) / 2, FoundAfter: (1 + found(after)) / 2, NeedsBefore: []int{1, before}, NeedsAfter: []int{1, after}}
	}
	for _, x := range []struct {
		name  string
		asked []Asked
		want  bool
	}{
		{"a query finds the tool", []Asked{own(8, 4)}, true},
		{"a query comes nearer to it and finds no more", []Asked{own(8, 6)}, false},
		{"nothing changes", []Asked{own(8, 8), other(3, 3)}, false},
		{"one gains and one loses", []Asked{own(8, 4), own(4, 8)}, false},
		{"many come nearer and one loses", []Asked{own(5, 6), own(9, 6), own(9, 6), own(9, 6)}, false},
		{"another query loses its tool", []Asked{own(8, 1), own(8, 1), other(5, 6)}, false},
		{"one loses its tool and one finds it", []Asked{own(8, 1), other(5, 6), other(6, 5)}, false},
		{"another query comes nearer to the limit", []Asked{own(8, 4), other(3, 4)}, false},
		{"so little that the gain outweighs it", append(slices.Repeat([]Asked{own(8, 1)}, 6), other(1, 2)), true},
		{"more than 1 % of the gain", append(slices.Repeat([]Asked{own(8, 1)}, 5), other(1, 2)), false},
		{"another query falls far below the limit", []Asked{own(8, 4), other(30, 31)}, true},
		{"one falls and another rises", []Asked{own(8, 4), other(3, 4), other(5, 3)}, false},
		{"a second need of another query comes nearer to the limit", []Asked{own(8, 4), second(3, 4)}, false},
		{"half of it so little that the gain outweighs it", []Asked{own(8, 1), own(8, 1), own(8, 1), second(1, 2)}, true},
		{"a second need falls far below the limit", []Asked{own(8, 4), second(30, 31)}, true},
		{"no query is the tool's", []Asked{other(3, 3)}, true},
		{"no query is the tool's and another falls", []Asked{other(3, 4)}, false},
	} {
		if got := bearable(Outcome{Asked: x.asked, Limit: 5}); got != x.want {
			t.Errorf("%s: %t", x.name, got)
		}
	}
	for rank, want := range map[int]float64{0: 0, 1: 0.953, 5: 0.583, 6: 0.417, 10: 0.047} {
		if got := closeness(rank, 5); math.Abs(got-want) > 0.001 {
			t.Errorf("rank %d of 5 has the closeness %v, want %v", rank, got, want)
		}
	}
}

// A word of 6 tasks of the tool is not proposed when 7 of other tools have it, whatever its
// lift.
func TestContested(t *testing.T) {
	for _, x := range []struct {
		others int
		want   bool // it is proposed
	}{{0, true}, {6, true}, {7, false}} {
		s, queries := shop(t, config.RankerBM25)
		for i := range x.others {
			queries = append(queries, labels.Query{ID: fmt.Sprint("o", i), Text: fmt.Sprintf("payment number %d in the register", i), Relevant: []string{"list_rivers"}})
		}
		for i := range 300 {
			queries = append(queries, labels.Query{ID: fmt.Sprint("r", i), Text: fmt.Sprintf("what do you say about river %d", i), Relevant: []string{"list_rivers"}})
		}
		before, err := Measure(t.Context(), s, queries)
		require.NoError(t, err)
		e := newPatient(s, s.Registry.Tools[0], queries, before).evidenceOf(func(int) bool { return true })
		if u := e.uses[e.stems.of("payment")]; e.lift(u) < leastLift {
			t.Fatalf("the lift of %d in %d of others is %v", u.own, u.other, e.lift(u))
		}
		if got := strings.Contains(fmt.Sprint(e.all()), "payment"); got != x.want {
			t.Errorf("with %d others payment is chosen: %t", x.others, got)
		}
	}
}

// A word that one task alone has needs two reasons, and is not among the repeated ones.
func TestRepeated(t *testing.T) {
	s, queries := shop(t, config.RankerBM25)
	for i := range 20 {
		queries = append(queries, labels.Query{ID: fmt.Sprint("r", i), Text: fmt.Sprintf("what do you say about river %d", i), Relevant: []string{"list_rivers"}})
	}
	queries = append(queries,
		labels.Query{ID: "once", Text: "the soup is in the box", Relevant: []string{"send_bill"}},
		labels.Query{ID: "rival", Text: "music for more music", Relevant: []string{"send_bill"}})
	before, err := Measure(t.Context(), s, queries)
	require.NoError(t, err)
	e := newPatient(s, s.Registry.Tools[0], queries, before).evidenceOf(func(int) bool { return true })
	for _, x := range []struct {
		word                   string
		queries, all, repeated bool
	}{{"payment", true, true, true}, {"box", true, false, false}, {"music", true, true, false}} {
		has := func(list []choice) bool {
			return slices.ContainsFunc(list, func(c choice) bool { return c.stem == e.stems.of(x.word) })
		}
		if q, a, r := has(e.fromQueries()), has(e.all()), has(e.repeated()); q != x.queries || a != x.all || r != x.repeated {
			t.Errorf("%s is among those of queries: %t, of all: %t, repeated: %t", x.word, q, a, r)
		}
	}
}
