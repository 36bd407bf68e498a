package engine

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine/arguments"
	"caliper/engine/internal/fixture"
	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/require"
)

// toolSnapshot returns a snapshot with one tool, mcp_reef_dive, whose schema is
// given, behind the bridge or, when core, in the tools list.
func toolSnapshot(t testing.TB, schema string, core, strict bool) *Snapshot {
	t.Helper()
	source := `{"tools":[{"type":"function","function":{"name":"mcp_reef_dive","parameters":` + schema + `},"toolset":"mcp-reef"},
		{"type":"function","function":{"name":"mcp_reef_rest"},"toolset":"mcp-reef"}]}`
	registry := fixture.Parse(t, []byte(source))
	c := config.Default()
	c.Core = nil
	if core {
		c.Core = []string{"mcp_reef_dive"}
	}
	c.ToolSearch.Enabled = config.On
	return built(t, Inputs{Registry: registry, Config: c, Strict: strict})
}

// diveTwice takes a call of mcp_reef_dive through the bridge and directly.
func diveTwice(t testing.TB, schema, args string, strict bool) map[string]Trace {
	t.Helper()
	return map[string]Trace{
		"bridged": toolSnapshot(t, schema, false, strict).Call("mcp_reef_dive", json.RawMessage(args)),
		"direct":  toolSnapshot(t, schema, true, strict).Direct("mcp_reef_dive", json.RawMessage(args)),
	}
}

// stepOf returns the step of a gate.
func stepOf(t testing.TB, trace Trace, gate string) Step {
	t.Helper()
	i := slices.IndexFunc(trace.Steps, func(s Step) bool { return s.Gate == gate })
	if i < 0 {
		t.Fatalf("no gate %s in %v", gate, trace.Steps)
	}
	return trace.Steps[i]
}

const reef = `{"type":"object","properties":{"depth":{"type":"integer","maximum":40},"tags":{"type":"array"},"air":{"anyOf":[{"type":"number"},{"type":"null"}]}},"required":["depth"]}`

func TestArgumentsExample(t *testing.T) {
	tool := &model.Tool{Parameters: []byte(`{"type":"object","properties":{"depth":{"type":"integer"},"air":{"type":"number"}},"required":["depth"]}`)}
	if got := ArgumentsExample(tool); got != `{"depth":0}` {
		t.Errorf("the example is %s", got)
	}
}

func TestArgumentsAreConverted(t *testing.T) {
	tests := []struct {
		name, args, dispatched string
		coerced                []arguments.Coerced
	}{
		{"nothing to do", `{"depth":4}`, `{"depth":4}`, nil},
		{"text", `{"depth":"４.0","tags":"bug","air":"12.5","x":"1"}`, `{"depth":4,"tags":["bug"],"air":12.5,"x":"1"}`, []arguments.Coerced{
			{Path: "depth", Given: json.RawMessage(`"４.0"`), Coerced: json.RawMessage(`4`)},
			{Path: "tags", Given: json.RawMessage(`"bug"`), Coerced: json.RawMessage(`["bug"]`)},
			{Path: "air", Given: json.RawMessage(`"12.5"`), Coerced: json.RawMessage(`12.5`)},
		}},
		{"as text", `"{\"depth\":\"7\"}"`, `{"depth":7}`, []arguments.Coerced{{Path: "depth", Given: json.RawMessage(`"7"`), Coerced: json.RawMessage(`7`)}}},
		{"a name twice", `{"depth":"1","depth":"2"}`, `{"depth":2}`, []arguments.Coerced{{Path: "depth", Given: json.RawMessage(`"2"`), Coerced: json.RawMessage(`2`)}}},
		{"not JSON to others", `"{\"depth\":\"7\",\"x\":NaN}"`, `"{\"depth\":7,\"x\":NaN}"`, []arguments.Coerced{{Path: "depth", Given: json.RawMessage(`"7"`), Coerced: json.RawMessage(`7`)}}},
	}
	for _, test := range tests {
		for path, got := range diveTwice(t, reef, test.args, false) {
			if !got.Authorized || string(got.Arguments) != test.dispatched {
				t.Errorf("%s, %s: %s with %s, want %s", test.name, path, got.Code, got.Arguments, test.dispatched)
			}
			if !slices.EqualFunc(got.Coerced, test.coerced, func(a, b arguments.Coerced) bool {
				return a.Path == b.Path && string(a.Given) == string(b.Given) && string(a.Coerced) == string(b.Coerced)
			}) {
				t.Errorf("%s, %s: converted %v", test.name, path, got.Coerced)
			}
			var seen struct {
				Arguments json.RawMessage
			}
			if err := json.Unmarshal(got.ModelSees, &seen); err != nil || string(seen.Arguments) != test.dispatched {
				t.Errorf("%s, %s: the model sees %s", test.name, path, got.ModelSees)
			}
			checkTrace(t, got)
		}
	}
}

