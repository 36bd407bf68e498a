package live

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
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
		"a moved home of Copilot":       func(p *ClientPlaces) { p.Copilot = filepath.Join(p.Home, "moved") },
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
		{"a moved home of Copilot", func(t *testing.T, home string) {
			put(t, home, ".copilot/mcp-config.json", servers("usual"))
			put(t, home, "moved/mcp-config.json", servers("moved"))
		}, "moved/mcp-config.json copilot moved\n"},
		{"a moved home of Claude Code", func(t *testing.T, home string) {
			put(t, home, ".claude.json", fmt.Sprintf(`{"projects":{%q:{"disabledMcpServers":["b"]}},%s`, filepath.Join(home, "work"), servers("usual")[1:]))
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

// servers returns the text of a configuration with servers of these names.
func servers(names ...string) string {
	var list []string
	for _, n := range names {
		list = append(list, fmt.Sprintf("%q:{\"command\":%q}", n, n))
	}
	return `{"mcpServers":{` + strings.Join(list, ",") + `}}`
}

// repository makes a folder look like a checkout of git; worktree, a folder, like one that
// is linked to it.
func repository(t *testing.T, folder string, worktree ...string) {
	t.Helper()
	put(t, folder, ".git/HEAD", "ref: refs/heads/main\n")
	for _, w := range worktree {
		put(t, w, ".git", "gitdir: "+folder+"/.git/worktrees/tree\n")
		put(t, folder, ".git/worktrees/tree/commondir", "../..\n")
	}
}

// The servers that are on are those that Claude Code 2.1.332 started with the same files (claude -p).
// ROOT is the folder of all of them.
func TestServersOfClaudeCode(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		work  string // below the root
		files map[string]string
		git   func(t *testing.T, root string)
		want  string // the entries that are on
	}{
		{"settings of the project", "w", map[string]string{"w/.mcp.json": servers("a", "b", "c x"), "w/.claude/settings.json": `{"disabledMcpjsonServers":["a"],"disabledMcpServers":["b"]}`}, nil, "b, c x"},
		{"lists of several files are joined", "w", map[string]string{"w/.mcp.json": servers("a", "b", "c"), "home/.claude/settings.json": `{"disabledMcpjsonServers":["a"]}`,
			"w/.claude/settings.json": `{"disabledMcpjsonServers":["b"]}`, "w/.claude/settings.local.json": `{"disabledMcpjsonServers":[],"enabledMcpjsonServers":["a"],"enableAllProjectMcpServers":true}`}, nil, "c"},
		{"an approval switches nothing off", "w", map[string]string{"w/.mcp.json": servers("a", "b"), "w/.claude/settings.json": `{"enabledMcpjsonServers":["a"],"enableAllProjectMcpServers":false}`}, nil, "a, b"},
		{"characters of a name", "w", map[string]string{"w/.mcp.json": servers("a", "b", "c x"), "w/.claude/settings.json": `{"disabledMcpjsonServers":["c_x","A","b "]}`}, nil, "a, b"},
		{"one name as a text", "w", map[string]string{"w/.mcp.json": servers("a", "b"), "w/.claude/settings.json": `{"disabledMcpjsonServers":"a"}`}, nil, "b"},
		{"the state of the project", "w", map[string]string{"w/.mcp.json": servers("a", "b", "c"), "home/.claude.json": `{"disabledMcpServers":["c"],"projects":{"ROOT/w":{"disabledMcpjsonServers":["a"],"disabledMcpServers":["b"]}}}`}, nil, "c"},
		{"users' and local entries", "w", map[string]string{"home/.claude.json": `{"mcpServers":{"u":{"command":"u"},"v":{"command":"v"}},"projects":{"ROOT/w":{"disabledMcpServers":["u"],"disabledMcpjsonServers":["v","l"],"mcpServers":{"l":{"command":"l"}}},"/other":{"mcpServers":{"o":{"command":"o"}}}}}`}, nil, "v, l"},
		{"of one name the local one counts, then the project's", "w", map[string]string{"w/.mcp.json": servers("a", "b"), "home/.claude.json": `{"mcpServers":{"a":{"command":"ua"},"c":{"command":"uc"}},"projects":{"ROOT/w":{"mcpServers":{"b":{"command":"lb"},"c":{"command":"lc"}}}}}`}, nil, "a, b=lb, c (ROOT/w)=lc"},
		{"the user's where that of the project is off", "w", map[string]string{"w/.mcp.json": servers("a"), "home/.claude.json": `{"mcpServers":{"a":{"command":"ua"}}}`, "w/.claude/settings.json": `{"disabledMcpjsonServers":["a"]}`}, nil, "a=ua"},
		{"folders above", "w/sub", map[string]string{".mcp.json": `{"mcpServers":{"top":{"command":"top"},"a":{"command":"a1"}}}`, "w/.mcp.json": servers("a", "b"), "w/sub/.mcp.json": `{"mcpServers":{"a":{"command":"a3"}}}`},
			func(t *testing.T, root string) { repository(t, root+"/w") }, "a=a3, b, top"},
		{"local entries of the repository", "w/sub", map[string]string{"w/sub/x": "", "home/.claude.json": `{"projects":{"ROOT/w":{"mcpServers":{"r":{"command":"r"}}},"ROOT/w/sub":{"mcpServers":{"q":{"command":"q"}}}}}`},
			func(t *testing.T, root string) { repository(t, root+"/w") }, "r"},
		{"local entries without git", "w/sub", map[string]string{"w/sub/x": "", "home/.claude.json": `{"projects":{"ROOT/w":{"mcpServers":{"r":{"command":"r"}}},"ROOT/w/sub":{"mcpServers":{"q":{"command":"q"}}}}}`}, nil, "q"},
		{"settings.json of a folder above is not read", "w/sub", map[string]string{"w/sub/x": "", "w/.mcp.json": servers("a", "b", "c"), "w/.claude/settings.json": `{"disabledMcpjsonServers":["a"]}`, "w/.claude/settings.local.json": `{"disabledMcpjsonServers":["b"]}`},
			func(t *testing.T, root string) { repository(t, root+"/w") }, "a, c"},
		{"nor settings.local.json, without git or between", "w/m/sub", map[string]string{"w/m/sub/x": "", "w/.mcp.json": servers("a", "b"), "w/m/.claude/settings.local.json": `{"disabledMcpjsonServers":["a"]}`}, nil, "a, b"},
		{"a linked worktree", "tree", map[string]string{"tree/.mcp.json": servers("a", "b", "c", "d"), "w/.claude/settings.local.json": `{"disabledMcpjsonServers":["a"]}`, "tree/.claude/settings.local.json": `{"disabledMcpjsonServers":["b"]}`,
			"home/.claude.json": `{"projects":{"ROOT/w":{"disabledMcpServers":["c"],"mcpServers":{"main":{"command":"main"}}},"ROOT/tree":{"disabledMcpServers":["d"],"mcpServers":{"own":{"command":"own"}}}}}`},
			func(t *testing.T, root string) { repository(t, root+"/w", root+"/tree") }, "d, main"},
		{"a worktree of a bare repository", "tree", map[string]string{"tree/x": "", "home/.claude.json": `{"projects":{"ROOT/bare":{"mcpServers":{"bare":{"command":"bare"}}},"ROOT/tree":{"mcpServers":{"own":{"command":"own"}}}}}`},
			func(t *testing.T, root string) {
				put(t, root, "tree/.git", "gitdir: "+root+"/bare/worktrees/tree\n")
				put(t, root, "bare/worktrees/tree/commondir", "../..\n")
			}, "bare"},
		{"a submodule", "w/m", map[string]string{"w/m/.git": "gitdir: ../.git/modules/m\n", "w/.git/modules/m/HEAD": "x", "home/.claude.json": `{"projects":{"ROOT/w":{"mcpServers":{"w":{"command":"w"}}},"ROOT/w/m":{"mcpServers":{"m":{"command":"m"}}}}}`}, nil, "m"},
		{"denied and allowed", "w", map[string]string{"w/.mcp.json": servers("a", "b", "c"), "w/.claude/settings.json": `{"deniedMcpServers":[{"serverName":"a"}]}`, "home/.claude/settings.json": `{"allowedMcpServers":[{"serverName":"a"},{"serverName":"b"}]}`}, nil, "b"},
		{"denied by command and address", "w", map[string]string{"w/.mcp.json": `{"mcpServers":{"a":{"command":"npx","args":["-y","x"]},"b":{"command":"npx","args":["-y","x","--flag"]},"c":{"type":"http","url":"https://API.example.com/mcp"},"d":{"type":"http","url":"https://example.org/mcp?key=1"},"e":{"type":"http","url":"https://${HOST}/mcp"},"f":{"type":"http","url":"https://example.org/MCP"}}}`,
			"w/.claude/settings.json": `{"deniedMcpServers":[{"serverCommand":["npx","-y","x"]},{"serverUrl":"https://*.example.com/*"},{"serverUrl":"*://example.org/mcp*"},{"serverUrl":"https://denied.example.net*"}]}`}, nil, "b=npx, f="},
		{"allowed by command and address", "w", map[string]string{"w/.mcp.json": `{"mcpServers":{"a":{"command":"a"},"b":{"command":"b"},"c":{"type":"http","url":"https://c.example.com/mcp"},"d":{"type":"http","url":"https://d.example.com/mcp"}}}`,
			"w/.claude/settings.json": `{"allowedMcpServers":[{"serverName":"a"},{"serverName":"d"},{"serverCommand":["b"]},{"serverUrl":"https://c.example.com/*"}]}`}, nil, "b, c="},
		{"names count where no command and no address is listed", "w", map[string]string{"w/.mcp.json": `{"mcpServers":{"a":{"command":"a"},"b":{"command":"b"},"c":{"type":"http","url":"https://c.example.com/mcp"},"d":{"type":"http","url":"https://d.example.com/mcp"}}}`,
			"w/.claude/settings.json": `{"allowedMcpServers":[{"serverName":"a"},{"serverUrl":"https://d.example.com/mcp"}]}`}, nil, "a, d="},
		{"addresses without a path or a query are any, and an entry with two keys is none", "w", map[string]string{"w/.mcp.json": `{"mcpServers":{"a":{"type":"http","url":"https://a.example.com/x/y?z=1"},"b":{"type":"http","url":"http://b.example.com:81/x"},"c":{"type":"http","url":"https://c.example.com/x?y=1"},"d":{"type":"http","url":"https://d.example.com/x"}}}`,
			"w/.claude/settings.json": `{"deniedMcpServers":[{"serverUrl":"HTTPS://A.example.com"},{"serverUrl":"http://b.example.com*"},{"serverUrl":"https://c.example.com/x?y=2"},{"serverName":"e","serverUrl":"https://d.example.com/x"}]}`}, nil, "c=, d="},
		{"nothing is allowed", "w", map[string]string{"w/.mcp.json": servers("a"), "w/.claude/settings.json": `{"allowedMcpServers":[]}`}, nil, ""},
		{"denied tools", "w", map[string]string{"w/.mcp.json": servers("a", "b c", "d"), "w/.claude/settings.json": `{"permissions":{"deny":["mcp__a","mcp__b_c__rm","mcp__d__re*","mcp__d__cp(x)","Bash"]}}`}, nil, `a ["*"], b c ["rm"], d ["re*"]`},
		{"a broken file of settings is not read", "w", map[string]string{"w/.mcp.json": servers("a"), "w/.claude/settings.json": `{"disabledMcpjsonServers":["a"]`}, nil, "a"},
		{"what an entry says does not count", "w", map[string]string{"w/.mcp.json": `{"mcpServers":{"a":{"command":"a","disabled":true},"b":{"command":"b","enabled":false}}}`}, nil, "a, b"},
		{"another client's file is its own", "w", map[string]string{"w/.cursor/mcp.json": servers("a"), "w/.claude/settings.json": `{"disabledMcpjsonServers":["a"]}`}, nil, "a"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			root, err := filepath.EvalSymlinks(t.TempDir())
			require.NoError(t, err)
			for name, text := range tt.files {
				put(t, root, name, strings.ReplaceAll(text, "ROOT", filepath.ToSlash(root)))
			}
			if tt.git != nil {
				tt.git(t, filepath.ToSlash(root))
			}
			places := ClientPlaces{Home: filepath.Join(root, "home"), Work: filepath.Join(root, filepath.FromSlash(tt.work)),
				Lookup: func(name string) (string, bool) { return "denied.example.net", name == "HOST" }}
			var on []string
			for _, f := range FindClients(t.Context(), places) {
				for _, s := range f.Config.Servers {
					text := s.Name
					if s.Command != s.Name {
						text += "=" + s.Command
					}
					if len(s.Exclude) > 0 {
						text += fmt.Sprintf(" %q", s.Exclude)
					}
					if s.Enabled {
						on = append(on, strings.ReplaceAll(text, filepath.ToSlash(root), "ROOT"))
					} else if s.Off == "" {
						t.Errorf("%s is off without a reason", s.Name)
					}
				}
			}
			want := strings.Split(tt.want, ", ")
			if tt.want == "" {
				want = nil
			}
			if slices.Sort(on); !slices.Equal(on, slices.Sorted(slices.Values(want))) {
				t.Errorf("on are %q, want %q", on, want)
			}
		})
	}
}

