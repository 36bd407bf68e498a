package reach

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine/hosts"
	"caliper/engine/live"
	"caliper/model"
	"caliper/model/require"
)

// TestFilesOf: subagents of Claude Code and profiles of Codex are sessions, each with the search
// that it has; other agents have none of their own.
func TestFilesOf(t *testing.T) {
	root := t.TempDir()
	for path, text := range map[string]string{
		".claude/agents/a.md":      "---\nname: mate\n---\n",
		".claude/agents/b.md":      "---\nname: cook\ntools: Read, mcp__port__sink\n---\n",
		".codex/fast.config.toml":  "model = \"qwen\"\n",
		".codex/large.config.toml": "model = \"gpt-5.5\"\n",
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(root, path)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(root, path), []byte(text), 0o600))
	}
	for host, want := range map[string]string{
		"claude-code": "mate subagent on , cook subagent off tools", "codex": "fast profile off model, large profile on model", "pi": "", "hermes-2026-06": "",
	} {
		f := FilesOf(live.ClientPlaces{Home: root, Work: filepath.Join(root, "none")}, hosts.Named(host), nil, nil)
		var got []string
		for _, s := range f.Sessions {
			kind := "profile"
			if s.Subagent != nil {
				kind = "subagent"
			}
			got = append(got, fmt.Sprintf("%s %s %s %s", s.Name, kind, s.Posture.Search, s.Posture.By.Key))
			if f.Session(s.Name).Name != s.Name || f.Session(s.Name).Posture != s.Posture {
				t.Errorf("%s: session %+v", host, f.Session(s.Name))
			}
		}
		if text := strings.Join(got, ", "); text != want {
			t.Errorf("%s: %q, want %q", host, text, want)
		}
		if s := f.Session("none"); s.Name != "none" || s.Subagent != nil || s.Posture != f.Posture {
			t.Errorf("%s: a session of no file: %+v", host, s)
		}
	}
}

// TestConfigure: what files say of tools goes into the configuration: what is left out or off, what is
// always or never sent, and the sessions of the files with what their own lists leave out.
func TestConfigure(t *testing.T) {
	root := t.TempDir()
	agent := filepath.Join(root, ".claude", "agents", "a.md")
	require.NoError(t, os.MkdirAll(filepath.Dir(agent), 0o700))
	require.NoError(t, os.WriteFile(agent, []byte("---\nname: mate\ntools: mcp__port\n---\n"), 0o600))
	h := hosts.Named("claude-code")
	server := func(name string, enabled bool) live.Server {
		return live.Server{Name: name, Enabled: enabled, OffBy: live.Setting{Key: name + ".enabled"}}
	}
	first, second := live.ClientFile{Path: "first"}, live.ClientFile{Path: "second"}
	port, always, never := server("port", true), server("always", true), server("never", true)
	port.Exclude = []string{"sink"}
	always.AlwaysBy, always.Always, never.AlwaysBy = live.Setting{Key: "x"}, true, live.Setting{Key: "x"}
	first.Servers = []live.Server{server("off", false), server("twice", false), never}
	second.Servers = []live.Server{port, always, server("twice", true), server("off", false)}
	f := FilesOf(live.ClientPlaces{Home: root, Work: filepath.Join(root, "none")}, h, []live.ClientFile{first, second}, nil)
	var tools []*model.Tool
	for _, name := range []string{"port list", "port sink", "off x", "twice x", "always x", "never x", "gone x", " own"} {
		at, local, _ := strings.Cut(name, " ")
		tools = append(tools, &model.Tool{Name: "mcp__" + at + "__" + local, Server: at, OriginalName: local, Available: true})
	}
	model.NewRegistry(tools, nil)
	c := config.Default()
	c.Always, c.Never = []string{"before"}, []string{"before"}
	c.Sessions = []config.Session{{Name: "default"}, {Name: "mate", Enabled: []string{}}}
	withheld := func(s config.Session) string {
		var list []string
		for _, w := range s.Withheld {
			list = append(list, w.Tool+" by "+w.Key+" of "+filepath.Base(w.File))
		}
		return strings.Join(list, ", ")
	}
	for _, off := range []bool{false, true} {
		if f.Posture.Search = SearchOn; off {
			f.Posture.Search = SearchOff
		}
		got := f.Configure(c, h, tools)
		if a, n := strings.Join(got.Always, " "), strings.Join(got.Never, " "); a != "mcp__always__x" || n != "mcp__never__x" {
			t.Errorf("always %s, never %s", a, n)
		}
		if len(got.Sessions) != 2 || got.Sessions[0].InFull != off || got.Sessions[1].InFull != (f.Sessions[0].Posture.Search == SearchOff) || got.Sessions[1].Enabled != nil {
			t.Fatalf("sessions %+v", got.Sessions)
		}
		const left = "mcp__port__sink by  of second, mcp__off__x by off.enabled of first"
		const more = ", mcp__off__x by tools of a.md, mcp__twice__x by tools of a.md, mcp__always__x by tools of a.md, mcp__never__x by tools of a.md, mcp__gone__x by tools of a.md"
		if a, b := withheld(got.Sessions[0]), withheld(got.Sessions[1]); a != left || b != left+more {
			t.Errorf("left out of all: %s\nof mate: %s", a, b)
		}
		if c.Sessions[0].Withheld != nil || c.Sessions[0].InFull {
			t.Error("the configuration that was given has changed")
		}
	}
}
