package whatif

import (
	"cmp"
	"flag"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/internal/fixture"
	"caliper/engine/labels"
	"caliper/engine/retrieval"
	"caliper/model"
	"caliper/model/require"
)

// shop returns a snapshot of tools of a shop, and queries; those for send_bill
// have words that its description lacks.
func shop(t testing.TB, ranker string) (*engine.Snapshot, []labels.Query) {
	t.Helper()
	entries := []string{
		fixture.Entry("send_bill", "Post the document to a customer", "bills"),
		fixture.Entry("print_invoice_label", "Print the label of an invoice.", "print"),
		fixture.Entry("archive_invoice", "Archive an invoice.", "print"),
		fixture.Entry("count_invoices", "Count invoices.", "print"),
		fixture.Entry("draw_invoice", "Draw an invoice.", "print"),
		fixture.Entry("scan_invoice", "Scan an invoice.", "print"),
		fixture.Entry("open_ticket", "Open a ticket.", "help"),
		fixture.Entry("close_ticket", "Close a ticket.", "help"),
	}
	for name := range strings.FieldsSeq(`weather music films trains planes hotels maps photos notes mail chess poems rivers stars birds trees bread soup tea cups lamps doors roofs walls floors desks chairs beds shelves boxes bags shoes coats hats socks gloves rings clocks bells drums flutes harps`) {
		entries = append(entries, fixture.Entry("list_"+name, "Tells about "+name+".", name))
	}
	s, err := engine.NewBuilder().Build(t.Context(), engine.Inputs{Registry: fixture.Registry(t, entries...), Config: fixture.Config(func(c *config.Config) { c.ToolSearch.Ranker = ranker })})
	require.NoError(t, err)
	q := func(id, text, tool string) labels.Query {
		return labels.Query{ID: id, Text: text, Relevant: []string{tool}}
	}
	return s, []labels.Query{
		q("1", "remind Kowalski that the invoice payment is late", "send_bill"),
		q("2", "ask for the payment of an invoice", "send_bill"),
		q("3", "the payment for this invoice is missing", "send_bill"),
		q("4", "chase a payment by invoice", "send_bill"),
		q("4b", "is there a payment for the invoice of May", "send_bill"),
		q("4c", "a payment for an invoice has not arrived", "send_bill"),
		q("5", "archive the invoice", "archive_invoice"),
		q("6", "count my invoices", "count_invoices"),
		q("7", "open a ticket", "open_ticket"),
		q("8", "tells about rivers", "list_rivers"),
	}
}

// The description that a tool has changes nothing.
func TestJudgeSameText(t *testing.T) {
	for _, ranker := range config.Rankers {
		s, queries := shop(t, ranker)
		for _, tool := range s.Registry.Tools {
			all, err := Judge(t.Context(), s, tool, queries, []string{tool.Description})
			if err != nil || len(all) != 1 {
				t.Fatal(err)
			}
			j := all[0]
			if j.Difference.Mean != 0 || j.Verdict() != retrieval.CannotTell || j.TokensBefore != j.TokensAfter || len(j.Outcome.Hurt)+len(j.Outcome.Won)+len(j.Outcome.Lost) > 0 || j.Outcome.Before != j.Outcome.After || j.NetHarm != 0 {
				t.Errorf("%s: %s changes %+v", ranker, tool.Name, j)
			}
			for _, a := range j.Outcome.Asked {
				if before, after := a.Ranks(); before != after {
					t.Errorf("%s: %s moves %q from %d to %d", ranker, tool.Name, a.Query.Text, before, after)
				}
			}
		}
	}
}

// The order of judgements does not depend on the order of the descriptions, and one that is
// given twice is judged once.
func TestJudgeOrder(t *testing.T) {
	s, queries := shop(t, config.RankerBM25)
	tool := s.Registry.Tools[0]
	rapid.Check(t, func(rt *rapid.T) {
		texts := rapid.SliceOfN(rapid.SampledFrom([]string{"", "payment", "invoice payment", "tells about rivers", "Post", "Post it", "Post at", tool.Description}), 1, 6).Draw(rt, "texts")
		first, err := Judge(t.Context(), s, tool, queries, texts)
		if err != nil {
			rt.Fatal(err)
		}
		slices.Reverse(texts)
		second, err := Judge(t.Context(), s, tool, queries, texts)
		if err != nil {
			rt.Fatal(err)
		}
		seen := map[string]bool{}
		for i := range first {
			if first[i].Description != second[i].Description || seen[first[i].Description] {
				rt.Fatalf("%q and %q at %d", first[i].Description, second[i].Description, i)
			}
			seen[first[i].Description] = true
		}
		if len(first) != len(second) {
			rt.Fatal(len(first), len(second))
		}
	})
}

// The doctor proposes the word that the tool's queries have and it lacks,
// no name and nothing common, and the gain is one of queries that did not propose it.
func TestPropose(t *testing.T) {
	for _, ranker := range []string{config.RankerBM25, config.RankerFielded} {
		s, queries := shop(t, ranker)
		tool := s.Registry.Tools[0]
		all, err := Propose(t.Context(), s, tool, queries, nil)
		if err != nil || len(all) == 0 {
			t.Fatal(ranker, err, "no proposal")
		}
		best := all[0]
		if !strings.HasPrefix(best.Description, "Post the document to a customer (") || !slices.ContainsFunc(all, func(j Judgement) bool { return strings.Contains(strings.ToLower(j.Description), "payment") }) {
			t.Errorf("%s: %q", ranker, best.Description)
		}
		for _, j := range all {
			if strings.Contains(j.Description, "owalski") || j.NetHarm > 0 || len(j.Words) == 0 {
				t.Errorf("%s: %q with a harm of %v", ranker, j.Description, j.NetHarm)
			}
			var texts []string
			for _, w := range j.Words {
				if texts = append(texts, w.Text); retrieval.Filler(w.Text) || strings.Contains(tool.Description, w.Text) {
					t.Errorf("%s: proposes %q", ranker, w.Text)
				}
			}
			if want := Mention(tool.Description, strings.Join(texts, " ")); j.Description != want {
				t.Errorf("%s: %q, want %q", ranker, j.Description, want)
			}
		}
		if ids := queriesOf(best); !slices.Contains(ids, "2") || slices.Contains(ids, "5") {
			t.Errorf("%s: proposed by %v", ranker, ids)
		}
		if best.Outcome.After <= best.Outcome.Before {
			t.Errorf("%s: recall goes from %v to %v", ranker, best.Outcome.Before, best.Outcome.After)
		}
	}
}

