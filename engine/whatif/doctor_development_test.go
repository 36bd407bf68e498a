package whatif

import (
	"cmp"
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/internal/fixture"
	"caliper/engine/labels"
	"caliper/model"
	"caliper/model/require"
)

var slow = flag.Bool("slow", false, "run the slow suites")

// miss is a labelled query whose tool is beyond the limit.
type miss struct {
	of     *measured
	number int // of the query
	tool   *model.Tool
}

// snapshotOf returns a snapshot of a set, and its queries.
func snapshotOf(t testing.TB, set *fixture.Set, ranker string) (*engine.Snapshot, []labels.Query) {
	t.Helper()
	c := config.Default()
	c.ToolSearch.Enabled, c.ToolSearch.Ranker = config.On, ranker
	s, err := engine.NewBuilder().Build(t.Context(), engine.Inputs{Registry: set.Registry, Config: c})
	require.NoError(t, err)
	var queries []labels.Query
	for _, q := range set.Queries {
		queries = append(queries, labels.Query{ID: q.ID, Text: q.Query, Relevant: q.Relevant, Groups: q.Groups, Group: q.Group})
	}
	return s, queries
}

// splits is how many times the tasks of the sets are dealt to two halves.
const splits = 10

// wantedMisses is of how many tools each split has a miss.
const wantedMisses = 50

// measured is a set with a ranker.
type measured struct {
	name    string
	s       *engine.Snapshot
	queries []labels.Query
	before  *Labels
	tasks   map[string]map[string]bool // those that need a tool, by its name
}

func measuredOf(t testing.TB, name, ranker string) *measured {
	t.Helper()
	s, queries := snapshotOf(t, fixture.ReadSet(t, name), ranker)
	before, err := Measure(t.Context(), s, queries)
	require.NoError(t, err)
	m := &measured{name, s, queries, before, map[string]map[string]bool{}}
	for _, q := range queries {
		for _, name := range q.Relevant {
			if m.tasks[name] == nil {
				m.tasks[name] = map[string]bool{}
			}
			m.tasks[name][taskOf(q)] = true
		}
	}
	return m
}

func taskOf(q labels.Query) string { return cmp.Or(q.Group, q.Text) }

// half returns the half of a query in a split.
func half(q labels.Query, split int) uint64 {
	return rand.New(rand.NewPCG(uint64(split), hash(taskOf(q)))).Uint64() & 1
}

func hash(text string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text))
	return h.Sum64()
}

// misses returns the labelled queries whose tool is beyond the limit and is needed by more
// than three tasks, one a tool, in an order that depends on the split.
func (m *measured) misses(split int) []miss {
	var all []miss
	for i, q := range m.queries {
		for _, name := range q.Relevant {
			tool := m.s.Registry.Named(name)
			if rank := m.before.Rank(i, tool); (rank == 0 || rank > m.before.Limit()) && len(m.tasks[name]) > 3 {
				all = append(all, miss{m, i, tool})
			}
		}
	}
	order := func(x miss) uint64 {
		return rand.New(rand.NewPCG(uint64(split), hash(m.queries[x.number].Text+x.tool.Name))).Uint64()
	}
	slices.SortFunc(all, func(a, b miss) int { return cmp.Compare(order(a), order(b)) })
	seen := map[*model.Tool]bool{}
	return slices.DeleteFunc(all, func(x miss) bool {
		was := seen[x.tool]
		seen[x.tool] = true
		return was
	})
}

// edit is the effect of the best proposal for a missed tool on the half of the queries that
// the doctor has not seen: of the tool's queries, found is how much of their needs is
// found more. Both are 0 without a proposal.
type edit struct {
	tool        string // with its set
	proposed    bool
	own         int
	found, harm float64
}

