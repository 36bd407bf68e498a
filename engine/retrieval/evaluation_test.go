package retrieval

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// items makes a ranking of names, separated by spaces.
func items(names string) []RankedItem {
	var out []RankedItem
	for _, name := range strings.Fields(names) {
		out = append(out, RankedItem{Name: name, Qualified: name})
	}
	return out
}

// single is a label of tools that are each needed.
func single(names ...string) Label {
	var l Label
	for _, name := range names {
		l.Groups = append(l.Groups, []string{name})
	}
	return l
}

func TestMeasure(t *testing.T) {
	graded := single("a", "b")
	graded.Grades = map[string]float64{"a": 2, "b": 1}
	filler := strings.Repeat("x ", 9)
	tests := []struct {
		name    string
		label   Label
		ranking []RankedItem
		want    map[string]float64
	}{
		{"first", single("a"), items("a x"), map[string]float64{"recall@1": 1, "recall@20": 1, "mrr@10": 1, "ndcg@10": 1, "complete@1": 1}},
		// 1/log2(3+1) = 0.5, over an ideal of 1.
		{"third", single("a"), items("x y a"), map[string]float64{"recall@1": 0, "recall@3": 1, "hit@1": 0, "hit@3": 1, "mrr@10": 1.0 / 3, "ndcg@10": 0.5}},
		{"nothing found", single("a"), nil, map[string]float64{"recall@20": 0, "hit@20": 0, "complete@20": 0, "mrr@10": 0, "ndcg@10": 0}},
		{"tenth", single("a"), items(filler + "a"), map[string]float64{"recall@8": 0, "recall@10": 1, "mrr@10": 0.1, "ndcg@10": 1 / math.Log2(11)}},
		{"eleventh", single("a"), items("x " + filler + "a"), map[string]float64{"recall@10": 0, "recall@20": 1, "mrr@10": 0, "ndcg@10": 0}},
		{"twentieth", single("a"), items(filler + filler + "x a"), map[string]float64{"recall@10": 0, "recall@20": 1}},
		{"twenty-first", single("a"), items(filler + filler + "x x a"), map[string]float64{"recall@20": 0, "hit@20": 0}},
		// Two needed: ranks 1 and 3 gain 1 + 0.5, of 1 + 1/log2(3).
		{"two needed", single("a", "b"), items("a x b"),
			map[string]float64{"recall@1": 0.5, "recall@3": 1, "complete@1": 0, "complete@3": 1, "mrr@10": 1, "ndcg@10": 1.5 / (1 + 1/math.Log2(3))}},
		// The second tool of a group that is provided already gains nothing.
		{"either of two", Label{Groups: [][]string{{"a", "b"}}}, items("b a"), map[string]float64{"recall@1": 1, "ndcg@10": 1}},
		{"one tool for two needs", Label{Groups: [][]string{{"a"}, {"a", "b"}}}, items("a b"),
			map[string]float64{"recall@1": 1, "complete@1": 1, "ndcg@10": 1 / (1 + 1/math.Log2(3))}},
		// The worse first: 1 + 2/log2(3), of 2 + 1/log2(3).
		{"grades", graded, items("b a"), map[string]float64{"recall@1": 0.5, "ndcg@10": (1 + 2/math.Log2(3)) / (2 + 1/math.Log2(3))}},
		{"by the qualified name", single("set/a"), []RankedItem{{"a", "other/a"}, {"a", "set/a"}}, map[string]float64{"mrr@10": 0.5}},
		{"by the bare name", single("a"), []RankedItem{{"a", "other/a"}, {"a", "set/a"}}, map[string]float64{"mrr@10": 1, "ndcg@10": 1}},
		{"nothing needed", Label{}, items("a"), map[string]float64{"recall@1": 0, "hit@1": 0, "complete@1": 0, "ndcg@10": 0}},
	}
	for _, test := range tests {
		m := Measure(test.label, test.ranking)
		for name, want := range test.want {
			got, err := m.Value(name)
			if err != nil || math.Abs(got-want) > 1e-12 {
				t.Errorf("%s: %s is %v, want %v (%v)", test.name, name, got, want, err)
			}
		}
	}
}

func TestMean(t *testing.T) {
	m := MeanMetrics([]Metrics{Measure(single("a"), items("a")), Measure(single("a"), items("x")), Measure(single("a", "b"), items("a"))})
	if m.Recall[0] != 0.5 || m.MRR != 2.0/3 || m.Complete[0] != 1.0/3 {
		t.Errorf("%+v", m)
	}
	if got := MeanMetrics(nil); got != (Metrics{}) {
		t.Errorf("of none: %+v", got)
	}
}

func TestValueUnknown(t *testing.T) {
	for _, name := range []string{"", "recall", "recall@", "recall@2", "recall@05", "ndcg@5", "mrr", "Recall@5", "precision@5", "recall@5@5"} {
		if _, err := (Metrics{}).Value(name); err == nil || !strings.Contains(err.Error(), "recall, hit or complete at one of @1 @3 @5") {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// TestMeasureProperties checks what holds of every ranking.
func TestMeasureProperties(t *testing.T) {
	names := []string{"a", "b", "c", "d", "e", "f"}
	rapid.Check(t, func(t *rapid.T) {
		ranking := items(strings.Join(rapid.Permutation(append(slices.Clone(names), strings.Fields(strings.Repeat("x ", 20))...)).Draw(t, "ranking"), " "))
		l := Label{Groups: rapid.SliceOfN(rapid.SliceOfN(rapid.SampledFrom(names), 1, 3), 1, 4).Draw(t, "groups")}
		m := Measure(l, ranking)
		for i := range Cutoffs {
			if i > 0 && (m.Recall[i] < m.Recall[i-1] || m.Hit[i] < m.Hit[i-1] || m.Complete[i] < m.Complete[i-1]) {
				t.Fatalf("falls with more ranks: %+v", m)
			}
			if m.Hit[i] < m.Recall[i] || m.Recall[i] < m.Complete[i] || m.Hit[i] > 1 {
				t.Fatalf("out of order: %+v", m)
			}
		}
		if m.NDCG < 0 || m.NDCG > 1+1e-12 {
			t.Fatalf("ndcg %v", m.NDCG)
		}
		// A relevant tool that moves up never lowers a metric of a label of
		// single tools.
		alone := single("a", "c")
		at := slices.IndexFunc(ranking, func(i RankedItem) bool { return i.Name == "a" || i.Name == "c" })
		before := Measure(alone, ranking)
		if at > 0 {
			ranking[at-1], ranking[at] = ranking[at], ranking[at-1]
		}
		if after := Measure(alone, ranking); after.NDCG < before.NDCG || after.MRR < before.MRR {
			t.Fatalf("moving up lowers %+v to %+v", before, after)
		}
	})
}
