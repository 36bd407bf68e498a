package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine/internal/fixture"
	"caliper/model"
	"caliper/model/require"
	"caliper/model/safetext"
)

// gateInputs returns inputs over fixture.Harbor for one of its sessions.
func gateInputs(t testing.TB, session string) Inputs {
	t.Helper()
	r, c := fixture.Harbor(t)
	return Inputs{Registry: r, Config: c, Session: session}
}

// fleetInputs returns inputs over a fleet of n ships.
func fleetInputs(t testing.TB, n int) Inputs {
	t.Helper()
	r, c := fixture.Fleet(t, n)
	return Inputs{Registry: r, Config: c}
}

// built returns the snapshot of inputs.
func built(t fixture.T, in Inputs) *Snapshot {
	s, err := Build(context.Background(), in)
	require.NoError(t, err)
	return s
}

// snapshotOf builds the inputs of a session over fixture.Harbor.
func snapshotOf(t testing.TB, session string) *Snapshot { return built(t, gateInputs(t, session)) }

// A session that the configuration does not have is an error that names those it has, and
// never another session's tools.
func TestUnknownSession(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"typo", "Wide", "wide ", "wid"} {
		s, err := Build(t.Context(), gateInputs(t, name))
		var unknown *UnknownSessionError
		if !errors.As(err, &unknown) || s != nil || unknown.Name != name || !slices.Contains(unknown.Known, "wide") {
			t.Errorf("%q: %v, %v", name, s != nil, err)
		}
	}
}

// Without a bridge all three of its tools say so, in both generations.
func TestInactiveBridge(t *testing.T) {
	t.Parallel()
	for g, calls := range map[config.Generation]map[string]string{
		config.June2026:      {ToolSearch: `{"query":"tow"}`, ToolDescribe: `{"name":"mcp_harbor_tow"}`, ToolCall: `{"name":"mcp_harbor_tow"}`},
		config.September2026: {ToolSearch: `{"queries":["tow"]}`, ToolDescribe: `{"names":["mcp_harbor_tow"]}`, ToolCall: `{"calls":[{"name":"mcp_harbor_tow"}]}`},
	} {
		in := gateInputs(t, "wide")
		in.Config.ToolSearch.Generation, in.Config.ToolSearch.Enabled = g, config.Off
		s := built(t, in)
		for tool, args := range calls {
			answer, ok := s.Bridge(tool, json.RawMessage(args))
			if ok || !strings.Contains(string(answer), `"code":"`+CodeBridgeInactive+`"`) {
				t.Errorf("%s, %s: %s", g, tool, answer)
			}
		}
	}
}

// berth is the argument of mcp_harbor_book.
var berth = json.RawMessage(`{"berth":1}`)

// checkTrace asserts that a trace passes up to its gate, fails there and
// skips the rest.
func checkTrace(t *testing.T, got Trace) {
	t.Helper()
	want := Pass
	for _, step := range got.Steps {
		if step.Gate == string(got.Gate) {
			if step.Verdict != Fail {
				t.Errorf("gate %s: %s, want fail", step.Gate, step.Verdict)
			}
			want = Skip
			continue
		}
		if step.Verdict != want && (step.Verdict != Warn || want != Pass) {
			t.Errorf("gate %s: %s, want %s", step.Gate, step.Verdict, want)
		}
	}
	if !json.Valid(got.ModelSees) {
		t.Errorf("the model sees %q, which is not JSON", got.ModelSees)
	}
	named := []string{CodeOK, CodeInvalidArguments, CodeDenied, CodeNeedsApproval, CodeCoercion}
	if bridged := got.Steps[0].Gate == "active"; bridged && slices.Contains(named, got.Code) != (got.RealName != "") {
		t.Errorf("real name %q at verdict %s", got.RealName, got.Code)
	}
}

