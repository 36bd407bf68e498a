package diff_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/diff"
	"caliper/engine/hosts"
	"caliper/engine/internal/fixture"
	"caliper/engine/labels"
	"caliper/engine/lint"
	"caliper/engine/reach"
	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
	"caliper/tui/demo"
)

var slow = flag.Bool("slow", false, "run the slow suites")

// dump is a registry dump that a test changes.
type dump struct {
	Toolsets map[string]map[string]any `json:"toolsets"`
	Tools    []map[string]any          `json:"tools"`
}

// demoDump returns the dump of the demo.
func demoDump(tb testing.TB) *dump { return readDump(tb, demo.Registry()) }

func readDump(tb testing.TB, data []byte) *dump {
	tb.Helper()
	d := &dump{}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	require.NoError(tb, decoder.Decode(d))
	return d
}

// bytes returns the dump as JSON.
func (d *dump) bytes(tb testing.TB) []byte {
	tb.Helper()
	data, err := json.Marshal(d)
	require.NoError(tb, err)
	return data
}

// function returns the definition of a tool.
func function(tool map[string]any) map[string]any { return tool["function"].(map[string]any) }

// each calls change with the definition of every tool of a toolset; of every tool for "".
func (d *dump) each(toolset string, change func(function map[string]any)) {
	for _, t := range d.Tools {
		if toolset == "" || t["toolset"] == toolset {
			change(function(t))
		}
	}
}

// named returns the entry of a tool.
func (d *dump) named(name string) map[string]any {
	for _, t := range d.Tools {
		if function(t)["name"] == name {
			return t
		}
	}
	panic("the demo has no " + name)
}

// add adds a tool.
func (d *dump) add(toolset, name, description string) {
	if d.Toolsets[toolset] == nil {
		d.Toolsets[toolset] = map[string]any{}
	}
	d.Tools = append(d.Tools, map[string]any{"type": "function", "toolset": toolset,
		"function": map[string]any{"name": name, "description": description, "parameters": map[string]any{"type": "object", "properties": map[string]any{}}}})
}

// snapshotOf builds the session of a dump and a config; an empty name means the default.
func snapshotOf(tb testing.TB, b *engine.Builder, data, configuration []byte, session string) *engine.Snapshot {
	tb.Helper()
	r, err := shapes.Parse(tb.Context(), model.Source{Name: "registry.json", Data: data})
	require.NoError(tb, err)
	f, err := config.Parse("config.yaml", configuration)
	require.NoError(tb, err)
	s, err := b.Build(tb.Context(), engine.Inputs{Registry: r, Config: f.Config, Session: session, OnDemand: true})
	require.NoError(tb, err)
	return s
}

// demoQueries returns the labelled queries of the demo.
func demoQueries(tb testing.TB) []labels.Query { return readQueries(tb, demo.Queries()) }

func readQueries(tb testing.TB, data []byte) []labels.Query {
	tb.Helper()
	queries, faults := labels.Parse("queries.jsonl", data)
	if len(faults) > 0 {
		tb.Fatal(faults)
	}
	return queries
}

// judge is the builder of all verdicts, so that a change of one tool costs that tool.
var judge = engine.NewBuilder()

// judged judges a change.
func judged(tb testing.TB, old, new *engine.Snapshot, queries []labels.Query, o diff.GateOptions) diff.GateResult {
	tb.Helper()
	r, err := diff.Judge(tb.Context(), judge, old, new, queries, o)
	require.NoError(tb, err)
	return r
}

var zebra = []labels.Query{{ID: "z", Text: "zebra crossing", Relevant: []string{"mcp_mail_search"}}}

// zebras returns the demo with one tool that the query finds, and with many alike.
func zebras(t *testing.T) (one, tied *dump) {
	one, tied = demoDump(t), demoDump(t)
	names := []string{"mcp_mail_search"}
	reword(one, "Zebra crossing.", names...)
	for _, tool := range tied.Tools[20:40] {
		names = append(names, function(tool)["name"].(string))
	}
	reword(tied, "Zebra crossing.", names...)
	return one, tied
}

// reword describes tools, and takes their parameters, whose names count too.
func reword(d *dump, text string, names ...string) {
	for _, name := range names {
		function(d.named(name))["description"] = text
		function(d.named(name))["parameters"] = map[string]any{"type": "object", "properties": map[string]any{}}
	}
}