// TestArgumentsThatTheAgentFailsOver asks that a broken part of a schema fails
// the call in its gate, but only of a call that gets to the tool.
func TestArgumentsThatTheAgentFailsOver(t *testing.T) {
	const broken = `{"type":"object","properties":{"depth":true}}`
	for path, got := range diveTwice(t, broken, `{"depth":1}`, false) {
		if got.Authorized || got.Code != CodeCoercion || got.Gate != "arguments" || got.RealName != "mcp_reef_dive" || got.Arguments != nil {
			t.Errorf("%s: %s at %s, arguments %s", path, got.Code, got.Gate, got.Arguments)
		}
		checkTrace(t, got)
	}
	for path, got := range diveTwice(t, broken, `{"other":1}`, false) {
		if !got.Authorized {
			t.Errorf("%s, without the broken one: %s", path, got.Code)
		}
	}
	if got := toolSnapshot(t, broken, true, false).Call("mcp_reef_dive", json.RawMessage(`{"depth":1}`)); got.Code != CodeNotDeferrable {
		t.Errorf("a tool of the tools list: %s, want %s before the arguments", got.Code, CodeNotDeferrable)
	}
}

func TestSchemaWarnsAndStrictRefuses(t *testing.T) {
	tests := []struct {
		name, args string
		warnings   []Warning
	}{
		{"fits once converted", `{"depth":"4"}`, nil},
		{"missing", `{}`, []Warning{{"depth", "required", "required"}}},
		{"wrong", `{"depth":"deep","tags":[1]}`, []Warning{{"depth", "expected integer, got string", "type"}}},
		{"two", `{"depth":50,"air":"none"}`, []Warning{{"air", "expected number or null, got string", "type"}, {"depth", "must be at most 40", "maximum"}}},
	}
	for _, test := range tests {
		for path, got := range diveTwice(t, reef, test.args, false) {
			want := Pass
			if test.warnings != nil {
				want = Warn
			}
			step := stepOf(t, got, "schema")
			if !got.Authorized || got.Code != CodeOK || step.Verdict != want || !slices.Equal(got.Warnings, append([]Warning{}, test.warnings...)) || got.Partial {
				t.Errorf("%s, %s: %s, schema %s, warnings %v, want %s %v", test.name, path, got.Code, step.Verdict, got.Warnings, want, test.warnings)
			}
			if printed := printedVerdict(t, jsontree.Encode(step)); printed != "pass" {
				t.Errorf("%s, %s: printed as %s", test.name, path, printed)
			}
		}
		for path, got := range diveTwice(t, reef, test.args, true) {
			code, gate := CodeOK, ""
			if test.warnings != nil {
				code, gate = CodeInvalidArguments, "schema"
			}
			if got.Code != code || string(got.Gate) != gate || len(got.Warnings) > 0 || got.Arguments == nil {
				t.Errorf("%s, %s, strict: %s at %q, warnings %v", test.name, path, got.Code, got.Gate, got.Warnings)
			}
			checkTrace(t, got)
		}
	}
}