func TestBridgeDefinitions(t *testing.T) {
	s := snapshotOf(t, "wide")
	if _, n := s.Tokens(s.Assembly()); n >= 300 {
		t.Errorf("the bridge costs %d tokens, the bound is 300", n)
	}
	array := s.Assembly().Definitions()
	if len(array) != 4 {
		t.Fatalf("%d tools in the assembly, want read_file and the bridge", len(array))
	}
	for _, def := range array {
		var tool struct {
			Type     string
			Function struct {
				Name       string
				Parameters struct{ Type string }
			}
		}
		if err := json.Unmarshal(def, &tool); err != nil || tool.Type != "function" || tool.Function.Name == "" {
			t.Errorf("%s: %v", def, err)
		}
	}
	inactive := snapshotOf(t, "idle")
	if got := inactive.Assembly().Definitions(); len(got) != 0 {
		t.Errorf("a session without tools is sent %s", got)
	}
}

func TestPolicyFailsClosed(t *testing.T) {
	tool := &model.Tool{Name: "a", Qualified: "x/a"}
	tests := []struct {
		name  string
		rules []config.Rule
		want  config.Action
	}{
		{"no rule", nil, ""},
		{"other name", []config.Rule{{Match: "b*", Action: config.Deny}}, ""},
		{"malformed glob", []config.Rule{{Match: "[", Action: config.Deny}}, config.Deny},
		{"qualified name", []config.Rule{{Match: "x/*", Action: config.Approve}}, config.Approve},
		{"asterisk crosses the slash", []config.Rule{{Match: "*a", Action: config.Deny}}, config.Deny},
		{"negation denies what it does not list", []config.Rule{{Match: "[!r]", Action: config.Deny}}, config.Deny},
		{"negation leaves what it lists", []config.Rule{{Match: "[!a]", Action: config.Deny}}, ""},
		{"alternatives", []config.Rule{{Match: "{b,a}", Action: config.Deny}}, config.Deny},
		{"other alternatives", []config.Rule{{Match: "{b,c}", Action: config.Deny}}, ""},
		{"malformed glob asks for approval", []config.Rule{{Match: "[z-a]", Action: config.Approve}}, config.Approve},
		{"deny wins from behind", []config.Rule{{Match: "*", Action: config.Approve}, {Match: "a", Action: config.Deny}}, config.Deny},
	}
	for _, test := range tests {
		rule, ok := policyVerdict(rulesOf(test.rules, ""), tool)
		if rule.Action != test.want || ok != (test.want != "") {
			t.Errorf("%s: %q, want %q", test.name, rule.Action, test.want)
		}
	}
}