// A query of the tool changes nothing of the words that it is asked with: with a word
// that is its alone, it gains nothing by it.
func TestNoQueryHelpsItself(t *testing.T) {
	s, queries := shop(t, config.RankerBM25)
	queries[0].Text, queries[1].Text, queries[2].Text, queries[3].Text = "rivers", "music", "films", "trains"
	all, err := Propose(t.Context(), s, s.Registry.Tools[0], queries, nil)
	require.NoError(t, err)
	own := map[string]bool{"1": true, "2": true, "3": true, "4": true}
	for _, j := range all {
		for _, a := range j.Outcome.Asked {
			if before, after := a.Ranks(); own[a.Query.ID] && after > 0 && (before == 0 || after < before) {
				t.Errorf("%q: %q goes from %d to %d", j.Description, a.Query.Text, before, after)
			}
		}
	}
}

// A tool without labelled queries gets the words that the lexicon relates to it, if any,
// and a claim of nothing.
func TestWithoutQueries(t *testing.T) {
	s, _ := shop(t, config.RankerBM25)
	for _, tool := range s.Registry.Tools {
		all, err := Propose(t.Context(), s, tool, nil, nil)
		require.NoError(t, err)
		for _, j := range all {
			if j.Verdict() != retrieval.CannotTell || len(queriesOf(j)) > 0 {
				t.Errorf("%s: %+v", tool.Name, j)
			}
		}
	}
}

// A request names every word that the tool's queries have and it lacks, each once with each
// reason once, no name, a proposal's first; and the tool above with what it shares.
func TestAsk(t *testing.T) {
	s, queries := shop(t, config.RankerBM25)
	queries = append(queries, labels.Query{ID: "9", Text: "the soup was late on Tuesday", Relevant: []string{"send_bill"}})
	r, err := RequestFor(t.Context(), s, s.Registry.Tools[0], queries)
	require.NoError(t, err)
	var words []string
	for _, w := range r.Words {
		words = append(words, w.Text)
		for i, reason := range w.Reasons {
			if slices.Contains(w.Reasons[:i], reason) {
				t.Errorf("%s has the reasons %v", w.Text, w.Reasons)
			}
		}
		if slices.Contains(w.Queries, "5") || len(w.Queries) == 0 {
			t.Errorf("%s comes from %v", w.Text, w.Queries)
		}
	}
	for i, w := range words {
		if slices.Contains(words[:i], w) || w == "tuesday" || w == "kowalski" {
			t.Errorf("the words are %v", words)
		}
	}
	if len(words) < 5 || words[0] != "payment" || !slices.Contains(words, "late") || !slices.Contains(words, "soup") {
		t.Errorf("the words are %v", words)
	}
	if r.Asked != 7 || len(r.Misses) == 0 || r.Misses[0].Above == nil || !slices.Contains(r.Misses[0].Shared, "invoice") {
		t.Errorf("%d queries, misses %+v", r.Asked, r.Misses)
	}
}

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
	m := &measured{s, queries, before, map[string]map[string]bool{}}
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
type edit struct{ found, harm float64 }

// TestMisses: over 50 misses of the development sets, the best proposal for the missed
// tool finds more of what queries need that did not propose its words, and the net harm is
// no tenth of the gain.
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
				for _, x := range chosen(sets, split) {
					var seen, unseen []labels.Query // the half of the tasks without the miss, and the half with it
					for _, q := range x.of.queries {
						if half(q, split) == half(x.of.queries[x.number], split) {
							unseen = append(unseen, q)
						} else {
							seen = append(seen, q)
						}
					}
					edits = append(edits, editOf(t, x, seen, unseen))
				}
			}
			found, harm := 0.0, 0.0 // of a split on average
			for _, e := range edits {
				found, harm = found+e.found/splits, harm+e.harm/splits
			}
			t.Logf("unseen queries find %+.2f needs more, with a net harm of %+.2f", found, harm)
			if found < 2 || harm > found/10 {
				t.Error("that is too few, or too much")
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

// editOf proposes words from the queries that are seen, and measures the best proposal on
// the others.
func editOf(t *testing.T, x miss, seen, unseen []labels.Query) edit {
	m, e := x.of, edit{}
	all, err := Propose(t.Context(), m.s, x.tool, seen, nil)
	require.NoError(t, err)
	if len(all) == 0 {
		return e
	}
	judged, err := Judge(t.Context(), m.s, x.tool, unseen, []string{all[0].Description})
	require.NoError(t, err)
	j := judged[0]
	e.harm = j.NetHarm
	for _, a := range j.Outcome.Asked {
		if a.Own {
			e.found += a.FoundAfter - a.FoundBefore
		}
	}
	return e
}

// queriesOf returns the ids of the labelled queries that the words of a judgement come from.
func queriesOf(j Judgement) (ids []string) {
	for _, w := range j.Words {
		ids = append(ids, w.Queries...)
	}
	return ids
}
