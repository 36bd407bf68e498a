package live

import (
	"context"
	"encoding/json"
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

	"caliper/model"
)

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