// TestTaskOnlyWarns: a tool that runs only as a task passes every gate with a warning at
// one, in both ways of calling it and in both generations, unless a rule denies it.
func TestTaskOnlyWarns(t *testing.T) {
	t.Parallel()
	const dump = `{"tools":[
	 {"type":"function","toolset":"mcp-a","source":"mcp","server":"a","function":{"name":"mcp_a_wait","description":"Wait.","parameters":{}},"execution":{"taskSupport":"required"}},
	 {"type":"function","toolset":"mcp-a","source":"mcp","server":"a","function":{"name":"mcp_a_go","description":"Go.","parameters":{}},"execution":{"taskSupport":"optional"}}]}`
	r := fixture.Parse(t, []byte(dump))
	for _, c := range []struct {
		name, yaml string
		direct     bool
		wait       Verdict
	}{
		{"behind the bridge", "tools: {tool_search: {enabled: on}}", false, Warn},
		{"by its name", "tools: {tool_search: {enabled: off}}", true, Warn},
		{"in the later generation", "tools: {tool_search: {enabled: on, generation: september-2026}}", false, Warn},
		{"denied", "tools: {tool_search: {enabled: on}}\npolicy: [{match: '*_wait', action: deny}]", false, Fail},
	} {
		file, err := config.Parse("c.yaml", []byte(c.yaml))
		require.NoError(t, err)
		s := built(t, Inputs{Registry: r, Config: file.Config})
		call := s.Call
		if c.direct {
			call = s.Direct
		}
		for name, want := range map[string]Verdict{"mcp_a_wait": c.wait, "mcp_a_go": Pass} {
			trace := call(name, json.RawMessage(`{}`))
			got := Pass
			for _, step := range trace.Steps {
				if step.Verdict == Warn || step.Verdict == Fail {
					got = step.Verdict
				}
			}
			if got != want || trace.Authorized != (want != Fail) || trace.TaskOnly != (want == Warn) || strings.Contains(trace.Message, "only as a task") != (want == Warn) ||
				want == Warn && details(trace)["policy"] != "no rule matches; "+onlyAsTask {
				t.Errorf("%s: %s: %s, %+v", c.name, name, got, trace)
			}
		}
		if c.direct {
			continue
		}
		answer := func(tool, args string) string {
			text, _ := s.Bridge(tool, json.RawMessage(args))
			return string(text)
		}
		for tool, args := range map[string]string{
			ToolSearch:   `{"query":"%[1]s","queries":["%[1]s"]}`,
			ToolDescribe: `{"name":"mcp_a_%[1]s","names":["mcp_a_%[1]s"]}`,
		} {
			for name, want := range map[string]int{"wait": 1, "go": 0} {
				if text := answer(tool, fmt.Sprintf(args, name)); !strings.Contains(text, "mcp_a_"+name) && tool == ToolSearch || strings.Count(text, onlyAsTask) != want || strings.Contains(text, `"note"`) != (want == 1) {
					t.Errorf("%s: %s of %s: %s", c.name, tool, name, text)
				}
			}
		}
		for name, want := range map[string]string{"mcp_a_wait": ToolDescribe, "mcp_a_go": ToolCall} { // called without the bridge
			got := s.Direct(name, json.RawMessage(`{}`)).Correction
			if c.wait != Fail && (got == nil || got.Call.Name != want) || got != nil && got.Call.Name != want {
				t.Errorf("%s: in place of %s: %+v, want %s", c.name, name, got, want)
			}
		}
	}
}

// details returns what a trace says at each gate.
func details(t Trace) map[string]string {
	out := map[string]string{}
	for _, step := range t.Steps {
		out[step.Gate] = step.Detail
	}
	return out
}

func TestGateDetails(t *testing.T) {
	s := snapshotOf(t, "wide")
	tests := []struct {
		name  string
		trace Trace
		want  map[string]string
	}{
		{"through the bridge", s.Call(" mcp_harbor_book ", berth), map[string]string{
			"active":         "the bridge hides 6 tools",
			"name":           "mcp_harbor_book",
			"recursion":      "not a bridge tool",
			"known":          "toolset mcp-harbor",
			"deferrable":     "behind the bridge",
			"scope_catalog":  "in the session's catalog",
			"scope_executor": "granted by the session's toolsets (sequential and concurrent unwrap)",
			"schema":         "the arguments fit",
			"policy":         "no rule matches",
			GatePreCall:      "no rule; a hook of the agent may block the call here",
			GateGuardrail:    "no rule; the agent's guardrail counts repeated calls, and here is only one",
			GateApproval:     "no rule; a tool may ask for approval itself",
			GatePostCall:     "no rule; the result would be seen here",
		}},
		{"directly", s.Direct("read_file", nil), map[string]string{
			"name":           "read_file",
			"known":          "toolset files",
			"scope_executor": "granted by the session's toolsets",
			"assembly":       "in the tools list",
			"schema":         "the arguments fit",
			"policy":         "no rule matches",
		}},
		{"the bridge itself", s.Direct(ToolSearch, json.RawMessage(`{"query":"tide"}`)), map[string]string{
			"name":           ToolSearch,
			"known":          "the bridge itself",
			"scope_executor": "every session with deferred tools has it",
			"assembly":       "in the tools list",
			"schema":         "the bridge answers",
			"policy":         "no rule is about the bridge",
			GatePreCall:      "no hook is about the bridge",
		}},
	}
	for _, test := range tests {
		got := details(test.trace)
		if !strings.HasPrefix(got["arguments"], "a JSON object") {
			t.Errorf("%s: at arguments %q", test.name, got["arguments"])
		}
		for gate, want := range test.want {
			if got[gate] != want {
				t.Errorf("%s: at %s %q, want %q", test.name, gate, got[gate], want)
			}
		}
		if test.name != "the bridge itself" && !strings.Contains(string(test.trace.ModelSees), `"dry_run":true`) {
			t.Errorf("%s: the model is not told that nothing ran: %s", test.name, test.trace.ModelSees)
		}
		if !test.trace.Authorized || test.trace.Gate != "" || !strings.HasSuffix(test.trace.Message, " may be called") {
			t.Errorf("%s: %+v", test.name, test.trace)
		}
	}
}

