package report

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/tokens"
	"caliper/engine/whatif"
	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
	"caliper/tui/workbench"
)

var update = flag.Bool("update", false, "rewrite the expected texts in testdata")

const program = "caliper v1.2.3, go1.26.0, linux/amd64"

const harbour = `{"toolsets": {}, "tools": [
 {"type":"function","toolset":"files","function":{"name":"read_file","description":"Read a file."}},
 {"type":"function","toolset":"mcp-harbor","function":{"name":"mcp_harbor_book","description":"Book a berth for a ship.","parameters":{"type":"object","properties":{"berth":{"type":"integer"}},"required":["berth"]}}},
 {"type":"function","toolset":"mcp-harbor","function":{"name":"mcp_harbor_sink","description":"Sink a ship."}},
 {"type":"function","toolset":"mcp-harbor","function":{"name":"mcp_harbor_tow","description":"Tow a ship."}},
 {"type":"function","toolset":"mcp-tide","function":{"name":"mcp_tide_read","description":"Read the tide."}}
]}`

const harbourConfig = `
model: {context_length: 100000}
tools: {tool_search: {enabled: on, search_default_limit: 1, threshold_pct: 10}, core: [read_file]}
sessions:
  default: {}
  harbor: {enabled_toolsets: [mcp-harbor, files], disabled_toolsets: [nobody]}
policy: [{match: "*_sink", action: deny}]
`

// md returns a report as Markdown.
func md(r *Report) string {
	text, _ := r.Markdown()
	return text
}

// tester is a test, of one example or of random ones.
type tester interface {
	rapid.TB
	Context() context.Context
}

// subject is a case and what answers its questions.
type subject struct {
	Case
	builder *engine.Builder
}

// on returns the case of a registry and a config.
func on(t tester, registry, configFile, session string) subject {
	t.Helper()
	r, err := shapes.Parse(t.Context(), model.Source{Name: "/home/somebody/secret/registry.json", Data: []byte(registry)})
	require.NoError(t, err)
	f, err := config.Parse("/home/somebody/secret/config.yaml", []byte(configFile))
	require.NoError(t, err)
	b := engine.NewBuilder()
	s, err := b.Build(t.Context(), engine.Inputs{Registry: r, Config: f.Config, Session: session})
	require.NoError(t, err)
	return subject{Case{Program: program, Snapshot: s, Settings: f.Settings}, b}
}

// search returns the repro of a query, with why a tool is not found unless the
// name is a dash.
func (c subject) search(t tester, query, name string) string {
	t.Helper()
	found := c.Snapshot.Search(query, 0, 10)
	if name == "-" {
		return md(c.Case.Search(workbench.State{}, found, nil))
	}
	w, err := whatif.WhyNot(t.Context(), c.builder, c.Snapshot, query, name, 0)
	require.NoError(t, err)
	return md(c.Case.Search(workbench.State{}, found, &w))
}

// call returns the repro of a dry run.
func (c subject) call(name string, args json.RawMessage, direct bool) string {
	run := c.Snapshot.Call
	if direct {
		run = c.Snapshot.Direct
	}
	return md(c.Case.Call(args, direct, run(name, args)))
}

// scope returns the repro of an audit, compared with another session; with a
// tool, one in which that tool is found without being granted.
func (c subject) scope(t tester, other, tool string) string {
	t.Helper()
	a, err := c.builder.Audit(t.Context(), engine.Inputs{Registry: c.Snapshot.Registry, Config: c.Snapshot.Config}, engine.Auditing{})
	require.NoError(t, err)
	more := new(Report)
	if tool == "" {
		more.Say("Both are granted 4 tools.")
		return md(c.Case.Scope(a, "default and "+other, more))
	}
	a.Sessions[len(a.Sessions)-1].Violations = []engine.Violation{{Tool: tool, Path: engine.PathSearch}}
	table := Columns("session", "")
	table.Row(Name(other), Sentence("not at all"))
	more.Table(table)
	return md(c.Case.Scope(a, "who can call "+tool, more))
}

// whatIf returns a case in which settings are tried.
func (c subject) whatIf(t tester) subject {
	t.Helper()
	tried := c.Snapshot.Config
	length := 64_000
	tried.ContextLength, tried.ToolSearch.ThresholdPct, tried.ToolSearch.Enabled = &length, 0.5, config.Auto
	s, err := c.builder.Build(t.Context(), engine.Inputs{Registry: c.Snapshot.Registry, Config: tried})
	require.NoError(t, err)
	c.Snapshot = s
	c.Tried = []Tried{
		{"tools.tool_search.threshold_pct", 10.0, 0.5}, {"tools.tool_search.enabled", "on", "auto"},
		{"model.context_length", 100_000, length}, {"bm25.b", 0.75, 0.6},
	}
	return c
}

