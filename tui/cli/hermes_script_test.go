package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"unicode/utf8"

	"caliper/config"
	"caliper/engine"
	"caliper/model"
	"caliper/model/shapes"
)

// dumpOfAgent runs the script in a folder with a registry of the agent's shape.
func dumpOfAgent(t *testing.T) []byte {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("needs python3")
	}
	script := filepath.Join(t.TempDir(), "dump.py")
	if err := os.WriteFile(script, hermesScript, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python, "-B", script)
	cmd.Dir = "testdata/hermes"
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	if err := cmd.Run(); err != nil {
		t.Fatal(err, problems.String())
	}
	return out.Bytes()
}

// The script's dump has every tool with its toolset and availability, so that the
// gauge is that of the running agent.
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
	if err != nil {
		t.Fatal(err)
	}
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
		if err != nil {
			t.Fatal(err)
		}
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
	if err := json.Unmarshal(dump, &d); err != nil {
		t.Fatal(err)
	}
	chars := 0
	for _, tool := range d.Tools {
		if tool.Available == nil {
			var compact bytes.Buffer
			if err := json.Compact(&compact, tool.Function); err != nil {
				t.Fatal(err)
			}
			chars += utf8.RuneCount(compact.Bytes()) + len(`{"type":"function","function":}`)
		}
	}
	return (chars + 3) / 4
}