// Each refusal tells the right way, and the reason.
func TestRefusalsSayWhy(t *testing.T) {
	wide, harbor, idle := snapshotOf(t, "wide"), snapshotOf(t, "harbor"), snapshotOf(t, "idle")
	in := gateInputs(t, "wide")
	in.Strict = true
	strict := built(t, in)
	tests := []struct {
		name        string
		trace       Trace
		code        string
		message     string // part of it
		suggestions []string
	}{
		{"no bridge", idle.Call("read_file", nil), CodeBridgeInactive, "not active", nil},
		{"no name", wide.Call("", nil), CodeMissingName, "no tool name", nil},
		{"a bridge tool", wide.Call("tool_search", nil), CodeBridgeRecursion, "tool_search is called directly, not through tool_call", nil},
		{"two of the name", wide.Call("horn", nil), CodeAmbiguousName, "2 tools are called horn", []string{"mcp-harbor/horn", "mcp-tide/horn"}},
		{"a core tool", wide.Call("read_file", nil), CodeNotDeferrable, "call it directly", nil},
		{"a core tool outside the scope", harbor.Call("read_file", nil), CodeNotDeferrable, "this session does not have it", nil},
		{"outside the scope", harbor.Call("mcp_tide_read", nil), CodeOutOfScope, "this session is not granted its toolset", nil},
		{"not available", wide.Call("mcp_tide_broken", nil), CodeOutOfScope, "its availability check failed", nil},
		{"arguments that misfit", strict.Call("mcp_harbor_book", nil), CodeInvalidArguments, "berth", nil},
		{"denied", wide.Call("mcp_harbor_sink", nil), CodeDenied, "mcp_harbor_sink is denied: policy rule mcp_harbor_s*", nil},
		{"wants approval", wide.Call("mcp_harbor_tow", nil), CodeNeedsApproval, "mcp_harbor_tow needs approval before it runs: policy rule *_tow", nil},
		{"directly, behind the bridge", wide.Direct("mcp_harbor_book", berth), CodeDeferred,
			`mcp_harbor_book is behind the bridge: call tool_call with {"name": "mcp_harbor_book", "arguments": {...}}`, nil},
		{"directly, a bridge that is not there", idle.Direct("tool_search", nil), CodeUnknownTool,
			"no tool is called tool_search in this session: tool search is not active", nil},
		{"directly, outside the scope", harbor.Direct("mcp_tide_read", nil), CodeOutOfScope, "this session is not granted its toolset", nil},
		{"directly, two of the name", wide.Direct("horn", nil), CodeAmbiguousName, "refused by providers", []string{}},
		{"directly, two of the name outside the scope", idle.Direct("horn", nil), CodeOutOfScope, "this session is not granted its toolset", nil},
		{"directly, a search without a query", wide.Direct("tool_search", nil), CodeMissingQuery, "", nil},
	}
	for _, test := range tests {
		var sees Fault
		if err := json.Unmarshal(test.trace.ModelSees, &sees); err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		if test.trace.Code != test.code || sees.Code != test.code || test.trace.Message != sees.Message {
			t.Errorf("%s: verdict %s %q, the model sees %s %q, want %s", test.name, test.trace.Code, test.trace.Message, sees.Code, sees.Message, test.code)
		}
		if !strings.Contains(sees.Message, test.message) {
			t.Errorf("%s: %q, want %q in it", test.name, sees.Message, test.message)
		}
		if test.suggestions != nil && !slices.Equal(sees.Suggestions, test.suggestions) {
			t.Errorf("%s: suggests %q, want %q", test.name, sees.Suggestions, test.suggestions)
		}
		if hasSchema := sees.Parameters != nil; hasSchema != (test.code == CodeInvalidArguments) {
			t.Errorf("%s: the model is shown a schema: %t", test.name, hasSchema)
		}
	}
}