// golden fails unless a text is the stored one of a name, and none of them
// holds a path of the machine.
func golden(t *testing.T, name, got string) {
	t.Helper()
	if strings.Contains(got, "somebody") {
		t.Errorf("%s holds a path of the machine:\n%s", name, got)
	}
	file := "testdata/" + name + ".md"
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(got), 0o600))
		return
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	if got != string(want) {
		t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
	}
}

func TestGolden(t *testing.T) {
	c := on(t, harbour, harbourConfig, "")
	narrow := on(t, harbour, harbourConfig, "harbor")
	plain := on(t, "[]", "", "")
	tests := map[string]string{
		"search":       c.search(t, "book a ship", "-"),
		"why_not":      c.search(t, "tow a ship", "mcp_harbor_sink"),
		"unknown":      narrow.search(t, "tide", "tide-read"),
		"nothing":      plain.search(t, "tide", "-"),
		"fallback":     c.search(t, "rbor_", "-"),
		"call":         c.call("mcp_harbor_book", json.RawMessage(`{"berth": 7}`), false),
		"call_refused": narrow.call("mcp_tide_read", nil, false),
		"call_direct":  c.call("read_file", json.RawMessage(`"{not json"`), true),

		"search_whatif": c.whatIf(t).search(t, "book a ship", "-"),
		"budget":        md(plain.Case.Budget(nil, engine.DefaultHabits)),
		"budget_on":     md(c.Case.Budget(nil, engine.Habits{Turns: 1, ToolsUsed: 1, ResultTokens: 300})),
		"budget_whatif": md(c.whatIf(t).Case.Budget(c.Snapshot, engine.DefaultHabits)),
		"scope":         c.scope(t, "harbor", ""),
		"scope_wrong":   narrow.scope(t, "default", "mcp_harbor_tow"),
		"activity":      md(c.Case.Activity([]Event{{"14:03:41", "registry reloaded", []string{"+ mcp_tide_wait", "  lost"}}}, 3)),
		"activity_all":  md(c.Case.Activity([]Event{{"14:03:41", "b", nil}, {"14:03:40", "a", []string{"c"}}}, 2)),
	}
	for name, got := range tests {
		golden(t, name, got)
	}
}

// The command line has the flags that the outcome depends on.
func TestCommandLine(t *testing.T) {
	c := on(t, harbour, harbourConfig, "harbor")
	for i := range c.Settings {
		if c.Settings[i].Key == "model.context_length" {
			c.Settings[i].Value, c.Settings[i].Origin = 5, config.OriginFlag
		}
	}
	c.Snapshot, _ = c.builder.Build(t.Context(), engine.Inputs{
		Registry: c.Snapshot.Registry, Config: c.Snapshot.Config, Session: "harbor", Tokenizer: tokens.Cl100k})
	tests := []struct{ text, want string }{
		{c.search(t, "it's", "tow"), `caliper search --session harbor --context 5 --tokenizer cl100k_base --limit 1 --why-not tow 'it'\''s'`},
		{c.search(t, "--help", "-"), `caliper search --session harbor --context 5 --tokenizer cl100k_base --limit 1 -- --help`},
		{c.search(t, "", "-"), `caliper search --session harbor --context 5 --tokenizer cl100k_base --limit 1 ''`},
		{c.call("tow", nil, true), `caliper call --session harbor --context 5 --tokenizer cl100k_base --direct tow`},
		{c.call("", json.RawMessage(`{"a": "$(b)"}`), false), `caliper call --session harbor --context 5 --tokenizer cl100k_base '' '{"a": "$(b)"}'`},
	}
	for _, tt := range tests {
		if !strings.Contains(tt.text, "```sh\n"+tt.want+"\n```") {
			t.Errorf("want %s in\n%s", tt.want, tt.text)
		}
	}
	if text := c.search(t, strings.Repeat("long ", 1000), "-"); strings.Contains(text, "```sh") {
		t.Error("a line that nobody would paste:\n" + text)
	}
}

