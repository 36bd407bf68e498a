package desk

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"caliper/config"
	"caliper/model/require"
	"caliper/tui/demo"
	"caliper/tui/workbench"
	"caliper/watch"
)

// load returns the state of the demo's registry and a configuration.
func load(t *testing.T, text string) *workbench.State {
	t.Helper()
	st, err := workbench.New().Load(context.Background(), workbench.Input{
		Registry: []watch.File{{Name: "registry.json", Data: demo.Registry()}},
		Config:   &watch.File{Name: "config.yaml", Data: []byte(text)},
	})
	require.NoError(t, err)
	return &st
}

// number returns the value of a knob of numbers.
func number(v any) float64 {
	if n, whole := v.(int); whole {
		return float64(n)
	}
	return v.(float64)
}

// numbers returns the knobs of numbers that have steps.
func numbers() []*Knob {
	var list []*Knob
	for _, k := range table {
		if (k.Kind == config.Whole || k.Kind == config.Number) && k.lengths == nil {
			list = append(list, k)
		}
	}
	return list
}

// of returns a number as a value of the knob.
func (k *Knob) of(n float64) any {
	if k.Kind == config.Whole {
		return int(n)
	}
	return n
}

// A knob goes as far as its setting does, in both directions, and never the
// other way, from wherever a file put the value.
func TestStepsGoAsFarAsTheSetting(t *testing.T) {
	t.Parallel()
	files := load(t, "tools: {tool_search: {max_search_limit: 50}}\n").Snapshot
	for _, k := range numbers() {
		for _, start := range []float64{-1, 0, 0.03, 1, 2, 3.3, 31, 33, 50, 99, 99.99, 100, 101, 127, 129, 130, 951, 999, 1000, 12_345, 1_000_000, 5_000_000, 99_999_999} {
			for by, end := range map[int]float64{-1: k.Least, 1: k.Most} {
				v := number(k.of(k.Clamp(start)))
				for v != end {
					next := number(k.Step(k.of(v), by, files))
					if (next-v)*float64(by) <= 0 || next < k.Least || next > k.Most {
						t.Fatalf("%s: %v goes to %v by %d, in %v to %v", k.Label, v, next, by, k.Least, k.Most)
					}
					v = next
				}
				if next := number(k.Step(k.of(end), by, files)); next != end {
					t.Errorf("%s: the end %v goes to %v", k.Label, end, next)
				}
			}
		}
	}
}

// Every value that config takes is one that a knob can start from: a step up
// never makes it smaller, a step down never greater.
func TestStepsGoTheirWay(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.SampledFrom(numbers()).Draw(t, "knob")
		if k.AtMost != "" {
			return // the files bound it
		}
		v := k.of(rapid.Float64Range(k.Least, k.Most).Draw(t, "value"))
		up, down := number(k.Step(v, 1, nil)), number(k.Step(v, -1, nil))
		if n := number(v); up < n || down > n || up == n && n != k.Most || down == n && n != k.Least || up > k.Most || down < k.Least {
			t.Fatalf("%s: %v goes up to %v and down to %v", k.Label, v, up, down)
		}
	})
}

// A value between two steps goes to its neighbour, and where the size of steps
// changes is a step of its own.
func TestStepsGoToTheNeighbour(t *testing.T) {
	t.Parallel()
	const embedder = "tools: {rag_embed_model: 'ollama:nomic'}\n"
	for _, tt := range []struct {
		name     string
		label    string
		files    string
		from     any
		down, up any
	}{
		{"threshold between", "threshold", "", 7.3, 7.0, 8.0},
		{"threshold where steps change", "threshold", "", 5.0, 4.5, 6.0},
		{"K at its end", "K", "", 1, 1, 2},
		{"K up to where steps change", "K", "", 32, 31, 40},
		{"K between", "K", "", 130, 128, 150},
		{"K where steps change", "K", "", 128, 120, 150},
		{"K back to where steps change", "K", "", 150, 128, 200},
		{"RRF k at its end", "RRF k", "", 0.0, 0.0, 1.0},
		{"RRF k between", "RRF k", "", 61.0, 60.0, 65.0},
		{"weight", "keyword weight", "", 1.0, 0.9, 1.1},
		{"weight between", "keyword weight", "", 2.3, 2.0, 2.5},
		{"context above all that are common", "context", "", 5_000_000, 2_000_000, 5_000_000},
		{"context below all that are common", "context", "", 5_000, nil, 8_000},
		{"context between", "context", "", 300_000, 256_000, 400_000},
		{"context on a common one", "context", "", 200_000, 128_000, 256_000},
		{"context unknown", "context", "", nil, nil, 8_000},
		{"a full fetch beyond the most common", "largest full read", "", 5_000_000, 4_000_000, 6_000_000},
		{"a result of few characters", "size limit", "", 50, 40, 60},
		{"first strategy", "strategy", "", "eager", "eager", "lazy"},
		{"last strategy", "strategy", "", "hybrid", "semantic", "hybrid"},
		{"mode", "mode", "", "auto", "off", "on"},
		{"yes or no", "keep picks", "", true, false, true},
		{"the embedders that are built in", "embedder", "", "fuzzy", "builtin", "fuzzy"},
		{"the embedder of the file", "embedder", embedder, "fuzzy", "builtin", "ollama:nomic"},
		{"the limit ends where the file says", "limit", "tools: {tool_search: {max_search_limit: 7}}\n", 7, 6, 7},
		{"a list is chosen from", "always sent", "", []string{"a"}, []string{"a"}, []string{"a"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k, files := labelled(tt.label), load(t, tt.files).Snapshot
			if down, up := k.Step(tt.from, -1, files), k.Step(tt.from, 1, files); !SameValue(down, tt.down) || !SameValue(up, tt.up) {
				t.Errorf("%v goes down to %v and up to %v, want %v and %v", tt.from, down, up, tt.down, tt.up)
			}
		})
	}
}

