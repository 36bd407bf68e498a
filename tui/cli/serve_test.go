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
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"caliper/engine/serve"
	"caliper/engine/transcript"
	"caliper/model/require"
	"caliper/tui"
	"caliper/tui/cli/connect"
	"caliper/tui/cli/runner"
	"caliper/tui/demo"
)

// serveIn runs serve and returns its streams. It is interrupted at the end of the test,
// which waits for it.
func serveIn(t *testing.T, args ...string) (in io.WriteCloser, out io.Reader, ended <-chan int) {
	t.Helper()
	return serveTelling(t, io.Discard, args...)
}

// serveTelling is serveIn with a stream for complaints.
func serveTelling(t *testing.T, complaints io.Writer, args ...string) (in io.WriteCloser, out io.Reader, ended <-chan int) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	fromUs, in := io.Pipe()
	out, fromIt := io.Pipe()
	done := make(chan int, 1)
	env := runner.Env{Store: filepath.Join(t.TempDir(), "store"), Lookup: os.LookupEnv}
	go func() {
		code := Main(ctx, append([]string{"serve", "--startup-timeout", "1h"}, args...), fromUs, fromIt, complaints, env)
		_ = fromIt.Close()
		done <- code
		close(done)
	}()
	t.Cleanup(func() {
		_ = in.Close()
		stop()
		_, _ = io.Copy(io.Discard, out)
		select {
		case <-done:
		case <-time.After(20 * time.Second):
			t.Error("it does not end")
		}
	})
	return in, out, done
}

// agent connects a client over a transport.
func agent(t *testing.T, transport mcp.Transport) *mcp.ClientSession {
	t.Helper()
	c, err := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "2"}, nil).Connect(t.Context(), transport, nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// answerTo calls a tool and returns the text of the answer.
func answerTo(t *testing.T, c *mcp.ClientSession, tool, arguments string) string {
	t.Helper()
	got, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
	require.NoError(t, err)
	text, _ := got.Content[0].(*mcp.TextContent)
	return text.Text
}

// boats makes a configuration of clients with a server of some tools, and one of
// caliper that searches, in a folder, and returns the flags that name them.
func boats(t *testing.T, tools ...string) (dir string, flags []string) {
	t.Helper()
	dir = t.TempDir()
	program, err := os.Executable()
	require.NoError(t, err)
	server := filepath.Join(dir, "mcpserver") // the name has this program be one
	if err := os.Symlink(program, server); err != nil {
		t.Skip(err)
	}
	clients, config := filepath.Join(dir, "mcp.json"), filepath.Join(dir, "config.yaml")
	servers, _ := json.Marshal(map[string]any{"mcpServers": map[string]any{"boats": map[string]any{"command": server, "args": append([]string{"tools"}, tools...)}}})
	for path, text := range map[string]string{clients: string(servers), config: "tools: {tool_search: {enabled: on}}\n"} {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	return dir, []string{"--mcp-config", clients, "--config", config}
}

// TestServeOverStdio: a client finds and calls a tool of a server that was started, and
// the record has what happened.
func TestServeOverStdio(t *testing.T) {
	t.Parallel()
	dir, files := boats(t, "tow", "moor")
	record := filepath.Join(dir, "record.jsonl")
	in, out, _ := serveIn(t, append(files, "--all", "--stdio", "--execute", "--record", record)...)
	c := agent(t, &mcp.IOTransport{Reader: io.NopCloser(out), Writer: in})
	if got := answerTo(t, c, "tool_search", `{"query":"moor"}`); !strings.Contains(got, "mcp_boats_moor") {
		t.Errorf("it finds %s", got)
	}
	if got := answerTo(t, c, "tool_call", `{"name":"mcp_boats_moor","arguments":{"n":7}}`); !strings.Contains(got, "called with") || !strings.Contains(got, `{"n":7}`) {
		t.Errorf("the call returns %s", got)
	}
	data, err := os.ReadFile(record)
	require.NoError(t, err)
	var kinds []string
	for line := range strings.Lines(string(data)) {
		e, ok := transcript.ParseEvent([]byte(line))
		if !ok {
			t.Errorf("no event: %s", line)
		}
		kinds = append(kinds, string(e.Kind))
	}
	if got := strings.Join(kinds, " "); got != "upstream connect search call" {
		t.Errorf("recorded: %s", got)
	}
	if strings.Contains(string(data), `"n"`) {
		t.Error("arguments are recorded")
	}
}

// TestServeDoesNotWaitForASilentServer: a client is answered though a server says nothing, whose name is told, and
// hears of the tools of another when they come.
func TestServeDoesNotWaitForASilentServer(t *testing.T) {
	t.Parallel()
	dir, files := boats(t, "moor")
	over := make(chan struct{})
	silent := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-over }))
	t.Cleanup(silent.Close)
	t.Cleanup(func() { close(over) })
	more := filepath.Join(dir, "more.json")
	require.NoError(t, os.WriteFile(more, []byte(`{"mcpServers": {"shy": {"type": "http", "url": "`+silent.URL+`"}}}`), 0o600))
	var told strings.Builder
	in, out, ended := serveTelling(t, &told, append(files, "--mcp-config", more, "--all", "--stdio", "--startup-timeout", "1ms")...)
	changed := make(chan struct{}, 10)
	client := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "2"}, &mcp.ClientOptions{
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { changed <- struct{}{} }})
	c, err := client.Connect(t.Context(), &mcp.IOTransport{Reader: io.NopCloser(out), Writer: in}, nil)
	require.NoError(t, err)
	for {
		list, err := c.ListTools(t.Context(), nil)
		require.NoError(t, err)
		if len(list.Tools) == 3 {
			break
		}
		<-changed
	}
	if got := answerTo(t, c, "tool_search", `{"query":"moor"}`); !strings.Contains(got, "mcp_boats_moor") {
		t.Errorf("it finds %s", got)
	}
	_ = c.Close()
	<-ended
	if want := "server shy: no list within 1ms; its tools are added when it comes"; !strings.Contains(told.String(), want) {
		t.Errorf("told %q, want %q", told.String(), want)
	}
}

