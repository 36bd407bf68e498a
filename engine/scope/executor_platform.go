package scope

import (
	"caliper/config"
	"caliper/model"
)

// What scope_platform.go says of a platform, from the tool upwards.
//
// SECURITY: it shares no code with Resolver but the rules of package config, so that a
// fault in the one is found by the other.

// platformNames returns the names that the list of a platform comes to: without its
// servers when it has config.NoServers, and with the toolsets that its bundles, its
// plugins and the servers that it does not name add.
func (e *Executor) platformNames(session config.Session, c config.Config) []string {
	isServer := e.serverNames(c.Agent)
	none, some := false, false
	for _, name := range session.Enabled {
		none, some = none || name == config.NoServers, some || isServer[name]
	}
	seen := map[string]bool{}
	for _, name := range session.Known {
		seen[name] = true
	}
	var names []string
	for _, name := range session.Enabled {
		if !none || !isServer[name] {
			names = append(names, name)
		}
	}
	for i, held := range e.bundled(session.Enabled, c.Core) {
		ts := e.toolsets[i]
		if held || ts.Source == "plugin" && !seen[ts.Name] || ts.Server != "" && !none && !some {
			names = append(names, ts.Name)
		}
	}
	return names
}

// serverNames returns which names are MCP servers': the servers of the registry and
// of the configuration, without the ones that are off.
func (e *Executor) serverNames(agent config.AgentScope) map[string]bool {
	names := map[string]bool{}
	for server := range e.servers {
		if i, _ := e.meant(server); e.toolsets[i].Server == server {
			names[server] = true
		}
	}
	for _, s := range agent.Servers {
		names[s.Name] = !s.Off
	}
	return names
}

// bundled returns by toolset whether a bundle among some names stands for it. A
// bundle that the registry has stands for nothing else.
func (e *Executor) bundled(names, core []string) []bool {
	in := make([]bool, len(e.toolsets))
	for _, name := range names {
		toolsets, all, _ := config.Bundle(name)
		if _, found := e.meant(name); found {
			continue
		}
		for _, name := range toolsets {
			if i, ok := e.meant(name); ok {
				in[i] = true
			}
		}
		if all {
			e.holding(core, in)
		}
	}
	return in
}

// holding marks the toolsets that hold a tool of some names and are not of a server.
func (e *Executor) holding(names []string, in []bool) {
	wanted := map[string]bool{}
	for _, name := range names {
		wanted[name] = true
	}
	for t, held := range e.holders {
		for _, i := range held {
			in[i] = in[i] || wanted[e.tools[t].Name] && e.toolsets[i].Server == ""
		}
	}
}

// unbundled returns some names with the toolsets that their bundles stand for.
func (e *Executor) unbundled(names, core []string) []string {
	out := names
	for i, in := range e.bundled(names, core) {
		if in {
			out = append(out[:len(out):len(out)], e.toolsets[i].Name)
		}
	}
	return out
}

// withheld reports whether the agent's configuration keeps a tool of an MCP server
// from being registered.
func (e *Session) withheld(t *model.Tool) bool {
	var server string
	if i, ok := e.number[t.Toolset]; ok {
		server = e.toolsets[i].Server
	}
	s, ok := e.filters[server]
	if !ok || server == "" {
		return false
	}
	if t.OriginalName != "" {
		return !s.Registers(t.OriginalName, true)
	}
	return !s.Registers(nameAtServer(t.Name, s.Name), false)
}
