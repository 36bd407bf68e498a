//go:build unix

package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"caliper/model/require"
)

// realClients are the clients of npm that must be served, by the package that has them,
// at the versions that were tried last (2026-11).
var realClients = []struct{ pack, version, kind string }{
	{"@modelcontextprotocol/sdk", "1.32.2", ""},
	{"@modelcontextprotocol/client", "2.4.0", ""},
	{"@modelcontextprotocol/client", "2.4.0", "@modelcontextprotocol/client, 2025-11-25"},
	{"@ai-sdk/mcp", "2.0.99", ""},
	{"@langchain/mcp-adapters", "1.1.4", ""},
	{"@openai/agents-core", "0.20.0", ""},
	{"@modelcontextprotocol/inspector", "2.12.0", ""},
}

// TestRealClients: each client connects over both transports, takes the whole list,
// although its tools have every form that a TypeScript client is known to refuse, and
// gets the answer of a call.
func TestRealClients(t *testing.T) {
	t.Parallel()
	if !*slow {
		t.Skip("needs -slow: clients that npm downloads")
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Skip(err)
	}
	data, err := filepath.Abs("testdata/clients")
	require.NoError(t, err)
	var forms map[string]json.RawMessage
	text, err := os.ReadFile(filepath.Join(data, "forms.json"))
	if err != nil || json.Unmarshal(text, &forms) != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	servers, _ := json.Marshal(map[string]any{"mcpServers": map[string]any{"f": map[string]any{"command": "node", "args": []string{filepath.Join(data, "server.mjs"), filepath.Join(data, "forms.json")}}}})
	for name, text := range map[string]string{"mcp.json": string(servers), "config.yaml": serveConfig("off")} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	serve := []string{"serve", "--mcp-config", filepath.Join(dir, "mcp.json"), "--all", "--execute", "--config", filepath.Join(dir, "config.yaml")}
	stdio, _ := json.Marshal(map[string]any{"command": binary, "args": append(serve[:len(serve):len(serve)], "--stdio")})
	url, token := servedOverHTTP(t, serve)
	http, _ := json.Marshal(map[string]string{"url": url, "token": token})
	want := fmt.Sprintf("tools %d\ndone", len(forms)+1) // and rescuer_fetch
	for _, c := range realClients {
		t.Run(strings.ReplaceAll(c.pack+c.kind, "/", " "), func(t *testing.T) {
			folder := t.TempDir()
			ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
			defer cancel()
			install := exec.CommandContext(ctx, npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", folder, c.pack+"@"+c.version)
			if out, err := install.CombinedOutput(); err != nil {
				t.Skipf("npm cannot be reached: %v: %.300s", err, out)
			}
			if strings.HasSuffix(c.pack, "inspector") {
				inspect(t, ctx, folder, url, token, len(forms)+1)
				return
			}
			script, err := os.ReadFile(filepath.Join(data, "clients.mjs"))
			if err == nil {
				err = os.WriteFile(filepath.Join(folder, "clients.mjs"), script, 0o600)
			}
			require.NoError(t, err)
			kind := c.kind
			if kind == "" {
				kind = c.pack
			}
			for transport, target := range map[string][]byte{"stdio": stdio, "http": http} {
				cmd := exec.CommandContext(ctx, "node", "clients.mjs", kind, "mcp_f_t0", "{}", string(target))
				cmd.Dir = folder
				out, err := cmd.Output()
				if _, after, ok := strings.Cut("\n"+string(out), "\ntools "); err != nil || !ok || "tools "+strings.TrimSpace(after) != want {
					t.Errorf("%s: %v, %.600s, want %s", transport, err, out, want)
				}
			}
		})
	}
}

// inspect lists the tools by the command line of the Inspector, which starts no server
// whose arguments have names that it has itself.
func inspect(t *testing.T, ctx context.Context, folder, url, token string, tools int) {
	t.Helper()
	for transport, c := range map[string]struct {
		args []string
		want int
	}{
		"stdio": {[]string{binary, "serve", "--demo", "--stdio"}, -1},
		"http":  {[]string{url, "--transport", "http", "--header", "Authorization: Bearer " + token}, tools},
	} {
		cmd := exec.CommandContext(ctx, filepath.Join(folder, "node_modules", ".bin", "mcp-inspector"), append(append([]string{"--cli"}, c.args...), "--method", "tools/list")...)
		out, err := cmd.Output()
		if got := strings.Count(string(out), `"inputSchema"`); err != nil || got == 0 || c.want >= 0 && got != c.want {
			t.Errorf("%s: %v, %d tools: %.600s", transport, err, got, out)
		}
	}
}

// servedOverHTTP starts caliper over HTTP until the test ends, and returns where it is
// reached.
func servedOverHTTP(t *testing.T, args []string) (url, token string) {
	t.Helper()
	cmd := exec.Command(binary, append(args[:len(args):len(args)], "--http", "127.0.0.1:0")...)
	cmd.Env = environment(t, t.TempDir())
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	require.NoError(t, err)
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if f := strings.Fields(lines.Text()); len(f) == 6 && f[1] == "default" {
			return f[2], f[5]
		}
	}
	t.Fatal("it does not say where it serves")
	return "", ""
}
