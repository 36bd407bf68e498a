package engine

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine/scope"
	"caliper/model/jsontree"
	"caliper/model/words"
)

// lone is a call that one gate stops, and no other would stop with its code.
type lone struct {
	gate    string
	code    string
	session string
	tool    string
	args    string
	change  func(*Snapshot) // breaks one thing, so that no other gate can stop the call
}

// everythingGranted makes the executor believe that the session has every tool.
func everythingGranted(s *Snapshot) { execute(s, config.Session{Name: s.Session.Name}) }

// nothingGranted makes the executor believe that the session has no tool.
func nothingGranted(s *Snapshot) {
	execute(s, config.Session{Name: s.Session.Name, Enabled: []string{}})
}

// execute makes the executor serve another session.
func execute(s *Snapshot, session config.Session) {
	s.Session = session
	s.executor = func() *scope.Session { return s.facts.executor().Serving(session, s.Config) }
}

// strict makes the snapshot strict.
func strict(s *Snapshot) { s.Strict = true }

// TestEachBridgedGateAlone takes each gate of tool_call away from a call that
// it alone stops: the verdict must notice.
func TestEachBridgedGateAlone(t *testing.T) {
	const book, one = "mcp_harbor_book", `{"berth":1}`
	eachGateAlone(t, bridgeGates, []lone{
		{"active", CodeBridgeInactive, "idle", book, one, nil},
		{"name", CodeMissingName, "wide", " ", one, nil},
		{"recursion", CodeBridgeRecursion, "wide", "tool_search", one, nil},
		{"arguments", CodeBadArguments, "wide", book, `"{"`, nil},
		{"arguments", CodeNotObject, "wide", book, `[1]`, nil},
		{"known", CodeUnknownTool, "wide", "mcp_harbor_fly", one, nil},
		{"known", CodeAmbiguousName, "wide", "horn", one, nil},
		{"deferrable", CodeNotDeferrable, "wide", "read_file", `{}`, nil},
		{"scope_catalog", CodeOutOfScope, "harbor", "mcp_tide_read", `{}`, everythingGranted},
		{"scope_executor", CodeOutOfScope, "harbor", "mcp_tide_read", `{}`, func(s *Snapshot) { catalogWith(s, s.Registry.Lookup("mcp_tide_read")[0]) }},
		{"scope_executor", CodeOutOfScope, "wide", book, one, nothingGranted},
		{"schema", CodeInvalidArguments, "wide", book, `{}`, strict},
	})
}

// TestEachDirectGateAlone does the same for a call without the bridge.
func TestEachDirectGateAlone(t *testing.T) {
	eachGateAlone(t, directGates, []lone{
		{"name", CodeMissingName, "wide", " ", `{}`, nil},
		{"known", CodeUnknownTool, "wide", "nobody", `{}`, nil},
		{"known", CodeUnknownTool, "idle", ToolSearch, `{"query":"ship"}`, nil},
		{"scope_executor", CodeOutOfScope, "wide", "read_file", `{}`, nothingGranted},
		{"assembly", CodeOutOfScope, "harbor", "read_file", `{}`, everythingGranted},
		{"assembly", CodeDeferred, "wide", "mcp_harbor_tow", `{}`, func(s *Snapshot) { s.Config.Policy = nil }},
		{"arguments", CodeBadArguments, "wide", "read_file", `"{"`, nil},
		{"arguments", CodeNotObject, "wide", "read_file", `7`, nil},
		{"schema", CodeMissingQuery, "wide", ToolSearch, `{}`, nil},
		{"schema", CodeMissingName, "wide", ToolDescribe, `{}`, nil},
	})
	for path, got := range diveTwice(t, reef, `{}`, true) {
		if got.Code != CodeInvalidArguments || got.Gate != "schema" {
			t.Errorf("%s: %s at %s, want the schema to refuse", path, got.Code, got.Gate)
		}
	}
}

