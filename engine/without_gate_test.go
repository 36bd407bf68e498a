package engine

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

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
