package live

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"caliper/engine/live/signin"
	"caliper/model"
	"caliper/model/require"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// recorder is a handler that keeps what reaches it.
type recorder struct {
	next http.Handler

	mu      sync.Mutex
	sent    []string
	headers []string
}

func (r *recorder) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	body, _ := io.ReadAll(q.Body)
	q.Body = io.NopCloser(bytes.NewReader(body))
	var m struct{ Method string }
	_ = json.Unmarshal(body, &m)
	r.mu.Lock()
	r.sent = append(r.sent, strings.TrimSpace(q.Method+" "+m.Method))
	r.headers = append(r.headers, q.Header.Get("Authorization"))
	r.mu.Unlock()
	if q.Header.Get("Authorization") != "Bearer "+secretValue {
		http.Error(w, "who are you, "+q.Header.Get("Authorization"), http.StatusUnauthorized)
		return
	}
	r.next.ServeHTTP(w, q)
}

func remote(t *testing.T, transport Transport, url string, headers ...string) Server {
	s, err := Remote("far", transport, url, headers...)
	require.NoError(t, err)
	return s
}

const bearer = "Authorization: Bearer " + secretValue

func TestListOverHTTP(t *testing.T) {
	server := sdkServer(5)
	of := func(*http.Request) *mcp.Server { return server }
	streamable := mcp.NewStreamableHTTPHandler(of, nil)
	events := mcp.NewSSEHandler(of, nil)
	post := []string{"POST initialize", "POST notifications/initialized", "POST tools/list", "POST tools/list", "POST tools/list"}
	for _, c := range []struct {
		name      string
		transport Transport
		handler   http.Handler
		sent      []string
	}{
		{"streamable", HTTPTransport, streamable, slices.Concat(post, []string{"DELETE"})},
		{"json", HTTPTransport, mcp.NewStreamableHTTPHandler(of, &mcp.StreamableHTTPOptions{JSONResponse: true, Stateless: true}), post},
		{"sse", SSETransport, events, slices.Concat([]string{"GET"}, post)},
		{"older", HTTPTransport, http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
			if q.Method == http.MethodPost && q.URL.RawQuery == "" {
				w.WriteHeader(http.StatusMethodNotAllowed)
				return
			}
			events.ServeHTTP(w, q)
		}), slices.Concat([]string{"POST initialize", "GET"}, post)},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &recorder{next: c.handler}
			web := httptest.NewServer(r)
			defer web.Close()
			l, err := List(t.Context(), remote(t, c.transport, web.URL, bearer), Options{})
			if err != nil || len(l.Tools) != 5 || l.Instructions != "Ask politely." {
				t.Fatalf("%d tools, %v", len(l.Tools), err)
			}
			if !slices.Equal(r.sent, c.sent) {
				t.Errorf("sent %q", r.sent)
			}
			_, err = List(t.Context(), remote(t, c.transport, web.URL+"?api_key="+secretValue, "Authorization: Bearer wrong-token"), Options{})
			if err == nil || !strings.Contains(err.Error(), "Unauthorized") || strings.Contains(err.Error(), "wrong-token") || strings.Contains(err.Error(), secretValue) {
				t.Errorf("error is %v", err)
			}
		})
	}
}

// The older transport is tried where a server answers as one that knows no
// other, and nowhere else.
func TestOlderTransportIsForOlderServers(t *testing.T) {
	for status, older := range map[int]bool{400: true, 404: true, 405: true, 399: false, 401: false, 403: false, 406: false, 410: false, 500: false} {
		r := &recorder{next: http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) { w.WriteHeader(status) })}
		web := httptest.NewServer(r)
		_, err := List(t.Context(), remote(t, HTTPTransport, web.URL, bearer), Options{})
		web.Close()
		if got := slices.Contains(r.sent, "GET"); err == nil || got != older {
			t.Errorf("%d: the older one is tried: %t; %v", status, got, err)
		}
	}
}

