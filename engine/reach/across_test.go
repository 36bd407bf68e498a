package reach

import (
	"context"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/hosts"
	"caliper/engine/internal/fixture"
	"caliper/engine/labels"
	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"

	"pgregory.net/rapid"
)

// built returns a snapshot of tools "server name: description".
func built(t fixture.T, tools ...string) *engine.Snapshot {
	var entries []string
	for _, tool := range tools {
		name, description, _ := strings.Cut(tool, ": ")
		server, local, _ := strings.Cut(name, " ")
		entries = append(entries, `{"type":"function","function":{"name":"`+server+`__`+local+`","description":"`+description+`","parameters":{"type":"object"}},"toolset":"mcp-`+server+`","server":"`+server+`","original_name":"`+local+`"}`)
	}
	s, err := engine.Build(context.Background(), engine.Inputs{Registry: fixture.Registry(t, entries...), Config: config.Default()})
	require.NoError(t, err)
	return s
}

func TestAsk(t *testing.T) {
	twins := []string{"s t1: twin", "s t2: twin", "s t3: twin", "s t4: twin", "s t5: twin", "s t6: twin", "s t7: twin", "s t8: twin", "s t9: twin"}
	tests := map[string]struct {
		tools       []string
		host, query string
		expected    string
		rank        int
		cut         Cut
	}{
		"found":                         {[]string{"pay undo: Reverse a charge"}, "pi", "reverse", "pay__undo", 1, CutNothing},
		"below the limit":               {[]string{"a a: ship", "b b: ship", "c c: ship", "d d: ship", "e e: ship", "f f: ship"}, "ai-sdk", "ship", "f__f", 6, CutLimit},
		"among equals that cross it":    {twins, "codex", "twin", "s__t5", 5, CutChance},
		"no word":                       {[]string{"pay undo: Reverse a charge"}, "mastra", "refund", "pay__undo", 0, CutWords},
		"another is named":              {[]string{"pay undo: Reverse", "pay do: Charge"}, "claude-code", "mcp__pay__do", "pay__undo", 0, CutDirect},
		"a part of a name":              {[]string{"pay undo-all: Reverse"}, "claude-code", "undo", "pay__undo-all", 1, CutNothing},
		"a required word":               {[]string{"pay undo: Reverse", "pay do: Charge"}, "claude-code", "+charge pay", "pay__undo", 0, CutWords},
		"a selection by bare name":      {[]string{"pay undo: Reverse"}, "claude-code", "select:undo,none", "pay__undo", 1, CutNothing},
		"an expression":                 {[]string{"pay undo: Reverse"}, "copilot-cli", "rev.rse", "pay__undo", 1, CutNothing},
		"no expression":                 {[]string{"pay undo: Reverse"}, "copilot-cli", "rev(", "pay__undo", 0, CutWords},
		"words of two lines, a whale":   {[]string{`pay undo: 🐳 Reverse\ncharge`}, "codex", "whale", "pay__undo", 1, CutNothing},
		"a name that is too long":       {[]string{"pay " + strings.Repeat("n", 119) + ": Reverse"}, "claude-code", "reverse", "pay__" + strings.Repeat("n", 119), 0, CutTool},
		"a name of 128 characters":      {[]string{"pay " + strings.Repeat("n", 118) + ": Reverse"}, "claude-code", "reverse", "pay__" + strings.Repeat("n", 118), 1, CutNothing},
		"the name that it calls":        {[]string{"pay undo: Reverse"}, "codex", "mcp__pay__undo", "pay__undo", 0, CutWords},
		"its name run together":         {[]string{"pay undo: Reverse"}, "codex", "mcp__payundo", "pay__undo", 1, CutNothing},
		"what no one sees":              {[]string{"pay undo: Re\u200bverse"}, "claude-code", "reverse", "pay__undo", 1, CutNothing},
		"flags are no JavaScript":       {[]string{"pay undo: Reverse"}, "copilot-cli", "(?i)reverse", "pay__undo", 0, CutWords},
		"an expression that Go has not": {[]string{"pay undo: Reverse"}, "copilot-cli", "(?=rev)reverse", "pay__undo", 0, CutUntold},
		"words of a dictionary":         {[]string{"pay undo: 支付退款"}, "pi", "退款", "pay__undo", 1, CutUntold},
		"a name in Punycode":            {[]string{"pay grüße: Reverse"}, "copilot-cli", "xn--gre-6ka8l", "pay__grüße", 1, CutNothing},
		"joined lines":                  {[]string{`pay undo: 🐳 Reverse\ncharge`}, "codex", "charge", "pay__undo", 0, CutWords},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := built(t, tt.tools...)
			a := Ask(Of(hosts.Named(tt.host), s), tt.query, s.Registry.Lookup(tt.expected))
			if a.Rank != tt.rank || a.CutBy != tt.cut {
				t.Errorf("rank %d, cut by %q; want %d, %q (%v)", a.Rank, a.CutBy, tt.rank, tt.cut, a.Hits)
			}
		})
	}
}

