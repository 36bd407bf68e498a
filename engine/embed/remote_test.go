package embed

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"caliper/model/require"
)

func TestRequests(t *testing.T) {
	const nomic = "nomic-embed-text"
	tests := []struct {
		name string
		open func(url string) *RemoteClient
		want asked
	}{
		{"ollama", func(url string) *RemoteClient { return NewOllama(url, nomic, RemoteOptions{}) }, asked{
			Path: "/api/embed", Kind: "POST application/json",
			Body:  map[string]any{"model": nomic, "truncate": true, "input": []any{"search_document: <a> & b"}},
			Input: []string{"search_document: <a> & b"},
		}},
		{"openai", func(url string) *RemoteClient { return NewOpenAI(url+"/v1", "m", " "+secretKey+"\n", RemoteOptions{}) }, asked{
			Path: "/v1/embeddings", Kind: "POST application/json", Authorization: "Bearer " + secretKey,
			Body:  map[string]any{"model": "m", "encoding_format": "float", "input": []any{"<a> & b"}},
			Input: []string{"<a> & b"},
		}},
		{"openai without a key", func(url string) *RemoteClient { return NewOpenAI(url+"/", "m", "", RemoteOptions{}) }, asked{
			Path: "/embeddings", Kind: "POST application/json",
			Body:  map[string]any{"model": "m", "encoding_format": "float", "input": []any{"<a> & b"}},
			Input: []string{"<a> & b"},
		}},
		{"whole address", func(url string) *RemoteClient { return NewOllama(url+"/x/api/embed", "m", RemoteOptions{}) }, asked{
			Path: "/x/api/embed", Kind: "POST application/json",
			Body:  map[string]any{"model": "m", "truncate": true, "input": []any{"<a> & b"}},
			Input: []string{"<a> & b"},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			provider, _, _ := strings.Cut(tt.name, " ")
			if provider == "whole" {
				provider = "ollama"
			}
			s := serve(t, answer(provider))
			if _, err := tt.open(s.URL).Documents(t.Context(), []string{"<a> & b"}); err != nil {
				t.Fatal(err)
			}
			if got := s.requests(); len(got) != 1 || !reflect.DeepEqual(got[0], tt.want) {
				t.Errorf("got  %+v\nwant %+v", got, tt.want)
			}
		})
	}
}

func TestQueryPrefix(t *testing.T) {
	s := serve(t, answer("ollama"))
	c := NewOllama(s.URL, "nomic-embed-text:v1.5", RemoteOptions{})
	if _, err := c.Query(t.Context(), "open an issue"); err != nil {
		t.Fatal(err)
	}
	if got, want := s.requests()[0].Input[0], "search_query: open an issue"; got != want {
		t.Errorf("sent %q, want %q", got, want)
	}
}

func TestVectors(t *testing.T) {
	for _, provider := range providers {
		t.Run(provider, func(t *testing.T) {
			s := serve(t, answer(provider))
			c := client(provider, s.URL, RemoteOptions{Batch: 2})
			if id := c.Identity(); id != (Identity{Provider: provider, Model: "m"}) {
				t.Errorf("identity before the first answer: %+v", id)
			}
			got, err := c.Documents(t.Context(), []string{"four", "", "four", "four", "nine long"})
			require.NoError(t, err)
			long := float32(1 / math.Sqrt(90))
			want := [][]float32{{.6, .8, 0}, {1, 0, 0}, {.6, .8, 0}, {.6, .8, 0}, {3 * long, 9 * long, 0}}
			if !slices.EqualFunc(got, want, func(a, b []float32) bool { return slices.EqualFunc(a, b, near) }) {
				t.Errorf("got %v, want %v", got, want)
			}
			if n := len(s.requests()); n != 3 {
				t.Errorf("%d requests for 5 texts in batches of 2", n)
			}
			if d := c.Identity().Dimension; d != 3 {
				t.Errorf("dimension %d, want 3", d)
			}
		})
	}
}

func near(a, b float32) bool { return math.Abs(float64(a-b)) < 1e-6 }

func TestBatchesProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(rapid.StringN(0, 40, 60), 1, 40).Draw(t, "texts")
		o := RemoteOptions{Batch: rapid.IntRange(1, 9).Draw(t, "batch"), BatchBytes: rapid.IntRange(1, 100).Draw(t, "bytes")}
		c := NewOllama("http://h", "m", o)
		for rest := texts; len(rest) > 0; {
			b := c.batch(rest)
			size := len(strings.Join(b, ""))
			if len(b) == 0 || len(b) > o.Batch || len(b) > 1 && size > o.BatchBytes {
				t.Fatalf("batch of %d texts, %d bytes", len(b), size)
			}
			if len(b) < min(o.Batch, len(rest)) && size+len(rest[len(b)]) <= o.BatchBytes {
				t.Fatalf("batch of %d texts had room for the next", len(b))
			}
			rest = rest[len(b):]
		}
	})
}