// printedVerdict returns the verdict of a step as JSON has it.
func printedVerdict(t *testing.T, step []byte) string {
	t.Helper()
	var s struct{ Verdict string }
	require.NoError(t, json.Unmarshal(step, &s))
	return s.Verdict
}

func TestPartialIsAFact(t *testing.T) {
	const odd = `{"type":"object","properties":{"depth":{"type":"integer","multipleOf":1e-400},"x":{"maximum":1e999999999}},"required":["depth"]}`
	for _, strict := range []bool{false, true} {
		for path, got := range diveTwice(t, odd, `{"depth":1}`, strict) {
			if !got.Authorized || !got.Partial || len(got.Warnings) > 0 || stepOf(t, got, "schema").Verdict != Pass {
				t.Errorf("%s: %s, partial %t, warnings %v", path, got.Code, got.Partial, got.Warnings)
			}
		}
		for path, got := range diveTwice(t, odd, `{"depth":"deep"}`, strict) {
			if got.Authorized == strict || !got.Partial {
				t.Errorf("%s, strict %t: the rest is not checked: %s, partial %t", path, strict, got.Code, got.Partial)
			}
		}
		for path, got := range diveTwice(t, reef, `{"depth":1}`, strict) {
			if got.Partial {
				t.Errorf("%s: partial, and all was checked", path)
			}
		}
	}
}

// TestBridgeCallsOfNoObject asks for the fault that the agent reports first:
// it reads arguments that are no object as an empty one.
func TestBridgeCallsOfNoObject(t *testing.T) {
	s := snapshotOf(t, "wide")
	for tool, code := range map[string]string{ToolSearch: CodeMissingQuery, ToolDescribe: CodeMissingName, ToolCall: CodeMissingName} {
		for _, args := range []string{`[1]`, `5`, `"[]"`, `"{"`, `NaN`, `true`, ``} {
			code := code
			if args == `"{"` {
				code = CodeBadArguments
			}
			answer, ok := s.Bridge(tool, json.RawMessage(args))
			var f Fault
			if err := json.Unmarshal(answer, &f); err != nil || ok || f.Code != code {
				t.Errorf("%s %s: %s, want %s", tool, args, answer, code)
			}
			// A message says how the arguments were read where that may surprise: not for an empty text.
			if said := strings.Contains(f.Message, "are read as {}"); said != (code != CodeBadArguments && args != "") || strings.HasSuffix(f.Message, "; ") {
				t.Errorf("%s %s: %s", tool, args, f.Message)
			}
			if direct := s.Direct(tool, json.RawMessage(args)); direct.Code != code || direct.Authorized {
				t.Errorf("%s %s, directly: %s, want %s", tool, args, direct.Code, code)
			}
		}
	}
	if got := s.Call("", json.RawMessage(`[1]`)); got.Code != CodeMissingName || strings.HasSuffix(got.Message, "; ") {
		t.Errorf("no name and no object: %s, %q", got.Code, got.Message)
	}
}

func TestSearchLimitsAndEchoes(t *testing.T) {
	s := snapshotOf(t, "wide")
	s.Config.ToolSearch.MaxLimit = 2
	for _, test := range []struct {
		args  string
		query string
		hits  int
	}{
		{`{"query":"ship tide sound","limit":1}`, "ship tide sound", 1},
		{`{"query":"ship tide sound","limit":"１"}`, "ship tide sound", 1},
		{`{"query":"ship tide sound","limit":"_1"}`, "ship tide sound", 5},
		{`{"query":"ship tide sound","limit":NaN}`, "ship tide sound", 5},
		{`{"query":"ship tide sound","limit":1e400}`, "ship tide sound", 5},
		{`{"query":"ship tide sound","limit":99}`, "ship tide sound", 2},
		{`{"query":["ship\u001b[2J\u200b"],"limit":2}`, `['ship\x1b[2J\u200b']`, 2},
		{`{"query":NaN}`, "nan", 0},
		{`{"query":[1e5,-Infinity]}`, "[100000.0, -inf]", 0},
	} {
		raw, ok := s.Bridge(ToolSearch, json.RawMessage(test.args))
		var answer struct {
			Query   string
			Matches []json.RawMessage
		}
		if err := json.Unmarshal(raw, &answer); err != nil || !ok || answer.Query != test.query || len(answer.Matches) != test.hits {
			t.Errorf("%s: %s, want %q and %d", test.args, raw, test.query, test.hits)
		}
	}
}