func TestHeadersStayWithTheirHost(t *testing.T) {
	other := &recorder{next: http.NotFoundHandler()}
	elsewhere := httptest.NewServer(other)
	defer elsewhere.Close()
	for name, handler := range map[string]http.HandlerFunc{
		"redirect": func(w http.ResponseWriter, q *http.Request) {
			http.Redirect(w, q, elsewhere.URL, http.StatusTemporaryRedirect)
		},
		"endpoint": func(w http.ResponseWriter, q *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			io.WriteString(w, "event: endpoint\ndata: "+elsewhere.URL+"/take\n\n")
			w.(http.Flusher).Flush()
			<-q.Context().Done()
		},
	} {
		t.Run(name, func(t *testing.T) {
			web := httptest.NewServer(handler)
			defer web.Close()
			transport := HTTPTransport
			if name == "endpoint" {
				transport = SSETransport
			}
			if _, err := List(t.Context(), remote(t, transport, web.URL, bearer), Options{}); !errors.Is(err, ErrOtherHost) {
				t.Errorf("error is %v", err)
			}
		})
	}
	if len(other.sent) > 0 {
		t.Errorf("the other host got %v", other.sent)
	}
}

func TestRemoteFaults(t *testing.T) {
	t.Parallel()
	const initialized = `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}}`
	answer := func(list func(w http.ResponseWriter, q *http.Request)) http.HandlerFunc {
		return func(w http.ResponseWriter, q *http.Request) {
			body, _ := io.ReadAll(q.Body)
			w.Header().Set("Content-Type", "application/json")
			switch {
			case bytes.Contains(body, []byte(`"initialize"`)):
				io.WriteString(w, initialized)
			case bytes.Contains(body, []byte(`"tools/list"`)):
				list(w, q)
			default:
				w.WriteHeader(http.StatusAccepted)
			}
		}
	}
	status := func(code int) func(http.ResponseWriter, *http.Request) {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
	}
	for _, c := range []struct {
		name string
		list func(w http.ResponseWriter, q *http.Request)
		o    Options
		is   error
		text string
	}{
		{"never answers", func(_ http.ResponseWriter, q *http.Request) { <-q.Context().Done() }, Options{Timeout: time.Second}, context.DeadlineExceeded, "no answer within 1s"},
		{"too large", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(bytes.Repeat([]byte(" "), 2<<20))
		}, Options{limits: &limits{message: 1 << 20, total: 1 << 20, tools: 1, pages: 1}}, ErrTooLarge, "an answer of more than 1 MB is too large"},
		{"too deep", func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, `{"jsonrpc":"2.0","id":2,"result":{"tools":[`+strings.Repeat("[", 9000)+strings.Repeat("]", 9000)+"]}}")
		}, Options{}, ErrTooDeep, "a message of more than 900 levels is too deep"},
		{"huge cursor", func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, `{"jsonrpc":"2.0","id":2,"result":{"tools":[],"nextCursor":"`+strings.Repeat("x", 60<<20)+`"}}`)
		}, Options{}, ErrTooLarge, "a cursor of more than 64 KB is too large"},
		{"huge cursor in events", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			io.WriteString(w, "event: message\ndata: "+`{"jsonrpc":"2.0","id":2,"result":{"tools":[],"nextCursor":"`+strings.Repeat("x", 60<<20)+"\"}}\n\n")
		}, Options{}, ErrTooLarge, "a cursor of more than 64 KB is too large"},
		{"too deep in events", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			io.WriteString(w, "data:{\"a\":\ndata: "+strings.Repeat("[", 9000)+"\n\n")
		}, Options{}, ErrTooDeep, "a message of more than 900 levels is too deep"},
		{"not json", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "<html>"+secretValue) }, Options{}, ErrNotMessage, "an answer is not a JSON-RPC message"},
		{"a page", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, "<html>")
		}, Options{}, nil, `unsupported content type "text/html"`},
		{"broken", status(http.StatusBadGateway), Options{}, nil, "the server answered 502 Bad Gateway"},
		{"breaks off", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, Options{}, nil, "EOF"},
		{"forbidden", status(http.StatusForbidden), Options{}, ErrNoAccess, "the server answered 403 Forbidden"},
		{"error", func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, `{"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":"no"}}`)
		}, Options{}, nil, "the server answered error -32603: no"},
	} {
		t.Run(c.name, func(t *testing.T) {
			web := httptest.NewServer(answer(c.list))
			defer web.Close()
			_, err := List(t.Context(), remote(t, HTTPTransport, web.URL), c.o)
			var e *Error
			if !errors.As(err, &e) || e.Stage != ListingTools && c.is != context.DeadlineExceeded || c.is != nil && !errors.Is(err, c.is) || !strings.HasPrefix(e.Err.Error(), c.text) {
				t.Errorf("error is %v", err)
			}
		})
	}
	web := httptest.NewServer(http.NotFoundHandler())
	web.Close()
	for _, transport := range []Transport{HTTPTransport, SSETransport} {
		if _, err := List(t.Context(), remote(t, transport, web.URL+"?key="+secretValue), Options{}); err == nil || !strings.Contains(err.Error(), "refused") || strings.Contains(err.Error(), secretValue) {
			t.Errorf("error is %v", err)
		}
	}
	if _, err := List(t.Context(), remote(t, HTTPTransport, "ftp://user:"+secretValue+"@x/"), Options{}); err == nil || strings.Contains(err.Error(), secretValue) {
		t.Errorf("error is %v", err)
	}
}