// A tool that is named like the bridge is never sent, and not by its qualified
// name either.
func TestImpostorOfTheBridgeIsNotCalled(t *testing.T) {
	registry := fixture.Parse(t, []byte(`{"tools": [
		{"type":"function","function":{"name":"tool_search"},"toolset":"mcp-a"},
		{"type":"function","function":{"name":"tool_search"},"toolset":"mcp-b"},
		{"type":"function","function":{"name":"dig"},"toolset":"mcp-b"}]}`))
	c := config.Default()
	c.ToolSearch.Enabled = config.On
	s := built(t, Inputs{Registry: registry, Config: c})
	got := s.Direct("mcp-a/tool_search", nil)
	if got.Code != CodeUnknownTool || got.Gate != "assembly" || !strings.Contains(got.Message, "never sent") {
		t.Errorf("%s at %q: %s", got.Code, got.Gate, got.Message)
	}
	if got := s.Call("mcp-a/tool_search", nil); got.Code != CodeNotDeferrable {
		t.Errorf("through the bridge: %s", got.Code)
	}
}

// Arguments are in a trace that found a tool in the session's scope, and not where they are
// at fault themselves.
func TestArgumentsOfATrace(t *testing.T) {
	wide, harbor := snapshotOf(t, "wide"), snapshotOf(t, "harbor")
	for name, c := range map[string]struct {
		call Trace
		want string
	}{
		"allowed":      {harbor.Call("mcp_harbor_book", json.RawMessage(`{"a":1}`)), `{"a":1}`},
		"denied":       {wide.Call("mcp_harbor_sink", json.RawMessage(`{"a":1}`)), `{"a":1}`},
		"out of scope": {harbor.Call("mcp_tide_read", json.RawMessage(`{"a":1}`)), ``},
		"unknown":      {harbor.Call("mcp_nothing", json.RawMessage(`{"a":1}`)), ``},
		"no object":    {harbor.Call("mcp_harbor_book", json.RawMessage(`[1]`)), ``},
	} {
		if string(c.call.Arguments) != c.want {
			t.Errorf("%s (%s): %s, want %s", name, c.call.Code, c.call.Arguments, c.want)
		}
	}
}

