package selection

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/internal/fixture"
	"caliper/engine/labels"
	"caliper/engine/retrieval"
	"caliper/model"
	"caliper/model/require"
)

// drawnScores returns the scores of candidates, each a column, from queries of tasks of one
// query, and the candidates; the first one is in force.
func drawnScores(columns [][]float64, folds int) (*scoreTable, []combination, []int) {
	s := &scoreTable{folds: folds, held: columns, control: make([][]float64, len(columns))}
	var list []combination
	var all []int
	for i := range columns {
		list, all = append(list, combination{column: i, changed: min(i, 1), steps: i}), append(all, i)
	}
	for q := range columns[0] {
		s.tasks, s.fold = append(s.tasks, q), append(s.fold, q%folds)
	}
	for range folds {
		s.outside = append(s.outside, columns)
	}
	return s, list, all
}

// TestNestedExample is the example of the package.
func TestNestedExample(t *testing.T) {
	s, list, all := drawnScores([][]float64{{0, 0, 0, 1}, {1, 1, 1, 1}}, 2)
	s.fold = []int{0, 0, 1, 1}
	chosen, byFold := s.nested(list, all)
	if !slices.Equal(chosen, []float64{0, 0, 1, 1}) || !slices.Equal(byFold, []int{0, 1}) || s.choose(list, all, everywhere) != 1 {
		t.Errorf("%v by %v, of all %d", chosen, byFold, s.choose(list, all, everywhere))
	}
	if e := s.standardError(1, 0, everywhere); e != 0.25 {
		t.Errorf("standard error %v", e)
	}
}

// TestChooseNearest: of candidates that are as good the one that changes least is chosen,
// then what scores more, then what costs less.
func TestChooseNearest(t *testing.T) {
	for _, tt := range []struct {
		name    string
		columns [][]float64
		list    []combination
		want    int
	}{
		{"as good as in force", [][]float64{{1, 0, 1, 0}, {1, 0, 1, 0}}, []combination{{column: 0}, {column: 1, changed: 1, steps: 1}}, 0},
		{"fewer settings", [][]float64{{0, 0, 0, 0}, {1, 1, 1, 1}}, []combination{{column: 0}, {column: 1, changed: 2, steps: 2}, {column: 1, changed: 1, steps: 4}}, 2},
		{"fewer steps", [][]float64{{0, 0, 0, 0}, {1, 1, 1, 1}}, []combination{{column: 0}, {column: 1, changed: 1, steps: 2}, {column: 1, changed: 1, steps: 1}}, 2},
		{"less costly", [][]float64{{0, 0, 0, 0}, {1, 1, 1, 1}}, []combination{{column: 0}, {column: 1, changed: 1, steps: 1, tokens: 9}, {column: 1, changed: 1, steps: 1, tokens: 8}}, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, _, _ := drawnScores(tt.columns, 2)
			all := []int{0, 1, 2}[:len(tt.list)]
			if got := s.choose(tt.list, all, everywhere); got != tt.want {
				t.Errorf("chosen is %d", got)
			}
		})
	}
}

// TestHeldOut: the score of a query does not depend on how it scores elsewhere: the candidate
// chosen for it is the same whatever the candidates score for the queries of its fold.
func TestHeldOut(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	columns := make([][]float64, 5)
	for i := range columns {
		for range 40 {
			columns[i] = append(columns[i], random.Float64())
		}
	}
	s, list, all := drawnScores(columns, 5)
	_, before := s.nested(list, all)
	for q, f := range s.fold {
		if f == 2 {
			for i := range columns {
				columns[i][q] = random.Float64() * 10
			}
		}
	}
	if _, after := s.nested(list, all); after[2] != before[2] {
		t.Errorf("fold 2 chose %d, and %d when its own scores are others", before[2], after[2])
	}
}

