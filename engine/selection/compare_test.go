package selection

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/labels"
	"caliper/engine/retrieval"
	"caliper/model/require"
)

// asked are labelled queries over office.
var asked = []labels.Query{
	{ID: "found", Text: "a letter", Relevant: []string{"send_mail"}},
	{ID: "half", Text: "mow it", Relevant: []string{"mow_lawn", "bake_bread"}},
	{ID: "core", Text: "hello", Relevant: []string{"terminal"}},
	{ID: "named", Text: "bake bread", Relevant: []string{"x", "bake_bread"}, Groups: [][]string{{"x", "bake_bread"}}},
	{ID: "unlabelled", Text: "bake bread"},
}

func compared(t tester, x *Selector, queries []labels.Query) map[Strategy]Row {
	t.Helper()
	rows, err := x.Compare(context.Background(), queries, nil)
	require.NoError(t, err)
	out := map[Strategy]Row{}
	for i, r := range rows {
		if r.Strategy != Strategies[i] {
			t.Fatal("rows out of order")
		}
		out[r.Strategy] = r
	}
	return out
}

func TestCompare(t *testing.T) {
	s := session(t, office)
	sim := &scripted{scores: map[string]float64{"bake_bread": 1}}
	rows := compared(t, selector(t, s, knobs(Hybrid, func(k *Settings) { k.Sticky = true }), sim), asked)
	b := s.Budget(false)
	for strategy, want := range map[Strategy]struct {
		trips  int
		recall float64
		kept   bool // all bytes of the message before are sent again
	}{
		Eager:      {0, 1, true},
		Lazy:       {1, 0, true},
		ToolSearch: {2, 0.25, true}, // terminal and read_file are core
		Keyword:    {0, (1 + .5 + 1 + 1) / 4, false},
		Semantic:   {0, (0 + .5 + 1 + 1) / 4, true},
		Hybrid:     {0, 1, false},
	} {
		r := rows[strategy]
		if r.RoundTrips != want.trips || r.Recall != want.recall || (r.Kept == 1) != want.kept || r.Reachable != 1 {
			t.Errorf("%s: %+v, want %+v", strategy, r, want)
		}
		if r.Queries != 5 || r.Labelled != 4 || math.Abs(r.SavedPct-100*(1-r.SchemaTokens/float64(b.EagerTokens))) > 1e-9 {
			t.Errorf("%s: %+v", strategy, r)
		}
	}
	// No query has a word of send_mail or of terminal; of two needed tools one is untouched.
	if got := rows[Keyword].Worded; got != (labels.WordSplit{{Queries: 2, Recall: 1}, {Queries: 1, Recall: 0.5}, {Queries: 1, Recall: 1}}) {
		t.Errorf("by wording %v", got)
	}
	if got := rows[Eager].SchemaTokens; got != float64(b.EagerTokens) {
		t.Errorf("eager costs %v, the budget says %d", got, b.EagerTokens)
	}
	if got := rows[ToolSearch].SchemaTokens; got != float64(b.AfterTokens) {
		t.Errorf("tool_search costs %v, the budget says %d", got, b.AfterTokens)
	}
	if r := rows[Keyword]; r.Named != 2 || len(r.Notes) != 1 || r.Notes[0].Code != NoteNothingFound || r.Notes[0].Queries != 1 {
		t.Errorf("keyword: %+v", r)
	}
	for _, strategy := range Strategies { // the mean of one message is its selection
		x := selector(t, s, knobs(strategy), sim)
		got, row := selecting(t, x, "a letter"), compared(t, x, asked[:1])[strategy]
		if row.SchemaTokens != float64(got.SchemaTokens) || row.SavedPct != got.SavedPct || row.RoundTrips != got.RoundTrips {
			t.Errorf("%s: row %+v, selection %+v", strategy, row, got)
		}
	}
}

func TestCompareWithoutEscape(t *testing.T) {
	s := session(t, office, func(c *config.Config) { c.ToolSearch.Enabled = config.Off })
	rows := compared(t, selector(t, s, knobs(Keyword), nil), asked)
	if r := rows[Keyword]; r.Reachable != r.Recall {
		t.Errorf("reachable %v although tool search is off", r.Reachable)
	}
	r := rows[ToolSearch]
	if r.RoundTrips != 0 || r.Recall != 1 || r.Notes[0].Code != NoteNotActive {
		t.Errorf("tool search that is off: %+v", r)
	}
	if h := rows[Hybrid]; h.Recall != rows[Keyword].Recall || h.Notes[0].Code != NoteNoEmbedder {
		t.Errorf("hybrid without an embedder: %+v", h)
	}
}

