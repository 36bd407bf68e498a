package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"caliper/config"
	"caliper/engine"
	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
	"caliper/tui/cli/connect"
)

// The shape of testdata/hermes was checked against the public source of Hermes Agent
// (NousResearch/hermes-agent), in November 2026:
//   - tools/registry.py at 00067189: attributes name, toolset, schema, check_fn and
//     dynamic_schema_overrides of an entry; get_all_entries, which merges a profile's
//     own plugins into _tools; get_definitions(names, quiet), which sorts the names,
//     leaves out what check_fn fails or raises on, and applies the overrides;
//     register_toolset_alias and _toolset_aliases
//   - tools/mcp_tool.py at 0059a797: it no longer has discover_mcp_tools and
//     shutdown_mcp_servers, which stand in tools/mcp_tool_discovery.py and
//     tools/mcp_tool_lifecycle.py, and are not imported into it again; public forks of
//     before have both in tools/mcp_tool.py
//   - toolsets.py of such forks: TOOLSETS and _HERMES_CORE_TOOLS; hermes_cli/plugins.py:
//     discover_plugins

// dumpOfAgent runs the script in a folder with a registry of the agent's shape.
func dumpOfAgent(t *testing.T) []byte {
	t.Helper()
	dump, problems := dumpIn(t, "testdata/hermes")
	if problems != "importing\nconnecting\n" { // what the agent itself prints
		t.Errorf("said %q", problems)
	}
	return dump
}

// dumpIn runs the script in a folder and returns what it prints and says.
func dumpIn(t *testing.T, folder string) (dump []byte, problems string) {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("needs python3")
	}
	script := filepath.Join(t.TempDir(), "dump.py")
	require.NoError(t, os.WriteFile(script, connect.HermesScript, 0o600))
	cmd := exec.Command(python, "-B", script)
	cmd.Dir = folder
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		t.Fatal(err, said.String())
	}
	return out.Bytes(), said.String()
}

// The dump is the same wherever the agent has what connects its servers, and an agent
// without it is not dumped in silence.
func TestHermesScriptLater(t *testing.T) {
	want := dumpOfAgent(t)
	folder := t.TempDir()
	require.NoError(t, os.CopyFS(folder, os.DirFS("testdata/hermes")))
	connects := filepath.Join(folder, "tools", "mcp_tool.py")
	require.NoError(t, os.Rename(connects, filepath.Join(folder, "tools", "mcp_tool_discovery.py")))
	require.NoError(t, os.WriteFile(connects, []byte("_servers = {}\n"), 0o600))
	if got, said := dumpIn(t, folder); !bytes.Equal(got, want) || strings.Contains(said, "discover_mcp_tools") {
		t.Errorf("%s\n%s", said, got)
	}
	require.NoError(t, os.Remove(filepath.Join(folder, "tools", "mcp_tool_discovery.py")))
	if _, said := dumpIn(t, folder); !strings.Contains(said, "tools.mcp_tool: it has no discover_mcp_tools\n") {
		t.Errorf("said %q", said)
	}
}

// The script's dump has every tool with its toolset and availability, so that the
// gauge equals the running agent's.
func TestHermesScript(t *testing.T) {
	dump := dumpOfAgent(t)
	registry, err := shapes.Parse(context.Background(), model.Source{Name: "dump.json", Data: dump})
	if err != nil || len(registry.Warnings) > 0 {
		t.Fatal(err, registry.Warnings, string(dump))
	}
	var got []string
	for _, tool := range registry.Tools {
		line := tool.Name + " " + tool.Toolset
		if tool.Server != "" {
			line += " of " + tool.Server
		}
		if !tool.Available {
			line += " unavailable"
		}
		got = append(got, line)
	}
	want := []string{
		"berth_plan harbour", "delegate_task delegation", "image_generate image_gen unavailable",
		"mcp__ledger__book mcp-ledger of ledger", "mcp__tide_log__find_ship mcp-tide-log of tide-log", "mcp__tide_log__read_tide mcp-tide-log of tide-log",
		"process_manage terminal", "web_search web",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if d, _ := registry.Toolset("harbour"); d.Source != "plugin" {
		t.Errorf("harbour is of %q", d.Source)
	}

	f, err := config.Parse("c.yaml", []byte("tools: {tool_search: {generation: september-2026}}\nplatform_toolsets: {cli: [hermes-cli, tide-log], safe: [safe, no_mcp]}\n"))
	require.NoError(t, err)
	f.DefaultCore(registry.Core)
	for session, want := range map[string]struct {
		direct, deferred int
		active           bool
	}{
		"default": {2, 5, true}, // process_manage is deferred, too, and image_generate is not there
		"cli":     {2, 4, true}, // with the plugin
		"safe":    {1, 1, true},
	} {
		s, err := engine.Build(context.Background(), engine.Inputs{Registry: registry, Config: f.Config, Session: session})
		require.NoError(t, err)
		b := s.Budget(false)
		if b.Tools-b.DeferredCount != want.direct || b.DeferredCount != want.deferred || b.Active != want.active {
			t.Errorf("%s: %d tools, %d deferred, active %v; want %+v", session, b.Tools, b.DeferredCount, b.Active, want)
		}
		if session == "default" && b.EagerTokens != tokensOf(t, dump) {
			t.Errorf("%d tokens without tool search, and the agent's definitions have %d", b.EagerTokens, tokensOf(t, dump))
		}
	}
}

// tokensOf returns a quarter of the characters of the definitions in a dump that are
// available, rounded up, as the agent counts them.
func tokensOf(t *testing.T, dump []byte) int {
	t.Helper()
	var d struct {
		Tools []struct {
			Function  json.RawMessage
			Available *bool
		}
	}
	require.NoError(t, json.Unmarshal(dump, &d))
	chars := 0
	for _, tool := range d.Tools {
		if tool.Available == nil {
			var compact bytes.Buffer
			require.NoError(t, json.Compact(&compact, tool.Function))
			chars += utf8.RuneCount(compact.Bytes()) + len(`{"type":"function","function":}`)
		}
	}
	return (chars + 3) / 4
}