// Every gate has one place in the list of all, with the assembly's behind the scope.
func TestGateNames(t *testing.T) {
	names := GateNames()
	for _, g := range slices.Concat(bridgeGates, directGates) {
		if i := slices.Index(names, g.name); i < 0 || slices.Contains(names[i+1:], g.name) {
			t.Errorf("%s is not once among %q", g.name, names)
		}
	}
	if i := slices.Index(names, "assembly"); i < 1 || names[i-1] != "scope_executor" {
		t.Errorf("the assembly is at another place: %q", names)
	}
	if got := DirectGateNames(); len(got) != len(directGates) || got[3] != "assembly" {
		t.Errorf("the gates of a direct call are %q", got)
	}
}

// eachGateAlone asks that every gate but those of rules (see TestRulesByStage) has a call in
// the table, which it stops, and which its code does not stop without it.
func eachGateAlone(t *testing.T, gates []gate, calls []lone) {
	t.Helper()
	for _, g := range gates {
		if _, hook := stageOf(g.name); !hook && g.name != "policy" && !slices.ContainsFunc(calls, func(c lone) bool { return c.gate == g.name }) {
			t.Errorf("no call is stopped by gate %s", g.name)
		}
	}
	for _, c := range calls {
		s := snapshotOf(t, c.session)
		if c.change != nil {
			c.change(s)
		}
		if strings.HasPrefix(c.gate, "scope") && gates[0].name == "active" { // and tool_describe shows nothing
			if _, f := s.describedBy(s.describeGates(), c.tool); f == nil || f.Code != CodeOutOfScope {
				t.Errorf("%s: %s is described", c.gate, c.tool)
			}
		}
		got := s.take(gates, &attempt{snapshot: s, called: words.Strip(c.tool), raw: json.RawMessage(c.args)}, c.tool)
		if got.Authorized || got.Code != c.code || string(got.Gate) != c.gate {
			t.Errorf("%s: %s at %q, want %s", c.gate, got.Code, got.Gate, c.code)
		}
		checkTrace(t, got)
		var seen Fault
		if err := json.Unmarshal(got.ModelSees, &seen); err != nil || seen.Code != c.code || seen.Message == "" {
			t.Errorf("%s: the model sees %s", c.gate, got.ModelSees)
		}
		without := slices.DeleteFunc(slices.Clone(gates), func(g gate) bool { return g.name == c.gate })
		if code := codeWithout(s, without, c); code == c.code {
			t.Errorf("%s: %s without the gate, too", c.gate, code)
		}
	}
}

// codeWithout returns the code of a call without a gate, empty where the gates
// behind it cannot do without.
func codeWithout(s *Snapshot, gates []gate, c lone) (code string) {
	defer func() { _ = recover() }()
	return s.take(gates, &attempt{snapshot: s, called: words.Strip(c.tool), raw: json.RawMessage(c.args)}, c.tool).Code
}

// TestAuditTellsOfWhatIsFoundAndNotCallable asks for the violation of a tool
// that is granted and found, and that the executor refuses.
func TestAuditTellsOfWhatIsFoundAndNotCallable(t *testing.T) {
	s := snapshotOf(t, "harbor")
	sound := audited(t, s)
	if len(sound.Violations) > 0 || !slices.Contains(sound.Callable, "mcp_harbor_book") {
		t.Fatalf("callable %q, violations %v", sound.Callable, sound.Violations)
	}
	nothingGranted(s)
	broken := audited(t, s)
	if !slices.Contains(broken.Violations, Violation{Tool: "mcp_harbor_book", Path: PathCall}) || len(broken.Callable) > 0 {
		t.Errorf("callable %q, violations %v", broken.Callable, broken.Violations)
	}
}

