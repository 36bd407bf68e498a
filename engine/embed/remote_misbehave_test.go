package embed

import (
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
)

// data is an answer in the form of OpenAI, from pairs of index and vector.
func data(pairs ...string) string {
	var entries []string
	for i := 0; i < len(pairs); i += 2 {
		entries = append(entries, fmt.Sprintf(`{"index":%s,"embedding":%s}`, pairs[i], pairs[i+1]))
	}
	return `{"data":[` + strings.Join(entries, ",") + `]}`
}

func TestWrongAnswers(t *testing.T) {
	tests := []struct {
		name, provider string
		status         int
		body           string
		want           string // part of the error
		tries          int
	}{
		{"fewer vectors", "ollama", 200, `{"embeddings":[[1,0]]}`, "1 vectors for 2 texts", 1},
		{"no vectors", "ollama", 200, `{}`, "0 vectors for 2 texts", 1},
		{"unlike lengths", "ollama", 200, `{"embeddings":[[1,0],[1,0,0]]}`, "vector 1 has 3 numbers, and the first has 2", 1},
		{"empty vector", "ollama", 200, `{"embeddings":[[1,0],[]]}`, "vector 1 is empty", 1},
		{"only empty vectors", "openai", 200, data("0", "[]", "1", "[ ]"), "vector 0 is empty", 1},
		{"null vector", "ollama", 200, `{"embeddings":[[1],null]}`, "not a list of numbers", 1},
		{"null number", "ollama", 200, `{"embeddings":[[1],[null]]}`, "number 0 of a vector is not a number", 1},
		{"base64", "openai", 200, data("0", `"AACAPw=="`, "1", `"AACAPw=="`), "not a list of numbers", 1},
		{"NaN", "ollama", 200, `{"embeddings":[[NaN],[1]]}`, "not JSON: byte", 1},
		{"infinite", "ollama", 200, `{"embeddings":[[1],[-1e39]]}`, "beyond 32-bit floats", 1},
		{"duplicate index", "openai", 200, data("0", "[1]", "0", "[1]"), "data[1].index: 0 a second time", 1},
		{"index out of range", "openai", 200, data("0", "[1]", "2", "[1]"), "data[1].index: 2 is not that of one of 2 texts", 1},
		{"index missing", "openai", 200, `{"data":[{"index":0,"embedding":[1]},{"embedding":[1]}]}`, "data[1].index: missing", 1},
		{"index a fraction", "openai", 200, data("0", "[1]", "1.5", "[1]"), "JSON number 1.5 out of place", 1},
		{"index of many digits", "openai", 200, data("0", "[1]", strings.Repeat("9", 9999), "[1]"), "999…", 1},
		{"another shape", "openai", 200, `[1,2]`, "JSON array out of place", 1},
		{"half of the JSON", "ollama", 200, `{"embeddings":[[1,0],[1`, "ends within its JSON, after 23 bytes", 1},
		{"empty", "ollama", 200, ``, "ends within its JSON, after 0 bytes", 1},
		{"two values", "ollama", 200, `{"embeddings":[[1],[1]]} {}`, "not JSON", 1},
		{"HTML", "ollama", 200, "\n<!doctype html><html>", "a page of HTML and not JSON", 1},
		{"error with status 200", "ollama", 200, `{"error":"no room"}`, "the server says: no room", 1},
		{"model missing", "ollama", 404, `{"error":"model \"m\" not found, try pulling it first"}`, `404 Not Found: model "m" not found, try pulling`, 1},
		{"unauthorised", "openai", 401, `{"error":{"message":"no"}}`, "401 Unauthorized: no", 1},
		{"status of nobody", "ollama", 299, `{"embeddings":[[1],[1]]}`, ": 299", 1},
		{"plain text", "ollama", 404, "404 page not found\n", "404 Not Found: 404 page not found", 1},
		{"HTML of a proxy", "ollama", 502, "<html>bad</html>", "502 Bad Gateway: a page of HTML (3 tries)", 3},
		{"no text", "ollama", 503, "", "503 Service Unavailable (3 tries)", 3},
		{"broken", "openai", 500, `{"error":{"message":42}}`, "500 Internal Server Error", 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := serve(t, says(tt.status, tt.body))
			var w waits
			c := client(tt.provider, s.URL, RemoteOptions{Wait: w.wait})
			got, err := c.Documents(t.Context(), []string{"a", "b"})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("got %v, %v; want %q", got, err, tt.want)
			}
			prefix := tt.provider + ":m at " + strings.TrimPrefix(s.URL, "http://") + ": "
			if !strings.HasPrefix(err.Error(), prefix) || strings.ContainsAny(err.Error(), "\n\x1b") || len(err.Error()) > 400 {
				t.Errorf("not one short line with model and host: %q", err)
			}
			if n := len(s.requests()); n != tt.tries || len(w.list) != tt.tries-1 {
				t.Errorf("%d requests and %d waits, want %d requests", n, len(w.list), tt.tries)
			}
			if d := c.Identity().Dimension; d != 0 {
				t.Errorf("dimension %d learnt from a wrong answer", d)
			}
		})
	}
}

