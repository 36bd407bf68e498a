package live

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"
)

// Config has the MCP servers of a client's configuration file.
type Config struct {
	// Client is whose file it is: "claude-desktop", "claude-code", "cursor",
	// "vscode", "zed", "codex", "hermes", or "" for an mcpServers file whose
	// name does not show the format.
	Client  string
	Servers []Server // order of the file
	// Repeated are the names that stand twice in the section of servers.
	Repeated []string
}

// wanted says what a configuration is.
const wanted = "want a client's configuration: JSON with mcpServers (Claude, Cursor), servers (VS Code) or context_servers (Zed), TOML (Codex) or YAML (Hermes) with mcp_servers"

// formats are the endings of the names of configurations.
var formats = []string{".json", ".jsonc", ".toml", ".yaml", ".yml"}

// MaxConfig bounds the size of a configuration file in bytes.
const MaxConfig = 16 << 20

// ErrNoServers is what is wrong with a file that can be read and has no section of
// MCP servers, for errors.Is.
var ErrNoServers = errors.New("holds no MCP servers")

// sections are the keys under which clients keep their servers, and the format
// and name of the client that each belongs to.
var sections = []struct{ key, client string }{
	{"mcpServers", ""},
	{"context_servers", "zed"},
	{"mcp_servers", ""},
	{"servers", "vscode"},
}

// ParseClientConfig reads the configuration of an MCP client: Claude Desktop,
// Claude Code, Cursor, VS Code, Zed, Codex or Hermes, distinguished by content,
// and by name where the content is alike. The name is also used in errors,
// which have the form name:line:col where there is a position.
//
// Comments and trailing commas are read over in JSON. Of duplicate keys the
// last one holds. A file without a section of servers is an error; an entry that
// says neither how to start nor how to reach a server has a Problem.
//
// SECURITY: no error repeats a value of the file.
func ParseClientConfig(name string, data []byte) (Config, error) {
	if len(data) > MaxConfig {
		return Config{}, fmt.Errorf("%s: %d bytes, more than a client's configuration can have", name, len(data))
	}
	data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	if len(bytes.TrimSpace(data)) == 0 {
		return Config{}, fmt.Errorf("%s: the file is empty; %s", name, wanted)
	}
	var root value
	var err error
	format := formatOf(name, data)
	switch format {
	case "toml":
		root, err = parseTOML(data)
	case "yaml":
		root, err = parseYAML(data)
	default:
		root, err = parseJSONC(data)
	}
	switch {
	case err == nil:
	case !slices.Contains(formats, strings.ToLower(path.Ext(name))) && path.Ext(name) != "":
		return Config{}, fmt.Errorf("%s: a file ending in %s is not a client's configuration; %s", name, path.Ext(name), wanted)
	default:
		return Config{}, fmt.Errorf("%s:%w", name, err)
	}
	client, servers := findServers(root)
	if client, servers.members = withProjects(root, client, servers.members); servers.kind == 0 && client == "" {
		if root.member("tools").kind == listKind || root.kind == listKind {
			return Config{}, fmt.Errorf("%s: %w, but may hold tools: caliper import reads those without --mcp-config; %s", name, ErrNoServers, wanted)
		}
		return Config{}, fmt.Errorf("%s: %w; %s", name, ErrNoServers, wanted)
	}
	c := Config{Client: clientOf(client, format, name), Repeated: servers.repeated}
	d := braces
	if slices.Contains([]string{"claude-desktop", "zed", "codex"}, c.Client) {
		d = literal
	}
	for _, m := range servers.members {
		s := readServer(m.name, m.value, d)
		if t, ok := duration(m.value.member("timeout"), time.Second); ok && s.Timeout == 0 && c.Client == "hermes" {
			s.Timeout = t // of a call; the names of others mean other units
		}
		c.Servers = append(c.Servers, s)
	}
	return c, nil
}

// formatOf returns "json", "yaml" or "toml", by the ending of the name or else
// by the content.
func formatOf(name string, data []byte) string {
	switch strings.ToLower(path.Ext(name)) {
	case ".json", ".jsonc":
		return "json"
	case ".toml":
		return "toml"
	case ".yaml", ".yml":
		return "yaml"
	}
	for line := range bytes.Lines(data) {
		line = bytes.TrimSpace(line)
		switch {
		case len(line) == 0 || line[0] == '#':
		case bytes.HasPrefix(line, []byte("{")), bytes.HasPrefix(line, []byte("//")), bytes.HasPrefix(line, []byte("/*")):
			return "json"
		case line[0] == '[':
			return "toml"
		default:
			if key, _, ok := bytes.Cut(line, []byte("=")); ok && !bytes.ContainsRune(key, ':') {
				return "toml"
			}
			return "yaml"
		}
	}
	return "json"
}

// findServers returns the section of servers, no value for none, and the client
// whose it is as far as its key shows.
func findServers(root value) (client string, servers value) {
	for _, s := range sections {
		if v := root.member(s.key); v.kind == objectKind {
			return s.client, v
		}
	}
	// Older settings of VS Code hold the file under "mcp".
	if v := root.member("mcp").member("servers"); v.kind == objectKind {
		return "vscode", v
	}
	return "", value{}
}

// withProjects adds the servers that Claude Code keeps for single projects in
// its ~/.claude.json. One whose name was there before has its project behind
// the name.
func withProjects(root value, client string, servers []member) (string, []member) {
	var g gatherer
	for _, m := range servers {
		g.set(m.name, m.value)
	}
	for _, project := range root.member("projects").members {
		section := project.member("mcpServers")
		if section.kind == objectKind {
			client = "claude-code"
		}
		for _, m := range section.members {
			name := m.name
			if _, ok := g.at[name]; ok {
				name += " (" + project.name + ")"
			}
			g.set(name, m.value)
		}
	}
	return client, g.members
}

// clientOf returns the name of the client whose file it is.
func clientOf(client, format, name string) string {
	if client != "" {
		return client
	}
	lower := strings.ToLower(name)
	switch base := path.Base(strings.ReplaceAll(lower, `\`, "/")); {
	case format == "toml":
		return "codex"
	case format == "yaml":
		return "hermes"
	case strings.HasPrefix(base, "claude_desktop"):
		return "claude-desktop"
	case strings.Contains(lower, "cursor"):
		return "cursor"
	case strings.HasSuffix(base, ".mcp.json"), base == ".claude.json":
		return "claude-code"
	}
	return ""
}