func TestLongTextIsCutForOpenAI(t *testing.T) {
	for _, provider := range providers {
		s := serve(t, answer(provider))
		text := strings.Repeat("é", 5000) + "\xff"
		if _, err := client(provider, s.URL, RemoteOptions{}).Query(t.Context(), text); err != nil {
			t.Fatal(err)
		}
		sent := s.requests()[0].Input[0]
		if want := map[string]int{"ollama": 10003, "openai": 8192}[provider]; len(sent) != want || !utf8.ValidString(sent) {
			t.Errorf("%s: sent %d bytes, want %d", provider, len(sent), want)
		}
	}
	c := NewOpenAI("http://h", "m", "", RemoteOptions{})
	if got := c.cut("a" + strings.Repeat("é", 5000)); len(got) != 8191 || !utf8.ValidString(got) {
		t.Errorf("cut to %d bytes within a character", len(got))
	}
}

func TestConcurrent(t *testing.T) {
	s := serve(t, answer("openai"))
	c := client("openai", s.URL, RemoteOptions{Batch: 3})
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			v, err := c.Query(context.Background(), "four")
			if err != nil || !near(v[0], .6) {
				t.Errorf("got %v, %v", v, err)
			}
			if _, err := c.Documents(context.Background(), make([]string, 7)); err != nil {
				t.Error(err)
			}
			if d := c.Identity().Dimension; d != 3 {
				t.Errorf("dimension %d", d)
			}
		})
	}
	all.Wait()
}

func TestUnusableAddress(t *testing.T) {
	for _, address := range []string{
		"", "127.0.0.1:11434", "localhost:11434", "ftp://h/", "http://", "http://u:hunter22@h:bad", "http://u:hunter22@h\x7f/",
	} {
		_, err := NewOllama(address, "m", RemoteOptions{}).Query(t.Context(), "x")
		if err == nil || !strings.HasPrefix(err.Error(), "ollama:m: the url is not") || strings.Contains(err.Error(), "hunter22") {
			t.Errorf("%q: %v", address, err)
		}
	}
}

func TestKeyIsNowhereToBeSeen(t *testing.T) {
	c := NewOpenAI("https://usr7731:hunter22@h.example/v1?api-key=abcdef123456", "m", secretKey, RemoteOptions{})
	shown := fmt.Sprint(c, c.Identity()) + fmt.Sprintf("%s %v %+v %#v %q", c, c, c, c, c)
	for _, v := range []any{c.http, c.options, c.dialect, c.identity, struct{ *RemoteClient }{c}} {
		shown += fmt.Sprintf("%v %+v %#v", v, v, v)
	}
	for _, secret := range []string{secretKey, "hunter22", "abcdef123456", "usr7731"} {
		if strings.Contains(shown, secret) {
			t.Errorf("%q is within %s", secret, shown)
		}
	}
	if got, want := c.String(), "openai:m at h.example"; got != want {
		t.Errorf("String() = %q, want %q", got, want)
	}
}

func TestKeyIsNotInErrors(t *testing.T) {
	basic := base64.StdEncoding.EncodeToString([]byte("usr7731:hunter22"))
	echo := strings.Join([]string{"bearer", secretKey, "hunter22", basic, "abcdef123456", "v2"}, " ")
	long := strings.Repeat("x", quoteRunes-5) + secretKey // cut within the key
	quoted, _ := json.Marshal(echo)
	handlers := map[string]http.HandlerFunc{
		"message":           says(401, `{"error":{"message":`+string(quoted)+`}}`),
		"text":              says(401, echo),
		"cut":               says(401, long),
		"status 200":        says(200, `{"error":`+string(quoted)+`}`),
		"number":            says(200, `{"data":[{"index":`+string(quoted)+`}]}`),
		"redirect":          says(307, "", "Location", "http://"+secretKey+".example/?"+secretKey),
		"redirect no url":   says(307, "", "Location", "http://%zz"+secretKey),
		"malformed answer":  raw("HTTP/1.1 " + secretKey + " hunter22\r\n\r\n"),
		"malformed header":  raw("HTTP/1.1 200 OK\r\n" + secretKey + " hunter22\r\n\r\n"),
		"malformed length":  raw("HTTP/1.1 200 OK\r\nContent-Length: " + secretKey + "\r\n\r\n"),
		"retried":           says(503, echo),
		"malformed chunked": raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + secretKey + "\r\n"),
	}
	for name, h := range handlers {
		t.Run(name, func(t *testing.T) {
			s := serve(t, h)
			address := strings.Replace(s.URL, "http://", "http://usr7731:hunter22@", 1) + "/v1?api-key=abcdef123456&v=v2"
			var w waits
			_, err := NewOpenAI(address, "m", secretKey, RemoteOptions{Wait: w.wait}).Query(t.Context(), "a")
			if err == nil {
				t.Fatal("no error")
			}
			for _, secret := range []string{secretKey, secretKey[:5], "hunter22", basic, "abcdef123456", "usr7731"} {
				for _, text := range []string{err.Error(), fmt.Sprintf("%+v %#v", err, err)} {
					if strings.Contains(text, secret) {
						t.Errorf("%q is within %s", secret, text)
					}
				}
			}
			if !strings.HasPrefix(err.Error(), "openai:m at "+strings.TrimPrefix(s.URL, "http://")+": ") {
				t.Errorf("model or host missing: %v", err)
			}
		})
	}
}

