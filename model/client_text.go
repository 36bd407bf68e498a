package model

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// Configurations of clients are also written in TOML (Codex) and YAML (the
// reference agent). Neither is a format of tool definitions, so that they are
// only recognised, by their lines, to say what they are.

var (
	tomlHeader = regexp.MustCompile(`^\[\[?\s*([A-Za-z0-9_-]+)\s*(?:\.\s*("[^"]*"|'[^']*'|[A-Za-z0-9_-]+)[^\]]*)?\]\]?\s*(?:#.*)?$`)
	tomlKey    = regexp.MustCompile(`^[A-Za-z0-9_.-]+\s*=\s*\S`)
	yamlKey    = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_.-]*):(?:\s|$)`)
)

// otherSyntax returns what to say of a text that is TOML or YAML. It looks at
// the first line that holds something, so that broken JSON is not taken for
// either. name is that of the source.
func (t *text) otherSyntax(name string) (finding, bool) {
	for line := range bytes.Lines(t.data) {
		line = bytes.TrimRight(line, " \t\r\n")
		switch {
		case len(line) == 0 || line[0] == '#':
			continue
		case isTOMLHeader(line) || tomlKey.Match(line):
			return t.config(name, "TOML", t.tomlServers), true
		case string(line) == "---" || yamlKey.Match(line):
			return t.config(name, "YAML", t.yamlServers), true
		}
		break
	}
	return finding{}, false
}

// isTOMLHeader reports whether a line opens a TOML table and is not JSON.
func isTOMLHeader(line []byte) bool {
	m := tomlHeader.FindSubmatch(line)
	return m != nil && !slices.Contains([]string{"true", "false", "null"}, string(m[1])) && (m[1][0] < '0' || m[1][0] > '9')
}

// config returns the finding about a text in a syntax, whose servers are
// counted by servers; that returns the offset of their section too, or -1.
func (t *text) config(name, syntax string, servers func() (n, at int)) finding {
	n, at := servers()
	if at < 0 {
		return finding{at: t.origin(0), code: "unknown_format", message: syntax + ", not a tool catalogue; " + understood()}
	}
	return finding{at: t.origin(at), code: "client_config",
		message: "a client configuration in " + syntax + ": it " + listsServers(n) + "; " + importServers(name)}
}

// tomlServers counts the tables [mcp_servers.NAME].
func (t *text) tomlServers() (n, at int) {
	at = -1
	offset := 0
	seen := map[string]bool{}
	for line := range bytes.Lines(t.data) {
		if m := tomlHeader.FindSubmatch(bytes.TrimSpace(line)); m != nil && slices.Contains(configMembers, string(m[1])) {
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
func (t *text) yamlServers() (n, at int) {
	at = -1
	offset, indent := 0, -1
	inside := false
	for line := range bytes.Lines(t.data) {
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
			m := yamlKey.FindSubmatch(content)
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
