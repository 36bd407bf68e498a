//go:build unix

package e2e

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"caliper/model/require"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// serveRegistry is a registry of two tools, and serveConfig has them hidden or sent.
const serveRegistry = `[{"type":"function","function":{"name":"mcp_boats_moor","description":"Moor a boat."}},{"type":"function","function":{"name":"mcp_boats_tow","description":"Tow a boat."}}]`

func serveConfig(mode string) string { return "tools: {tool_search: {enabled: " + mode + "}}\n" }

// TestServeFollowsFiles serves files that change and break: a client is told, and a
// broken file leaves what was served. A kill leaves a record that can be read.
func TestServeFollowsFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	registry, config, record := file("r.json", serveRegistry), file("c.yaml", serveConfig("on")), filepath.Join(dir, "record.jsonl")
	cmd := exec.Command(binary, "serve", "--registry", registry, "--config", config, "--stdio", "--record", record)
	cmd.Env = environment(t, t.TempDir())
	told := make(chan struct{}, 8)
	client := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "2"}, &mcp.ClientOptions{
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { told <- struct{}{} }})
	agent, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	require.NoError(t, err)
	defer agent.Close()
	names := func() string {
		list, err := agent.ListTools(t.Context(), nil)
		require.NoError(t, err)
		var out []string
		for _, tool := range list.Tools {
			out = append(out, tool.Name)
		}
		return strings.Join(out, " ")
	}
	if got := names(); got != "tool_search tool_describe tool_call" {
		t.Errorf("it lists %s", got)
	}
	file("c.yaml", serveConfig("off"))
	select {
	case <-told:
	case <-time.After(patience):
		t.Fatal("nobody is told")
	}
	if got := names(); got != "mcp_boats_moor mcp_boats_tow" {
		t.Errorf("then %s", got)
	}
	file("r.json", `[{"type":`)
	file("c.yaml", serveConfig("on"))
	if got := names(); got != "mcp_boats_moor mcp_boats_tow" && got != "tool_search tool_describe tool_call" {
		t.Errorf("with a broken registry %s", got)
	}
	if _, err := agent.CallTool(t.Context(), &mcp.CallToolParams{Name: "mcp_boats_moor", Arguments: json.RawMessage(`{}`)}); err != nil {
		t.Error(err)
	}
	_ = cmd.Process.Kill()
	_ = agent.Close() // the program is gone
	data, err := os.ReadFile(record)
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	for _, line := range lines {
		if !json.Valid([]byte(line)) {
			t.Errorf("no whole event: %s", line)
		}
	}
	if len(lines) < 5 {
		t.Errorf("the record has %d events", len(lines))
	}
}