// raw answers with bytes that need not be HTTP, and hangs up.
func raw(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			panic(err)
		}
		defer conn.Close()
		_, _ = io.WriteString(conn, text)
	}
}

func TestKeyThatNoHeaderCarries(t *testing.T) {
	s := serve(t, answer("openai"))
	_, err := NewOpenAI(s.URL, "m", "sk-one\nsk-two", RemoteOptions{}).Query(t.Context(), "a")
	if err == nil || strings.Contains(err.Error(), "sk-") || len(s.requests()) != 0 {
		t.Errorf("%v after %d requests", err, len(s.requests()))
	}
}

func TestRedirects(t *testing.T) {
	to := func(status int, url string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/there" {
				answer("openai")(w, r)
				return
			}
			http.Redirect(w, r, url, status)
		}
	}
	for _, status := range []int{301, 302, 303, 307, 308} {
		t.Run(fmt.Sprint("another host ", status), func(t *testing.T) {
			other := serve(t, answer("openai"))
			s := serve(t, to(status, other.URL+"/there"))
			_, err := client("openai", s.URL, RemoteOptions{}).Documents(t.Context(), []string{"private"})
			if len(other.requests()) != 0 {
				t.Errorf("the other server was sent %+v", other.requests())
			}
			if err == nil || !strings.Contains(err.Error(), fmt.Sprint(status)) || !strings.Contains(err.Error(), other.URL+", which is not followed") {
				t.Error(err)
			}
			if len(s.requests()) != 1 {
				t.Errorf("%d requests", len(s.requests()))
			}
		})
	}
	t.Run("same host", func(t *testing.T) {
		s := serve(t, to(307, "/there"))
		v, err := client("openai", s.URL, RemoteOptions{}).Query(t.Context(), "four")
		if err != nil || !near(v[0], .6) {
			t.Fatal(v, err)
		}
		last := s.requests()[1]
		if last.Path != "/there" || last.Authorization != "Bearer "+secretKey || last.Input[0] != "four" {
			t.Errorf("sent %+v", last)
		}
	})
	t.Run("same host as a GET", func(t *testing.T) {
		s := serve(t, to(301, "/there"))
		_, err := client("openai", s.URL, RemoteOptions{}).Query(t.Context(), "four")
		if err == nil || len(s.requests()) != 1 {
			t.Errorf("%v after %d requests", err, len(s.requests()))
		}
	})
	t.Run("round in circles", func(t *testing.T) {
		s := serve(t, to(307, "/here"))
		_, err := client("openai", s.URL, RemoteOptions{}).Query(t.Context(), "four")
		if err == nil || len(s.requests()) != 6 {
			t.Errorf("%v after %d requests", err, len(s.requests()))
		}
	})
}

func TestSameServer(t *testing.T) {
	tests := []struct {
		name, from, to string
		follow         bool
	}{
		{"same", "https://h.example/v1/embeddings", "https://H.example/v2/embeddings", true},
		{"other host", "https://h.example/", "https://g.example/", false},
		{"subdomain, to which clients send the key", "https://h.example/", "https://x.h.example/", false},
		{"other port", "http://h:1/", "http://h:2/", false},
		{"without encryption", "https://h.example/", "http://h.example/", false},
	}
	for _, tt := range tests {
		from, _ := url.Parse(tt.from)
		to, _ := url.Parse(tt.to)
		err := sameServer(&http.Request{Method: "POST", URL: to}, []*http.Request{{Method: "POST", URL: from}})
		if (err == nil) != tt.follow {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

// A caller's client may follow redirects as it likes; the copy does not.
func TestRedirectRuleOfTheCallerIsNotUsed(t *testing.T) {
	other := serve(t, answer("openai"))
	s := serve(t, says(307, "", "Location", other.URL))
	theirs := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return nil }}
	if _, err := client("openai", s.URL, RemoteOptions{HTTP: theirs}).Query(t.Context(), "a"); err == nil || len(other.requests()) != 0 {
		t.Errorf("%v, and the other server has %d requests", err, len(other.requests()))
	}
	if theirs.CheckRedirect(nil, nil) != nil {
		t.Error("the client of the caller was changed")
	}
}

func TestCredentialsOfTheURLAreSent(t *testing.T) {
	var user, password string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, password, _ = r.BasicAuth()
		answer("ollama")(w, r)
	}))
	defer s.Close()
	address := strings.Replace(s.URL, "http://", "http://usr7731:hunter22@", 1)
	if _, err := NewOllama(address, "m", RemoteOptions{}).Query(t.Context(), "a"); err != nil || user != "usr7731" || password != "hunter22" {
		t.Errorf("%v; sent %q %q", err, user, password)
	}
}

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
