package cli

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"caliper/model/require"
	"caliper/tui"
	"caliper/tui/cli/runner"
	"caliper/tui/desk"
)

// inTerminal returns surroundings with a terminal, a home folder, and an explorer
// that hands over what it is asked for.
func inTerminal(t *testing.T, home string, explore func(tui.Options) error) runner.Env {
	t.Helper()
	return runner.Env{StdinTerminal: true, StdoutTerminal: true, Width: 100, Home: home, Own: filepath.Join(t.TempDir(), "own"),
		Explore: func(_ context.Context, o tui.Options) error { return explore(o) }}
}

// Without data the program offers what it finds; where it finds nothing, or the
// demo is asked for, it opens the demo without a question.
func TestWhatOpens(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(home, ".mcp.json"), []byte(`{"mcpServers":{"s":{"command":"x"}}}`), 0o600))
	logs, empty := t.TempDir(), t.TempDir()
	for _, folder := range []string{filepath.Join(logs, ".claude", "projects", "x"), filepath.Join(empty, ".claude", "projects"), filepath.Join(empty, ".hermes")} {
		require.NoError(t, os.MkdirAll(folder, 0o700))
	}
	file := filepath.Join(home, ".mcp.json")
	earlier := write(t, "state.json", fmt.Sprintf(`{"version":1,"inputs":[{"files":[%q,%q]},{"files":[%q,"/gone.json",""]}]}`, file, home, file))
	tests := []struct {
		name    string
		home    string
		args    []string
		offered bool
	}{
		{"something is found", home, nil, true},
		{"nothing is found", t.TempDir(), nil, false},
		{"only logs of an agent are found", logs, nil, true},
		{"an agent without logs is found", empty, nil, false},
		{"the logs are named", logs, []string{"--replay", "x"}, false},
		{"no home", "", nil, false},
		{"earlier runs had files", t.TempDir(), nil, true},
		{"nothing is remembered", t.TempDir(), []string{"--no-state"}, false},
		{"the demo is asked for", home, []string{"--demo"}, false},
		{"the tour is about the demo", home, []string{"tour"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got tui.Options
			env := inTerminal(t, tt.home, func(o tui.Options) error { got = o; return nil })
			if tt.name == "earlier runs had files" || tt.name == "nothing is remembered" {
				env.State = earlier
			}
			code, _, complaints := commandIn(t, env, "", tt.args...)
			if got.Offer != nil && env.State != "" && (len(got.Offer.Last) != 1 || got.Offer.Last[0].Config != home) {
				t.Errorf("%v is offered, want the files that are still there", got.Offer.Last)
			}
			if code != 0 || complaints != "" || (got.Offer != nil) != tt.offered || (got.Demo != "") == tt.offered {
				t.Errorf("exit code %d, %s, offer %t, demo %q", code, complaints, got.Offer != nil, got.Demo)
			}
		})
	}
}

// The demo that is chosen is written when it is chosen, and removed at the end.
func TestOfferedDemo(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(home, ".mcp.json"), []byte(`{"mcpServers":{"s":{"command":"x"}}}`), 0o600))
	folder := ""
	code, _, _ := commandIn(t, inTerminal(t, home, func(o tui.Options) error {
		demo, err := o.Offer.Demo()
		folder = demo.Demo
		if _, missing := os.Stat(folder); err != nil || missing != nil {
			return errors.New("no demo was written")
		}
		return nil
	}), "")
	if _, err := os.Stat(folder); code != 0 || folder == "" || err == nil {
		t.Errorf("exit code %d, the folder %q is left: %v", code, folder, err)
	}
}