// Misfit finds the first value that is wrong by itself, in the text as it is typed, and takes
// any text.
func TestMisfit(t *testing.T) {
	t.Parallel()
	const schema = `{"type":"object","required":["depth"],"properties":{"depth":{"type":"integer"},"kind":{"enum":["reef","wreck"]},"list":{"type":"array","items":{"type":"object","properties":{"n":{"type":"boolean"}}}}}}`
	s := toolSnapshot(t, schema, false, false)
	tool := s.Registry.Named("mcp-reef/mcp_reef_dive")
	if tool == nil {
		tool = s.Registry.Lookup("mcp_reef_dive")[0]
	}
	for _, tt := range []struct{ name, text, want string }{
		{"all fit", `{"depth": 3, "kind": "reef"}`, "none"},
		{"one is wrong", `{"depth": 3, "kind": "cave"}`, `"cave"`},
		{"the first by path", `{"list": [{"n": true}, {"n": {"a": 1}}], "kind": 5, "depth": 1}`, "5"},
		{"in a list", `{"list": [{"n": true}, {"n": {"a": 1}}], "depth": 1}`, `{"a": 1}`},
		{"one is missing, another wrong", `{"kind": "cave"}`, `"cave"`},
		{"one is missing", `{"kind": "reef"}`, "none"},
		{"converted by the agent", `{"depth": "3"}`, "none"},
		{"no object", `[1]`, "none"},
		{"a string", `"x"`, "none"},
		{"not JSON", `{"depth":`, "none"},
		{"nothing", ``, "none"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := "none"
			if start, end, ok := s.Misfit(tool, tt.text); ok {
				got = tt.text[start:end]
			}
			if got != tt.want {
				t.Errorf("%s: %s, want %s", tt.text, got, tt.want)
			}
		})
	}
	s = toolSnapshot(t, `{"type":"object","properties":{"at":{"type":"object","properties":{"day":{"$ref":"#/gone"}}}}}`, false, false)
	if start, end, ok := s.Misfit(s.Registry.Tools[0], `{"at":{"day":1}}`); ok {
		t.Errorf("what is not checked is wrong, from %d to %d", start, end)
	}
	s = toolSnapshot(t, `{"type":"object","properties":{"at":{"type":"object","properties":{"days":{"type":"array"}}}}}`, false, false)
	for g, wrong := range map[config.Generation]bool{config.June2026: true, config.September2026: false} { // which agent converts inside
		s.Config.ToolSearch.Generation = g
		if _, _, ok := s.Misfit(s.Registry.Tools[0], `{"at":{"days":"[1]"}}`); ok != wrong {
			t.Errorf("%s: a list as text inside is wrong: %v", g, ok)
		}
	}
}

func TestArgumentsOf(t *testing.T) {
	for give, want := range map[string]string{
		"":           "",
		" \n\t":      "",
		`{"a": 1.0}`: `{"a": 1.0}`,
		"null":       "null",
		"[1]":        "[1]",
		`"{}"`:       `"{}"`,
		"{a: <1>}":   `"{a: <1>}"`,
		"yes":        `"yes"`,
		`{"a": NaN}`: `"{\"a\": NaN}"`,
		"{} {}":      `"{} {}"`,
	} {
		if got := string(ArgumentsOf(give)); got != want {
			t.Errorf("%q: %s, want %s", give, got, want)
		}
	}
	for n, want := range map[int]string{40: strings.Repeat("x", 40), 41: strings.Repeat("x", 40) + "…"} {
		if got := shown([]byte(strings.Repeat("x", n))); got != want {
			t.Errorf("%d characters are shown as %s", n, got)
		}
	}
	if ArgumentsOf(" ") != nil {
		t.Error("blank text is not nil")
	}
}
