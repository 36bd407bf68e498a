package scope

import (
	"slices"
	"testing"

	"caliper/config"
	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
)

// scopeRegistry holds the toolsets that a name in a session can mean: by its
// own name, by its server's, listed, included, in a circle.
const scopeRegistry = `{
 "toolsets": {
  "dock": {"tools": ["crane", "pull", "ghost"], "includes": ["ropes"]},
  "mcp-buoy": {"server": "marks"},
  "mcp-reef": {},
  "beacons": {"server": "marks"},
  "reef-tools": {"server": "shoal"},
  "shoal": {},
  "ropes": {"includes": ["dock", "nowhere"]},
  "yard": {"tools": ["pull"]},
  "qualified": {"tools": ["mcp-buoy/pull"]},
  "deep": {}, "middle": {"includes": ["deep"]}, "top": {"includes": ["middle"]}
 },
 "tools": [
  {"type":"function","function":{"name":"reef_map"},"toolset":"mcp-reef"},
  {"type":"function","function":{"name":"light"},"toolset":"mcp-buoy"},
  {"type":"function","function":{"name":"pull"},"toolset":"mcp-buoy"},
  {"type":"function","function":{"name":"pull"},"toolset":"dock"},
  {"type":"function","function":{"name":"flare"},"toolset":"beacons"},
  {"type":"function","function":{"name":"sand"},"toolset":"reef-tools"},
  {"type":"function","function":{"name":"shallow"},"toolset":"shoal"},
  {"type":"function","function":{"name":"crane"},"toolset":"ropes"},
  {"type":"function","function":{"name":"knot"},"toolset":"ropes"},
  {"type":"function","function":{"name":"rotten"},"toolset":"ropes","available":false},
  {"type":"function","function":{"name":"abyss"},"toolset":"deep"}
 ]}`

// parse reads a registry.
func parse(t *testing.T, text string) *model.Registry {
	t.Helper()
	registry, err := shapes.Parse(t.Context(), model.Source{Name: "r.json", Data: []byte(text)})
	require.NoError(t, err)
	return registry
}

// expect fails unless a session is granted the tools of these qualified names, and may execute them,
// by either computation alone.
func expect(t *testing.T, name string, r *model.Registry, session config.Session, c config.Config, want []string) {
	t.Helper()
	granted, executor := NewResolver(r).Grant(session, c), NewExecutor(r).Serving(session, c)
	var byCatalog, byExecutor []string
	for _, tool := range r.Tools {
		if granted[tool.Index] {
			byCatalog = append(byCatalog, tool.Qualified)
		}
		if executor.Allows(tool) {
			byExecutor = append(byExecutor, tool.Qualified)
		}
	}
	if !slices.Equal(byCatalog, want) || !slices.Equal(byExecutor, want) {
		t.Errorf("%s: the catalog has %q, the executor allows %q, want %q", name, byCatalog, byExecutor, want)
	}
}