// Leaving tools that servers have listed prints the line that opens them again, unless
// their registry goes with the explorer. Logs are replayed beside the demo.
func TestOfferedAgain(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(home, ".codex", "sessions", "2026"), 0o700))
	opens := func(o tui.Options) error {
		o.Offer.Open(desk.OfferAnswer{Registry: "/a folder/claude-1.json", Config: "/c.yaml"})
		return nil
	}
	_, _, complaints := commandIn(t, inTerminal(t, home, opens), "")
	if want := "    caliper --registry '/a folder/claude-1.json' --config /c.yaml\n"; !strings.HasSuffix(complaints, want) {
		t.Errorf("%q does not end in %q", complaints, want)
	}
	code, _, complaints := commandIn(t, inTerminal(t, home, func(o tui.Options) error {
		replayed, err := o.Offer.Replay()
		if err != nil || len(replayed.Sessions) != 1 || replayed.Start != "Replay" || replayed.Demo == "" {
			t.Errorf("%v, logs %q, screen %q, demo %q", err, replayed.Sessions, replayed.Start, replayed.Demo)
		}
		return nil
	}), "")
	if code != 0 || complaints != "" {
		t.Errorf("exit code %d, %s", code, complaints)
	}
}

// Tools of the servers of one agent are ranked as that agent does, unless a configuration says
// which it is.
func TestOfferedAsTheirAgent(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(home, ".mcp.json"), []byte(`{"mcpServers":{"claude":{"command":"no-such-program"}}}`), 0o600))
	require.NoError(t, os.Mkdir(filepath.Join(home, ".codex"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(home, ".codex", "config.toml"), []byte("[mcp_servers.codex]\ncommand = \"no-such-program\"\n"), 0o600))
	config := write(t, "config.yaml", "{}")
	for _, tt := range []struct{ servers, config, want string }{
		{"claude", "", "claude-code"},
		{"codex", "", "codex"},
		{"claude codex", "", ""},
		{"claude", config, ""},
	} {
		_, _, _ = commandIn(t, inTerminal(t, home, func(o tui.Options) error {
			var asked []desk.OfferServer
			for _, f := range o.Offer.Files {
				for _, server := range f.Servers {
					if slices.Contains(strings.Fields(tt.servers), server.Name) {
						asked = append(asked, desk.OfferServer{Server: server, File: f.Path})
					}
				}
			}
			answer, err := o.Offer.Ask(t.Context(), asked, nil, func(int, desk.OfferState) {})
			require.NoError(t, err)
			answer.Registry, answer.Config = "/r.json", tt.config
			if opened, err := o.Offer.Open(answer); err != nil || opened.Flags.Host != tt.want || !strings.Contains(opened.Welcome, " failed") {
				t.Errorf("%s %s: %v, host %q, want %q; %s", tt.servers, tt.config, err, opened.Flags.Host, tt.want, opened.Welcome)
			}
			return nil
		}), "")
	}
}

// A registry is named after the files that its servers come of, is the same for the same
// choice, and stays in its folder whatever these are called.
func TestOfferedRegistryName(t *testing.T) {
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
	addTool(server, "one")
	web := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
	defer web.Close()
	home := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(home, ".mcp.json"), []byte(`{"mcpServers":{"s":{"url":"`+web.URL+`"}}}`), 0o600))
	env := inTerminal(t, home, func(o tui.Options) error {
		seen := map[string]string{}
		for _, tt := range []struct{ servers, begins string }{
			{"a /home/me/.claude.json", "claude-"},
			{"other /home/me/.claude.json", "claude-"},
			{"a /home/me/.claude.json c /home/me/.claude.json b /home/me/.codex/config.toml", "claude+codex-"},
			{"a /x/../..\x1b/mcp.json", "__-"},
			{"a /" + strings.Repeat("l", 300) + ".json", strings.Repeat("l", 60) + "-"},
		} {
			var asked []desk.OfferServer
			for pair := range slices.Chunk(strings.Fields(tt.servers), 2) {
				offered := o.Offer.Files[0].Servers[0]
				offered.Name = pair[0]
				asked = append(asked, desk.OfferServer{Server: offered, File: pair[1]})
			}
			for range 2 {
				answer, err := o.Offer.Ask(t.Context(), asked, nil, func(int, desk.OfferState) {})
				require.NoError(t, err)
				name := filepath.Base(answer.Registry)
				rest, ok := strings.CutPrefix(name, tt.begins)
				if before, known := seen[name]; !ok || len(rest) != len("12345678.json") || known && before != tt.servers {
					t.Errorf("%s: %q, want %s and a hash of the choice", tt.servers, name, tt.begins)
				}
				seen[name] = tt.servers
			}
		}
		if len(seen) != 5 {
			t.Errorf("five choices have the registries %q", seen)
		}
		return nil
	})
	_, _, _ = commandIn(t, env, "")
}

