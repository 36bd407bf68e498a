package engine

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"caliper/config"
	"caliper/model/jsontree"
)

func TestDescribe(t *testing.T) {
	tests := []struct {
		name    string
		session string
		tool    string
		code    string // CodeOK: shown
	}{
		{"deferred", "wide", "mcp_harbor_book", CodeOK},
		{"spaces around the name", "wide", " mcp_harbor_book ", CodeOK},
		{"core", "wide", "read_file", CodeOK},
		{"qualified name", "wide", "mcp-tide/horn", CodeOK},
		{"takes a bridge name", "wide", "tool_search", CodeOK},
		{"denied by policy", "wide", "mcp_harbor_sink", CodeOK},
		{"blank", "wide", " ", CodeMissingName},
		{"unknown", "wide", "mcp_harbor_fly", CodeUnknownTool},
		{"the bridge's own", "wide", "tool_call", CodeUnknownTool},
		{"two of the name", "wide", "horn", CodeAmbiguousName},
		{"not available", "wide", "mcp_tide_broken", CodeOutOfScope},
		{"outside the scope", "harbor", "mcp_tide_read", CodeOutOfScope},
		{"core outside the scope", "harbor", "read_file", CodeOutOfScope},
		{"qualified, outside the scope", "harbor", "mcp-tide/horn", CodeOutOfScope},
		{"nothing granted", "idle", "mcp_harbor_book", CodeOutOfScope},
	}
	for _, tt := range tests {
		tool, fault := snapshotOf(t, tt.session).Describe(tt.tool)
		switch {
		case tt.code == CodeOK && (tool == nil || fault != nil):
			t.Errorf("%s: %+v", tt.name, fault)
		case tt.code != CodeOK && (tool != nil || fault == nil || fault.Code != tt.code):
			t.Errorf("%s: %v, %+v, want %s", tt.name, tool, fault, tt.code)
		case fault != nil && fault.Parameters != nil:
			t.Errorf("%s: the fault shows a schema", tt.name)
		}
	}
}

// No session is shown or offered a tool that it is not granted, by any name.
func TestDescribeStaysInScope(t *testing.T) {
	for _, session := range []string{"wide", "harbor", "idle"} {
		s := snapshotOf(t, session)
		for _, want := range s.Registry.Tools {
			for _, name := range []string{want.Name, want.Qualified, want.Name + "x"} {
				tool, fault := s.Describe(name)
				if tool != nil && !s.Granted(tool) {
					t.Errorf("%s: %s shows %s", session, name, tool.Qualified)
				}
				if fault == nil {
					continue
				}
				for _, offered := range fault.Suggestions {
					if found := s.bearers(offered); len(found) != 1 || !s.Granted(found[0]) {
						t.Errorf("%s: %s offers %s", session, name, offered)
					}
				}
			}
		}
	}
}

// Either scope gate alone refuses: without the other one the answer is the same.
func TestDescribeGatesAreIndependent(t *testing.T) {
	s := snapshotOf(t, "harbor")
	for _, without := range []string{"scope_granted", "scope_executor"} {
		gates := slices.DeleteFunc(slices.Clone(personGates), func(g gate) bool { return g.name == without })
		a := &attempt{snapshot: s, called: "mcp_tide_read"}
		var fault *Fault
		for _, g := range gates {
			if _, fault = g.check(a); fault != nil {
				break
			}
		}
		if fault == nil || fault.Code != CodeOutOfScope {
			t.Errorf("without %s: %+v", without, fault)
		}
	}
}

// TestLaterDescribe: what tool_describe of september-2026 answers to each kind of name.
func TestLaterDescribe(t *testing.T) {
	for _, c := range []struct{ session, arguments, want string }{
		{"wide", `{"names":7}`, CodeNotArray},
		{"wide", `{"names":["a","a"]}`, `"not_found":["a"]`},
		{"wide", `{"names":["read_file"]}`, CodeDirectlyListed},
		{"harbor", `{"names":["read_file"]}`, CodeNotOffered},
	} {
		in := gateInputs(t, c.session)
		in.Config.ToolSearch.Generation = config.September2026
		s := built(t, in)
		if got, _ := s.Bridge(ToolDescribe, json.RawMessage(c.arguments)); !strings.Contains(string(got), c.want) {
			t.Errorf("%s: %s is answered with %s, want %s", c.session, c.arguments, got, c.want)
		}
		if f := s.laterName("MCP Harbor-Book", s.offered); f.Code != CodeNotOffered || !strings.Contains(f.Message, "the name is mcp_harbor_book") {
			t.Errorf("%s: of another spelling: %+v", c.session, f)
		}
	}
	s := toolSnapshot(t, reef, false, false)
	s.Config.ToolSearch.Generation = config.September2026
	if d := jsontree.Encode(s.described(s.Registry.Tools[1])); string(d) != `{"description":"","parameters":{}}` {
		t.Errorf("a tool of a name alone is described as %s", d)
	}
}