// Trials are told, with the way to bring them back: flags for a flag,
// a change of a copy of the config file for what stands in one, and a word for
// what neither can.
func TestWhatIf(t *testing.T) {
	c := on(t, harbour, harbourConfig, "").whatIf(t)
	text := c.search(t, "ship", "-")
	for _, want := range []string{
		"WHAT IF: a draft of 4 settings", "| `bm25.b` | `0.6` | `0.75` |", "| `tools.tool_search.enabled` | `\"auto\"` | `\"on\"` | `config.yaml:3` |",
		"caliper config set tools.tool_search.threshold_pct 0.5\ncaliper config set tools.tool_search.enabled auto\n```",
		"caliper search --session default --context 64000 --limit 1 ship", "commands rank with `bm25.b` at `0.75`", "`--dry-run`",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %q:\n%s", want, text)
		}
	}
	for _, wrong := range []string{"config set model.", "config set bm25", "`flag`"} {
		if strings.Contains(text, wrong) {
			t.Errorf("says %q:\n%s", wrong, text)
		}
	}
	c.Tried = []Tried{{config.KeyContext, 5, nil}, {KeyTokenizer, "chars4", "o200k_base"}}
	if text := c.search(t, "ship", "-"); !strings.Contains(text, "--context 0 ") || strings.Contains(text, "config set") || strings.Contains(text, "the explorer only") {
		t.Error(text)
	}
	// Beside a named model the agent may not read the key, so the flag says it.
	c = on(t, harbour, strings.Replace(harbourConfig, "{context_length", "{default: anthropic/claude-sonnet-4.5, context_length", 1), "")
	c.Tried = []Tried{{config.KeyContext, 200_000, 64_000}}
	if text := c.search(t, "ship", "-"); !strings.Contains(text, "--context 64000 ") || strings.Contains(text, "config set") {
		t.Error(text)
	}
	c.Tried, c.Edited = nil, []workbench.Edit{{Tool: "mcp_harbor_tow", Description: "Pull a ship."}}
	if text := c.search(t, "ship", "-"); !strings.Contains(text, "WHAT IF: a draft of 1 description") ||
		!strings.Contains(text, "| `mcp_harbor_tow` | `Pull a ship.` |") || !strings.Contains(text, "must be a copy") {
		t.Error(text)
	}
	if text := on(t, harbour, harbourConfig, "").search(t, "ship", "-"); strings.Contains(strings.ToLower(text), "what if") {
		t.Error(text)
	}
}

// Much of everything still fits into an issue.
func TestFitsAnIssue(t *testing.T) {
	long := strings.Repeat("`|", 2000)
	var tools, sets []string
	for i := range 60 {
		sets = append(sets, fmt.Sprintf("s%d%s", i, long))
		var words []string
		for j := range 20 {
			words = append(words, strings.Repeat(string(rune('a'+j)), 300))
		}
		tools = append(tools, fmt.Sprintf(`{"type":"function","toolset":%s,"function":{"name":%s,"description":%s}}`,
			spell(sets[i]), spell(fmt.Sprintf("t%d%s", i, long)), spell(strings.Join(words, " "))))
	}
	enabled, _ := json.Marshal(sets)
	c := on(t, "["+strings.Join(tools, ",")+"]", fmt.Sprintf(
		`{"model":{"context_length":7},"tools":{"core":%[1]s,"tool_search":{"enabled":"on"}},"sessions":{%[3]s:{"enabled_toolsets":%[1]s,"disabled_toolsets":["no"]}},"policy":[{"match":%[2]s,"action":"deny"}]}`,
		enabled, spell(long), spell(long[:400])), "")
	words := strings.Fields(c.Snapshot.Catalog()[0].Description)
	found := c.Snapshot.Search(strings.Join(words[:12], " "), 0, 60)
	w, err := whatif.WhyNot(t.Context(), c.builder, c.Snapshot, found.Query, c.Snapshot.Catalog()[0].Name, 0)
	if err != nil || len(found.Hits) < 50 {
		t.Fatal(err, len(found.Hits))
	}
	event := Event{"14:03:41", long, slices.Repeat([]string{long}, 20)}
	for _, repro := range []string{
		md(c.Case.Search(workbench.State{}, found, &w)), c.call(long, json.RawMessage(spell(strings.Repeat(long, 10))), false),
		md(c.Case.Budget(c.Snapshot, engine.DefaultHabits)), c.scope(t, "default", long), md(c.Case.Activity(slices.Repeat([]Event{event}, 300), 300)),
	} {
		if n := utf8.RuneCountInString(repro); n > 65_536 {
			t.Errorf("%d characters", n)
		}
	}
}