// What reaches the tool although it does not fit, or was checked in part, is
// said in the verdict's message.
func TestAllowedSaysWhatWasNotChecked(t *testing.T) {
	const partly = `{"type":"object","properties":{"a":{"$ref":"https://example.invalid/a.json"},"b":{"type":"integer"}}}`
	for _, test := range []struct{ name, schema, args, want string }{
		{"fits", `{"type":"object"}`, `{}`, "mcp_reef_dive may be called"},
		{"one misfit", `{"type":"object","required":["a"]}`, `{}`, "mcp_reef_dive may be called; arguments that do not fit would reach it"},
		{"in part", partly, `{"a":1}`, "mcp_reef_dive may be called; its arguments are checked in part"},
		{"both", partly, `{"a":1,"b":"x"}`, "mcp_reef_dive may be called; arguments that do not fit would reach it"},
	} {
		for path, got := range diveTwice(t, test.schema, test.args, false) {
			if !got.Authorized || got.Message != test.want {
				t.Errorf("%s, %s: %q, want %q", test.name, path, got.Message, test.want)
			}
			detail := details(got)["schema"]
			if part := test.schema == partly; got.Partial != part || strings.Contains(detail, "checked in part: ") != part || strings.Contains(detail, "example.invalid") != part {
				t.Errorf("%s, %s: checked in part: %t, and the schema says %q", test.name, path, got.Partial, detail)
			}
			if reaches := got.Authorized && len(got.Warnings) > 0; strings.Contains(detail, "; would reach the tool") != reaches {
				t.Errorf("%s, %s: authorized is %t, with %d warnings, and the schema says %q", test.name, path, got.Authorized, len(got.Warnings), detail)
			}
		}
	}
	later := toolSnapshot(t, partly, false, false)
	later.Config.ToolSearch.Generation = config.September2026
	if got := later.Call("mcp_reef_dive", json.RawMessage(`{"a":1}`)); !got.Authorized || !got.Partial || !strings.HasPrefix(details(got)["schema"], "fits; checked in part: ") {
		t.Errorf("in september-2026: %q", details(got)["schema"])
	}
	in := gateInputs(t, "wide")
	in.Config.Policy = []config.Rule{{Match: "*_book", Action: config.Deny}}
	denied := built(t, in)
	if got := details(denied.Call("mcp_harbor_book", nil))["schema"]; !strings.Contains(got, "berth") || strings.Contains(got, "reach") {
		t.Errorf("of a denied call the schema says %q", got)
	}
	for w, want := range map[Warning]string{{Path: "a.b", Message: "too long"}: "a.b: too long", {Message: "no object"}: "no object"} {
		if w.String() != want {
			t.Errorf("%q, want %q", w, want)
		}
	}
}

// The bridge reads arguments that are no object as an empty one.
func TestBridgeReadsNoObjectAsEmpty(t *testing.T) {
	if got, ok := snapshotOf(t, "wide").Bridge("read_file", nil); ok || !strings.Contains(string(got), CodeUnknownTool) {
		t.Errorf("the bridge answers to another name: %s", got)
	}
	got := snapshotOf(t, "wide").Direct(ToolSearch, json.RawMessage(`[1]`))
	if detail := details(got)["arguments"]; string(got.Arguments) != "{}" || detail != "read as {}, because they are not an object" {
		t.Errorf("arguments %s, at the gate %q", got.Arguments, detail)
	}
	if got := snapshotOf(t, "wide").Direct(ToolSearch, json.RawMessage(`{"query":"tide"}`)); string(got.Arguments) != `{"query":"tide"}` {
		t.Errorf("an object is read as %s", got.Arguments)
	}
}

// The gate of the arguments shows conversions, short and safe.
func TestConversionsAreShown(t *testing.T) {
	long := strings.Repeat("x", 60)
	for _, test := range []struct{ name, schema, args, want string }{
		{"a number", `{"type":"object","properties":{"n":{"type":"integer"}}}`, `{"n":"42"}`, `coerced: n "42" → 42`},
		{"two", `{"type":"object","properties":{"n":{"type":"integer"},"b":{"type":"boolean"}}}`, `{"n":"1","b":"true"}`, `coerced: n "1" → 1, b "true" → true`},
		{"none", `{"type":"object"}`, `{"n":"42"}`, "a JSON object"},
	} {
		for path, got := range diveTwice(t, test.schema, test.args, false) {
			if detail := details(got)["arguments"]; detail != test.want {
				t.Errorf("%s, %s: %q, want %q", test.name, path, detail, test.want)
			}
		}
	}
	if detail := details(snapshotOf(t, "wide").Call("mcp_harbor_boat", json.RawMessage("{}")))["arguments"]; detail != "a JSON object" {
		t.Errorf("an unknown tool: %q", detail)
	}
	for value, want := range map[string]string{
		"":               "",
		long[:40]:        long[:40],
		long[:41]:        long[:40] + "…",
		"a\x1b[31mb":     safetext.Line("a\x1b[31mb"),
		"é" + long[:39]:  "é" + long[:39],
		"éé" + long[:39]: "éé" + long[:38] + "…",
	} {
		if got := shown([]byte(value)); got != want {
			t.Errorf("%q is shown as %q, want %q", value, got, want)
		}
	}
}