// TestMisses: over 50 misses of the development sets, the best proposal for the missed
// tool finds more of what queries need that did not propose its words, and the net harm is
// within its interval of zero and no tenth of the gain.
//
// The tasks are dealt to two halves in ten ways. The doctor proposes from the half
// without the miss, and the other one measures.  For 50 misses, with 95 % intervals over the tools:
//
//	ranker    proposals   more needs found            net harm
//	bm25      10.4        +9.87 (+4.05 to +18.33)     +0.30 (+0.00 to +0.70)
//	fielded   7.9         +4.54 (+1.66 to +8.20)      +0.12 (-0.10 to +0.40)
func TestMisses(t *testing.T) {
	if !*slow {
		t.Skip("slow")
	}
	for _, ranker := range []string{config.RankerBM25, config.RankerFielded} {
		t.Run(ranker, func(t *testing.T) {
			var sets []*measured
			for _, name := range fixture.Sets {
				sets = append(sets, measuredOf(t, name, ranker))
			}
			var edits []edit
			for split := range splits {
				var of []edit
				for _, x := range chosen(sets, split) {
					seen, unseen := halves(x, split)
					of = append(of, editOf(t, x, seen, unseen))
				}
				t.Logf("split %d: %s", split, summary(of))
				edits = append(edits, of...)
			}
			t.Logf("a split on average: %s", summary(edits))
			found, harm := figureOf(edits, found), figureOf(edits, harm)
			if found.low <= 0 || harm.low > 0 || harm.mean > found.mean/10 {
				t.Errorf("unseen queries find %v needs more, with a net harm of %v", found, harm)
			}
		})
	}
}

// chosen returns the misses of a split, of every set in turn.
func chosen(sets []*measured, split int) []miss {
	var of [][]miss
	for _, m := range sets {
		of = append(of, m.misses(split))
	}
	var out []miss
	for round := 0; len(out) < wantedMisses; round++ {
		for _, misses := range of {
			if round < len(misses) && len(out) < wantedMisses {
				out = append(out, misses[round])
			}
		}
	}
	return out
}

// halves returns the half of the tasks without a miss, and the half with it.
func halves(x miss, split int) (seen, unseen []labels.Query) {
	for _, q := range x.of.queries {
		if half(q, split) == half(x.of.queries[x.number], split) {
			unseen = append(unseen, q)
		} else {
			seen = append(seen, q)
		}
	}
	return seen, unseen
}

// editOf proposes words from the queries that are seen, and measures the best proposal on
// the others.
func editOf(t *testing.T, x miss, seen, unseen []labels.Query) edit {
	m := x.of
	e := edit{tool: m.name + "/" + x.tool.Qualified}
	all, err := Propose(t.Context(), m.s, x.tool, seen, nil)
	require.NoError(t, err)
	if len(all) == 0 {
		return e
	}
	judged, err := Judge(t.Context(), m.s, x.tool, unseen, []string{all[0].Description})
	require.NoError(t, err)
	j := judged[0]
	e.proposed, e.harm = true, j.NetHarm
	for _, a := range j.Outcome.Asked {
		if a.Own {
			e.own++
			e.found += a.FoundAfter - a.FoundBefore
		}
	}
	var added []string
	for _, w := range all[0].Words {
		added = append(added, w.Text)
	}
	t.Logf("%-40.40s %+5.2f of %2d, net harm %5.2f  %s", x.tool.Name, e.found, e.own, e.harm, strings.Join(added, " "))
	return e
}

func found(e edit) float64 { return e.found }
func harm(e edit) float64  { return e.harm }

// figure is a sum over as many misses as a split has, with its 95 % interval.
type figure struct{ mean, low, high float64 }

func (f figure) String() string { return fmt.Sprintf("%+.2f (%+.2f to %+.2f)", f.mean, f.low, f.high) }

// figureOf returns a figure of edits; the interval is over the tools (bootstrap).
func figureOf(edits []edit, of func(edit) float64) figure {
	byTool := map[string][]edit{}
	var tools []string
	for _, e := range edits {
		if byTool[e.tool] == nil {
			tools = append(tools, e.tool)
		}
		byTool[e.tool] = append(byTool[e.tool], e)
	}
	mean := func(pick func(i int) string) float64 {
		sum, n := 0.0, 0
		for i := range tools {
			for _, e := range byTool[pick(i)] {
				sum, n = sum+of(e), n+1
			}
		}
		return wantedMisses * sum / float64(n)
	}
	random := rand.New(rand.NewPCG(1, 2))
	var drawn []float64
	for range 2000 {
		drawn = append(drawn, mean(func(int) string { return tools[random.IntN(len(tools))] }))
	}
	slices.Sort(drawn)
	return figure{mean(func(i int) string { return tools[i] }), drawn[50], drawn[1949]}
}

// summary returns the figures of edits in words.
func summary(edits []edit) string {
	proposals := 0
	for _, e := range edits {
		proposals += map[bool]int{true: 1}[e.proposed]
	}
	return fmt.Sprintf("for %d misses %.1f proposals; queries that proposed no word find %v needs more; net harm %v",
		wantedMisses, float64(proposals)*wantedMisses/float64(len(edits)), figureOf(edits, found), figureOf(edits, harm))
}
