package embed

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

var (
	_ Embedder     = (*RemoteClient)(nil)
	_ fmt.Stringer = (*RemoteClient)(nil)
)

const secretKey = "sk-Zx81-very-secret"

// asked is a request that a server was sent.
type asked struct {
	Path, Authorization, Kind string
	Body                      map[string]any
	Input                     []string
}

// server is a real HTTP server that keeps its requests. Its answers are
// made by handlers, one after the other; the last one repeats.
type server struct {
	*httptest.Server
	mu    sync.Mutex
	asked []asked
}

func serve(t *testing.T, handlers ...http.HandlerFunc) *server {
	t.Helper()
	s := new(server)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		a := asked{Path: r.URL.Path, Authorization: r.Header.Get("Authorization"), Kind: r.Method + " " + r.Header.Get("Content-Type")}
		if len(r.Header["Idempotency-Key"]) != 0 {
			t.Error("the mark for the transport was sent")
		}
		_ = json.Unmarshal(raw, &a.Body)
		list, _ := a.Body["input"].([]any)
		for _, text := range list {
			a.Input = append(a.Input, text.(string))
		}
		s.mu.Lock()
		s.asked = append(s.asked, a)
		n := min(len(s.asked), len(handlers))
		s.mu.Unlock()
		r.Body = io.NopCloser(strings.NewReader(string(raw)))
		handlers[n-1](w, r)
	}))
	t.Cleanup(s.Close) // waits for every handler: a request left hanging fails here
	return s
}

func (s *server) requests() []asked {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]asked(nil), s.asked...)
}

// waits keeps what a client would have waited, and does not.
type waits struct {
	mu   sync.Mutex
	list []time.Duration
}

func (w *waits) wait(ctx context.Context, d time.Duration) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.list = append(w.list, d)
	return ctx.Err()
}

// answer gives every input a vector of its own, (3, length of the text, 0), in
// the form of the provider.
func answer(provider string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var body struct{ Input []string }
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		var vectors []string
		for i, text := range body.Input {
			v := fmt.Sprintf("[3,%d,0]", len(text))
			if provider == "openai" {
				v = fmt.Sprintf(`{"object":"embedding","index":%d,"embedding":%s}`, i, v)
			}
			vectors = append(vectors, v)
		}
		field := map[string]string{"ollama": "embeddings", "openai": "data"}[provider]
		fmt.Fprintf(w, `{"model":"m","%s":[%s]}`, field, strings.Join(vectors, ","))
	}
}

func says(status int, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

var providers = []string{"ollama", "openai"}

func client(provider, url string, o RemoteOptions) *RemoteClient {
	if provider == "ollama" {
		return NewOllama(url, "m", o)
	}
	return NewOpenAI(url, "m", secretKey, o)
}

// refusing is an address at which nobody listens.
func refusing(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	defer l.Close()
	return "http://" + l.Addr().String()
}
