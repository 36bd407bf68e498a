package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
	"caliper/tui/cli/connect"
	"caliper/tui/cli/runner"
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
// nothing of them. A client that cuts the server's instructions is named.
func TestImportOverHTTP(t *testing.T) {
	server := mcp.NewServer(&mcp.Implementation{Name: "far", Version: "1"}, &mcp.ServerOptions{Instructions: strings.Repeat("é", 2049)})
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
		if code != 0 || !strings.Contains(out, `"name":"mcp_far_one"`) || strings.Contains(out+complaints, sesame) ||
			!strings.HasSuffix(complaints, "far: instructions of 2049 characters: Claude Code takes 2048\n") {
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
	if !strings.Contains(complaints, "repeats a secret that") {
		t.Errorf("no warning in %s", complaints)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
		t.Errorf("it may be read by %v, %v", info.Mode(), err)
	}
}

// The dump follows the servers, is never without one that was listed, and an
// interrupt ends it.
func TestImportWatches(t *testing.T) {
	t.Parallel()
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
	ctx, interrupt := context.WithTimeout(t.Context(), 2*time.Minute) // which ends the reading below
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

// closedServer is an MCP server with one tool that takes one token, with the
// authorization server that gives one to whoever asks. Its user consents at once.
func closedServer(t *testing.T, token, given string) *httptest.Server {
	t.Helper()
	server := mcp.NewServer(&mcp.Implementation{Name: "vault", Version: "1"}, nil)
	server.AddTool(&mcp.Tool{Name: "open_box", Description: "Open a box.", InputSchema: json.RawMessage(`{"type":"object"}`)}, nil)
	tools := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)
	m := http.NewServeMux()
	web := httptest.NewServer(m)
	t.Cleanup(web.Close)
	answer := func(pattern, format string) {
		m.HandleFunc(pattern, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			if strings.HasPrefix(pattern, "POST /register") {
				w.WriteHeader(http.StatusCreated)
			}
			fmt.Fprint(w, strings.ReplaceAll(format, "HERE", web.URL))
		})
	}
	answer("GET /.well-known/oauth-protected-resource/mcp", `{"resource":"HERE/mcp","authorization_servers":["HERE"]}`)
	answer("GET /.well-known/oauth-authorization-server", `{"issuer":"HERE","authorization_endpoint":"HERE/authorize","token_endpoint":"HERE/token",`+
		`"registration_endpoint":"HERE/register","device_authorization_endpoint":"HERE/device","response_types_supported":["code"],"code_challenge_methods_supported":["S256"]}`)
	answer("POST /register", `{"client_id":"c"}`)
	answer("POST /device", `{"device_code":"d","user_code":"ABCD-EFGH","verification_uri":"HERE/activate","expires_in":60,"interval":1}`)
	answer("POST /token", `{"access_token":"`+given+`","token_type":"Bearer","expires_in":3600}`)
	m.HandleFunc("GET /authorize", func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		http.Redirect(w, r, q.Get("redirect_uri")+"?"+url.Values{"code": {"x"}, "state": {q.Get("state")}}.Encode(), http.StatusFound)
	})
	m.HandleFunc("/mcp", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+token {
			http.Error(w, "no", http.StatusUnauthorized)
			return
		}
		tools.ServeHTTP(w, r)
	})
	return web
}

// TestImportSignsIn: a server that asks for it is signed in to, which the next import
// knows, until the user signs out. No output has the token.
func TestImportSignsIn(t *testing.T) {
	t.Parallel()
	const token = "access-secret"
	web, folder := closedServer(t, token, token), t.TempDir()
	file := filepath.Join(folder, "registry.json")
	env := runner.Env{
		SignIns: filepath.Join(folder, "sign-ins"),
		Browse: func(address string) error {
			go func() {
				if answer, err := http.Get(address); err == nil {
					answer.Body.Close()
				}
			}()
			return nil
		},
	}
	for _, step := range []struct {
		args []string
		code int
		says []string
	}{
		{nil, 1, []string{"401", "--sign-in browser"}},
		{[]string{"--sign-in", "forget"}, 1, []string{"nobody has signed in"}},
		{[]string{"--sign-in", "browser"}, 0, []string{"/authorize?", "signed in", "1 tool"}},
		{nil, 0, []string{"1 tool"}},
		{[]string{"--sign-in", "forget"}, 0, []string{"signed out"}},
		{nil, 1, []string{"401"}},
		{[]string{"--sign-in", "device"}, 0, []string{"/activate", "ABCD-EFGH", "signed in"}},
	} {
		var out, errOut bytes.Buffer
		args := append([]string{"import", "--http", web.URL + "/mcp", "--name", "vault", "-o", file}, step.args...)
		if code := Main(t.Context(), args, nil, &out, &errOut, env); code != step.code {
			t.Errorf("%q exits with %d, want %d", step.args, code, step.code)
		}
		said := out.String() + errOut.String()
		for _, want := range step.says {
			if !strings.Contains(said, want) {
				t.Errorf("%q says nothing of %q:\n%s", step.args, want, said)
			}
		}
		dump, _ := os.ReadFile(file)
		if strings.Contains(said+string(dump), token) {
			t.Errorf("%q prints the token:\n%s%s", step.args, said, dump)
		}
	}
}

