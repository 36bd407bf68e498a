package learned

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"

	"caliper/config"
	"caliper/engine/internal/fixture"
	"caliper/engine/retrieval"
	"caliper/engine/retrieval/fielded"
	"caliper/engine/retrieval/meaning"
	"caliper/model/require"
)

var slow = flag.Bool("slow", false, "run the slow suites")

// fifths is how many parts of a set's queries are asked one after the other, of what the
// other parts teach.
const fifths = 5

// gains returns how much the lessons of four fifths of a set's queries add to the
// nDCG@10 of fielded on the last fifth, in percent, over all fifths, and the nDCG@10 of
// fielded. Meaning counts too, unless its weight is 0. lessons changes the lessons.
func gains(t *testing.T, s *fixture.Set, weight float64, lessons func([]Lesson, *rand.Rand) []Lesson) (gain, without float64) {
	t.Helper()
	base, err := fielded.NewCorpus().Index(t.Context(), s.Registry.Tools, s.Toolset, fielded.Default)
	require.NoError(t, err)
	var meant *meaning.Index
	if weight > 0 {
		if meant, err = meaning.New(base, weight); err != nil {
			t.Fatal(err)
		}
	}
	all := make([]Lesson, len(s.Queries))
	for i, q := range s.Queries {
		all[i] = Lesson{ID: q.ID, Text: q.Query, Group: q.Group, Tools: q.Relevant}
	}
	dealt := Index{core: &core{lessons: make([]lesson, len(all))}}
	for i, l := range all {
		dealt.core.lessons[i].Lesson = l
	}
	var with, plain []retrieval.Metrics
	weights := ""
	for fold := range uint64(fifths) {
		var from []Lesson
		var asked []fixture.Query
		for i := range all {
			if dealt.fingerprint(int32(i), "tested")%fifths == fold {
				asked = append(asked, s.Queries[i])
			} else {
				from = append(from, all[i])
			}
		}
		if lessons != nil {
			from = lessons(from, rand.New(rand.NewPCG(fold, 7)))
		}
		x, err := New(t.Context(), base, meant, s.Registry.Tools, from)
		require.NoError(t, err)
		weights += fmt.Sprintf(" %v", x.Support().Weight)
		with, plain = append(with, measure(s, x, asked)...), append(plain, measure(s, base, asked)...)
	}
	without = 100 * retrieval.MeanMetrics(plain).NDCG
	gain = 100*retrieval.MeanMetrics(with).NDCG - without
	t.Logf("%-22s %5.1f %+5.1f weights%s", s.Name, without, gain, weights)
	return gain, without
}

// measure asks a ranker queries.
func measure(s *fixture.Set, x retrieval.Ranker, queries []fixture.Query) []retrieval.Metrics {
	all := make([]retrieval.Metrics, len(queries))
	var wg sync.WaitGroup
	cores := runtime.GOMAXPROCS(0)
	for core := range cores {
		wg.Go(func() {
			for i := core; i < len(queries); i += cores {
				var items []retrieval.RankedItem
				for _, h := range x.Search(queries[i].Query, retrieval.MaxRank).Hits {
					tool := s.Registry.Tools[h.Doc]
					items = append(items, retrieval.RankedItem{Name: tool.Name, Qualified: tool.Qualified})
				}
				all[i] = retrieval.Measure(retrieval.Label{Groups: queries[i].Needed(), Grades: queries[i].Grades}, items)
			}
		})
	}
	wg.Wait()
	return all
}

// TestDevelopmentSets: lessons help on every set, or are not used: from all
// labels, from labels where a fifth names any tool, and from forty.
func TestDevelopmentSets(t *testing.T) {
	if !*slow {
		t.Skip("takes a minute: -slow")
	}
	for _, tt := range []struct {
		name    string
		meaning float64 // its weight
		lessons func([]Lesson, *rand.Rand) []Lesson
		macro   float64 // percent, at least
	}{
		{"all labels over fielded", 0, nil, 3},
		{"all labels", config.Default().ToolSearch.Meaning, nil, 4.5},
		{"a fifth wrong", config.Default().ToolSearch.Meaning, nil, 3.5},
		{"forty labels", config.Default().ToolSearch.Meaning, func(from []Lesson, r *rand.Rand) []Lesson {
			from = slices.Clone(from)
			r.Shuffle(len(from), func(i, j int) { from[i], from[j] = from[j], from[i] })
			return from[:min(40, len(from))]
		}, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sum, base := 0.0, 0.0
			for _, name := range fixture.Sets {
				s := fixture.ReadSet(t, name)
				lessons := tt.lessons
				if tt.name == "a fifth wrong" {
					lessons = func(from []Lesson, r *rand.Rand) []Lesson { return mislabel(s, from, r) }
				}
				gain, without := gains(t, s, tt.meaning, lessons)
				sum, base = sum+gain, base+without
				if gain < -0.5 {
					t.Errorf("%s loses %.2f", name, -gain)
				}
			}
			n := float64(len(fixture.Sets))
			t.Logf("macro nDCG@10 %.2f %+.2f", base/n, sum/n)
			if sum/n < tt.macro {
				t.Errorf("it gains %.2f, want %v", sum/n, tt.macro)
			}
		})
	}
}

// mislabel has a fifth of the lessons name any tools.
func mislabel(s *fixture.Set, from []Lesson, r *rand.Rand) []Lesson {
	from = slices.Clone(from)
	for i := range from {
		if r.IntN(5) > 0 {
			continue
		}
		var wrong []string
		for range from[i].Tools {
			wrong = append(wrong, s.Registry.Tools[r.IntN(len(s.Registry.Tools))].Name)
		}
		from[i].Tools = wrong
	}
	return from
}

// TestShuffledLabels: labels that are dealt to other queries cost a point at most, as most of them
// earn no weight: with one that need not be earned it is 1.4.
func TestShuffledLabels(t *testing.T) {
	s := fixture.ReadSet(t, "learn/toolbench")
	gain, _ := gains(t, s, 0, func(from []Lesson, r *rand.Rand) []Lesson {
		from = slices.Clone(from)
		for i := range from {
			j := r.IntN(i + 1)
			from[i].Tools, from[j].Tools = from[j].Tools, from[i].Tools
		}
		return from
	})
	if gain < -1 {
		t.Errorf("it loses %.2f", -gain)
	}
}
