package model

import (
	"regexp"
	"strings"
)

// plainFile is the name of a file that a shell takes as it stands.
var plainFile = regexp.MustCompile(`^[A-Za-z0-9_./~:+@%,][A-Za-z0-9_./~:+@%,-]*$`)

// importServers says what to do with a client configuration of a name.
func importServers(name string) string {
	switch {
	case name == "", name == "-":
		name = "FILE"
	case !plainFile.MatchString(name):
		name = "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
	}
	return `run "caliper import --mcp-config ` + name + ` --all", or with --server NAME, to ask them for theirs`
}

// clientConfig is the configuration of an MCP client. It says how to reach
// servers and holds no tools.
//
// SECURITY: env, headers and arguments may be secrets. Nothing of a
// configuration is shown but the number of its servers.
var clientConfig = shape{
	match: func(o *object) bool { return clientServers(o).kind() != 0 },
	read: func(r *reader, o *object) error {
		m := clientServers(o)
		servers := 0
		if m.isArray() {
			servers = len(r.readNames(m.value))
		} else {
			servers = len(m.object().members)
		}
		path := o.path
		if m.name != "" {
			path = joinName(path, m.name)
		}
		return r.finding("client_config", m.at, path, "a client configuration: it "+listsServers(servers)+"; "+importServers(r.source.Name))
	},
}

// listsServers says what a client configuration holds.
func listsServers(n int) string {
	return "lists " + count(n, "server", "servers") + " and holds no tools"
}

// configMembers are the members under which clients keep their servers:
// Claude Desktop, Claude Code and Cursor; Zed; Codex and the reference agent.
var configMembers = []string{"mcpServers", "context_servers", "mcp_servers"}

// clientServers returns the member of an object that holds servers. Its name
// is empty where the object itself holds them.
func clientServers(o *object) member {
	for _, name := range configMembers {
		if v := o.member(name); v.isObject() || v.isArray() {
			return member{name, v}
		}
	}
	if v := o.member("servers"); holdsServers(v) { // VS Code's mcp.json
		return member{"servers", v}
	}
	if v := o.member("mcp"); v.isObject() { // VS Code's settings.json, OpenCode
		if servers := v.object().member("servers"); holdsServers(servers) {
			return member{"mcp", servers}
		}
		if holdsServers(v) {
			return member{"mcp", v}
		}
	}
	if areServers(o.members) {
		return member{"", o.value}
	}
	return member{}
}

// holdsServers reports whether every member of v says how to reach a server.
func holdsServers(v value) bool {
	return v.isObject() && areServers(v.object().members)
}

// areServers reports whether every member says how to reach a server.
func areServers(members []member) bool {
	for _, m := range members {
		if !m.isObject() {
			return false
		}
		server := m.object()
		if server.member("command").kind() == 0 && !server.member("url").isString() && !server.member("serverUrl").isString() {
			return false
		}
	}
	return len(members) > 0
}
