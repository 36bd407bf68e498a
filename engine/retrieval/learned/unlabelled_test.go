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

var times = flag.Int("times", 5, "how often TestUnlabelledTools deals the unlabelled tools, and twice as often in small sets")

// TestUnlabelledTools: with a fifth of the tools unlabelled, a few times, queries for these
// lose at most a point of nDCG@10 in each set against hybrid and against fielded, to which
// lessons add. The others keep four fifths of what they gained in the mean over the sets, and
// in the two large ones, by an earlier rule, with which unlabelled tools lost up to 3.7
// points.
func TestUnlabelledTools(t *testing.T) {
	if !*slow {
		t.Skip("takes two minutes: -slow")
	}
	for _, tt := range []struct {
		over   string
		gained map[string]float64 // "" is the mean over the sets
	}{
		{config.RankerFielded, map[string]float64{"": 4.24, "metatool": 8.46, "bfcl": 5.56}},
		{config.RankerHybrid, map[string]float64{"": 3.06, "metatool": 7.04, "bfcl": 4.38}},
	} {
		t.Run(tt.over, func(t *testing.T) {
			labelled, unlabelled := 0.0, 0.0
			for _, name := range fixture.Sets {
				s := fixture.ReadSet(t, name)
				base, err := fielded.NewCorpus().Index(t.Context(), s.Registry.Tools, s.Toolset, fielded.Default)
				require.NoError(t, err)
				var meant *meaning.Index
				if tt.over == config.RankerHybrid {
					if meant, err = meaning.New(base, config.Default().ToolSearch.Meaning); err != nil {
						t.Fatal(err)
					}
				}
				var sum lost
				deals, worst := *times, 0.0
				if len(s.Queries) < 500 {
					deals *= 2 // a query weighs much
				}
				for seed := range deals {
					var once lost
					once.measure(t, s, base, meant, seed+1)
					if sum.add(&once); once.unlabelled.n > 0 {
						worst = min(worst, once.unlabelled.gain())
					}
				}
				t.Logf("%-22s labelled %5d: %5.1f %+5.2f unlabelled %4d: %5.1f %+5.2f, worst %+5.2f", name,
					sum.labelled.n, sum.labelled.before(), sum.labelled.gain(), sum.unlabelled.n, sum.unlabelled.before(), sum.unlabelled.gain(), worst)
				if sum.unlabelled.gain() < -1 || sum.labelled.gain() < 0.8*tt.gained[name] {
					t.Errorf("%s: labelled tools gain %.2f of %.2f, unlabelled ones %.2f", name, sum.labelled.gain(), tt.gained[name], sum.unlabelled.gain())
				}
				labelled, unlabelled = labelled+sum.labelled.gain()/float64(len(fixture.Sets)), unlabelled+sum.unlabelled.gain()/float64(len(fixture.Sets))
			}
			t.Logf("mean of the sets: labelled %+.2f unlabelled %+.2f", labelled, unlabelled)
			if labelled < 0.8*tt.gained[""] {
				t.Errorf("labelled tools gain %.2f of %.2f", labelled, tt.gained[""])
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
	for fold := range uint64(fifths) {
		var from []Lesson
		asked := map[bool][]fixture.Query{}
		for i, q := range set.Queries {
			l := dealt.core.lessons[i].Lesson
			switch {
			case dealt.fingerprint(int32(i), "tested")%fifths != fold:
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