func TestCompareProgressAndEnd(t *testing.T) {
	x := selector(t, session(t, office), knobs(Keyword), nil)
	var told []int
	if _, err := x.Compare(t.Context(), asked, func(done, total int) { told = append(told, done*10+total) }); err != nil || len(told) != 5 || told[4] != 55 {
		t.Errorf("%v, %v", told, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := x.Compare(ctx, asked, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if rows := compared(t, x, nil); rows[Keyword].Kept != 1 || rows[Keyword].Recall != 0 {
		t.Errorf("of no queries: %+v", rows[Keyword])
	}
}

func TestPareto(t *testing.T) {
	sim := &scripted{scores: map[string]float64{"bake_bread": 1, "mow_lawn": 2}}
	x := selector(t, session(t, office), knobs(Hybrid), sim)
	points, err := x.Pareto(t.Context(), asked, nil)
	if err != nil || len(points) != 99 {
		t.Fatalf("%d points, %v", len(points), err)
	}
	labelled := asked[:4]
	for _, p := range points {
		set := knobs(p.Strategy, func(k *Settings) { k.K = p.K })
		row := compared(t, x.With(set), labelled)[p.Strategy]
		if p.SchemaTokens != row.SchemaTokens || p.Recall != row.Recall || p.Worded != row.Worded || p.Worded[labels.NoWords].Queries == 0 {
			t.Errorf("%+v, compared %+v", p, row)
		}
		beaten := false
		for _, q := range points {
			beaten = beaten || q.SchemaTokens <= p.SchemaTokens && q.Recall >= p.Recall && (q.SchemaTokens != p.SchemaTokens || q.Recall != p.Recall)
		}
		if p.Frontier == beaten {
			t.Errorf("%+v: beaten %t", p, beaten)
		}
	}
}

// TestKeywordRowIsTheEvaluation checks the comparison against an evaluation of
// the same ranker.
func TestKeywordRowIsTheEvaluation(t *testing.T) {
	for _, name := range []string{"livemcpbench", "mcpproxy_golden"} {
		s, queries := tuningSession(t, name, 1<<30, func(in *engine.Inputs) {
			in.Config.ToolSearch.Enabled, in.Config.ToolSearch.Ranker, in.Config.Core = config.On, config.RankerFielded, []string{}
		})
		e, err := labels.Evaluate(t.Context(), s, queries, nil)
		require.NoError(t, err)
		alone := knobs(Keyword, func(k *Settings) { k.K, k.Core, k.IgnoreNames = 8, nil, true })
		rows := compared(t, selector(t, s, alone, nil), queries)
		want := e.Metrics.Recall[slices.Index(retrieval.Cutoffs[:], 8)]
		if got := rows[Keyword].Recall; got != want {
			t.Errorf("%s: recall %v, evaluated %v", name, got, want)
		}
		if got, want := rows[Eager].SchemaTokens, s.Budget(false).EagerTokens; got != float64(want) {
			t.Errorf("%s: eager costs %v, the budget says %d", name, got, want)
		}
	}
}

func TestStrategies(t *testing.T) {
	for _, s := range Strategies {
		if got, err := ParseStrategy(string(s)); err != nil || got != s {
			t.Errorf("%s: %v, %v", s, got, err)
		}
	}
	if _, err := ParseStrategy("Hybrid"); err == nil || !strings.Contains(err.Error(), "eager, lazy, tool_search, keyword, semantic, hybrid") {
		t.Errorf("error %v", err)
	}
	c := config.Default()
	c.Selection = "hybrid"
	set := SettingsOf(c)
	if set.Strategy != Hybrid || set.K != c.PreSelection.TopK || set.RRFK != c.PreSelection.RRFK || !set.Sticky || len(set.Core) != 3 {
		t.Errorf("settings %+v", set)
	}
	c.Selection = "none"
	if got := SettingsOf(c).Strategy; got != Eager {
		t.Errorf("an unknown strategy is %s", got)
	}
}

// TestVariants: each query is sent under each setting what the strategy alone would send,
// whatever setting stands before it.
func TestVariants(t *testing.T) {
	s := session(t, office)
	sim := &scripted{scores: map[string]float64{"bake_bread": 1, "mow_lawn": 0.5, "send_parcel": 0.25}}
	x := selector(t, s, knobs(Hybrid), sim)
	var settings []Settings
	for _, rrfk := range []float64{60, 0} {
		for _, weights := range [][2]float64{{1, 1}, {1, 0}, {0, 1}, {0, 3}} {
			for _, k := range []int{1, 2, 3, 100} {
				settings = append(settings, knobs(Hybrid, func(set *Settings) { set.K, set.RRFK, set.Keyword, set.Semantic = k, rrfk, weights[0], weights[1] }))
			}
		}
	}
	queries := append(slices.Clone(asked), labels.Query{Text: "paint_fence and a loaf"})
	done := 0
	sent, err := x.Variants(t.Context(), queries, settings, func(d, total int) {
		if done = max(done, d); total != len(queries) {
			t.Errorf("of %d", total)
		}
	})
	if err != nil || len(sent) != len(queries) || done != len(queries) {
		t.Fatalf("%d of %d done, %v", done, len(sent), err)
	}
	for i, q := range queries {
		for j, set := range settings {
			want := selecting(t, x.With(set), q.Text)
			var ranked []string
			for _, tool := range sent[i][j].Ranking {
				ranked = append(ranked, tool.Name)
			}
			slices.Sort(ranked)
			var chosen []string
			for _, tool := range want.Tools {
				if tool.Reason != Core {
					chosen = append(chosen, tool.Tool.Name)
				}
			}
			slices.Sort(chosen)
			if sent[i][j].Tokens != want.SchemaTokens || set.K < want.Candidates && !slices.Equal(ranked, chosen) || len(ranked) > set.K {
				t.Errorf("%q, K %d, k %v, weights %v and %v: %q of %d tokens, want %q of %d", q.Text, set.K, set.RRFK, set.Keyword, set.Semantic, ranked, sent[i][j].Tokens, chosen, want.SchemaTokens)
			}
		}
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := x.Variants(stopped, queries, settings, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}

// TestSettled: settings out of their range are brought into it.
func TestSettled(t *testing.T) {
	got := selector(t, session(t, office), Settings{Strategy: Keyword, K: -3, RRFK: -1}, nil).Settings()
	if got.K != 1 || got.RRFK != 0 || got.Timeout != DefaultTimeout || got.Now == nil {
		t.Errorf("%+v", got)
	}
	for _, c := range []struct {
		embedder string
		ms       int
		want     time.Duration
	}{{"ollama:m", 0, DefaultTimeout}, {"ollama:m", 70, 70 * time.Millisecond}, {config.EmbedFuzzy, 70, builtInTimeout}} {
		if got := TimeoutOf(config.PreSelection{EmbedModel: c.embedder, EmbedTimeout: c.ms}); got != c.want {
			t.Errorf("%s waits %v, want %v", c.embedder, got, c.want)
		}
	}
}

var vocabulary = []string{"send", "read", "file", "mail", "lawn", "issue", "list", "open"}

// drawn draws a registry of two toolsets, one of them granted, its
// settings, and a similarity.
func drawn(t *rapid.T) (entries []string, set Settings, sim *scripted) {
	word := rapid.SampledFrom(vocabulary)
	sim = &scripted{scores: map[string]float64{}, floor: 0.2}
	seen := map[string]bool{}
	for range rapid.IntRange(0, 24).Draw(t, "tools") {
		name := word.Draw(t, "verb") + "_" + word.Draw(t, "noun")
		if seen[name] {
			continue
		}
		seen[name] = true
		sim.scores[name] = float64(rapid.IntRange(0, 4).Draw(t, "score")) / 4
		entries = append(entries, tool(name, word.Draw(t, "word"), rapid.SampledFrom([]string{"in", "in", "out"}).Draw(t, "toolset")))
	}
	anyNames := func(label string) []string {
		var out []string
		for range rapid.IntRange(0, 3).Draw(t, label) {
			out = append(out, word.Draw(t, label)+"_"+word.Draw(t, label))
		}
		return out
	}
	set = knobs(rapid.SampledFrom(Strategies).Draw(t, "strategy"))
	set.K = rapid.IntRange(1, 6).Draw(t, "k")
	set.Core, set.Exclude = anyNames("core"), anyNames("exclude")
	set.Sticky = rapid.Bool().Draw(t, "sticky")
	return entries, set, sim
}

func message(t *rapid.T) string {
	text := ""
	for range rapid.IntRange(0, 4).Draw(t, "words") {
		text += rapid.SampledFrom(vocabulary).Draw(t, "word") + rapid.SampledFrom([]string{" ", ", ", "_"}).Draw(t, "separator")
	}
	return text
}

func onlyIn(c *config.Config) {
	c.Sessions = []config.Session{{Name: "s", Enabled: []string{"in"}}}
}

// TestSelectionProperties checks what holds of every selection.
func TestSelectionProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		entries, set, sim := drawn(t)
		s := session(t, entries, onlyIn)
		x := selector(t, s, set, sim)
		var history []string
		for range rapid.IntRange(1, 4).Draw(t, "turns") {
			text := message(t)
			got := selecting(t, x, text, history...)
			again := selecting(t, selector(t, session(t, entries, onlyIn), set, sim), text, history...)
			if !bytes.Equal(got.Bytes, again.Bytes) || fmt.Sprint(got.Notes, got.SchemaTokens) != fmt.Sprint(again.Notes, again.SchemaTokens) {
				t.Fatalf("two runs: %s, %s", shown(got), shown(again))
			}
			outline, err := x.Outline(context.Background(), text, history)
			outline.Took, outline.Bytes = got.Took, got.Bytes
			if err != nil || !reflect.DeepEqual(outline, got) {
				t.Fatalf("without bytes it is another selection: %+v, %v; %+v", outline, err, got)
			}
			sent := names(sentBy(got))
			for _, selected := range got.Tools {
				if selected.Tool.Toolset != "in" || set.Strategy.Ranks() && slices.Contains(set.Exclude, selected.Tool.Name) {
					t.Fatalf("%s is selected", selected.Tool.Name)
				}
			}
			if unique := slices.Compact(sorted(sent)); len(unique) != len(sent) {
				t.Fatalf("twice in %v", sent)
			}
			if set.Strategy.Ranks() {
				checkRanked(t, s, x, got, history)
			}
			history = got.History()
		}
	})
}

// checkRanked checks what holds of a selection that ranks.
func checkRanked(t *rapid.T, s *engine.Snapshot, x *Selector, got Selection, history []string) {
	count := map[Reason]int{}
	for _, selected := range got.Tools {
		count[selected.Reason]++
		if selected.Reason == Ranked && !(selected.Score > 0) {
			t.Fatalf("ranked without a score: %+v", selected)
		}
	}
	if n := count[All]; n > got.K || n > 0 && n != got.Candidates {
		t.Fatalf("%d of %d candidates for %d places: %v", n, got.Candidates, got.K, count)
	}
	if count[Mentioned]+count[Ranked] > max(got.K, count[Mentioned]) {
		t.Fatalf("more than %d places: %v", got.K, count)
	}
	if x.Settings().Sticky {
		for _, name := range history {
			if !slices.Contains(names(sentBy(got)), name) {
				t.Fatalf("%s was selected before, and is not in %s", name, shown(got))
			}
		}
	} else if count[Sticky] > 0 {
		t.Fatalf("sticky: %s", shown(got))
	}
	// Every tool of the session is sent, deferred or unreachable.
	if n := len(got.Tools) + got.Deferred + got.Assembly.Unreachable; n != len(x.scope.Sendable) {
		t.Fatalf("%d tools sent, deferred or unreachable, of %d", n, len(x.scope.Sendable))
	}
	if units := s.Tokenizer.Units(got.Bytes); got.SchemaTokens > s.Tokenizer.Tokens(units) {
		t.Fatalf("%d tokens of %d units", got.SchemaTokens, units)
	}
	for _, missed := range got.Missed {
		if slices.Contains(sentBy(got), missed.Tool) {
			t.Fatalf("%s missed and is selected", missed.Tool.Name)
		}
		for _, selected := range got.Tools {
			if selected.Reason == Ranked && selected.Score < missed.Score {
				t.Fatalf("%+v missed against %+v", missed, selected)
			}
		}
	}
}

// TestRegistryOrderDoesNotChoose checks that a registry in another order
// selects the same tools, with the same ranks, at the same cost.
func TestRegistryOrderDoesNotChoose(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		entries, set, sim := drawn(t)
		text := message(t)
		describe := func(entries []string) string {
			got := selecting(t, selector(t, session(t, entries, onlyIn), set, sim), text)
			var words []string
			for _, s := range append(slices.Clone(got.Tools), got.Missed...) {
				words = append(words, fmt.Sprint(s.Tool.Name, s.Reason, s.KeywordRank, s.SemanticRank, s.Score))
			}
			return fmt.Sprint(sorted(words), got.SchemaTokens, got.Deferred, got.Notes)
		}
		if a, b := describe(entries), describe(rapid.Permutation(entries).Draw(t, "order")); a != b {
			t.Fatalf("%s\n%s", a, b)
		}
	})
}