func TestZeroVectorStays(t *testing.T) {
	s := serve(t, says(200, `{"embeddings":[[0,-0.0,0e9]]}`))
	v, err := client("ollama", s.URL, RemoteOptions{}).Query(t.Context(), "a")
	if err != nil || len(v) != 3 || v[0] != 0 || v[1] != 0 || v[2] != 0 {
		t.Errorf("got %v, %v", v, err)
	}
}

func TestDimensionChanges(t *testing.T) {
	for _, provider := range providers {
		good, other := `{"embeddings":[[1,0]]}`, `{"embeddings":[[1,0,0]]}`
		if provider == "openai" {
			good, other = data("0", "[1,0]"), data("0", "[1,0,0]")
		}
		s := serve(t, says(200, good), says(200, other))
		c := client(provider, s.URL, RemoteOptions{Batch: 1})
		_, err := c.Documents(t.Context(), []string{"a", "b"})
		if err == nil || !strings.Contains(err.Error(), "vectors have 3 numbers, and had 2 before") {
			t.Errorf("%s: %v", provider, err)
		}
		if d := c.Identity().Dimension; d != 2 {
			t.Errorf("%s: dimension %d, want the first", provider, d)
		}
	}
}

func TestHugeBody(t *testing.T) {
	chunk := []byte(strings.Repeat(" ", 32<<10))
	sent := 0
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil { // without end, until the client hangs up
			n, err := w.Write(chunk)
			sent += n
			if err != nil {
				return
			}
		}
	})
	_, err := client("ollama", s.URL, RemoteOptions{}).Query(t.Context(), "a")
	if err == nil || !strings.Contains(err.Error(), "the answer has more than 589824 bytes") {
		t.Error(err)
	}
	if n := len(s.requests()); n != 1 {
		t.Errorf("%d requests", n)
	}
	s.Close()
	if sent > 64<<20 {
		t.Errorf("took %d bytes", sent)
	}
}

// cut sends fewer bytes than it announced.
func cut(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "500")
	_, _ = w.Write([]byte(`{"embeddings":[[1,`))
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

func TestTruncatedBody(t *testing.T) {
	s := serve(t, cut)
	var w waits
	_, err := client("ollama", s.URL, RemoteOptions{Wait: w.wait}).Query(t.Context(), "a")
	if err == nil || !strings.Contains(err.Error(), "the answer broke off after 18 bytes") || len(s.requests()) != 3 {
		t.Errorf("%v after %d requests", err, len(s.requests()))
	}
}

func TestConnectionRefused(t *testing.T) {
	for _, provider := range providers {
		var w waits
		url := refusing(t)
		_, err := client(provider, url, RemoteOptions{Wait: w.wait, Retries: 4}).Query(t.Context(), "a")
		if !errors.Is(err, syscall.ECONNREFUSED) || !strings.Contains(err.Error(), "refused (5 tries)") || len(w.list) != 4 {
			t.Errorf("%v after %d waits", err, len(w.list))
		}
	}
}

func TestHopelessConnections(t *testing.T) {
	plain := serve(t, answer("ollama"))
	secure := httptest.NewUnstartedServer(answer("ollama"))
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer secure.Close()
	for name, url := range map[string]string{
		"HTTP response to HTTPS client": "https" + strings.TrimPrefix(plain.URL, "http"),
		"certificate":                   secure.URL,
	} {
		var w waits
		_, err := client("ollama", url, RemoteOptions{Wait: w.wait}).Query(t.Context(), "a")
		if err == nil || len(w.list) != 0 || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v after %d waits", name, err, len(w.list))
		}
	}
}

func TestServerTextIsMadeSafe(t *testing.T) {
	text := `{"error":"\u001b]52;c;eA==\u0007 gone\n\n` + strings.Repeat("界", 5000) + `"}`
	s := serve(t, says(400, text))
	_, err := client("ollama", s.URL, RemoteOptions{}).Query(t.Context(), "a")
	_, said, _ := strings.Cut(err.Error(), "Request: ")
	if n := len([]rune(said)); n != 201 || !strings.HasPrefix(said, "␛]52;c;eA==␇ gone 界") || !strings.HasSuffix(said, "界…") {
		t.Errorf("%d characters: %q", n, said)
	}
}
