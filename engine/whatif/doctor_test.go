package whatif

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/internal/fixture"
	"caliper/engine/labels"
	"caliper/engine/retrieval"
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
		if !slices.Contains(best.ProposedBy(), "2") || slices.Contains(best.ProposedBy(), "5") {
			t.Errorf("%s: proposed by %v", ranker, best.ProposedBy())
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
			if j.Verdict() != retrieval.CannotTell || len(j.ProposedBy()) > 0 {
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
