package report

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/embed"
	"caliper/engine/labels"
	"caliper/engine/lint"
	"caliper/engine/rescue"
	"caliper/engine/rescue/fetch"
	"caliper/engine/selection"
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

const evidenceRegistry = `{"tools":[
{"type":"function","function":{"name":"mcp_a_one"},"toolset":"mcp-a"},
{"type":"function","function":{"name":"mcp_a_two"},"toolset":"mcp-a"},
{"type":"function","function":{"name":"mcp_b_three"},"toolset":"mcp-b"}]}`

// The evidence names every denied call once with its gate and reason, the files with
// their hashes, and is the same each time.
func TestEvidence(t *testing.T) {
	t.Parallel()
	c := on(t, evidenceRegistry, "", "").Case
	c.ConfigName, c.ConfigData = "/home/x/config.yaml", []byte("sessions: {}\n")
	tools := c.Snapshot.Registry.Tools
	session := engine.SessionAudit{Name: "a|`b", Violations: []engine.Violation{{Tool: tools[0].Qualified, Path: engine.PathCall}}}
	for _, tool := range tools[1:] {
		session.Denied = append(session.Denied, engine.Denial{Tool: tool.Qualified, Gate: engine.GateScopeCatalog, Code: engine.CodeOutOfScope})
	}
	a := engine.Audit{Sessions: []engine.SessionAudit{session}}
	text, _ := c.Evidence(a).Markdown()
	if again, _ := c.Evidence(a).Markdown(); again != text {
		t.Error("two texts of the same audit differ")
	}
	for _, want := range []string{
		fmt.Sprintf("| `config.yaml` | %x | 13 |", sha256.Sum256(c.ConfigData)), "1 violation\n",
		fmt.Sprintf("Asked for each of %s in each of 1 session", Count(len(tools), "tool")), "scope_catalog | the session is not granted",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	_, denied, _ := strings.Cut(text, "### Refused calls")
	denied, _, _ = strings.Cut(denied, "### Again")
	for _, tool := range tools[1:] {
		if strings.Count(denied, "`"+tool.Qualified+"`") != 1 {
			t.Errorf("%s is named %d times\n%s", tool.Qualified, strings.Count(denied, "`"+tool.Qualified+"`"), denied)
		}
	}
	if bytes.Contains([]byte(text), []byte("/home/x")) {
		t.Error("a path of the machine is told")
	}
}

// Beyond the most that are named, calls are counted.
func TestEvidenceOfManyIsShort(t *testing.T) {
	t.Parallel()
	c := on(t, evidenceRegistry, "", "").Case
	session := engine.SessionAudit{Name: "s"}
	for i := range 5 * mostDenied {
		session.Denied = append(session.Denied, engine.Denial{Tool: fmt.Sprintf("tool_%05d", i), Gate: "policy", Code: engine.CodeDenied})
	}
	text, _ := c.Evidence(engine.Audit{Sessions: []engine.SessionAudit{session}}).Markdown()
	if n := strings.Count(text, "`tool_0"); n != mostDenied || len(text) > 60_000 || !strings.Contains(text, "| 4000 |") {
		t.Errorf("%d calls are named in %d bytes", n, len(text))
	}
}

// selecting returns a selector of the harbour with two places, and what it
// selects for a message.
func (c subject) selecting(t tester, message string) (*selection.Selector, Selected) {
	t.Helper()
	set := selection.SettingsOf(c.Snapshot.Config)
	set.Strategy, set.K = selection.Hybrid, 2
	x, err := selection.New(t.Context(), c.Snapshot, set, nil, nil)
	require.NoError(t, err)
	similarity, err := embed.NewFuzzy(t.Context(), x.Candidates())
	require.NoError(t, err)
	if x, err = selection.New(t.Context(), c.Snapshot, set, similarity, nil); err != nil {
		t.Fatal(err)
	}
	s := Selected{Message: message, Settings: x.Settings(), File: "/home/somebody/secret/queries.jsonl"}
	for _, strategy := range selection.Strategies {
		set.Strategy = strategy
		picked, err := x.With(set).Select(t.Context(), message, nil)
		require.NoError(t, err)
		s.Selections = append(s.Selections, picked)
	}
	return x, s
}

func TestStrategiesGolden(t *testing.T) {
	c := on(t, harbour, harbourConfig, "")
	x, s := c.selecting(t, "tow a ship to a `berth` | @you")
	s.Needs = [][]string{{"mcp_harbor_tow"}, {"nobody", "mcp_harbor_book"}}
	queries, _ := labels.Parse("", []byte(harbourQueries))
	rows, err := x.Compare(t.Context(), queries, nil)
	require.NoError(t, err)
	points, err := x.Pareto(t.Context(), queries, nil)
	require.NoError(t, err)
	threads, err := x.Converse(t.Context(), []string{"tow a ship", "read the tide"}, nil)
	require.NoError(t, err)
	for name, got := range map[string]string{
		"strategies":              md(c.Case.Strategies(s, selection.Hybrid)),
		"strategies_labelled":     md(c.Case.Compared(s, rows, nil)),
		"strategies_pareto":       md(c.Case.Compared(s, rows, points)),
		"strategies_conversation": md(c.Case.Conversation(s, threads)),
	} {
		golden(t, name, got)
	}
}

func TestStrategiesRepro(t *testing.T) {
	c := on(t, harbour, harbourConfig, "")
	_, s := c.selecting(t, "")
	text := md(c.Case.Strategies(s, selection.Hybrid))
	if !strings.Contains(text, "There is no message.") || strings.Contains(text, "Again") || strings.Contains(text, "needed") {
		t.Error(text)
	}
	for name, text := range map[string]string{"compared": md(c.Case.Compared(s, nil, nil)), "conversation": md(c.Case.Conversation(s, nil))} {
		if !strings.Contains(text, "## caliper") {
			t.Errorf("%s of nothing: %s", name, text)
		}
	}
	for range 3 * MaxRows {
		s.Selections[0].Tools = append(s.Selections[0].Tools, s.Selections[0].Tools[0])
	}
	if text := md(c.Case.Strategies(s, selection.Eager)); strings.Count(text, "\n|") > 60 || !strings.Contains(text, " more; ") {
		t.Errorf("too many rows:\n%s", text)
	}
}

// rescuing returns what becomes of a text that mcp_harbor_tow returned.
func (c subject) rescuing(t tester, text string, l rescue.Limits, requests ...fetch.Request) Rescued {
	t.Helper()
	src := []byte(text)
	m := rescue.Meta{
		ID: strings.Repeat("0123456789abcdef", 4), Tool: "mcp_harbor_tow", Bytes: int64(len(text)),
		Chars: utf8.RuneCountInString(text), Lines: rescue.CountLines([]byte(text)), Kind: rescue.Detect([]byte(text)),
	}
	r := Rescued{File: "/home/somebody/secret/tow.log", Tool: m.Tool, Limits: l}
	r.Meta, r.OriginalTokens, r.Decision = m, m.Chars/4, rescue.Decide(c.Snapshot.Registry, l, m.Tool, m.Chars)
	if !r.Rescue {
		return r
	}
	var err error
	if r.Preview, err = rescue.Handle(src, m, l); err != nil {
		t.Fatal(err)
	}
	r.HandleTokens = r.Preview.Chars / 4
	for _, q := range requests {
		a, err := fetch.Do(src, m, q, l)
		require.NoError(t, err)
		n := utf8.RuneCountInString(a.Text)
		r.Slices = append(r.Slices, Slice{Typed: q.Mode, Holds: "some | of it", Text: a.Text, Chars: n, Tokens: n / 4})
	}
	return r
}

func TestResultsGolden(t *testing.T) {
	c := on(t, harbour, harbourConfig, "")
	l := config.Default().Rescue
	l.MaxResultChars, l.ExcerptMaxChars, l.HeadLines, l.TailLines = 1000, 900, 3, 2
	text := strings.Repeat("a tug tows @you\n```\n# no heading\n", 60)
	pasted := c.rescuing(t, text, l)
	pasted.Pasted = true
	for name, got := range map[string]string{
		"results":        md(c.Case.Results(c.rescuing(t, text, l, fetch.Request{Mode: fetch.Outline}, fetch.Request{Mode: fetch.Range, Start: 4, Count: 3}))),
		"results_whole":  md(c.Case.Results(c.rescuing(t, "short", l))),
		"results_pasted": md(c.Case.Results(pasted)),
	} {
		golden(t, name, got)
	}
}