// TestIntervalsCover: where the true scores of candidates are known, the interval of the
// difference holds the truth in 19 of 20 samples: the mean over the folds of the true
// difference of what each chose.
func TestIntervalsCover(t *testing.T) {
	for _, tt := range []struct {
		name    string
		samples int
		truth   []float64 // of each candidate; the first is in force
	}{
		{"nothing is better", 50, []float64{0.6, 0.6, 0.6, 0.6, 0.6, 0.6}},
		{"one is a little better", 150, []float64{0.6, 0.6, 0.64, 0.6, 0.55}},
		{"one is much better", 50, []float64{0.5, 0.5, 0.65, 0.4}},
		{"all are worse", 50, []float64{0.6, 0.5, 0.5, 0.5}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(7, uint64(len(tt.truth))))
			const queries = 150
			covered, above, better := 0, 0, 0
			for range tt.samples {
				s, list, all := drawnScores(sample(random, tt.truth, queries), 5)
				chosen, byFold := s.nested(list, all)
				truth := 0.0
				for _, f := range s.fold {
					truth += (tt.truth[byFold[f]] - tt.truth[0]) / queries
				}
				d := s.difference(s.held[0], chosen)
				if truth < d.Low-1e-12 {
					above++
				}
				if d.Low <= truth+1e-12 && truth <= d.High+1e-12 {
					covered++
				}
				if d.Verdict() == retrieval.Better {
					better++
				}
			}
			share := float64(covered) / float64(tt.samples)
			t.Logf("%.1f %% hold the truth, %.1f %% are above it, %.1f %% say better", 100*share, 100*float64(above)/float64(tt.samples), 100*float64(better)/float64(tt.samples))
			if share < 0.92 {
				t.Errorf("%.1f %% of the intervals hold the truth", 100*share)
			}
		})
	}
}

// sample draws scores of 0 or 1 with known means. Candidates agree on most queries, as
// rankers do.
func sample(random *rand.Rand, truth []float64, queries int) [][]float64 {
	columns := make([][]float64, len(truth))
	for range queries {
		hard := random.Float64()
		for i, p := range truth {
			u := hard
			if random.Float64() < 0.3 {
				u = random.Float64()
			}
			v := 0.0
			if u < p {
				v = 1
			}
			columns[i] = append(columns[i], v)
		}
	}
	return columns
}

// TestShuffledLabels: on labels that say nothing no change is recommended, also where a
// ranker learns from these labels which ten tools are named most.
func TestShuffledLabels(t *testing.T) {
	registry, queries := invented(t, 80, 100)
	random := rand.New(rand.NewPCG(20261125, 1))
	for range 2 {
		asked := slices.Clone(queries)
		for i, j := range random.Perm(len(queries)) {
			asked[i].Relevant = queries[j%10].Relevant
		}
		snapshot := build(t, registry, teaching(asked))
		x := tune(t, TuningRequest{Snapshot: snapshot, Queries: asked, Over: []string{"ranker", "limit", "k1", "b"}})
		if x.Verdict == retrieval.Better {
			t.Errorf("a change is recommended: %v, %v", x.Changes(), x.Difference)
		}
	}
}

// invented returns tools of words that occur in several of them, and queries with some
// words of a tool and others.
func invented(t testing.TB, tools, queries int) (*model.Registry, []labels.Query) {
	random := rand.New(rand.NewPCG(11, 12))
	syllables := []string{"ba", "ke", "lo", "mi", "nu", "ra", "si", "to", "va", "ze"}
	word := func() string {
		n := random.IntN(150)
		return syllables[n%10] + syllables[n/10%10] + syllables[(n/7+3)%10] + "k"
	}
	phrase := func(n int) []string {
		var out []string
		for range n {
			out = append(out, word())
		}
		return out
	}
	var entries []string
	var all []labels.Query
	texts := make([][]string, tools)
	for i := range tools {
		texts[i] = phrase(4 + random.IntN(12))
		entries = append(entries, fmt.Sprintf(`{"type":"function","function":{"name":"tool_%d_%s","description":%q},"toolset":"t"}`, i, word(), strings.Join(texts[i], " ")))
	}
	registry := fixture.Parse(t, []byte(`{"tools":[`+strings.Join(entries, ",")+`],"toolsets":{}}`))
	for i := range queries {
		of := i % tools
		text := append(phrase(3), texts[of][:3]...)
		all = append(all, labels.Query{ID: fmt.Sprint(i), Text: strings.Join(text, " "), Relevant: []string{registry.Tools[of].Name}})
	}
	return registry, all
}