func TestWatchOverHTTP(t *testing.T) {
	t.Parallel()
	server := sdkServer(1)
	web := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
	defer web.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var seen []int
	err := Watch(ctx, remote(t, HTTPTransport, web.URL), Options{}, func(l Listing) {
		if seen = append(seen, len(l.Tools)); len(seen) == 1 {
			addTool(server, "second")
			addTool(server, "third")
			return
		}
		cancel()
	})
	if err != nil || !slices.Equal(seen, []int{1, 3}) {
		t.Errorf("saw %v, %v", seen, err)
	}
}

// TestTokenOfASignIn: the token is sent with every request, to the address that it was
// given for; a header of the configuration holds against it; and no message has it.
func TestTokenOfASignIn(t *testing.T) {
	server := sdkServer(3)
	r := &recorder{next: mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)}
	web := httptest.NewServer(r)
	defer web.Close()
	token := func(value string, err error) func(context.Context, string) (string, error) {
		return func(_ context.Context, address string) (string, error) {
			if address != web.URL {
				t.Errorf("the token of %s is asked for", address)
			}
			return value, err
		}
	}
	l, err := List(t.Context(), remote(t, HTTPTransport, web.URL), Options{Token: token(secretValue, nil)})
	if err != nil || len(l.Tools) != 3 || slices.Contains(r.headers, "") {
		t.Errorf("%d tools, %v; headers %q", len(l.Tools), err, r.headers)
	}
	if _, err = List(t.Context(), remote(t, HTTPTransport, web.URL, bearer), Options{Token: token("of-a-sign-in", nil)}); err != nil {
		t.Errorf("with a header: %v", err)
	}
	_, err = List(t.Context(), remote(t, HTTPTransport, web.URL), Options{Token: token("of-a-sign-in", nil)})
	if !errors.Is(err, ErrNoAccess) || strings.Contains(err.Error(), "of-a-sign-in") {
		t.Errorf("a token that the server does not take: %v", err)
	}
	_, err = List(t.Context(), remote(t, HTTPTransport, web.URL), Options{Token: token("", errors.New("revoked"))})
	if !errors.Is(err, ErrNoAccess) || !strings.Contains(err.Error(), "revoked") {
		t.Errorf("a token that is not renewed: %v", err)
	}
}

func TestOnlyRemoteServersHaveASignIn(t *testing.T) {
	var e *Error
	if err := SignIn(t.Context(), Stdio("x", "cat"), signin.Flow{}); !errors.As(err, &e) || e.Stage != SigningIn {
		t.Errorf("%v", err)
	}
	if known, err := SignOut(Stdio("x", "cat"), &signin.Keeper{}); known || err == nil {
		t.Errorf("%v, %v", known, err)
	}
}