// A .mcp.json that is used elsewhere is decided on by its own folder's settings, and one that
// is read besides is named, as are settings that cannot be read.
func TestHeed(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	put(t, home, "w/.mcp.json", one)
	put(t, home, "w/.claude/settings.json", "{")
	here, there := put(t, home, "w/sub/.mcp.json", one), put(t, home, "other/.mcp.json", one)
	put(t, home, "other/.claude/settings.json", `{"disabledMcpjsonServers":["one"]}`)
	put(t, home, "w/sub/.claude/settings.json", "{")
	var files []ClientFile
	for _, path := range []string{here, there} {
		config, err := readClient(path)
		require.NoError(t, err)
		files = append(files, ClientFile{Path: path, Config: config})
	}
	notes := strings.Join(ClientPlaces{Home: home, Work: filepath.Dir(here)}.Heed(files), "\n")
	if !files[0].Config.Servers[0].Enabled || files[1].Config.Servers[0].Enabled {
		t.Errorf("%+v", files)
	}
	for _, want := range []string{"settings.json:1:2: unexpected end of input: what it says about servers is not used", "Claude Code reads " + filepath.Join(home, "w", ".mcp.json") + " here too"} {
		if !strings.Contains(notes, want) {
			t.Errorf("notes are %s", notes)
		}
	}
}