// TestServeWithoutBridge: a session without a bridge is told why, and a setting only where it
// gives one.
func TestServeWithoutBridge(t *testing.T) {
	t.Parallel()
	dir, files := boats(t, "tow")
	for config, want := range map[string]string{
		"tools: {tool_search: {enabled: on}}\nsessions: {default: {enabled_toolsets: [none]}}\n": "agents get its 0 tools as they are, since none of them can be deferred",
		"tools: {tool_search: {enabled: off}}\n":                                                 "since tool search is off; tools.tool_search.enabled: on gives them the bridge",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "config.yaml"), []byte(config), 0o600))
		var told strings.Builder
		in, out, ended := serveTelling(t, &told, append(files, "--all", "--stdio")...)
		_ = agent(t, &mcp.IOTransport{Reader: io.NopCloser(out), Writer: in})
		_ = in.Close()
		<-ended
		if got := told.String(); !strings.Contains(got, want) {
			t.Errorf("%s: told %q, want %q", config, got, want)
		}
	}
}

// TestServeOffers: a server asks the user of the client that calls, where --offer has it
// do so, and knows that it cannot otherwise.
func TestServeOffers(t *testing.T) {
	t.Parallel()
	for offer, want := range map[string]string{"elicitation": "heard Server boats asks: which berth?", "roots": "client does not support elicitation"} {
		_, files := boats(t, asks)
		in, out, _ := serveIn(t, append(files, "--all", "--stdio", "--execute", "--offer", offer)...)
		client := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "2"}, &mcp.ClientOptions{
			ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
				return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"berth": "heard " + r.Params.Message}}, nil
			}})
		c, err := client.Connect(t.Context(), &mcp.IOTransport{Reader: io.NopCloser(out), Writer: in}, nil)
		require.NoError(t, err)
		if got := answerTo(t, c, "tool_call", `{"name":"mcp_boats_ask","arguments":{}}`); got != want {
			t.Errorf("--offer %s: the call returns %s, want %s", offer, got, want)
		}
		_ = c.Close()
	}
}

