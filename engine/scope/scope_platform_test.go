package scope

import (
	"slices"
	"strings"
	"testing"

	"caliper/config"
)

// platformRegistry has toolsets of each kind: two of the agent, one of them with a
// core tool, one of a plugin, and two MCP servers.
const platformRegistry = `{"toolsets": {
	"lamps": {"source": "builtin"}, "web": {"source": "builtin"}, "search": {"tools": ["web_search", "open_safe"]}, "safe": {}, "shell": {}, "harbour": {"source": "plugin"},
	"mcp-tides": {"source": "mcp", "server": "tides"}, "mcp-ledger": {"source": "mcp", "server": "ledger"}},
"tools": [
	{"type":"function","function":{"name":"web_search"},"toolset":"web"},
	{"type":"function","function":{"name":"lamp_on"},"toolset":"lamps"},
	{"type":"function","function":{"name":"berth"},"toolset":"harbour"},
	{"type":"function","function":{"name":"mcp_tides_read_tide"},"toolset":"mcp-tides"},
	{"type":"function","function":{"name":"mcp__tides__find-ship"},"toolset":"mcp-tides"},
	{"type":"function","function":{"name":"mcp_tides_read_resource"},"toolset":"mcp-tides"},
	{"type":"function","function":{"name":"mcp_ledger_book"},"toolset":"mcp-ledger"},
	{"type":"function","function":{"name":"mcp_ledger_get_prompt"},"toolset":"mcp-ledger"},
	{"type":"function","function":{"name":"mcp_ledger_find_ship"},"original_name":"find_ship","toolset":"mcp-ledger"},
	{"type":"function","function":{"name":"audit"},"toolset":"mcp-ledger"},
	{"type":"function","function":{"name":"open_safe"},"toolset":"safe"},
	{"type":"function","function":{"name":"terminal"},"toolset":"shell"}]}`

// Both computations of a scope read the agent's own sections, and agree.
func TestPlatformScope(t *testing.T) {
	const tides = "mcp_tides_read_tide mcp__tides__find-ship mcp_tides_read_resource"
	const ledger = "mcp_ledger_book mcp_ledger_get_prompt mcp_ledger_find_ship audit"
	const every = tides + " " + ledger
	for _, test := range []struct{ name, config, session, want string }{
		{"the bundle of a platform holds core tools", "platform_toolsets: {cli: [hermes-cli]}", "cli", "web_search berth " + every + " open_safe terminal"},
		{"no list is the bundle", "platform_toolsets: {cli: }", "cli", "web_search berth " + every + " open_safe terminal"},
		{"an empty list has servers and plugins", "platform_toolsets: {cli: []}", "cli", "berth " + every},
		{"toolsets, and so every server", "platform_toolsets: {cli: [lamps]}", "cli", "lamp_on berth " + every},
		{"a server", "platform_toolsets: {cli: [lamps, ledger]}", "cli", "lamp_on berth " + ledger},
		{"a server that the registry lacks", "mcp_servers: {gone: {}}\nplatform_toolsets: {cli: [gone]}", "cli", "berth"},
		{"no server", "platform_toolsets: {cli: [hermes-cli, no_mcp]}", "cli", "web_search berth open_safe terminal"},
		{"no server, although named", "platform_toolsets: {cli: [web, ledger, no_mcp]}", "cli", "web_search berth"},
		{"a plugin that was turned off", "known_plugin_toolsets: {cli: [harbour]}\nplatform_toolsets: {cli: [web, ledger]}", "cli", "web_search " + ledger},
		{"a plugin that was turned on", "known_plugin_toolsets: {cli: [harbour]}\nplatform_toolsets: {cli: [harbour, ledger]}", "cli", "berth " + ledger},
		{"another bundle", "platform_toolsets: {cli: [debugging, ledger]}", "cli", "web_search berth " + ledger},
		{"disabled for all", "agent: {disabled_toolsets: [ledger, harbour]}", "default", "web_search lamp_on " + tides + " open_safe terminal"},
		{"disabled of a platform", "agent: {disabled_toolsets: [hermes-cli]}\nplatform_toolsets: {cli: [web, lamps, ledger]}", "cli", "lamp_on berth " + ledger},
		{"a server that is off", "mcp_servers: {tides: {enabled: false}}", "default", "web_search lamp_on berth " + ledger + " open_safe terminal"},
		{"a server that is off, named", "mcp_servers: {tides: {enabled: false}}\nplatform_toolsets: {cli: [tides]}", "cli", "berth " + ledger},
		{"included tools", "mcp_servers: {tides: {tools: {include: [find-ship], resources: false}}}\nplatform_toolsets: {cli: [tides]}", "cli", "berth mcp__tides__find-ship"},
		{"excluded tools", "mcp_servers: {tides: {tools: {exclude: [find-ship]}}}\nsessions: {own: {enabled_toolsets: [tides]}}", "own", "mcp_tides_read_tide mcp_tides_read_resource"},
		{"names at the server", "mcp_servers: {ledger: {tools: {include: [find_ship]}}}\nplatform_toolsets: {cli: [ledger]}", "cli", "berth mcp_ledger_get_prompt mcp_ledger_find_ship"},
		{"other names at the server", "mcp_servers: {ledger: {tools: {include: [find-ship, audit]}}}\nplatform_toolsets: {cli: [ledger]}", "cli", "berth mcp_ledger_get_prompt audit"},
		{"names that were made safe", "mcp_servers: {tides: {tools: {include: [read-tide]}}}\nplatform_toolsets: {cli: [tides]}", "cli", "berth mcp_tides_read_tide mcp_tides_read_resource"},
		{"a server without a name", "mcp_servers: {'': {enabled: false}}\nplatform_toolsets: {cli: [lamps, ledger]}", "cli", "lamp_on berth " + ledger},
		{"a list of what a bundle holds is disabled", "agent: {disabled_toolsets: [hermes-cli]}\nplatform_toolsets: {cli: [search, lamps, ledger]}", "cli", "lamp_on berth " + ledger},
		{"a toolset with the name of a bundle", "platform_toolsets: {cli: [safe, ledger]}", "cli", "berth " + ledger + " open_safe"},
	} {
		f, err := config.Parse("c.yaml", []byte(test.config))
		if err != nil {
			t.Fatal(test.name, err)
		}
		registry := parse(t, platformRegistry)
		at := slices.IndexFunc(f.Config.Choosable(), func(s config.Session) bool { return s.Name == test.session })
		session := f.Config.Choosable()[at]
		expect(t, test.name, registry, session, f.Config, strings.Fields(test.want))
		if unknown := NewResolver(registry).Unknown(session, f.Config.Agent); len(unknown) > 0 {
			t.Errorf("%s: unknown are %q", test.name, unknown)
		}
	}
}
