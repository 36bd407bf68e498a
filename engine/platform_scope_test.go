package engine

import (
	"slices"
	"strings"
	"testing"

	"caliper/config"
	"caliper/model"
	"caliper/model/shapes"
)

// platformRegistry has toolsets of each kind: two of the agent, one of them with a
// core tool, one of a plugin, and two MCP servers.
const platformRegistry = `{"toolsets": {
	"web": {"source": "builtin"}, "lamps": {"source": "builtin"}, "harbour": {"source": "plugin"},
	"mcp-tides": {"source": "mcp", "server": "tides"}, "mcp-ledger": {"source": "mcp", "server": "ledger"}},
"tools": [
	{"type":"function","function":{"name":"web_search"},"toolset":"web"},
	{"type":"function","function":{"name":"lamp_on"},"toolset":"lamps"},
	{"type":"function","function":{"name":"berth"},"toolset":"harbour"},
	{"type":"function","function":{"name":"mcp_tides_read_tide"},"toolset":"mcp-tides"},
	{"type":"function","function":{"name":"mcp__tides__find-ship"},"toolset":"mcp-tides"},
	{"type":"function","function":{"name":"mcp_tides_read_resource"},"toolset":"mcp-tides"},
	{"type":"function","function":{"name":"mcp_ledger_book"},"toolset":"mcp-ledger"}]}`

// Both computations of a scope read the agent's own sections, and agree.
func TestPlatformScope(t *testing.T) {
	const tides = "mcp_tides_read_tide mcp__tides__find-ship mcp_tides_read_resource"
	const every = tides + " mcp_ledger_book"
	for _, test := range []struct{ name, config, session, want string }{
		{"the bundle of a platform holds core tools", "platform_toolsets: {cli: [hermes-cli]}", "cli", "web_search berth " + every},
		{"no list is the bundle", "platform_toolsets: {cli: }", "cli", "web_search berth " + every},
		{"an empty list has servers and plugins", "platform_toolsets: {cli: []}", "cli", "berth " + every},
		{"toolsets, and so every server", "platform_toolsets: {cli: [lamps]}", "cli", "lamp_on berth " + every},
		{"a server", "platform_toolsets: {cli: [lamps, ledger]}", "cli", "lamp_on berth mcp_ledger_book"},
		{"a server that the registry lacks", "mcp_servers: {gone: {}}\nplatform_toolsets: {cli: [gone]}", "cli", "berth"},
		{"no server", "platform_toolsets: {cli: [hermes-cli, no_mcp]}", "cli", "web_search berth"},
		{"no server, although named", "platform_toolsets: {cli: [web, ledger, no_mcp]}", "cli", "web_search berth"},
		{"a plugin that was turned off", "known_plugin_toolsets: {cli: [harbour]}\nplatform_toolsets: {cli: [web, ledger]}", "cli", "web_search mcp_ledger_book"},
		{"a plugin that was turned on", "known_plugin_toolsets: {cli: [harbour]}\nplatform_toolsets: {cli: [harbour, ledger]}", "cli", "berth mcp_ledger_book"},
		{"another bundle", "platform_toolsets: {cli: [debugging, ledger]}", "cli", "web_search berth mcp_ledger_book"},
		{"disabled for all", "agent: {disabled_toolsets: [ledger, harbour]}", "default", "web_search lamp_on " + tides},
		{"disabled of a platform", "agent: {disabled_toolsets: [hermes-cli]}\nplatform_toolsets: {cli: [web, lamps, ledger]}", "cli", "lamp_on berth mcp_ledger_book"},
		{"a server that is off", "mcp_servers: {tides: {enabled: false}}", "default", "web_search lamp_on berth mcp_ledger_book"},
		{"a server that is off, named", "mcp_servers: {tides: {enabled: false}}\nplatform_toolsets: {cli: [tides]}", "cli", "berth mcp_ledger_book"},
		{"included tools", "mcp_servers: {tides: {tools: {include: [find-ship], resources: false}}}\nplatform_toolsets: {cli: [tides]}", "cli", "berth mcp__tides__find-ship"},
		{"excluded tools", "mcp_servers: {tides: {tools: {exclude: [find-ship]}}}\nsessions: {own: {enabled_toolsets: [tides]}}", "own", "mcp_tides_read_tide mcp_tides_read_resource"},
	} {
		f, err := config.Parse("c.yaml", []byte(test.config))
		if err != nil {
			t.Fatal(test.name, err)
		}
		registry, err := shapes.Parse(t.Context(), model.Source{Name: "r.json", Data: []byte(platformRegistry)})
		if err != nil {
			t.Fatal(err)
		}
		s, err := Build(t.Context(), Inputs{Registry: registry, Config: f.Config, Session: test.session})
		if err != nil {
			t.Fatal(test.name, err)
		}
		var granted, executed []string
		for _, tool := range registry.Tools {
			if s.granted[tool.Index] {
				granted = append(granted, tool.Name)
			}
			if s.executor().allows(tool) {
				executed = append(executed, tool.Name)
			}
		}
		want := strings.Fields(test.want)
		if !slices.Equal(granted, want) || !slices.Equal(executed, want) {
			t.Errorf("%s: the catalog has %q, the executor allows %q, want %q", test.name, granted, executed, want)
		}
		for _, w := range s.Warnings("c.yaml") {
			if w.Code == "unknown_toolset" {
				t.Errorf("%s: %s", test.name, w.Error())
			}
		}
	}
}

// A name that the agent does not know either is a warning, at the platform.
func TestPlatformWarning(t *testing.T) {
	f, _ := config.Parse("c.yaml", []byte("platform_toolsets: {cli: [webb, hermes-cli, no_mcp, homeassistant]}"))
	registry, err := shapes.Parse(t.Context(), model.Source{Name: "r.json", Data: []byte(platformRegistry)})
	if err != nil {
		t.Fatal(err)
	}
	s, err := Build(t.Context(), Inputs{Registry: registry, Config: f.Config})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, w := range s.Warnings("c.yaml") {
		got = append(got, w.Error())
	}
	if want := []string{"c.yaml:1:1: platform_toolsets.cli: no toolset is called webb; did you mean web?"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
