package report

import (
	"strings"
	"testing"

	"caliper/engine"
	"caliper/engine/labels"
	"caliper/engine/lint"
	"caliper/engine/whatif"
	"caliper/model/require"
)

const harbourQueries = `{"id": "q1", "query": "book a berth", "relevant": ["mcp_harbor_book"]}
{"id": "q2", "query": "pull a ship", "relevant": ["nobody", "mcp_harbor_tow"]}
{"id": "q|3", "query": "what | ` + "`" + `@you` + "`" + `", "relevant": ["mcp_harbor_sink"]}
{"id": "q4", "query": "read a file", "relevant": ["read_file"]}
`

// labelled returns how a case answers the queries of the harbour, under its
// ranker and others.
func (c subject) labelled(t tester, rankers ...string) Labelled {
	t.Helper()
	queries, faults := labels.Parse("", []byte(harbourQueries))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	l := Labelled{File: "/home/somebody/secret/queries.jsonl"}
	for _, ranker := range append([]string{c.Snapshot.Config.ToolSearch.Ranker}, rankers...) {
		settings := c.Snapshot.Config
		settings.ToolSearch.Ranker = ranker
		s, err := c.builder.Build(t.Context(), engine.Inputs{Registry: c.Snapshot.Registry, Config: settings})
		require.NoError(t, err)
		e, err := labels.Evaluate(t.Context(), s, queries, nil)
		require.NoError(t, err)
		l.Rankers = append(l.Rankers, e)
	}
	for _, a := range l.Rankers[0].Misses() {
		why, err := whatif.WhyNot(t.Context(), c.builder, c.Snapshot, a.Query.Text, a.Query.Relevant[len(a.Query.Relevant)-1], 0)
		require.NoError(t, err)
		l.Misses = append(l.Misses, Miss{Answer: a, Why: &why})
	}
	return l
}

func TestQueriesGolden(t *testing.T) {
	c := on(t, harbour, harbourConfig, "")
	reach, err := lint.Survey(t.Context(), c.Snapshot, nil)
	require.NoError(t, err)
	report, err := lint.Run(t.Context(), c.Snapshot, lint.Options{})
	require.NoError(t, err)
	for name, got := range map[string]string{
		"queries":          md(c.Case.Queries(c.labelled(t, "fielded", "bm25-gated"))),
		"queries_whatif":   md(c.whatIf(t).Case.Queries(c.whatIf(t).labelled(t))),
		"queries_dark":     md(c.Case.Dark(reach)),
		"queries_findings": md(c.Case.Findings(report.Findings)),
	} {
		golden(t, name, got)
	}
}

func TestQueriesRepro(t *testing.T) {
	c := on(t, harbour, harbourConfig, "")
	text := md(c.Case.Queries(c.labelled(t, "fielded")))
	for _, want := range []string{"--ranker 'bm25,fielded' queries.jsonl\n", "4 labelled queries  session `default`, limit 1", "`no_match`", "`core`",
		"The registry does not have `nobody`.", "core tools: `read_file`"} {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "somebody") {
		t.Errorf("a path of the machine:\n%s", text)
	}
	if text := md(c.Case.Queries(c.labelled(t))); strings.Contains(text, "--ranker") || !strings.Contains(text, "caliper eval --session default queries.jsonl\n") {
		t.Error(text)
	}
	l := c.labelled(t)
	for range 3 * MaxRows {
		l.Misses = append(l.Misses, l.Misses[0])
	}
	if text := md(c.Case.Queries(l)); strings.Count(text, "\n| `") > 60 || !strings.Contains(text, "And ") {
		t.Errorf("too many rows:\n%s", text)
	}
	l.Misses = nil
	if text := md(c.Case.Queries(l)); !strings.Contains(text, "None: a relevant tool") {
		t.Error(text)
	}
	if text := md(c.Case.Findings(nil)); !strings.Contains(text, "nothing found") {
		t.Error(text)
	}
}

// A difference beside the two figures agrees with the figures as they are printed.
func TestPointsBetween(t *testing.T) {
	for _, c := range []struct {
		before, after float64
		want          string
	}{
		{0.835416, 0.847916, "+1.3"}, // exactly 1.25, and 83.5% → 84.8%
		{0.847916, 0.835416, "−1.3"},
		{0.8425, 0.8475, "+0.6"}, // 84.2% → 84.8%: a tie is printed as the even tenth
		{0.83541, 0.83542, "+0.0"},
		{0.83549, 0.83551, "+0.1"}, // 83.5% → 83.6%
		{0.83551, 0.83549, "−0.1"},
		{0, 1, "+100.0"},
		{0.6, 0.6, "+0.0"},
	} {
		if got := PointsBetween(c.before, c.after); got != c.want {
			t.Errorf("from %s to %s: %s, want %s", Tenths(100*c.before), Tenths(100*c.after), got, c.want)
		}
	}
}

// A share rises or falls by its value, not by the letters of its figure, and only where the
// figures differ.
func TestShareFigure(t *testing.T) {
	for _, c := range []struct {
		old, now float64
		want     Figure
	}{
		{0.5, 1, Figure{"recall@5", "50.0%", "100.0%", "+50.0 points", 1}},
		{1, 0.951, Figure{"recall@5", "100.0%", "95.1%", "−4.9 points", -1}},
		{0.5, 0.50001, Figure{"recall@5", "50.0%", "50.0%", "", 0}},
	} {
		if got := ShareFigure("recall@5", c.old, c.now); got != c.want {
			t.Errorf("%v to %v: %+v, want %+v", c.old, c.now, got, c.want)
		}
	}
}

// TestMinus: every number that people read has the minus sign, whoever formats it.
func TestMinus(t *testing.T) {
	for name, got := range map[string]string{
		"a whole number":      Textf("%d", -4).String(),
		"a fraction":          Textf("%.1f", -4.0).String(),
		"a signed fraction":   Textf("%+.1f", -4.0).String(),
		"a number in a table": TextOf(-4).String(),
		"a percentage":        Percent(-4),
		"tenths":              Tenths(-4),
		"points":              Points(-0.04),
		"a signed number":     Signed(-4).String(),
		"a score":             score(-4),
	} {
		if !strings.HasPrefix(got, "−4") || strings.Contains(got, "-") {
			t.Errorf("%s is %q", name, got)
		}
	}
}