// TestParamHeaders: a call repeats in headers the arguments for which the tool's schema
// says so, as a header can hold them.
func TestParamHeaders(t *testing.T) {
	const schema = `{"type":"object","properties":{"a":{"type":"string","x-mcp-header":"A"},"in":{"type":"object","properties":{"b":{"type":"integer","x-mcp-header":"B"}}},` +
		`"c":{"type":"boolean","x-mcp-header":"C"},"d":{"type":"string","x-mcp-header":"D: e\r\nAuthorization"},"e":{"x-mcp-header":7},"f":{"x-mcp-header":""},"g":{"type":"string"},"h":{"x-mcp-header":"Ü"}}}`
	of := paramHeadersOf([]json.RawMessage{json.RawMessage(`{"name":"moor","inputSchema":` + schema + `}`), json.RawMessage(`{"name":"wait","inputSchema":{"type":"object"}}`), json.RawMessage(`7`), json.RawMessage(`{`)})
	if len(of) != 1 || len(of["moor"]) != 3 {
		t.Fatalf("the headers are %v", of)
	}
	for arguments, want := range map[string]string{
		`{"a":"us west"}`:                          "A=us west",
		`{"a":"é","in":{"b":42},"c":true}`:         "A==?base64?w6k=?= B=42 C=true",
		`{"a":" x","in":{"b":-7.0},"c":false}`:     "A==?base64?IHg=?= B=-7 C=false",
		`{"a":"x\r\nAuthorization: y"}`:            "A==?base64?eA0KQXV0aG9yaXphdGlvbjogeQ==?=",
		`{"a":"=?base64?eA==?="}`:                  "A==?base64?PT9iYXNlNjQ/ZUE9PT89?=",
		`{"in":{"b":1.5},"c":null}`:                "",
		`{"in":{"b":9007199254740991}}`:            "B=9007199254740991",
		`{"in":{"b":9007199254740992},"a":["x"]}`:  "",
		`{"in":7,"d":"x","e":"x","f":"x","g":"x"}`: "",
		`{}`: "",
	} {
		h := http.Header{}
		setParamHeaders(h, of["moor"], []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"moor","arguments":`+arguments+`}}`))
		var got []string
		for name, values := range h {
			got = append(got, strings.TrimPrefix(name, "Mcp-Param-")+"="+strings.Join(values, ","))
		}
		slices.Sort(got)
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", arguments, got, want)
		}
	}
}

// TestParamHeadersAreSent: a server of the SDK, which refuses a call of MCP 2026-07-28 without
// the headers of its arguments, answers.
func TestParamHeadersAreSent(t *testing.T) {
	t.Parallel()
	server := mcp.NewServer(&mcp.Implementation{Name: "harbor", Version: "1"}, &mcp.ServerOptions{SupportedProtocolVersions: []string{statelessProtocol}})
	server.AddTool(&mcp.Tool{Name: "moor", InputSchema: json.RawMessage(`{"type":"object","properties":{"boat":{"type":"string","x-mcp-header":"Boat"},"berth":{"type":"integer","x-mcp-header":"Berth"}}}`)},
		func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "moored " + string(r.Params.Arguments)}}}, nil
		})
	// It answers initialize, by an earlier revision, and refuses what follows of that.
	web := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: true}))
	t.Cleanup(web.Close)
	states := make(chan Outcome, 16)
	u := Keep(t.Context(), remote(t, HTTPTransport, web.URL), Options{}, func(s Outcome) { states <- s })
	defer u.Close()
	up(t, states)
	if result, err := u.Call(t.Context(), "moor", json.RawMessage(`{"boat":"Añ","berth":7}`), nil); err != nil || !strings.Contains(string(result), "moored") {
		t.Errorf("the call returns %s, %v", result, err)
	}
}

// statelessAnswer returns the answer of a server that knows the revision without sessions
// alone: the id of a message, its method, and the member of the answer behind the id.
func statelessAnswer(line string, code int) (id json.RawMessage, method, answer string) {
	var m struct {
		ID     json.RawMessage
		Method string
		Params struct {
			Name string
			Meta map[string]any `json:"_meta"`
		}
	}
	_ = json.Unmarshal([]byte(line), &m)
	switch {
	case m.Method == "initialize":
		answer = fmt.Sprintf(`"error":{"code":%d,"message":"no"}`, code)
	case m.Params.Meta["io.modelcontextprotocol/protocolVersion"] != statelessProtocol:
		answer = `"error":{"code":-32022,"message":"no","data":{"supported":["2026-07-28"]}}`
	case m.Method == "server/discover":
		answer = `"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"instructions":"Ask.","ttlMs":1,"cacheScope":"public"}`
	case m.Method == "tools/list":
		answer = `"result":{"resultType":"complete","ttlMs":1,"cacheScope":"public","tools":[{"name":"ping_host","inputSchema":{"z":1e400,"type":"object"}}]}`
	case m.Method == "tools/call":
		answer = `"result":{"resultType":"complete","content":[{"type":"text","text":"` + m.Params.Name + `"}]}`
	default:
		answer = `"error":{"code":-32601,"message":"no"}`
	}
	return m.ID, m.Method, answer
}

