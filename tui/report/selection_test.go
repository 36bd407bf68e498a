package report

import (
	"strings"
	"testing"

	"caliper/engine/embed"
	"caliper/engine/labels"
	"caliper/engine/selection"
	"caliper/model/require"
)

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
	for _, want := range []string{"There is no message.", "K 2, fusion the sum of scores, weights "} {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "Again") || strings.Contains(text, "needed") {
		t.Error(text)
	}
	for name, text := range map[string]string{"compared": md(c.Case.Compared(s, nil, nil)), "conversation": md(c.Case.Conversation(s, nil))} {
		if !strings.Contains(text, "## caliper") {
			t.Errorf("%s of nothing: %s", name, text)
		}
	}
	long, most := s.Selections[0], 3*MaxRows
	for range most {
		long.Tools = append(long.Tools, long.Tools[0])
	}
	s.Selections[0] = long
	if text := md(c.Case.Strategies(s, selection.Eager)); strings.Count(text, "\n|") > 60 || !strings.Contains(text, " more; ") {
		t.Errorf("too many rows:\n%s", text)
	}
}