func TestDescribeAnswersWithTheDefinition(t *testing.T) {
	s := snapshotOf(t, "wide")
	for name, want := range map[string]string{
		"mcp_harbor_book": `{"name":"mcp_harbor_book","description":"Book a berth.","parameters":{"type":"object","properties":{"berth":{"type":"integer"}},"required":["berth"]}}`,
		"mcp_harbor_tow":  `{"name":"mcp_harbor_tow","description":"Tow a ship.","parameters":{}}`,
	} {
		got, ok := s.Bridge(ToolDescribe, jsontree.Encode(map[string]string{"name": name}))
		if !ok || string(got) != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// TestInvoke: what a person approved runs, and nothing else does.
func TestInvoke(t *testing.T) {
	t.Parallel()
	const tool, other = "mcp_harbor_book", "mcp_harbor_sink"
	inside := func(name string) json.RawMessage {
		return json.RawMessage(fmt.Sprintf(`{"name":%q,"arguments":{"berth":1}}`, name))
	}
	rules := func(actions ...config.Action) []config.Rule {
		var out []config.Rule
		for _, a := range actions {
			out = append(out, config.Rule{Match: tool, Action: a})
		}
		return out
	}
	for name, c := range map[string]struct {
		policy   []config.Rule
		call     string
		args     json.RawMessage
		approved string
		code     string
	}{
		"no rule":                   {nil, ToolCall, inside(tool), "", CodeOK},
		"nobody asked":              {rules(config.Approve), ToolCall, inside(tool), "", CodeNeedsApproval},
		"approved":                  {rules(config.Approve), ToolCall, inside(tool), tool, CodeOK},
		"observed, and asked":       {rules(config.Observe, config.Approve), ToolCall, inside(tool), "", CodeNeedsApproval},
		"asked, and observed":       {rules(config.Approve, config.Observe), ToolCall, inside(tool), "", CodeNeedsApproval},
		"another tool was approved": {rules(config.Approve), ToolCall, inside(tool), other, CodeNeedsApproval},
		"denied, though approved":   {rules(config.Approve, config.Deny), ToolCall, inside(tool), tool, CodeDenied},
		"deferred, called directly": {nil, tool, json.RawMessage(`{}`), tool, CodeDeferred},
		"unknown":                   {nil, ToolCall, inside("mcp_harbor_fly"), "mcp_harbor_fly", CodeUnknownTool},
	} {
		s := snapshotOf(t, "wide")
		s.Config.Policy = c.policy
		for _, g := range []config.Generation{config.September2026, config.June2026} { // the last one stays
			s.Config.ToolSearch.Generation = g
			called, direct := s.Invoke(ToolCall, inside(other), ""), s.Direct(ToolCall, inside(other))
			if called.Name != other || direct.Name != ToolCall || direct.Code != called.Code {
				t.Errorf("%s: the names are %q and %q", g, called.Name, direct.Name)
			}
		}
		got := s.Invoke(c.call, c.args, c.approved)
		if got.Code != c.code || got.Authorized != (c.code == CodeOK) {
			t.Errorf("%s: %s, authorized %v; want %s: %s", name, got.Code, got.Authorized, c.code, got.Message)
		}
		if detail := details(got)["policy"]; strings.Contains(detail, "was approved") != (got.Authorized && c.approved != "") {
			t.Errorf("%s: the policy says %q", name, detail)
		}
		if got.Authorized && (string(got.RealName) != tool || string(got.Arguments) != `{"berth":1}`) {
			t.Errorf("%s: %s with %s", name, got.RealName, got.Arguments)
		}
	}
}

// Leaving a scope gate out opens what that gate alone closes, and nothing else.
func TestWithoutScopeGates(t *testing.T) {
	const catalog, executor = GateScopeCatalog, GateScopeExecutor
	tests := []struct {
		name      string
		without   []string
		searched  bool // mcp_tide_read, which session harbor is not granted
		described bool
		stops     string // the gate that stops its call; empty: none does
		direct    string // the gate that stops read_file, called directly
	}{
		{"both gates", nil, false, false, catalog, executor},
		{"no catalog gate", []string{catalog}, true, true, executor, executor},
		{"no executor gate", []string{executor}, false, false, catalog, "assembly"},
		{"neither gate", []string{catalog, executor}, true, true, "", "assembly"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			in := gateInputs(t, "harbor")
			in.WithoutGates = test.without
			s := built(t, in)
			if !slices.Equal(s.WithoutGates(), test.without) {
				t.Errorf("it says that it lacks %q", s.WithoutGates())
			}
			found, _ := s.Bridge(ToolSearch, []byte(`{"query":"read the tide"}`))
			if got := strings.Contains(string(found), "mcp_tide_read"); got != test.searched {
				t.Errorf("searched: %t", got)
			}
			if _, f := s.describedBy(s.describeGates(), "mcp_tide_read"); (f == nil) != test.described {
				t.Errorf("described: %t", f == nil)
			}
			for _, name := range []string{"mcp_tide_broken", "mcp_nothing"} {
				if _, f := s.describedBy(s.describeGates(), name); f == nil {
					t.Errorf("%s is described", name)
				}
			}
			called := s.Call("mcp_tide_read", nil)
			if string(called.Gate) != test.stops || called.Authorized != (test.stops == "") || (called.RealName != "") != (test.stops == "") || test.stops != "" && called.Code != CodeOutOfScope {
				t.Errorf("the call: %s at %q", called.Code, called.Gate)
			}
			for _, step := range called.Steps {
				if left := step.Detail == passWithout; left && !slices.Contains(test.without, step.Gate) ||
					!left && slices.Contains(test.without, step.Gate) && step.Verdict == Pass {
					t.Errorf("gate %s: %s, %s", step.Gate, step.Verdict, step.Detail)
				}
			}
			if got := s.Direct("read_file", nil); got.Code != CodeOutOfScope || string(got.Gate) != test.direct {
				t.Errorf("the direct call: %s at %q", got.Code, got.Gate)
			}
			if got := s.Call("mcp_tide_broken", nil); got.Authorized || got.Code != CodeOutOfScope {
				t.Errorf("a tool whose check failed: %s at %q", got.Code, got.Gate)
			}
		})
	}
}

// Only the scope gates can be left out.
func TestParseRemovableGate(t *testing.T) {
	for _, g := range bridgeGates {
		name, err := ParseRemovableGate(g.name)
		switch removable := g.name == "scope_catalog" || g.name == "scope_executor"; {
		case removable && (err != nil || name != g.name):
			t.Errorf("%s: %q, %v", g.name, name, err)
		case !removable && (err == nil || name != ""):
			t.Errorf("%s can be left out", g.name)
		}
	}
	_, err := ParseRemovableGate("po\x1blicy")
	if want := `gate "po␛licy": want scope_catalog or scope_executor`; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// A model is shown a tool's own name, unless its session has two of that name.
func TestModelNames(t *testing.T) {
	tests := []struct {
		name    string
		enabled []string
		tool    string
		want    string
		code    string // of a call by the raw name horn
		real    string
	}{
		{"both, the first", nil, "mcp-harbor/horn", "mcp-harbor/horn", CodeAmbiguousName, ""},
		{"both, the second", nil, "mcp-tide/horn", "mcp-tide/horn", CodeAmbiguousName, ""},
		{"only the first", []string{"mcp-harbor"}, "mcp-harbor/horn", "horn", CodeOK, "mcp-harbor/horn"},
		{"only the second", []string{"mcp-tide"}, "mcp-tide/horn", "horn", CodeOK, "mcp-tide/horn"},
		{"a name that only it has", []string{"files", "mcp-tide"}, "mcp_tide_read", "mcp_tide_read", CodeOK, "mcp-tide/horn"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			in := gateInputs(t, "wide")
			in.Config.Sessions[0].Enabled = test.enabled
			s := built(t, in)
			tool := s.Registry.Lookup(test.tool)[0]
			if got := s.ModelName(tool); got != test.want {
				t.Errorf("the model is shown %s, want %s", got, test.want)
			}
			got := s.Call("horn", json.RawMessage(`{}`))
			if got.Code != test.code || string(got.RealName) != test.real {
				t.Errorf("a call of horn: %s of %q, want %s of %q", got.Code, got.RealName, test.code, test.real)
			}
		})
	}
}
