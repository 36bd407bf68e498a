//go:build unix

package e2e

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"caliper/model/require"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// bearing adds a token to requests.
type bearing struct{ token string }

// RoundTrip sends a request with the token.
func (b bearing) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return http.DefaultTransport.RoundTrip(r)
}

var served = regexp.MustCompile(`serving at (http://127\.0\.0\.1:\d+)`)

// TestListen has an agent drive the explorer: it shows each search and call, a call that
// needs approval waits for a key, and another process shows the same by the record. The
// server of the tools is caliper itself, which answers as the dry run does.
func TestListen(t *testing.T) {
	t.Parallel()
	dir := require.ShortFolder(t)
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		write(t, path, []byte(text))
		return path
	}
	boats := file("boats.json", strings.ReplaceAll(serveRegistry, "mcp_boats_", ""))
	off := file("off.yaml", serveConfig("off"))
	servers, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"boats": map[string]any{
		"command": binary, "args": []string{"serve", "--registry", boats, "--config", off, "--stdio"}}}})
	require.NoError(t, err)
	config := file("c.yaml", serveConfig("on")+"policy: [{match: mcp_boats_tow, action: approve}]\n")
	tokens, record := filepath.Join(dir, "tokens"), filepath.Join(dir, "record.jsonl")
	x := start(t, setup{args: []string{"--mcp-config", file("mcp.json", string(servers)), "--all", "--config", config, "--execute",
		"--listen", "127.0.0.1:0", "--token-file", tokens, "--record", record}})
	x.Until("mcp_boats_moor")
	x.Key("alt+7")
	x.Until("serving at", "calls that pass every gate are executed")
	token, session, _ := strings.Cut(strings.TrimSpace(string(read(t, tokens))), " ")
	client := mcp.NewClient(&mcp.Implementation{Name: "sailor", Version: "2"}, nil)
	agent, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{
		Endpoint: served.FindStringSubmatch(x.Screen().String())[1] + "/mcp/" + session, HTTPClient: &http.Client{Transport: bearing{token}}}, nil)
	require.NoError(t, err)
	defer agent.Close()
	call := func(tool, arguments string) string {
		result, err := agent.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
		if err != nil || len(result.Content) != 1 {
			t.Errorf("%s: %v, %+v", tool, err, result)
			return ""
		}
		return result.Content[0].(*mcp.TextContent).Text
	}
	x.Until("sailor 2 connected")
	call("tool_search", `{"query": "moor a boat"}`)
	x.Until(`search "moor a boat"  2 hits`)
	if got := call("tool_call", `{"name": "mcp_boats_moor", "arguments": {}}`); !strings.Contains(got, `"name":"moor"`) {
		t.Errorf("the server answers %s", got)
	}
	x.Until("call mcp_boats_moor  RAN")
	towed := make(chan string, 1)
	go func() { towed <- call("tool_call", `{"name": "mcp_boats_tow", "arguments": {}}`) }()
	x.Until("1 CALL TO APPROVE", "waits for approval: mcp_boats_tow")
	x.Key("enter")
	x.Until("An agent asks to run mcp_boats_tow")
	x.Key("y")
	x.Until("a key of the first second does not count")
	select {
	case got := <-towed:
		t.Fatalf("it ran: %s", got)
	default:
	}
	for asked := true; asked; asked = x.Screen().Has("An agent asks") {
		x.Key("y")
	}
	x.Key("alt+7") // closes what the last of these keys may have opened, and esc would leave the screen
	x.Until("approval of mcp_boats_tow: approved")
	if got := <-towed; !strings.Contains(got, `"name":"tow"`) {
		t.Errorf("the server answers %s", got)
	}
	x.Until("call mcp_boats_tow  RAN")

	other := start(t, setup{args: []string{"--registry", boats, "--config", off, "--events", record}})
	other.Until("boat")
	other.Key("alt+7")
	other.Until("sailor 2 connected", "call mcp_boats_tow  RAN", "record.jsonl")
	other.Key("ctrl+c")
	other.Exit()

	x.Key("ctrl+c")
	x.Exit()
	for line := range strings.Lines(string(read(t, record))) {
		if !json.Valid([]byte(line)) {
			t.Errorf("no whole event: %s", line)
		}
	}
	if info, err := os.Stat(tokens); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("others may read the tokens: %v, %v", info.Mode(), err)
	}
}

// read returns the content of a file.
func read(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return data
}