// A need that a named agent met and does not meet fails the gate; what falls by chance there
// does not.
func TestGateHosts(t *testing.T) {
	before, tied := zebras(t)
	worded := demoDump(t)
	reword(worded, "Nothing of it.", "mcp_mail_search")
	for name, c := range map[string]struct {
		after *dump
		host  string
		cut   reach.Cut // empty: it passes
	}{
		"the words are gone":         {worded, "ai-sdk", reach.CutWords},
		"below others":               {tied, "claude-code", reach.CutLimit},
		"nothing changes":            {before, "ai-sdk", ""},
		"by chance among many equal": {tied, "codex", ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := engine.NewBuilder()
			old, new := snapshotOf(t, b, before.bytes(t), nil, ""), snapshotOf(t, b, c.after.bytes(t), nil, "")
			got := judged(t, old, new, zebra, diff.GateOptions{Hosts: []*hosts.Host{hosts.Named(c.host)}})
			failed := slices.ContainsFunc(got.Reasons, func(r diff.Reason) bool { return r.Kind == diff.KindHost })
			if failed != (c.cut != "") || got.Hosts[0].Found.Old != 1 {
				t.Fatalf("fails %t: %+v", failed, got.Hosts)
			}
			if failed && got.Hosts[0].Lost[0].CutBy != c.cut {
				t.Errorf("cut by %s, want %s", got.Hosts[0].Lost[0].CutBy, c.cut)
			}
		})
	}
}

// Under an agent that leaves an order to chance, plain recall neither falls nor rises by what
// chance decides.
func TestGateUnderAnAgentOfChance(t *testing.T) {
	before, tied := zebras(t)
	const codex = "agent:\n  host: codex\n"
	b := engine.NewBuilder()
	for _, sides := range [][2]*dump{{before, tied}, {tied, before}} {
		got := judged(t, snapshotOf(t, b, sides[0].bytes(t), []byte(codex), ""), snapshotOf(t, b, sides[1].bytes(t), []byte(codex), ""), zebra, diff.GateOptions{})
		if got.Recall.Difference != 0 || len(got.Queries) > 0 || got.Won > 0 {
			t.Errorf("recall %+v, lost %+v, won %d", got.Recall, got.Queries, got.Won)
		}
	}
}

// nothing writes the files in another order and with other white space, which changes
// nothing that the gate may see.
func nothing(tb testing.TB, d *dump, queries []labels.Query, r *rand.Rand) (data []byte, asked []labels.Query) {
	r.Shuffle(len(d.Tools), func(i, k int) { d.Tools[i], d.Tools[k] = d.Tools[k], d.Tools[i] })
	asked = slices.Clone(queries)
	r.Shuffle(len(asked), func(i, k int) { asked[i], asked[k] = asked[k], asked[i] })
	data = d.bytes(tb)
	if r.IntN(2) == 0 {
		var spread bytes.Buffer
		require.NoError(tb, json.Indent(&spread, data, strings.Repeat(" ", r.IntN(3)), "\t"))
		data = spread.Bytes()
	}
	return data, asked
}

// TestNothingPasses: files that are written in another order are no change.
func TestNothingPasses(t *testing.T) {
	builder, queries := engine.NewBuilder(), demoQueries(t)
	base := snapshotOf(t, builder, demoDump(t).bytes(t), demo.Config(), "")
	runs := 5
	if *slow {
		runs = 100
	}
	for seed := range runs {
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		data, asked := nothing(t, demoDump(t), queries, r)
		got := judged(t, base, snapshotOf(t, builder, data, demo.Config(), ""), asked, diff.GateOptions{})
		if !got.Passed() || got.Recall.Difference != 0 || got.Recall.P != 1 || got.Queries != nil || got.Won != 0 || got.Tokens.Old != got.Tokens.New || got.LintErrors.Old != got.LintErrors.New {
			t.Fatalf("seed %d: %+v", seed, got)
		}
	}
}

// TestJudgeIsOrdered: the same change gives the same result, and the other direction the
// opposite difference.
func TestJudgeIsOrdered(t *testing.T) {
	builder, queries := engine.NewBuilder(), demoQueries(t)
	d := demoDump(t)
	describe("mcp-payments", func(string) string { return "" })(d)
	old, now := snapshotOf(t, builder, demoDump(t).bytes(t), demo.Config(), ""), snapshotOf(t, builder, d.bytes(t), demo.Config(), "")
	there, again := judged(t, old, now, queries, diff.GateOptions{}), judged(t, old, now, queries, diff.GateOptions{})
	if !reflect.DeepEqual(there, again) {
		t.Errorf("%+v\n%+v", there, again)
	}
	back := judged(t, now, old, queries, diff.GateOptions{})
	if n := len(there.Undescribed); n == 0 || len(back.Undescribed) > 0 || !strings.HasPrefix(there.Undescribed[n-1], "mcp_payments_") {
		t.Errorf("without a description now %q, and on the way back %q", there.Undescribed, back.Undescribed)
	}
	if there.Recall.Difference != -back.Recall.Difference || there.Recall.P != back.Recall.P || back.Recall.Difference <= 0 || len(back.Queries) != there.Won || back.Won != len(there.Queries) {
		t.Errorf("there %+v, back %+v", there.Recall, back.Recall)
	}
}

// anyChance takes every difference for a fault that is not a gain: P is 1 at most.
var anyChance = diff.GateOptions{Alpha: 1}

