package learned

import (
	"flag"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine/internal/fixture"
	"caliper/engine/retrieval"
	"caliper/engine/retrieval/fielded"
	"caliper/engine/retrieval/meaning"
	"caliper/model/require"
)

// TestNewServer: labelled queries of twenty tools, most in words that no definition has, do
// not push four further tools down that no label names, though the queries for these have
// words of the labelled ones.
func TestNewServer(t *testing.T) {
	things := strings.Fields("anchor basket candle drawer engine feather garden hammer island jacket kettle ladder mirror needle orange pillow quarry ribbon saddle tunnel umbrella violin window zipper")
	var dump []string
	for _, thing := range things {
		dump = append(dump, fmt.Sprintf(`{"name": "order_%s", "description": "Order one %s from the stock."}`, thing, thing))
	}
	r := fixture.Parse(t, []byte(`{"tools": [`+strings.Join(dump, ",")+`]}`))
	base, err := fielded.NewCorpus().Index(t.Context(), r.Tools, r.Toolset, fielded.Default)
	require.NoError(t, err)
	var lessons []Lesson
	for i := range 20 {
		for other := range 6 {
			text := fmt.Sprintf("fetch quickly slang%d of our %s", i, things[(i+other+1)%20])
			lessons = append(lessons, Lesson{Text: text, Tools: []string{r.Tools[i].Name}})
		}
		lessons = append(lessons, Lesson{Text: "fetch quickly one " + things[i] + " of our cellar", Tools: []string{r.Tools[i].Name}})
	}
	x, err := New(t.Context(), base, nil, r.Tools, lessons)
	require.NoError(t, err)
	first := func(query string, want int) {
		t.Helper()
		hits := x.Search(query, 1).Hits
		if len(hits) == 0 || hits[0].Doc != want {
			t.Errorf("%q finds %v first, want %d; support %+v", query, hits, want, x.Support())
		}
	}
	for i := range 20 {
		first(fmt.Sprintf("fetch quickly slang%d of our ship", i), i)
	}
	for i := 20; i < len(things); i++ {
		first(fmt.Sprintf("fetch quickly one %s of our attic", things[i]), i)
	}
}

var times = flag.Int("times", 3, "how often TestUnlabelledTools deals the unlabelled tools")

// TestUnlabelledTools: with a fifth of the tools unlabelled, a few times, queries for these
// lose at most a point of nDCG@10 against hybrid and against fielded, to which lessons add,
// and the others keep four fifths of what they gained over fielded when nothing was held
// back for unlabelled tools (weights 6 and 4). Two points are lost where each query needs two
// tools. Against fielded the smaller sets, of 7 to 83 queries for unlabelled tools in three
// times, are only logged, and counted in the mean of all.
func TestUnlabelledTools(t *testing.T) {
	if !*slow {
		t.Skip("takes a minute: -slow")
	}
	for _, over := range []string{config.RankerFielded, config.RankerHybrid} {
		t.Run(over, func(t *testing.T) {
			gained := map[string]float64{"metatool": 8.94, "bfcl": 6.12}
			var all lost
			for _, name := range fixture.Sets {
				s := fixture.ReadSet(t, name)
				base, err := fielded.NewCorpus().Index(t.Context(), s.Registry.Tools, s.Toolset, fielded.Default)
				require.NoError(t, err)
				var meant *meaning.Index
				if over == config.RankerHybrid {
					if meant, err = meaning.New(base, config.Default().ToolSearch.Meaning); err != nil {
						t.Fatal(err)
					}
				}
				var sum lost
				for seed := range *times {
					sum.measure(t, s, base, meant, seed+1)
				}
				all.add(&sum)
				t.Logf("%-22s labelled %5d: %5.1f %+5.2f unlabelled %4d: %5.1f %+5.2f", name,
					sum.labelled.n, sum.labelled.before(), sum.labelled.gain(), sum.unlabelled.n, sum.unlabelled.before(), sum.unlabelled.gain())
				most := 1.0
				if name == "learn/metatool_multi" {
					most = 2
				}
				before, large := gained[name]
				if (large || over == config.RankerHybrid) && sum.unlabelled.gain() < -most || large && over == config.RankerFielded && sum.labelled.gain() < 0.8*before {
					t.Errorf("%s: labelled tools gain %.2f of %.2f, unlabelled ones %.2f", name, sum.labelled.gain(), before, sum.unlabelled.gain())
				}
			}
			t.Logf("all queries: labelled %+.2f unlabelled %+.2f", all.labelled.gain(), all.unlabelled.gain())
			if all.unlabelled.gain() < -1 {
				t.Errorf("unlabelled tools lose %.2f", -all.unlabelled.gain())
			}
		})
	}
}

// lost sums the nDCG@10 of queries for labelled and for unlabelled tools.
type lost struct{ labelled, unlabelled ndcgs }

// ndcgs is a sum of nDCG@10 without lessons and with them.
type ndcgs struct {
	n             int
	without, with float64
}

func (s *ndcgs) before() float64 { return 100 * s.without / float64(s.n) }
func (s *ndcgs) gain() float64   { return 100 * (s.with - s.without) / float64(s.n) }

func (s *lost) add(other *lost) {
	for a, b := range map[*ndcgs]*ndcgs{&s.labelled: &other.labelled, &s.unlabelled: &other.unlabelled} {
		a.n, a.without, a.with = a.n+b.n, a.without+b.without, a.with+b.with
	}
}

// measure adds the queries of a set, each fifth asked of what the others taught, without those
// that need a tool that a seed hides: with half of its tools, a lesson would teach the words of
// the hidden one for another.
func (s *lost) measure(t *testing.T, set *fixture.Set, base *fielded.Index, meant *meaning.Index, seed int) {
	without := retrieval.Ranker(base)
	if meant != nil {
		without = meant
	}
	hidden := func(name string) bool {
		h := fnv.New64a()
		fmt.Fprint(h, seed, name)
		return mix(h.Sum64())%5 == 0
	}
	dealt := Index{core: &core{lessons: make([]lesson, len(set.Queries))}}
	for i, q := range set.Queries {
		dealt.core.lessons[i].Lesson = Lesson{ID: q.ID, Text: q.Query, Group: q.Group, Tools: slices.DeleteFunc(slices.Clone(q.Relevant), hidden)}
	}
	for fold := range uint64(folds) {
		var from []Lesson
		asked := map[bool][]fixture.Query{}
		for i, q := range set.Queries {
			l := dealt.core.lessons[i].Lesson
			switch {
			case dealt.fingerprint(int32(i), "tested")%folds != fold:
				if len(l.Tools) == len(q.Relevant) {
					from = append(from, l)
				}
			case len(l.Tools) == 0 || len(l.Tools) == len(q.Relevant):
				asked[len(l.Tools) > 0] = append(asked[len(l.Tools) > 0], q)
			}
		}
		x, err := New(t.Context(), base, meant, set.Registry.Tools, from)
		require.NoError(t, err)
		for labelled, sum := range map[bool]*ndcgs{true: &s.labelled, false: &s.unlabelled} {
			sum.n += len(asked[labelled])
			sum.without += total(measure(set, without, asked[labelled]))
			sum.with += total(measure(set, x, asked[labelled]))
		}
	}
}

// total returns the sum of the nDCG of queries.
func total(all []retrieval.Metrics) float64 {
	sum := 0.0
	for _, m := range all {
		sum += m.NDCG
	}
	return sum
}