// TestStatelessServer: a server that knows MCP 2026-07-28 alone is listed and called over
// both transports, whatever it refuses initialize by; it is asked by initialize first.
func TestStatelessServer(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var methods []string
	overHTTP := func(status, code int) Server {
		web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			id, method, answer := statelessAnswer(string(body), code)
			mu.Lock()
			methods = append(methods, method)
			mu.Unlock()
			if of := r.Header.Get("Mcp-Method"); method != "initialize" && (of != method || method == "tools/call" && r.Header.Get("Mcp-Name") != "ping_host") {
				answer = fmt.Sprintf(`"error":{"code":-32020,"message":"the header has %q of %q"}`, of, method)
			}
			w.Header().Set("Content-Type", "application/json")
			if method == "initialize" {
				w.WriteHeader(status)
			}
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`, id, answer)
		}))
		t.Cleanup(web.Close)
		return remote(t, HTTPTransport, web.URL)
	}
	wire := filepath.Join(t.TempDir(), "wire")
	child := func(mode string) Server {
		return Stdio("x", os.Args[0]).WithEnv(modeVariable, mode).WithEnv(wireVariable, wire)
	}
	for name, s := range map[string]Server{
		"a child without the method":   child("stateless"),
		"a child without the revision": child("stateless-revision"),
		"a child that misses _meta":    child("stateless-meta"),
		"200 without the method":       overHTTP(200, -32601),
		"400 without the revision":     overHTTP(400, -32022),
		"400 for a bad request":        overHTTP(400, -32600),
		"404 without the method":       overHTTP(404, -32601),
	} {
		t.Run(name, func(t *testing.T) {
			methods = nil
			_ = os.Remove(wire)
			l, err := List(t.Context(), s, Options{})
			if err != nil || len(l.Tools) != 1 || string(l.Tools[0]) != `{"name":"ping_host","inputSchema":{"z":1e400,"type":"object"}}` || l.Instructions != "Ask." {
				t.Fatalf("%+v, %v", l, err)
			}
			if dump, _ := Dump([]Listing{l}, model.HermesNaming); !strings.Contains(string(dump), `"protocol_version":"2026-07-28"`) {
				t.Errorf("the dump is %s", dump)
			}
			got := methods
			if s.Transport == StdioTransport {
				data, _ := os.ReadFile(wire)
				for line := range strings.Lines(string(data)) {
					_, method, _ := statelessAnswer(line, 0)
					got = append(got, method)
				}
			}
			if want := []string{"initialize", "server/discover", "tools/list"}; !slices.Equal(got, want) {
				t.Errorf("it was sent %q, want %q", got, want)
			}
			states := make(chan Outcome, 16)
			u := Keep(t.Context(), s, Options{}, func(s Outcome) { states <- s })
			defer u.Close()
			up(t, states)
			if result, err := u.Call(t.Context(), "ping_host", json.RawMessage(`{}`), nil); err != nil || !strings.Contains(string(result), `"text":"ping_host"`) {
				t.Errorf("a call returns %s, %v", result, err)
			}
		})
	}
	// One that has no such method and is no server of the newer revision either.
	if _, err := List(t.Context(), child("no-method"), Options{}); err == nil || !strings.Contains(err.Error(), "the server answered error -32601") {
		t.Errorf("a server without methods: %v", err)
	}
	// One that lets initialize alone through: what it refused that by is said.
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		id, method, answer := statelessAnswer(string(body), -32601)
		if w.Header().Set("Content-Type", "application/json"); method != "initialize" {
			w.WriteHeader(http.StatusForbidden)
		}
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`, id, answer)
	}))
	defer web.Close()
	if _, err := List(t.Context(), remote(t, HTTPTransport, web.URL), Options{}); err == nil || !strings.Contains(err.Error(), "the server answered error -32601") {
		t.Errorf("a server that forbids all but initialize: %v", err)
	}
}

// TestRefusedAndThenSilent: a server that refuses initialize and is silent to
// server/discover, until the time is over, is one that refuses initialize.
func TestRefusedAndThenSilent(t *testing.T) {
	t.Parallel()
	late, cancel := context.WithCancelCause(t.Context())
	cancel(errLate)
	x := &session{server: Server{Name: "x"}, stage: Initializing}
	for want, err := range map[string]error{
		"the server answered error -32601: no": &CallError{Code: -32601, Message: "no"},
		"no answer within":                     context.Canceled,
	} {
		if got := x.explain(late, nil, err); !strings.Contains(got.Error(), want) {
			t.Errorf("%v is explained as %v, want %q", err, got, want)
		}
	}
}