// TestServeOverHTTP: each session has a path and a token, and calls are dry runs.
func TestServeOverHTTP(t *testing.T) {
	t.Parallel()
	_, out, _ := serveIn(t, "--demo", "--http", "127.0.0.1:0")
	lines := bufio.NewScanner(out)
	var url, token string
	for lines.Scan() && url == "" {
		if f := strings.Fields(lines.Text()); len(f) == 6 && f[1] == "default" {
			url, token = f[2], f[5]
		}
	}
	if url == "" {
		t.Fatal("it does not say where it serves")
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	c := agent(t, &mcp.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: withBearer(token)}})
	if got := answerTo(t, c, "tool_call", `{"name":"mcp_wiki_read_page","arguments":{"page":"ops"}}`); !strings.Contains(got, `"dry_run":true`) {
		t.Errorf("the call returns %s", got)
	}
}

// TestServeSaysWhomItRefuses: a client that is not let in is said, and recorded, without its
// token.
func TestServeSaysWhomItRefuses(t *testing.T) {
	t.Parallel()
	record := filepath.Join(t.TempDir(), "record.jsonl")
	complaints, told := io.Pipe()
	_, out, _ := serveTelling(t, told, "--demo", "--http", "127.0.0.1:0", "--json", "--record", record)
	refused := make(chan string, 9)
	go func() {
		for said := bufio.NewScanner(complaints); said.Scan(); {
			if strings.Contains(said.Text(), "REFUSED") {
				refused <- said.Text()
			}
		}
	}()
	var serves struct{ Address string }
	require.NoError(t, json.NewDecoder(out).Decode(&serves))
	go func() { _, _ = io.Copy(io.Discard, out) }()
	answer, err := (&http.Client{Transport: withBearer("a-wrong-token"), Timeout: 20 * time.Second}).Post(serves.Address+"/mcp/default", "application/json", nil)
	require.NoError(t, err)
	_ = answer.Body.Close()
	if got, want := <-refused, "caliper: REFUSED Go-http-client/1.1, session default: its bearer token is not the session's"; got != want {
		t.Errorf("%q is said, want %q", got, want)
	}
	data, err := os.ReadFile(record)
	if err != nil || !strings.Contains(string(data), `"kind":"refuse","verdict":"denied","code":"wrong_token","count":1`) || strings.Contains(string(data), "a-wrong-token") {
		t.Errorf("recorded: %s, %v", data, err)
	}
}

// withBearer sends a token with each request.
type withBearer string

// RoundTrip implements http.RoundTripper.
func (b withBearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// TestTokenFile: tokens stay from start to start, for the user alone.
func TestTokenFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "tokens")
	s := &connect.Server{TokenFile: path}
	first, err := s.Tokens([]string{"a", "b c"})
	require.NoError(t, err)
	again, err := s.Tokens([]string{"a", "b c"})
	if err != nil || first["a"] != again["a"] || first["b c"] != again["b c"] || first["a"] == first["b c"] {
		t.Errorf("%v, then %v, %v", first, again, err)
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 {
		t.Errorf("it may be read by %v", info.Mode())
	}
	if more, err := s.Tokens([]string{"a", "b c", "d"}); err != nil || more["a"] != first["a"] || more["d"] == "" {
		t.Errorf("with another session: %v, %v", more, err)
	}
	for token, fits := range map[string]bool{"x": false, strings.Repeat("x", serve.ShortestToken-1): false, strings.Repeat("x", serve.ShortestToken): true} {
		require.NoError(t, os.WriteFile(path, []byte(token+" a\n"), 0o600))
		if got, err := s.Tokens([]string{"a"}); (err == nil) != fits || fits && got["a"] != token || err != nil && strings.Contains(err.Error(), token+" ") {
			t.Errorf("a token of %d characters: %v, %v", len(token), got, err)
		}
	}
	require.NoError(t, os.WriteFile(path, []byte("\n"+strings.Repeat("x", serve.ShortestToken)+"\n"), 0o600))
	if _, err := s.Tokens([]string{"a"}); err == nil || !strings.Contains(err.Error(), "line 2: ") || strings.Contains(err.Error(), "xx") {
		t.Errorf("a token without a session: %v", err)
	}
	_ = os.Chmod(path, 0o644)
	if _, err := s.Tokens([]string{"a"}); err == nil {
		t.Error("a file that others may read is taken")
	}
}

