//go:build unix

package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caliper/model/require"
)

// startedSwitch is the environment variable that turns the test binary into an MCP
// server with two tools, which makes the file that it names, to show that it was started.
const startedSwitch = "CALIPER_E2E_STARTED"

// serveTools is that server, over standard input and output.
func serveTools(started string) int {
	if err := os.WriteFile(started, nil, 0o600); err != nil {
		return 1
	}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var request struct {
			ID     json.RawMessage
			Method string
			Params struct{ ProtocolVersion string }
		}
		if json.Unmarshal(in.Bytes(), &request) != nil || request.ID == nil {
			continue
		}
		result := `{}`
		switch request.Method {
		case "initialize":
			result = fmt.Sprintf(`{"protocolVersion":%q,"capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}`, request.Params.ProtocolVersion)
		case "tools/list":
			result = `{"tools":[{"name":"moor_boat","description":"Moor a boat at a berth.","inputSchema":{"type":"object"}},` +
				`{"name":"weigh_crate","description":"Weigh a crate of fish.","inputSchema":{"type":"object"}}]}`
		}
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", request.ID, result)
	}
	return 0
}

// exists reports whether there is a file.
func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// The servers found are offered; a checked one is asked, and opens as a registry in
// caliper's own folder that is watched.
func TestOffer(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	program, err := os.Executable()
	require.NoError(t, err)
	started, other := filepath.Join(home, "started"), filepath.Join(home, "other-started")
	server := func(mark string) map[string]any {
		return map[string]any{"command": program, "args": []string{"--token", "sesame-open"},
			"env": map[string]string{startedSwitch: mark, "SECRET": "sesame-shut"}}
	}
	clients, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"harbour": server(started), "other": server(other)}})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(home, ".claude.json"), clients, 0o600))
	x := start(t, setup{home: home})
	x.Until("harbour")
	x.Until("0 of 2 servers checked")
	x.Key("enter")
	x.Until("no server is checked")
	if exists(started) || exists(other) {
		t.Fatal("a server was started before it was checked")
	}
	x.Type(" ")
	x.Until("1 of 2 servers checked")
	x.Key("enter")
	s := x.Until("mcp_harbour_weigh_crate")
	if s.Has("DEMO") || !s.Has("2 tools") {
		t.Errorf("the header is not that of the own data:\n%s", s)
	}
	if !exists(started) || exists(other) {
		t.Error("not the checked server was started")
	}
	files, _ := filepath.Glob(filepath.Join(stateHome(home), "caliper", "registries", "*"))
	if len(files) != 1 {
		t.Fatalf("registries: %q", files)
	}
	data, err := os.ReadFile(files[0])
	if err != nil || strings.Contains(string(data), "sesame") {
		t.Errorf("%v, %s", err, data)
	}
	edited := strings.ReplaceAll(string(data), "weigh_crate", "weigh_barrel")
	require.NoError(t, os.WriteFile(files[0], []byte(edited), 0o600))
	x.Until("mcp_harbour_weigh_barrel")
	x.Key("ctrl+c")
	x.Exit()
	if text := string(x.output); strings.Contains(text, "sesame") {
		t.Error("a secret was drawn")
	}
	err = filepath.Walk(stateHome(home), func(path string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return err
		}
		if data, err := os.ReadFile(path); err != nil || strings.Contains(string(data), "sesame") {
			t.Errorf("%s: %v, or a secret in it", path, err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