// TestLaterCalls: what tool_call of september-2026 says of each call, and at which gate.
func TestLaterCalls(t *testing.T) {
	const berth, fits = `"name":"mcp__dock__open_berth","arguments":`, `{"ship":"Ada","metres":9}`
	s := faultSnapshot(t, config.September2026)
	for _, c := range []struct{ arguments, gate, code, says, name string }{
		{`{"calls":[{` + berth + fits + `}]}`, "", CodeOK, `"dry_run":true`, "mcp__dock__open_berth"},
		{`{"calls":[7]}`, "name", CodeEntryNotObject, `{"error":"a call is an object`, ""},
		{`{"calls":[{` + berth + fits + `},7]}`, "name", CodeEntryNotObject, `{"error":"calls[1]: a call is an object`, ""},
		{`{"name":"tool_search"}`, "name", CodeBridgeRecursion, "is called directly", "tool_search"},
		{`{` + berth + `{"ship":"Ada"}}`, "schema", CodeMissingRequired, `"parameters":{"type":"object"`, "mcp__dock__open_berth"},
		{`{` + berth + `{"ship":"Ada","metres":1}}`, "schema", CodeSchemaViolation, `"parameters":{"type":"object"`, "mcp__dock__open_berth"},
		{`{"name":"open_berth"}`, "known", CodeUnknownName, "no tool is called", "open_berth"},
		{`{"name":"open_berths"}`, "known", CodeUnknownName, "no tool is called", "open_berths"},
	} {
		got := s.Invoke(ToolCall, json.RawMessage(c.arguments), "")
		if string(got.Gate) != c.gate || got.Code != c.code || got.Name != c.name || !strings.Contains(string(got.ModelSees), c.says) {
			t.Errorf("%s: %s at %s of %q: %s", c.arguments, got.Code, got.Gate, got.Name, got.ModelSees)
		}
		if leaks := c.name == "open_berths"; slices.Equal(got.Leaked, []string{"mcp__vault__open_berths"}) != leaks || !leaks && len(got.Leaked) > 0 {
			t.Errorf("%s: it leaks %q", c.arguments, got.Leaked)
		}
		if d := details(got); got.Authorized && (d["deferrable"] != "may be deferred" || d["schema"] != "the arguments fit") {
			t.Errorf("%s: %q", c.arguments, d)
		}
	}
	if got := s.Call("mcp__dock__open_berth", json.RawMessage(`[1]`)); got.Code != CodeNotObject || got.Gate != "arguments" {
		t.Errorf("a list of arguments: %s at %s", got.Code, got.Gate)
	}
	for i, most := range []int{7, 10} {
		tool, key := []string{ToolSearch, ToolDescribe}[i], []string{"queries", "names"}[i]
		for n := range 2 {
			var texts []string
			for j := range most + n {
				texts = append(texts, fmt.Sprintf(`"berth %d"`, j))
			}
			if got, ok := s.Bridge(tool, json.RawMessage(`{"`+key+`":[`+strings.Join(texts, ",")+`]}`)); ok != (n == 0) {
				t.Errorf("%d %s, of at most %d: %s", len(texts), key, most, got)
			}
		}
	}
	for _, c := range []struct {
		list  string
		names []string
		ends  string
	}{{"", nil, "are available."}, {"a list", []string{"dig"}, "are available.\\na list"}, {"", []string{"dig"}, "are available. Their names: dig"}} {
		if got := laterBridge(7, c.list, c.names); len(got) != 3 || !strings.Contains(string(got[0]), c.ends+`"`) {
			t.Errorf("%q and %q: %s", c.list, c.names, got)
		}
	}
}
