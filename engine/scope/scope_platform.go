package scope

import (
	"slices"
	"strings"

	"caliper/config"
	"caliper/model"
)

// A platform of the agent is a session whose list the agent reads by rules of its
// own: a bundle stands for many toolsets, plugins are on unless somebody has turned
// them off, and all MCP servers are granted unless the list names some or says
// config.NoServers. What the configuration does not register no session has. This is
// what a Resolver makes of it; the executor's is in executor_platform.go.

// platformToolsets returns the toolsets that the list of a platform stands for.
func (s *Resolver) platformToolsets(sess config.Session, c config.Config) []string {
	var out, servers []string
	for _, name := range sess.Enabled {
		if s.isServer(name, c.Agent) {
			servers = append(servers, name)
		} else {
			out = append(out, s.withoutBundle(name, c)...)
		}
	}
	none := slices.Contains(sess.Enabled, config.NoServers)
	for _, ts := range s.registry.Toolsets {
		every := ts.Server != "" && !none && len(servers) == 0
		if every || ts.Source == "plugin" && !slices.Contains(sess.Known, ts.Name) {
			out = append(out, ts.Name)
		}
	}
	if none {
		return out
	}
	return append(out, servers...)
}

// isServer reports whether a name in the list of a platform is an MCP server's: one
// that the configuration has and that is on, or one of the registry.
func (s *Resolver) isServer(name string, agent config.AgentScope) bool {
	if server, ok := agent.Server(name); ok {
		return !server.Off
	}
	ts, ok := s.registry.Toolset(s.resolve(name))
	return ok && ts.Server == name
}

// withoutBundle returns the toolsets that a name stands for: itself, unless it is a
// bundle that the registry does not have.
func (s *Resolver) withoutBundle(name string, c config.Config) []string {
	toolsets, core, bundle := config.Bundle(name)
	if !bundle || s.resolve(name) != "" {
		return []string{name}
	}
	if !core {
		return toolsets
	}
	for _, ts := range s.registry.Toolsets {
		holds := func(i int) bool { return slices.Contains(c.Core, s.registry.Tools[i].Name) }
		listed := func(tool string) bool { return slices.Contains(c.Core, tool) }
		if ts.Server == "" && (slices.ContainsFunc(s.naming()[ts.Name], holds) || slices.ContainsFunc(ts.Tools, listed)) {
			toolsets = append(toolsets, ts.Name)
		}
	}
	return toolsets
}

// registered reports whether the agent registers a tool with the filters of its
// configuration.
func (s *Resolver) registered(t *model.Tool, agent config.AgentScope) bool {
	if len(agent.Servers) == 0 {
		return true
	}
	ts, _ := s.registry.Toolset(t.Toolset)
	if ts == nil || ts.Server == "" {
		return true
	}
	server, ok := agent.Server(ts.Server)
	if !ok {
		return true
	}
	if t.OriginalName != "" {
		return server.Registers(t.OriginalName, true)
	}
	return server.Registers(nameAtServer(t.Name, ts.Server), false)
}

// nameAtServer returns a tool's name without the prefix of its server.
func nameAtServer(name, server string) string {
	for _, prefix := range model.ServerPrefixes(server) {
		if rest, ok := strings.CutPrefix(name, prefix); ok && rest != "" {
			return rest
		}
	}
	return name
}