// TestSignedInForNothing: who has signed in to a server that does not take the token is not
// told to sign in.
func TestSignedInForNothing(t *testing.T) {
	t.Parallel()
	web, folder := closedServer(t, "wanted", "given"), t.TempDir()
	var out, errOut bytes.Buffer
	args := []string{"import", "--http", web.URL + "/mcp", "--sign-in", "device", "-o", filepath.Join(folder, "registry.json")}
	code := Main(t.Context(), args, nil, &out, &errOut, runner.Env{SignIns: filepath.Join(folder, "sign-ins")})
	if said := errOut.String(); code != 1 || !strings.Contains(said, "401 Unauthorized; it does not take the token that the sign-in gave\n") {
		t.Errorf("exit %d: %s", code, said)
	}
}

// serveTools is the program mcpserver of the scripts, an MCP server over
// standard input and output that does what its first argument says:
//
//	tools NAME...      has these tools, on pages of two
//	environment        has a tool for each variable of its environment
//	die, rubbish, mute fails in this way, and tells what it knows of secrets
//	gone               ends at once, and tells what it knows of secrets in its own words
//	deaf               hears nothing once it has answered initialize, and ends
//	odd                has four entries, of which two have a name, and that is the same
//	hold ADDRESS       never answers, has a child that nothing but a kill ends, and
//	                   both keep a connection to ADDRESS for as long as they live
//	hold ADDRESS apart the same with the child in a session of its own
//	grip ADDRESS       that child
//	touch FILE         makes FILE, to show that it was started
func serveTools() {
	mode, rest := os.Args[1], os.Args[2:]
	switch mode {
	case "tools":
		answerAsServer(rest)
	case "environment":
		var names []string
		for _, v := range os.Environ() {
			name, _, _ := strings.Cut(v, "=")
			names = append(names, name)
		}
		slices.Sort(names)
		answerAsServer(names)
	case "gone":
		fmt.Fprintf(os.Stderr, "Error: no rights with %s\n    at x:1\n\n%s is bad\nNode.js v20.20.2\n",
			strings.ToUpper(os.Getenv("SECRET")), base64.StdEncoding.EncodeToString([]byte(os.Getenv("SECRET"))))
		os.Exit(1)
	case "touch":
		_ = os.WriteFile(rest[0], nil, 0o600)
		answerAsServer([]string{"touched"})
	case "hold", "grip":
		signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
		c, err := net.Dial("tcp", rest[0])
		if err != nil {
			os.Exit(9)
		}
		fmt.Fprintln(c, mode)
		if mode == "hold" {
			child := exec.Command(os.Args[0], "grip", rest[0])
			if len(rest) > 1 {
				leaveSession(child)
			}
			if child.Start() != nil {
				os.Exit(9)
			}
		}
		_, _ = io.Copy(io.Discard, c) // until the test lets go
		os.Exit(7)
	default:
		misbehave(mode, strings.Join(append(rest, os.Getenv("SECRET"), os.Getenv("HTTP_PROXY")), " "))
	}
}

// leaveSession makes a command begin a session of its own, where there are
// sessions.
var leaveSession = func(*exec.Cmd) {}

// answerAsServer answers with tools of these names.
func answerAsServer(names []string) {
	s := mcp.NewServer(&mcp.Implementation{Name: "own", Title: "Our own", Version: "1.2.3"},
		&mcp.ServerOptions{Instructions: "Ask politely, and only once.", PageSize: 2})
	for _, name := range names {
		addTool(s, name)
	}
	if err := s.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		os.Exit(1)
	}
}

// callable and asks are the tools that tests call. The second asks the client's user.
const (
	callable = "moor"
	asks     = "ask"
)

// addTool adds a tool that has everything a dump keeps.
func addTool(s *mcp.Server, name string) {
	s.AddTool(&mcp.Tool{
		Name: name, Title: "T", Description: "does " + name,
		InputSchema:  json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}}}`),
		OutputSchema: json.RawMessage(`{"type":"object"}`),
		Annotations:  &mcp.ToolAnnotations{ReadOnlyHint: true},
	}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if name == asks {
			return ask(ctx, r.Session), nil
		}
		if name != callable {
			panic("called")
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "called with " + string(r.Params.Arguments)}}, StructuredContent: map[string]any{}}, nil
	})
}

// ask asks the client's user and returns what is heard, or why nothing is.
func ask(ctx context.Context, client *mcp.ServerSession) *mcp.CallToolResult {
	text := ""
	answer, err := client.Elicit(ctx, &mcp.ElicitParams{Message: "which berth?",
		RequestedSchema: json.RawMessage(`{"type":"object","properties":{"berth":{"type":"string"}}}`)})
	if err != nil {
		text = err.Error()
	} else {
		text = fmt.Sprint(answer.Content["berth"])
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}, StructuredContent: map[string]any{}}
}

// misbehave answers initialize and then fails.
func misbehave(mode, secrets string) {
	if mode == "rubbish" {
		fmt.Println("listening \x1b[31mwith " + secrets)
	}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var m struct {
			ID     json.RawMessage
			Method string
		}
		if json.Unmarshal(lines.Bytes(), &m) != nil {
			os.Exit(8)
		}
		switch {
		case mode == "mute":
		case mode == "deaf":
			os.Stdin.Close()
			fmt.Fprintln(os.Stderr, "error: no key")
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}}`+"\n", m.ID)
			os.Exit(4)
		case mode == "odd" && m.Method == "tools/list":
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"a"},{"name":""},{"description":"d"},{"name":"a"}]}}`+"\n", m.ID)
		case m.Method == "initialize":
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}}`+"\n", m.ID)
		case m.Method == "tools/list":
			fmt.Fprintln(os.Stderr, "\x1b[2Jno rights with "+secrets)
			os.Exit(3)
		}
	}
}
