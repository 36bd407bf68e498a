package engine

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"caliper/config"
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
		s, err := Build(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := s.Bridge(ToolDescribe, json.RawMessage(c.arguments)); !strings.Contains(string(got), c.want) {
			t.Errorf("%s: %s is answered with %s, want %s", c.session, c.arguments, got, c.want)
		}
		if f := s.laterName("MCP Harbor-Book", s.offered); f.Code != CodeNotOffered || !strings.Contains(f.Message, "the name is mcp_harbor_book") {
			t.Errorf("%s: of another spelling: %+v", c.session, f)
		}
	}
	if d := described(toolSnapshot(t, reef, false, false).Registry.Tools[1]); string(d.Description) != `""` || string(d.Parameters) != `{}` {
		t.Errorf("a tool of a name alone is described as %s, %s", d.Description, d.Parameters)
	}
}