func TestScopeRules(t *testing.T) {
	all := []string{"reef_map", "light", "mcp-buoy/pull", "dock/pull", "flare", "sand", "shallow", "crane", "knot", "abyss"}
	tests := []struct {
		name     string
		enabled  []string
		disabled []string
		granted  []string
		unknown  []string
	}{
		{"no lists", nil, nil, all, nil},
		{"nothing enabled", []string{}, nil, nil, nil},
		{"all", []string{"all"}, nil, all, nil},
		{"asterisk", []string{"*"}, nil, all, nil},
		{"own name", []string{"mcp-reef"}, nil, []string{"reef_map"}, nil},
		{"bare server of mcp-", []string{"reef"}, nil, []string{"reef_map"}, nil},
		{"the first toolset of a server", []string{"marks"}, nil, []string{"light", "mcp-buoy/pull"}, nil},
		{"a toolset with a server is not called by its own bare name", []string{"buoy"}, nil, nil, []string{"buoy"}},
		{"a toolset's own name wins over a server's", []string{"shoal"}, nil, []string{"shallow"}, nil},
		{"a toolset without a server", []string{"beacons"}, nil, []string{"flare"}, nil},
		{"a blank name", []string{""}, nil, nil, []string{""}},
		{"listed, named, included and back", []string{"dock"}, nil, []string{"dock/pull", "crane", "knot"}, nil},
		{"from the included", []string{"ropes"}, nil, []string{"dock/pull", "crane", "knot"}, nil},
		{"included by what is included, which stands before it", []string{"top"}, nil, []string{"abyss"}, nil},
		{"a listed name that others define", []string{"yard"}, nil, []string{"mcp-buoy/pull", "dock/pull"}, nil},
		{"a listed qualified name", []string{"qualified"}, nil, []string{"mcp-buoy/pull"}, nil},
		{"unknown", []string{"nothing", "reef"}, []string{"none"}, []string{"reef_map"}, []string{"nothing", "none"}},
		{"a bundle of the agent's in a session that is not a platform's", []string{"hermes-cli"}, nil, nil, []string{"hermes-cli"}},
		{"disabled last", []string{"*"}, []string{"dock", "marks"}, []string{"reef_map", "flare", "sand", "shallow", "abyss"}, nil},
		{"disabled wins over its order", []string{"dock", "mcp-reef"}, []string{"reef"}, []string{"dock/pull", "crane", "knot"}, nil},
		{"everything disabled", nil, []string{"all"}, nil, nil},
	}
	registry := parse(t, scopeRegistry)
	for _, test := range tests {
		session := config.Session{Name: "s", Enabled: test.enabled, Disabled: test.disabled}
		expect(t, test.name, registry, session, config.Config{}, test.granted)
		if got := NewResolver(registry).Unknown(session, config.AgentScope{}); !slices.Equal(got, test.unknown) {
			t.Errorf("%s: unknown are %q, want %q", test.name, got, test.unknown)
		}
	}
}

// One listed name, the only one of the registry, counts as many do: it stands for every
// definition, or for the toolset's own alone.
func TestExecutorFollowsASingleList(t *testing.T) {
	const buoy, own = `{"type":"function","function":{"name":"pull"},"toolset":"mcp-buoy"}`, `{"type":"function","function":{"name":"pull"},"toolset":"yard"}`
	for tools, want := range map[string]bool{buoy: true, buoy + "," + own: false} {
		registry := parse(t, `{"toolsets": {"yard": {"tools": ["pull"]}}, "tools": [`+tools+`]}`)
		session := config.Session{Enabled: []string{"yard"}}
		if got := NewExecutor(registry).Serving(session, config.Config{}).Allows(registry.Tools[0]); got != want {
			t.Errorf("%s: %t", tools, got)
		}
	}
}

// The executor allows nothing but the tools of its own registry.
func TestExecutorKnowsItsTools(t *testing.T) {
	registry := parse(t, scopeRegistry)
	e := NewExecutor(registry).Serving(config.Session{}, config.Config{})
	other := parse(t, `{"tools":[{"type":"function","function":{"name":"reef_map"},"toolset":"mcp-reef"}]}`)
	beyond := *registry.Tools[0]
	beyond.Index = len(registry.Tools)
	for name, tool := range map[string]*model.Tool{"no tool": nil, "of another registry": other.Tools[0], "beyond the last": &beyond} {
		if e.Allows(tool) {
			t.Errorf("%s: allowed", name)
		}
	}
}

func TestMeant(t *testing.T) {
	tests := []struct{ name, meant string }{
		{"MCP_Reef", "mcp-reef"},
		{"reef", "mcp-reef"}, // as the end of a name; a session takes it as the alias
		{"becons", "beacons"},
		{"beaconss", "beacons"},
		{"baecons", ""},
		{"mark", "marks"},
		{"dick", "dock"},
		{"tools", "reef-tools"},
		{"toolsx", ""},
		{"...", ""},
		{"windlass", ""},
	}
	s := NewResolver(parse(t, scopeRegistry))
	for _, test := range tests {
		want := ""
		if test.meant != "" {
			want = "; did you mean " + test.meant + "?"
		}
		if got := s.Meant(test.name); got != want {
			t.Errorf("%s: %q, want %q", test.name, got, want)
		}
	}
}

// TestWithheld: what a list keeps from a session is not granted, by either computation alone.
func TestWithheld(t *testing.T) {
	session := config.Session{Name: "mate", Withheld: []config.Withheld{{Tool: "dock/pull", Key: "tools", File: "mate.md"}, {Tool: "gone"}}}
	all := []string{"reef_map", "light", "mcp-buoy/pull", "flare", "sand", "shallow", "crane", "knot", "abyss"}
	expect(t, "withheld", parse(t, scopeRegistry), session, config.Default(), all)
}