// TestAGainNeverFails, however rarely chance alone does as much, and one loss is judged as
// many are.
func TestAGainNeverFails(t *testing.T) {
	query := []labels.Query{{ID: "q", Text: "door", Relevant: []string{"one"}}}
	found, lost := doors(t, "one", "two", "three"), doors(t, "two", "three", "one")
	if r := judged(t, lost, found, query, anyChance); !r.Passed() || r.Recall.Difference != 1 {
		t.Errorf("a gain: %+v", r)
	}
	if r := judged(t, found, found, query, anyChance); !r.Passed() {
		t.Errorf("no difference: %+v", r.Reasons)
	}
	r := judged(t, found, lost, query, anyChance)
	if len(r.Reasons) != 1 || r.Reasons[0].Kind != diff.KindRecall || r.Reasons[0].P != 1 || r.Reasons[0].Dropped != 0 {
		t.Errorf("a loss: %+v", r.Reasons)
	}
}

// TestDroppedTools: what a session loses with a toolset is judged by one query as by many,
// and what it wins by that passes.
func TestDroppedTools(t *testing.T) {
	registry := fixture.Registry(t, fixture.Entry("one", "door filler", "mcp-a"), fixture.Entry("two", "door filler filler", "mcp-b"),
		fixture.Entry("three", "door filler filler filler", "mcp-b"), fixture.Entry("four", "door filler filler filler filler", "mcp-a"))
	granting := func(toolsets ...string) *engine.Snapshot {
		s, err := engine.Build(t.Context(), engine.Inputs{Registry: registry, Config: fixture.Config(func(c *config.Config) {
			c.ToolSearch.DefaultLimit = 2
			c.Sessions = []config.Session{{Name: "all"}, {Name: "porter", Enabled: toolsets}}
		}), Session: "all"})
		require.NoError(t, err)
		return s
	}
	for _, x := range []struct {
		name     string
		relevant []string
		failing  bool
	}{
		{"a tool that is found is dropped", []string{"one"}, true},
		{"a tool that is not found is dropped, and another one is found for it", []string{"three", "four"}, false},
		{"no tool of the query is dropped", []string{"two"}, false},
	} {
		query := labels.Query{ID: "q", Text: "door", Relevant: x.relevant}
		if len(x.relevant) > 1 {
			query.Groups = [][]string{x.relevant}
		}
		r := judged(t, granting("mcp-a", "mcp-b"), granting("mcp-b"), []labels.Query{query}, anyChance)
		if !x.failing {
			if !r.Passed() {
				t.Errorf("%s: %+v", x.name, r.Reasons)
			}
			continue
		}
		if len(r.Reasons) != 1 || r.Reasons[0].Kind != diff.KindRecall || r.Reasons[0].Session != "porter" || r.Reasons[0].Dropped != 1 || r.Reasons[0].Old != 1 || r.Reasons[0].New != 0 {
			t.Errorf("%s: %+v", x.name, r.Reasons)
		}
	}
}

// TestDarkToolsAreNamed: the tools that their own words do not find any more are named in
// order, unless as many others are found for them.
func TestDarkToolsAreNamed(t *testing.T) {
	// Two of the tools that say the same are found by what they say.
	build := func(says ...string) *engine.Snapshot {
		var entries []string
		for i, text := range says {
			letter := string(rune('a' + i))
			entries = append(entries, fixture.Entry("mcp_"+letter+"_do", text, "mcp-"+letter))
		}
		s, err := engine.Build(t.Context(), engine.Inputs{Registry: fixture.Registry(t, entries...), Config: fixture.Config(func(c *config.Config) { c.ToolSearch.DefaultLimit = 2 })})
		require.NoError(t, err)
		return s
	}
	base := build("Stow luggage.", "Stow luggage.", "Paint fences.", "Mend boats.", "Mend boats.", "Mend boats.", "Mend boats.")
	for _, x := range []struct {
		name string
		now  *engine.Snapshot
		dark []string // that are named
	}{
		{"one becomes dark", build("Stow luggage.", "Stow luggage.", "Stow luggage.", "Mend boats.", "Mend boats.", "Mend boats.", "Mend boats."), []string{"mcp_c_do"}},
		{"three become dark", build("Mend boats.", "Mend boats.", "Mend boats.", "Mend boats.", "Mend boats.", "Mend boats.", "Mend boats."), []string{"mcp_c_do", "mcp_d_do", "mcp_e_do"}},
		{"one becomes dark, and two are found", build("Stow luggage.", "Stow luggage.", "Stow luggage.", "Mend boats.", "Mend boats.", "Sail.", "Row."), nil},
		{"nothing changes", base, nil},
	} {
		r := judged(t, base, x.now, nil, anyChance)
		var named []string
		for _, reason := range r.Reasons {
			if reason.Kind != diff.KindLint || reason.Code != lint.DarkTool || !reason.Tested {
				t.Errorf("%s: %+v", x.name, reason)
			}
			named = append(named, reason.Tools...)
		}
		if !slices.Equal(named, x.dark) {
			t.Errorf("%s: %q are named, want %q", x.name, named, x.dark)
		}
	}
}
