package shapes

import (
	"bytes"
	"slices"
	"strings"

	"caliper/model/jsontree"
	"caliper/model/lazy"
	"caliper/model/words"
)

// plainFile is the name of a file that a shell takes as it stands.
var plainFile = lazy.Regexp(`^[A-Za-z0-9_./~:+@%,][A-Za-z0-9_./~:+@%,-]*$`)

// importServers says what to do with a client configuration of a name.
func importServers(name string) string {
	switch {
	case name == "", name == "-":
		name = "FILE"
	case !plainFile().MatchString(name):
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
	match: func(o *object) bool { return clientServers(o).First() != 0 },
	read: func(r *reader, o *object) error {
		m := clientServers(o)
		servers := 0
		if m.IsArray() {
			servers = len(r.readNames(m.Value))
		} else {
			servers = len(objectOf(m.Value).members)
		}
		path := o.path
		if m.Name != "" {
			path = jsontree.JoinName(path, m.Name)
		}
		return r.finding("client_config", m.At, path, "a client configuration: it "+listsServers(servers)+"; "+importServers(r.source.Name))
	},
}

// listsServers says what a client configuration holds.
func listsServers(n int) string {
	return "lists " + words.CountOf(n, "server", "servers") + " and holds no tools"
}

// configMembers are the members under which clients keep their servers:
// Claude Desktop, Claude Code and Cursor; Zed; Codex and the reference agent.
var configMembers = []string{"mcpServers", "context_servers", "mcp_servers"}

// clientServers returns the member of an object that holds servers. Its name
// is empty where the object itself holds them.
func clientServers(o *object) jsontree.Member {
	for _, name := range configMembers {
		if v := o.member(name); v.IsObject() || v.IsArray() {
			return jsontree.Member{Name: name, Value: v}
		}
	}
	if v := o.member("servers"); holdsServers(v) { // VS Code's mcp.json
		return jsontree.Member{Name: "servers", Value: v}
	}
	if v := o.member("mcp"); v.IsObject() { // VS Code's settings.json, OpenCode
		if servers := objectOf(v).member("servers"); holdsServers(servers) {
			return jsontree.Member{Name: "mcp", Value: servers}
		}
		if holdsServers(v) {
			return jsontree.Member{Name: "mcp", Value: v}
		}
	}
	if areServers(o.members) {
		return jsontree.Member{Name: "", Value: o.Value}
	}
	return jsontree.Member{}
}

// holdsServers reports whether every member of v says how to reach a server.
func holdsServers(v jsontree.Value) bool {
	return v.IsObject() && areServers(objectOf(v).members)
}

// areServers reports whether every member says how to reach a server.
func areServers(members []jsontree.Member) bool {
	for _, m := range members {
		if !m.IsObject() {
			return false
		}
		server := objectOf(m.Value)
		if server.member("command").First() == 0 && !server.member("url").IsString() && !server.member("serverUrl").IsString() {
			return false
		}
	}
	return len(members) > 0
}

// Configurations of clients are also written in TOML (Codex) and YAML (the
// reference agent). Neither is a format of tool definitions, so that they are
// only recognised, by their lines, to say what they are.

var (
	tomlHeader = lazy.Regexp(`^\[\[?\s*([A-Za-z0-9_-]+)\s*(?:\.\s*("[^"]*"|'[^']*'|[A-Za-z0-9_-]+)[^\]]*)?\]\]?\s*(?:#.*)?$`)
	tomlKey    = lazy.Regexp(`^[A-Za-z0-9_.-]+\s*=\s*\S`)
	yamlKey    = lazy.Regexp(`^([A-Za-z_][A-Za-z0-9_.-]*):(?:\s|$)`)
)

// otherSyntax returns what to say of a text that is TOML or YAML. It looks at
// the first line that holds something, so that broken JSON is not taken for
// either. name is that of the source.
func otherSyntax(t *jsontree.Text, name string) (jsontree.Fault, bool) {
	for line := range bytes.Lines(t.Data) {
		line = bytes.TrimRight(line, " \t\r\n")
		switch {
		case len(line) == 0 || line[0] == '#':
			continue
		case isTOMLHeader(line) || tomlKey().Match(line):
			return configFinding(t, name, "TOML", tomlServers), true
		case string(line) == "---" || yamlKey().Match(line):
			return configFinding(t, name, "YAML", yamlServers), true
		}
		break
	}
	return jsontree.Fault{}, false
}

// isTOMLHeader reports whether a line opens a TOML table and is not JSON.
func isTOMLHeader(line []byte) bool {
	m := tomlHeader().FindSubmatch(line)
	return m != nil && !slices.Contains([]string{"true", "false", "null"}, string(m[1])) && (m[1][0] < '0' || m[1][0] > '9')
}

// configFinding returns the finding about a text in a syntax, whose servers are
// counted by servers; that returns the offset of their section too, or -1.
func configFinding(t *jsontree.Text, name, syntax string, servers func(*jsontree.Text) (n, at int)) jsontree.Fault {
	n, at := servers(t)
	if at < 0 {
		return jsontree.Fault{At: t.Origin(0), Code: "unknown_format", Message: syntax + ", not a tool catalogue; " + understood()}
	}
	return jsontree.Fault{At: t.Origin(at), Code: "client_config",
		Message: "a client configuration in " + syntax + ": it " + listsServers(n) + "; " + importServers(name)}
}

// tomlServers counts the tables [mcp_servers.NAME].
func tomlServers(t *jsontree.Text) (n, at int) {
	at = -1
	offset := 0
	seen := map[string]bool{}
	for line := range bytes.Lines(t.Data) {
		if m := tomlHeader().FindSubmatch(bytes.TrimSpace(line)); m != nil && slices.Contains(configMembers, string(m[1])) {
			if at < 0 {
				at = offset
			}
			if name := strings.Trim(string(m[2]), `"'`); name != "" {
				seen[name] = true
			}
		}
		offset += len(line)
	}
	return len(seen), at
}

// yamlServers counts what stands below mcp_servers: the keys, or the elements
// of a list.
func yamlServers(t *jsontree.Text) (n, at int) {
	at = -1
	offset, indent := 0, -1
	inside := false
	for line := range bytes.Lines(t.Data) {
		start := offset
		offset += len(line)
		content := bytes.TrimLeft(line, " ")
		depth := len(line) - len(content)
		content = bytes.TrimSpace(content)
		if len(content) == 0 || content[0] == '#' {
			continue
		}
		isElement := content[0] == '-'
		if depth == 0 && !(inside && isElement) {
			m := yamlKey().FindSubmatch(content)
			inside = m != nil && slices.Contains(configMembers, string(m[1]))
			if inside && at < 0 {
				at = start
			}
			indent = -1
			continue
		}
		if !inside {
			continue
		}
		if indent < 0 {
			indent = depth
		}
		if depth == indent && (isElement || bytes.Contains(content, []byte(":"))) {
			n++
		}
	}
	return n, at
}