// TestSettingsThatMatter: the settings searched without being named follow from how tools are
// chosen; what changes nothing is useless, and named so.
func TestSettingsThatMatter(t *testing.T) {
	all := TunedNames()
	for _, c := range []struct {
		strategy string
		mode     config.Mode
		ranker   string
		want     string // without names
		useful   string // all of those that change something
	}{
		{config.SelectLazy, config.On, config.RankerBM25, "ranker limit", "ranker meaning limit k1 b"},
		{config.SelectLazy, config.On, config.RankerHybrid, "ranker meaning limit", "ranker meaning limit k1 b"},
		{config.SelectLazy, config.Auto, config.RankerBM25, "ranker limit threshold", "ranker meaning limit k1 b threshold"},
		{config.SelectKeyword, config.Auto, config.RankerBM25, "ranker K", "ranker meaning k1 b K"},
		{config.SelectHybrid, config.Auto, config.RankerHybrid, "ranker meaning K rrf_k weights", "ranker meaning k1 b K rrf_k weights"},
		{config.SelectSemantic, config.On, config.RankerBM25, "K", "K"},
	} {
		snapshot, _ := small(t, func(in *engine.Inputs) {
			in.Config.Selection, in.Config.ToolSearch.Enabled, in.Config.ToolSearch.Ranker = c.strategy, c.mode, c.ranker
		})
		names := func(over []string) (got string, useless []string) {
			list, useless, err := axes(snapshot, over)
			require.NoError(t, err)
			for _, a := range list {
				got += " " + a.name
				if a.values[a.base] != a.in(snapshot) || !slices.IsSortedFunc(a.values, compareNumbers) || len(a.values) < 3 {
					t.Errorf("%s, %s: %s has %v, in force is value %d", c.strategy, c.mode, a.name, a.values, a.base)
				}
			}
			return strings.TrimSpace(got), useless
		}
		got, _ := names(nil)
		named, useless := names(all)
		if got != c.want || named != c.useful || len(useless)+len(strings.Fields(named)) != len(all) {
			t.Errorf("%s, %s, %s: %s of %s, useless %q; want %s of %s", c.strategy, c.mode, c.ranker, got, named, useless, c.want, c.useful)
		}
	}
}

// What one ranker alone reads is useless while no other ranker is in force or tried.
func TestSettingsOfOneRanker(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ ranker, learnOver, over, searched, useless string }{
		{config.RankerBM25, config.RankerFielded, "meaning", "", "meaning"},
		{config.RankerBM25, config.RankerFielded, "meaning,limit", "limit", "meaning"},
		{config.RankerBM25, config.RankerFielded, "ranker,meaning", "ranker meaning", ""},
		{config.RankerHybrid, config.RankerFielded, "meaning", "meaning", ""},
		{config.RankerLearned, config.RankerHybrid, "meaning", "meaning", ""},
		{config.RankerLearned, config.RankerFielded, "meaning", "", "meaning"},
		{config.RankerFielded, config.RankerFielded, "k1,b", "", "k1 b"},
		{config.RankerBM25, config.RankerFielded, "k1", "k1", ""},
	} {
		snapshot, _ := small(t, func(in *engine.Inputs) {
			in.Config.ToolSearch.Ranker, in.Config.ToolSearch.LearnOver = c.ranker, c.learnOver
		})
		list, useless, err := axes(snapshot, strings.Split(c.over, ","))
		var names []string
		for _, a := range list {
			names = append(names, a.name)
		}
		if got := strings.Join(names, " "); got != c.searched || strings.Join(useless, " ") != c.useless || (err != nil) != (got == "") {
			t.Errorf("%s over %s, %s: searched %s, useless %q, %v", c.ranker, c.learnOver, c.over, got, useless, err)
		}
		var none *UselessSettingError
		if errors.As(err, &none) && !strings.Contains(none.Error(), " under ranker "+c.ranker+"; ") {
			t.Error(none)
		}
	}
}

// Settings go by their names and by what config.KeyOf takes.
func TestNamed(t *testing.T) {
	t.Parallel()
	for _, d := range dimensions {
		for _, name := range []string{d.name, d.key, d.key[strings.LastIndexByte(d.key, '.')+1:]} {
			if got := TunedName(name); got != d.name {
				t.Errorf("%s is %q, want %s", name, got, d.name)
			}
		}
	}
	for name, want := range map[string]string{"RRF k": "rrf_k", "core": "", "colour": "", "": ""} {
		if got := TunedName(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

// TestNearestFirst: candidates come in the order of how many settings differ from those
// in force, and how far.
func TestNearestFirst(t *testing.T) {
	snapshot, _ := small(t)
	list, _, err := axes(snapshot, []string{"limit", "b"})
	require.NoError(t, err)
	var got []string
	for _, c := range combinations(list, config.RankerBM25, config.RankerFielded)[:7] {
		got = append(got, fmt.Sprint(c.changed, c.steps, c.rises, c.values[0]-list[0].base, c.values[1]-list[1].base))
	}
	if want := "0 0 false 0 0; 1 1 false -1 0; 1 1 false 0 -1; 1 1 false 0 1; 1 1 true 1 0; 1 2 false -2 0; 1 2 false 0 -2"; strings.Join(got, "; ") != want {
		t.Errorf("%q, want %s", got, want)
	}
}