// Logs that define their tools are replayed on these where no registry is named, by the flag and
// from the offer; a registry that is named stays the one.
func TestReplayedOnItsTools(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	rollouts := filepath.Join(home, ".codex", "sessions")
	log := filepath.Join(rollouts, "rollout-2026-11-01T00-00-00-01a21fa7-481e-7521-9323-c67f46dcbd4f.jsonl")
	const found = `{"type":"session_meta","payload":{"id":"s"}}
{"type":"response_item","payload":{"type":"message","role":"user","content":"dock"}}
{"type":"response_item","payload":{"type":"tool_search_call","call_id":"c","arguments":{"query":"dock"}}}
{"type":"response_item","payload":{"type":"tool_search_output","call_id":"c","tools":[{"type":"function","name":"dock","parameters":{}}]}}
`
	require.NoError(t, os.MkdirAll(rollouts, 0o700))
	require.NoError(t, os.WriteFile(log, []byte(found), 0o600))
	check := func(o tui.Options, err error) {
		if err != nil || o.Demo != "" || o.RegistryName != "logs" || len(o.Sessions) != 1 || !strings.Contains(o.Welcome, "that the logs define") {
			t.Errorf("%v: demo %q, tools of %q, logs %q, %q", err, o.Demo, o.RegistryName, o.Sessions, o.Welcome)
			return
		}
		if dump := <-o.Dumps; !strings.Contains(string(dump.Files[0].Data), `"name":"dock"`) {
			t.Errorf("the registry is %s", dump.Files[0].Data)
		}
	}
	opened := 0
	for _, c := range []struct {
		args  []string
		check func(o tui.Options)
	}{
		{nil, func(o tui.Options) { check(o.Offer.Replay()) }},
		{[]string{"--replay", log}, func(o tui.Options) { check(o, nil) }},
		{[]string{"--replay", log, "--registry", log}, func(o tui.Options) {
			if o.Dumps != nil || len(o.Registry) != 1 {
				t.Errorf("beside a registry %q the tools are those of %q", o.Registry, o.RegistryName)
			}
		}},
		{[]string{"--replay", log + "x", "--no-state"}, func(o tui.Options) {
			if o.Dumps != nil || o.Demo == "" {
				t.Errorf("logs that are not there have tools of %q", o.RegistryName)
			}
		}},
	} {
		env := inTerminal(t, home, func(o tui.Options) error { opened++; c.check(o); return nil })
		if code, _, complaints := commandIn(t, env, "", c.args...); code != 0 {
			t.Errorf("%q: exit code %d, %s", c.args, code, complaints)
		}
	}
	if opened != 4 {
		t.Errorf("opened %d times", opened)
	}
}

// Leaving files of the command line prints the line that opens them again.
func TestNamedAgain(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	registry, file := filepath.Join(folder, "my own.json"), filepath.Join(folder, "own.yaml")
	quoted := file
	if strings.Contains(folder, " ") {
		quoted = "'" + file + "'"
	}
	for name, data := range map[string]string{registry: `{"tools":[]}`, file: "{}"} {
		require.NoError(t, os.WriteFile(name, []byte(data), 0o600))
	}
	env := inTerminal(t, t.TempDir(), func(tui.Options) error { return nil })
	code, _, complaints := commandIn(t, env, "", "--registry", registry, "--config", file)
	if want := "caliper: these files are opened again by\n    caliper --registry '" + registry + "' --config " + quoted + "\n"; code != 0 || complaints != want {
		t.Errorf("exit code %d, %q, want %q", code, complaints, want)
	}
	if _, _, complaints := commandIn(t, env, "", "--registry", registry, "--config", file, "--events", file); strings.Contains(complaints, "opened again") {
		t.Errorf("of agents that were followed, too: %q", complaints)
	}
	failed := inTerminal(t, t.TempDir(), func(tui.Options) error { return errors.New("broken") })
	if _, _, complaints := commandIn(t, failed, "", "--registry", registry); strings.Contains(complaints, "opened again") {
		t.Errorf("after an error: %q", complaints)
	}
}
