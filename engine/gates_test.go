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