// What cuts a hit follows from the ranks between which it stands.
func TestCutOf(t *testing.T) {
	for _, tt := range []struct {
		host               string
		best, worst, limit int
		want               Cut
	}{
		{"codex", 3, 5, 5, CutNothing}, {"codex", 3, 5, 4, CutChance}, {"codex", 3, 5, 3, CutChance}, {"codex", 3, 5, 2, CutLimit},
		{"pi", 3, 5, 5, CutNothing}, {"pi", 3, 5, 4, CutUntold}, {"pi", 1, hosts.Nowhere, 9, CutUntold}, {"pi", 3, 5, 2, CutLimit},
	} {
		s := Limited{Of(hosts.Named(tt.host), built(t, "a b: c")), tt.limit}
		if got := cutOf(s, hosts.Hit{Best: tt.best, Worst: tt.worst}); got != tt.want {
			t.Errorf("%+v: %q", tt, got)
		}
	}
}

func TestCompare(t *testing.T) {
	s := built(t, "pay undo: Reverse a charge", "log list: List lines", "log drop: Clear")
	queries := []labels.Query{
		{Text: "list", Relevant: []string{"log__list"}},
		{Text: "wipe", Relevant: []string{"log__drop"}},
		{Text: "charges", Relevant: []string{"pay__undo", "unknown"}},
		{Text: "gone", Relevant: []string{"unknown"}},
	}
	d, err := Compare(context.Background(), []Searcher{Of(hosts.Named("ai-sdk"), s), Of(hosts.Named("pi"), s)}, s.Registry, s.Registry.Tools, queries, nil)
	require.NoError(t, err)
	if d.Queries != 3 || d.All != 1 || d.None != 1 || d.Depending() != 1 {
		t.Errorf("%+v", d)
	}
	if got := d.Hosts[1]; got.Found != 2 || got.Recall != .5 {
		t.Errorf("pi: %+v", got)
	}
	if len(d.Lost) != 2 || d.Lost[0].Tool.Name != "log__drop" || len(d.Lost[0].Hosts) != 2 || d.Lost[1].Hosts[0] != "ai-sdk" {
		t.Errorf("lost: %+v", d.Lost)
	}
}

// What every host answers is in a total order: an answer of n hits is the beginning of one
// of more.
func TestAnswersAreBeginnings(t *testing.T) {
	s := built(t, "a list_files: List all files", "b read-file: Read a file", "b list: Lists", "a searchFiles: Search files", "c ⚠: Warning, données")
	rapid.Check(t, func(t *rapid.T) {
		h := hosts.All[rapid.IntRange(0, len(hosts.All)-1).Draw(t, "host")]
		query := rapid.StringOf(rapid.SampledFrom([]rune("list filesreadFé+_-.⚠|("))).Draw(t, "query")
		x := Of(h, s)
		all, n := x.Search(query, -1), rapid.IntRange(1, 6).Draw(t, "limit")
		got := x.Search(query, n)
		if len(got) != min(n, len(all)) {
			t.Fatalf("%d of %d hits for a limit of %d", len(got), len(all), n)
		}
		for i, hit := range got {
			if hit != all[i] {
				t.Fatalf("hit %d is %v, without a limit %v", i, hit, all[i])
			}
		}
	})
}

// TestAgentsDependOnTheirRankers: of the queries that agents wrote, how many six agents all find,
// and none, at their own limits.
func TestAgentsDependOnTheirRankers(t *testing.T) {
	registry, err := shapes.Parse(t.Context(), model.Source{Name: "tools.json", Data: fixture.SharedFile(t, "eval/livemcpbench/tools.json")})
	require.NoError(t, err)
	queries, _ := labels.Parse("queries.jsonl", fixture.SharedFile(t, "eval/learn/livemcp_agentq/queries.jsonl"))
	require.NoError(t, err)
	s, err := engine.Build(t.Context(), engine.Inputs{Registry: registry, Config: config.Default()})
	require.NoError(t, err)
	var searchers []Searcher
	for _, name := range []string{"ai-sdk", "codex", "fastmcp", "hermes-2026-06", "mastra", "pi"} {
		searchers = append(searchers, Of(hosts.Named(name), s))
	}
	d, err := Compare(t.Context(), searchers, registry, GrantedTools(s), queries, nil)
	if err != nil || d.Queries != 97 || d.All != 43 || d.None != 16 {
		t.Errorf("of %d queries all find %d, none %d: %v", d.Queries, d.All, d.None, err)
	}
}