// serveSpans serves the demo with --otlp, has a client search and call, and returns what
// is said at the end.
func serveSpans(t *testing.T, url string, calls int, called func()) (complaints string) {
	t.Helper()
	var told bytes.Buffer
	in, out, ended := serveTelling(t, &told, "--demo", "--stdio", "--otlp", url)
	c := agent(t, &mcp.IOTransport{Reader: io.NopCloser(out), Writer: in})
	for range calls {
		answerTo(t, c, "tool_search", `{"query":"zebrafish wiki page"}`)
		answerTo(t, c, "tool_call", `{"name":"mcp_wiki_read_page","arguments":{"page":"zebrafish"}}`)
	}
	called()
	_ = c.Close()
	_ = in.Close()
	<-ended
	return told.String()
}

// TestServeSpans: what a client does arrives at a collector, without its texts.
func TestServeSpans(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var sent []byte
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		sent = append(sent, body...)
	}))
	defer collector.Close()
	complaints := serveSpans(t, collector.URL, 1, func() {})
	for _, want := range []string{"caliper.connect", "tools/call tool_search", "caliper.hit.ranks", "tools/call tool_call", "dry_run", "caliper.disconnect"} {
		if !bytes.Contains(sent, []byte(want)) {
			t.Errorf("no %s is sent", want)
		}
	}
	if bytes.Contains(sent, []byte("zebrafish")) {
		t.Error("a text is sent")
	}
	if strings.Contains(complaints, "lost") {
		t.Errorf("it says %s", complaints)
	}
}

// TestServeSpansLost: calls are answered while a collector answers nothing, and the
// spans that are lost are counted at the end.
func TestServeSpansLost(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	var asked atomic.Int64
	collector := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		asked.Add(1)
		<-release
	}))
	defer collector.Close()
	defer close(release)
	complaints := serveSpans(t, collector.URL, 100, func() {
		if n := asked.Load(); n > 100 {
			t.Errorf("200 calls waited for the collector %d times", n)
		}
	})
	// The calls, the connection and its end.
	if want := "caliper: 202 of 202 spans were lost\n"; !strings.HasSuffix(complaints, want) {
		t.Errorf("it says %q", complaints)
	}
}

// TestListenServesWhatIsShown: the explorer is told where each session is served, and with
// which entry a client connects.
func TestListenServesWhatIsShown(t *testing.T) {
	t.Parallel()
	var entry, address string
	env := runner.Env{StdinTerminal: true, StdoutTerminal: true, Explore: func(ctx context.Context, o tui.Options) error {
		if o.Serving == nil || o.Demo == "" || len(o.Registry) != 1 || filepath.Base(o.Registry[0]) != filepath.Base(demo.In("").Registry) {
			t.Errorf("%+v", o)
			return nil
		}
		address = o.Serving.Address("ops oncall")
		for entry == "" {
			b, ok := o.Serving.Take(ctx)
			if !ok {
				t.Error("it says nothing")
				return nil
			}
			if slices.ContainsFunc(b.Said, func(line string) bool { return strings.Contains(line, "nothing is executed") }) {
				entry = o.Serving.Entry("ops-oncall")
			}
		}
		if o.Serving.Entry("nobody") != "" {
			t.Error("a session that is not served has an entry")
		}
		return nil
	}}
	// --session is where the explorer begins, and no reason to leave out the others.
	code, _, complaints := commandIn(t, env, "", "--demo", "--listen", "127.0.0.1:0", "--session", "forge-dev")
	if code != 0 || !strings.HasSuffix(address, "/mcp/ops%20oncall") || !strings.Contains(entry, "/mcp/ops-oncall") || !strings.Contains(entry, "Bearer ") {
		t.Errorf("exit code %d, %s, %s: %s", code, address, entry, complaints)
	}
}
