package live

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caliper/model/require"
)

// put writes a file below a folder and returns its path.
func put(t *testing.T, folder, name, text string) string {
	t.Helper()
	path := filepath.Join(folder, filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// described returns what was found in a few words: path, client, servers, problem.
func described(home string, files []ClientFile) string {
	var b strings.Builder
	for _, f := range files {
		path, err := filepath.Rel(home, f.Path)
		if err != nil {
			path = f.Path
		}
		fmt.Fprintf(&b, "%s %s", filepath.ToSlash(path), f.Client)
		for _, s := range f.Config.Servers {
			b.WriteString(" " + s.Name)
			if !s.Enabled {
				b.WriteString(" (off)")
			}
		}
		if f.Project {
			b.WriteString(" (project)")
		}
		if f.Problem != "" {
			b.WriteString(": " + f.Problem)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

const one = `{"mcpServers":{"one":{"command":"one"}}}`

func TestFind(t *testing.T) {
	t.Parallel()
	moved := map[string]func(p *ClientPlaces){
		"the home folder is no project": func(p *ClientPlaces) { p.Work = p.Home },
		"a moved home of Codex":         func(p *ClientPlaces) { p.Codex = filepath.Join(p.Home, "moved") },
		"a moved home of Claude Code":   func(p *ClientPlaces) { p.Claude = filepath.Join(p.Home, "moved") },
	}
	tests := []struct {
		name string
		make func(t *testing.T, home string)
		want string
	}{
		{"the home folder is no project", func(t *testing.T, home string) { put(t, home, ".mcp.json", one) }, ".mcp.json claude-code one\n"},
		{"a moved home of Codex", func(t *testing.T, home string) {
			put(t, home, ".codex/config.toml", "[mcp_servers.usual]\ncommand = \"x\"\n")
			put(t, home, "moved/config.toml", "[mcp_servers.moved]\ncommand = \"x\"\n")
		}, "moved/config.toml codex moved\n"},
		{"a moved home of Claude Code", func(t *testing.T, home string) {
			put(t, home, ".claude.json", servers("usual"))
			put(t, home, "moved/.claude.json", servers("moved"))
			put(t, home, "work/.mcp.json", servers("a", "b"))
			put(t, home, ".claude/settings.json", `{"disabledMcpjsonServers":["b"]}`)
			put(t, home, "moved/settings.json", `{"disabledMcpjsonServers":["a"]}`)
		}, "work/.mcp.json claude-code a (off) b (project)\nmoved/.claude.json claude-code moved\n"},
		{"nothing", func(*testing.T, string) {}, ""},
		{"the usual places in a fixed order", func(t *testing.T, home string) {
			put(t, home, ".hermes/config.yaml", "mcp_servers:\n  files: {command: files}\n")
			put(t, home, ".codex/config.toml", "[mcp_servers.docs]\nurl = \"https://docs.example/mcp\"\n")
			put(t, home, ".claude.json", `{"projects":{"/p":{"mcpServers":{"two":{"command":"two"}}}},`+one[1:])
			put(t, home, "work/.vscode/mcp.json", `{"servers":{"three":{"command":"three"}}}`)
			put(t, home, "work/.mcp.json", one)
			put(t, home, ".config/Code/User/mcp.json", `{"servers":{"four":{"command":"four"}}}`)
		}, "work/.mcp.json claude-code one (project)\nwork/.vscode/mcp.json vscode three (project)\n.claude.json claude-code one (off) two (off)\n" +
			".codex/config.toml codex docs\n.hermes/config.yaml hermes files\n.config/Code/User/mcp.json vscode four\n"},
		{"clients of the terminal", func(t *testing.T, home string) {
			put(t, home, "work/opencode.json", `{"mcp":{"one":{"type":"local","command":["one"]}}}`)
			put(t, home, "work/.roo/mcp.json", one)
			put(t, home, ".config/crush/crush.json", `{"mcp":{"two":{"type":"http","url":"https://h/mcp"}}}`)
			put(t, home, ".config/goose/config.yaml", "extensions:\n  three: {type: stdio, cmd: three}\n")
			put(t, home, ".config/amp/settings.json", `{"amp.mcpServers":{"four":{"command":"four"}}}`)
			put(t, home, ".continue/config.yaml", "mcpServers:\n  - {name: five, command: five}\n")
			put(t, home, ".gemini/settings.json", `{"mcpServers":{"six":{"command":"six"}}}`)
		}, "work/.roo/mcp.json roo one (project)\nwork/opencode.json opencode one (project)\n.gemini/settings.json gemini six\n.continue/config.yaml continue five\n" +
			".config/crush/crush.json crush two\n.config/goose/config.yaml goose three\n.config/amp/settings.json amp four\n"},
		{"a project of OpenCode switches the user's servers", func(t *testing.T, home string) {
			put(t, home, "work/opencode.json", `{"mcp":{"a":{"enabled":false},"b":{"enabled":true},"c":{"enabled":false}}}`)
			put(t, home, ".config/opencode/opencode.jsonc", `{"mcp":{"a":{"type":"local","command":["a"]},"b":{"type":"local","command":["b"],"enabled":false}}}`)
		}, "work/opencode.json opencode c (off) (project)\n.config/opencode/opencode.jsonc opencode a (off) b\n"},
		{"a project of pi switches the user's server", func(t *testing.T, home string) {
			put(t, home, "work/.pi/mcp.json", `{"mcpServers":{"one":{"enabled":false},"two":{"exposure":"deferred"}}}`)
			put(t, home, ".pi/agent/mcp.json", `{"mcpServers":{"one":{"command":"one"},"two":{"command":"two"}}}`)
		}, ".pi/agent/mcp.json pi one (off) two\n"},
		{"files without servers are not found", func(t *testing.T, home string) {
			put(t, home, ".claude.json", `{"numStartups": 3}`)
			put(t, home, ".hermes/config.yaml", "model: x\n")
			put(t, home, ".cursor/mcp.json", `{"mcpServers":{}}`)
		}, ""},
		{"a broken file is a row with a problem", func(t *testing.T, home string) {
			put(t, home, ".claude.json", "{\"mcpServers\": {\n  secret-token")
			put(t, home, ".cursor/mcp.json", one)
		}, ".claude.json : 2:3: not valid JSON\n.cursor/mcp.json cursor one\n"},
		{"a file that is too large is not read", func(t *testing.T, home string) {
			path := put(t, home, ".claude.json", one)
			if err := os.Truncate(path, 1<<40); err != nil {
				t.Skip(err)
			}
		}, ".claude.json : larger than the 16 MB that a client's configuration can have\n"},
		{"a folder in place of a file", func(t *testing.T, home string) {
			put(t, home, ".claude.json/x", "")
		}, ".claude.json : not a regular file\n"},
		{"a file in place of a folder", func(t *testing.T, home string) {
			put(t, home, ".codex", "")
		}, ""},
		{"one file by several paths", func(t *testing.T, home string) {
			path := put(t, home, ".cursor/mcp.json", one)
			link(t, path, filepath.Join(home, ".mcp.json"))
		}, ".mcp.json claude-code one\n"},
		{"a link to itself", func(t *testing.T, home string) {
			link(t, ".mcp.json", filepath.Join(home, ".mcp.json"))
		}, ".mcp.json : too many levels of symbolic links\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			tt.make(t, home)
			places := ClientPlaces{Home: home, Work: filepath.Join(home, "work"), Config: filepath.Join(home, ".config")}
			if move := moved[tt.name]; move != nil {
				move(&places)
			}
			for range 2 {
				if got := described(home, FindClients(t.Context(), places)); got != tt.want {
					t.Errorf("found\n%swant\n%s", got, tt.want)
				}
			}
		})
	}
}

// link makes a symbolic link, where the system has them.
func link(t *testing.T, to, path string) {
	t.Helper()
	if err := os.Symlink(to, path); err != nil {
		t.Skip(err)
	}
}

// Without folders nothing is looked at, least of all below the working folder of
// the process.
func TestNowhere(t *testing.T) {
	t.Parallel()
	if paths := (ClientPlaces{}).paths(); len(paths) > 0 {
		t.Errorf("looks at %q", paths)
	}
}

// What was found is returned when the time is over.
func TestFindEnds(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	put(t, home, ".mcp.json", one)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := FindClients(ctx, ClientPlaces{Home: home}); len(got) > 1 {
		t.Errorf("found %v", got)
	}
}
