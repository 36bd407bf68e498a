package live

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"caliper/model/require"
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
			if !errors.As(err, &e) || e.Stage != ListingTools || c.is != nil && !errors.Is(err, c.is) || !strings.HasPrefix(e.Err.Error(), c.text) {
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
