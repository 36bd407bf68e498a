package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
	"caliper/tui/cli/connect"
	"caliper/tui/cli/runner"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// An import of each shape that holds the whole catalogue has the tools of the
// answer key, in its order, and an import of the dump has them again.
func TestImportOfEveryShape(t *testing.T) {
	t.Parallel()
	folder := filepath.Join("..", "..", "..", "shared", "shapes")
	data, err := os.ReadFile(filepath.Join(folder, "00_subset_index.json"))
	if err != nil {
		t.Skip(err)
	}
	var key []struct{ Name string }
	require.NoError(t, json.Unmarshal(data, &key))
	for file, n := range map[string]int{
		"openai_chat_tools.json": 19, "openai_functions_legacy.json": 4, "openai_responses_tools.json": 19,
		"anthropic_tools.json": 19, "gemini_function_declarations.json": 19, "gemini_parameters_json_schema.json": 19,
		"gemini_snake_case.json": 4, "bedrock_tool_config.json": 19, "hermes_registry.jsonl": 19, "hermes_registry_crlf_bom.jsonl": 5,
	} {
		out := filepath.Join(t.TempDir(), "out.json")
		for _, from := range []string{filepath.Join(folder, file), out} {
			if code, _, complaints := command(t, "import", from, "-o", out); code != 0 {
				t.Fatalf("%s: exit code %d, %s", file, code, complaints)
			}
			dump, err := os.ReadFile(out)
			require.NoError(t, err)
			registry, err := shapes.Parse(t.Context(), model.Source{Name: file, Data: dump})
			if err != nil || len(registry.Tools) != n {
				t.Fatalf("%s: %v, %d tools, want %d", file, err, len(registry.Tools), n)
			}
			for i, tool := range registry.Tools {
				if tool.Name != key[i].Name {
					t.Errorf("%s: tool %d is %s, want %s", file, i, tool.Name, key[i].Name)
				}
			}
		}
	}
}

const sesame = "sesame-and-more"

// A remote server gets the headers, by either transport, and an error shows
// nothing of them.
func TestImportOverHTTP(t *testing.T) {
	server := mcp.NewServer(&mcp.Implementation{Name: "far", Version: "1"}, nil)
	addTool(server, "one")
	of := func(*http.Request) *mcp.Server { return server }
	for _, c := range []struct {
		flags   []string
		handler http.Handler
	}{
		{nil, mcp.NewStreamableHTTPHandler(of, nil)},
		{[]string{"--sse"}, mcp.NewSSEHandler(of, nil)},
	} {
		web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("X-Key") != sesame {
				http.Error(w, "not "+r.Header.Get("X-Key"), http.StatusUnauthorized)
				return
			}
			c.handler.ServeHTTP(w, r)
		}))
		args := append([]string{"import", "--http", web.URL + "?q=" + sesame, "--name", "far"}, append(c.flags, "--header")...)
		code, out, complaints := command(t, append(args, "X-Key: "+sesame)...)
		if code != 0 || !strings.Contains(out, `"name":"mcp_far_one"`) || strings.Contains(out+complaints, sesame) {
			t.Errorf("%v: exit code %d, %s%s", c.flags, code, out, complaints)
		}
		code, out, complaints = command(t, append(args, "X-Key: wrong-"+sesame)...)
		if code != 1 || out != "" || !strings.Contains(complaints, "Unauthorized") || strings.Contains(complaints, sesame) {
			t.Errorf("%v: exit code %d, %s%s", c.flags, code, out, complaints)
		}
		web.Close()
	}
}

// TestImportWithholds: a token that a server repeats is in no file and no message, and the
// dump is for its owner alone, also where others could read it before.
func TestImportWithholds(t *testing.T) {
	t.Parallel()
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		server := mcp.NewServer(&mcp.Implementation{Name: "far", Version: "1"}, nil)
		addTool(server, "for_"+r.Header.Get("X-Key"))
		mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: true}).ServeHTTP(w, r)
	}))
	defer web.Close()
	file := write(t, "registry.json", "{}")
	require.NoError(t, os.Chmod(file, 0o644))
	code, out, complaints := command(t, "import", "--http", web.URL, "--header", "X-Key: "+sesame, "-o", file)
	dump, err := os.ReadFile(file)
	if code != 0 || err != nil || strings.Contains(string(dump)+out+complaints, sesame) || !strings.Contains(string(dump), "does for_[withheld]") {
		t.Errorf("exit code %d, %v: %s%s%s", code, err, out, complaints, dump)
	}
	if !strings.Contains(complaints, "repeat a secret") {
		t.Errorf("no warning in %s", complaints)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
		t.Errorf("it may be read by %v, %v", info.Mode(), err)
	}
}

// The dump follows the servers, is never without one that was listed, and an
// interrupt ends it.
func TestImportWatches(t *testing.T) {
	var webs []string
	var servers []*mcp.Server
	for range 2 {
		server := mcp.NewServer(&mcp.Implementation{Name: "far", Version: "1"}, nil)
		addTool(server, "one")
		web := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
		defer web.Close()
		webs, servers = append(webs, web.URL), append(servers, server)
	}
	clients := write(t, "clients.json", `{"mcpServers":{"a":{"url":"`+webs[0]+`"},"b":{"url":"`+webs[1]+`"},"gone":{"command":"no-such-command"}}}`)
	dump := filepath.Join(t.TempDir(), "dump.json")
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	out, writer := io.Pipe()
	var complaints bytes.Buffer
	code := make(chan int, 1)
	go func() {
		code <- Main(ctx, []string{"import", "--mcp-config", clients, "--all", "--watch", "-o", dump, "--json"}, strings.NewReader(""), writer, &complaints, runner.Env{})
		writer.Close()
	}()
	lines := bufio.NewScanner(out)
	for n, want := range []int{2, 3, 4} {
		if !lines.Scan() {
			t.Fatalf("ended with %s", complaints.String())
		}
		var o struct {
			File    string
			Tools   int
			Servers []connect.ServerJSON
		}
		require.NoError(t, json.Unmarshal(lines.Bytes(), &o))
		data, err := os.ReadFile(dump)
		if err != nil || o.Tools != want || strings.Count(string(data), `"function":{`) != want {
			t.Fatalf("%d tools, want %d, in %s, %v", o.Tools, want, data, err)
		}
		if i := slices.IndexFunc(o.Servers, func(s connect.ServerJSON) bool { return s.Error != "" }); i != 2 {
			t.Errorf("server %d has failed", i)
		}
		if n < 2 {
			addTool(servers[n], "later")
		}
	}
	interrupt()
	for lines.Scan() {
		t.Errorf("printed %s", lines.Text())
	}
	if got := <-code; got != runner.ExitInterrupted {
		t.Errorf("exit code %d, %s", got, complaints.String())
	}
}