// labelled returns the knob with a label.
func labelled(label string) *Knob {
	for _, k := range table {
		if k.Label == label {
			return k
		}
	}
	return nil
}

// A step and a step back lead to the same value, but for the first step off a
// value between two steps.
func TestStepsStayOnTheirGrid(t *testing.T) {
	t.Parallel()
	files := load(t, "").Snapshot
	stepped := slices.DeleteFunc(append(KnobsOf(BudgetKnobs), KnobsOf(SessionKnobs)...), func(k *Knob) bool { return k.Kind == config.Text }) // which may have one value at hand
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.SampledFrom(stepped).Draw(t, "knob")
		first := k.Default
		if k.habit == nil {
			first = k.ValueIn(files)
		}
		v := first
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			by := rapid.SampledFrom([]int{-1, 1}).Draw(t, "by")
			next := k.Step(v, by, files)
			if next == v { // at an end: it stays there, and leads back
				if again := k.Step(v, -by, files); again == v {
					t.Fatalf("%s is stuck at %v", k.Label, v)
				}
				continue
			}
			if back := k.Step(next, -by, files); back != v && v != first {
				t.Fatalf("%s: %v and one step are %v, and back %v", k.Label, v, next, back)
			}
			v = next
		}
	})
}

// Every knob of a file is a setting that config knows, with a label of its own.
func TestTable(t *testing.T) {
	t.Parallel()
	labels := map[string]bool{}
	for _, k := range table {
		_, known := config.SpecOf(k.Key)
		if known != k.Written() || k.Label == "" || labels[k.Label] {
			t.Errorf("%s with label %q: a setting %t, written %t", k.Key, k.Label, known, k.Written())
		}
		labels[k.Label] = true
		if KnobOf(k.Key) != k {
			t.Errorf("%s is there twice", k.Key)
		}
	}
	if n := len(KnobsOf(BudgetKnobs)) + len(KnobsOf(SessionKnobs)) + len(KnobsOf(StrategiesKnobs)) + len(KnobsOf(ResultsKnobs)); n != len(table) {
		t.Errorf("%d knobs in groups of %d", n, len(table))
	}
	if got := fmt.Sprint(KnobOf("tools.rag_top_k").Most); got != "1000" {
		t.Errorf("K goes to %s", got)
	}
}

// A knob that is turned at the end of its range says which end that is.
func TestEndText(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		key  string
		v    any
		by   int
		want string
	}{
		{"tools.rag_top_k", 1, -1, "K 1 is the least"},
		{"tools.rag_top_k", 1000, 1, "K 1,000 is the largest"},
		{"tools.tool_search.threshold_pct", 100.0, 1, "threshold 100% is the largest"},
		{config.KeyContext, nil, -1, "context unknown: there is nothing below"},
		{config.KeyContext, 10_000_000, 1, "context 10M is the largest step; enter types more"},
		{config.KeyRanker, config.RankerBM25, -1, "ranker bm25 is the first choice"},
		{config.KeySelection, "hybrid", 1, "strategy hybrid is the last choice"},
		{"tools.rag_sticky", true, 1, "keep picks yes already"},
		{"tools.rag_embed_model", "fuzzy", 1, "embedder fuzzy: no other is at hand; enter types one"},
		{config.KeyRAGCore, []string{"a"}, 1, "always sent: enter chooses them one by one"},
	} {
		if got := KnobOf(tt.key).EndText(tt.v, tt.by); got != tt.want {
			t.Errorf("%s %v by %d: %q, want %q", tt.key, tt.v, tt.by, got, tt.want)
		}
	}
}
