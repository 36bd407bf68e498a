package embed

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"caliper/model/require"
)

// whole makes the jitter of c its limit, so that waits can be compared.
func whole(c *RemoteClient) *RemoteClient {
	c.jitter = func(limit time.Duration) time.Duration { return limit }
	return c
}

func TestRetriesThenFine(t *testing.T) {
	const date = "Sun, 06 Nov 1994 08:49:37 GMT"
	tests := []struct {
		name  string
		first []http.HandlerFunc
		waits []time.Duration
	}{
		{"500", []http.HandlerFunc{says(500, "x")}, []time.Duration{200 * time.Millisecond}},
		{"502 and 503", []http.HandlerFunc{says(502, "x"), says(503, "x")}, []time.Duration{200 * time.Millisecond, 400 * time.Millisecond}},
		{"429 with seconds", []http.HandlerFunc{says(429, "x", "Retry-After", "7")}, []time.Duration{7 * time.Second}},
		{"429 with less than the backoff", []http.HandlerFunc{says(429, "x", "Retry-After", "0")}, []time.Duration{200 * time.Millisecond}},
		{"503 with a date", []http.HandlerFunc{says(503, "x", "Date", date, "Retry-After", "Sun, 06 Nov 1994 08:49:42 GMT")}, []time.Duration{5 * time.Second}},
		{"429 with an hour", []http.HandlerFunc{says(429, "x", "Retry-After", "3600")}, []time.Duration{30 * time.Second}},
		{"connection lost before the answer", []http.HandlerFunc{func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }}, nil},
		{"answer broken off", []http.HandlerFunc{cut}, nil},
	}
	for _, tt := range tests {
		for _, provider := range providers {
			t.Run(tt.name+" "+provider, func(t *testing.T) {
				s := serve(t, append(slices.Clone(tt.first), answer(provider))...)
				var w waits
				c := whole(client(provider, s.URL, RemoteOptions{Wait: w.wait}))
				v, err := c.Documents(t.Context(), []string{"four"})
				if err != nil || !near(v[0][0], .6) {
					t.Fatalf("got %v, %v", v, err)
				}
				if tt.waits != nil && !slices.Equal(w.list, tt.waits) {
					t.Errorf("waited %v, want %v", w.list, tt.waits)
				}
				all := s.requests()
				for _, a := range all {
					if !slices.Equal(a.Input, all[0].Input) || a.Authorization != all[0].Authorization {
						t.Errorf("a retry sent %+v after %+v", a, all[0])
					}
				}
			})
		}
	}
}

func TestRetryCounts(t *testing.T) {
	for retries, want := range map[int]int{-1: 1, 0: 3, 1: 2, 70: 71} {
		s := serve(t, says(503, ""))
		var w waits
		_, err := whole(client("ollama", s.URL, RemoteOptions{Retries: retries, Wait: w.wait})).Query(t.Context(), "a")
		if n := len(s.requests()); err == nil || n != want {
			t.Errorf("Retries %d: %d requests, want %d (%v)", retries, n, want, err)
		}
		for i, d := range w.list {
			if i >= 5 && d != lastWait {
				t.Errorf("wait %d is %v", i, d)
			}
		}
	}
}

func TestRetryAfter(t *testing.T) {
	const date = "Sun, 06 Nov 1994 08:49:37 GMT"
	tests := []struct {
		name, after, date string
		want              time.Duration
	}{
		{"none", "", date, 0},
		{"seconds", "3", "", 3 * time.Second},
		{"seconds that overflow", "18446744073709551615", "", 30 * time.Second},
		{"negative", "-3", "", 0},
		{"words", "soon", "", 0},
		{"date", "Sun, 06 Nov 1994 08:49:39 GMT", date, 2 * time.Second},
		{"date long past", "Sun, 06 Nov 1974 08:49:39 GMT", date, 0},
		{"date far ahead", "Sun, 06 Nov 2094 08:49:39 GMT", date, 30 * time.Second},
		{"date without one to count from", "Sun, 06 Nov 1994 08:49:39 GMT", "", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := http.Header{"Retry-After": {tt.after}, "Date": {tt.date}}
			if got := retryAfter(h); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestCancelledWhileWaiting(t *testing.T) {
	s := serve(t, says(503, "busy"))
	ctx, cancel := context.WithCancel(t.Context())
	c := client("ollama", s.URL, RemoteOptions{Wait: func(ctx context.Context, _ time.Duration) error {
		cancel()
		return wait(ctx, time.Hour)
	}})
	_, err := c.Documents(ctx, []string{"a"})
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "503 Service Unavailable: busy") {
		t.Error(err)
	}
	if n := len(s.requests()); n != 1 {
		t.Errorf("%d requests", n)
	}
}

func TestCancelledBefore(t *testing.T) {
	s := serve(t, answer("ollama"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := client("ollama", s.URL, RemoteOptions{}).Query(ctx, "a")
	if !errors.Is(err, context.Canceled) || len(s.requests()) != 0 {
		t.Errorf("%v with %d requests", err, len(s.requests()))
	}
}

func TestCancelledWhileAsking(t *testing.T) {
	for name, start := range map[string]string{"before the answer": "", "within the answer": `{"embeddings":[[1`} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if start != "" {
					_, _ = w.Write([]byte(start))
					_ = http.NewResponseController(w).Flush()
				}
				cancel()
				<-r.Context().Done() // the client hangs up; else the server never closes
			})
			_, err := client("ollama", s.URL, RemoteOptions{}).Documents(ctx, []string{"a"})
			if !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
	}
}

// pipes connects a client and an HTTP server without a network, so that both
// live within a synctest bubble: its clock moves when all wait, and it fails
// when a goroutine outlives the test.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { close(p.closed); return nil }
func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case p.conns <- theirs:
		return ours, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// bubble runs f with a client of a server on the bubble's clock.
func bubble(t *testing.T, o RemoteOptions, h http.HandlerFunc, f func(t *testing.T, c *RemoteClient)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		p := &pipes{conns: make(chan net.Conn), closed: make(chan struct{})}
		s := &http.Server{Handler: h}
		go func() { _ = s.Serve(p) }()
		transport := &http.Transport{DialContext: p.dial}
		o.HTTP = &http.Client{Transport: transport, Timeout: time.Millisecond} // a timeout that must not count
		f(t, whole(NewOllama("http://h", "m", o)))
		transport.CloseIdleConnections()
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := s.Shutdown(ctx); err != nil {
			t.Errorf("a request was left hanging: %v", err)
			_ = s.Close()
		}
	})
}

// mute reads a request and never answers it.
func mute(_ http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body) // only then the server looks whether the client is there
	<-r.Context().Done()
}

// stuck begins an answer and never ends it.
func stuck(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	_, _ = w.Write([]byte(`{"embeddings":[[1`))
	_ = http.NewResponseController(w).Flush()
	<-r.Context().Done()
}

// late answers well, but after d.
func late(d time.Duration) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		_ = wait(r.Context(), d)
		answer("ollama")(w, r)
	}
}

func TestNeverAnswers(t *testing.T) {
	for name, h := range map[string]http.HandlerFunc{"mute": mute, "stuck": stuck} {
		t.Run("query "+name, func(t *testing.T) {
			bubble(t, RemoteOptions{}, h, func(t *testing.T, c *RemoteClient) {
				start := time.Now()
				ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
				defer cancel()
				_, err := c.Query(ctx, "a")
				if !errors.Is(err, context.DeadlineExceeded) || err.Error() != "ollama:m at h: context deadline exceeded" {
					t.Error(err)
				}
				if took := time.Since(start); took != 300*time.Millisecond {
					t.Errorf("took %v of the 300ms it had", took)
				}
			})
		})
		t.Run("documents "+name, func(t *testing.T) {
			bubble(t, RemoteOptions{}, h, func(t *testing.T, c *RemoteClient) {
				start := time.Now()
				_, err := c.Documents(t.Context(), []string{"a"})
				if !errors.Is(err, context.DeadlineExceeded) || !strings.HasSuffix(err.Error(), ": no answer within 30s") {
					t.Error(err)
				}
				if took := time.Since(start); took != 30*time.Second {
					t.Errorf("took %v, want the timeout once", took)
				}
			})
		})
	}
}

func TestSlowQueryHasItsContextOnly(t *testing.T) {
	slow := late(time.Hour)
	bubble(t, RemoteOptions{Timeout: time.Second}, slow, func(t *testing.T, c *RemoteClient) {
		if v, err := c.Query(t.Context(), "four"); err != nil || !near(v[0], .6) {
			t.Errorf("got %v, %v", v, err)
		}
		if _, err := c.Documents(t.Context(), []string{"a"}); err == nil || !strings.HasSuffix(err.Error(), "no answer within 1s") {
			t.Error(err)
		}
	})
}

func TestSlowDocumentsWithinTheTimeout(t *testing.T) {
	slow := late(29 * time.Second)
	bubble(t, RemoteOptions{Batch: 1}, slow, func(t *testing.T, c *RemoteClient) {
		if _, err := c.Documents(t.Context(), []string{"a", "b", "c"}); err != nil {
			t.Errorf("each of three requests was in time: %v", err)
		}
	})
}

func TestRetryThatWouldBeTooLate(t *testing.T) {
	bubble(t, RemoteOptions{}, says(503, "busy"), func(t *testing.T, c *RemoteClient) {
		start := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		_, err := c.Query(ctx, "a")
		if err == nil || !strings.HasSuffix(err.Error(), "busy (no time for another try)") {
			t.Error(err)
		}
		if took := time.Since(start); took != firstWait {
			t.Errorf("took %v: one retry fits, and the next is not waited for", took)
		}
	})
}

func TestDecodersProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(1, 6).Draw(t, "dimension")
		number := rapid.Float32().Filter(func(f float32) bool { return !math.IsInf(float64(f), 0) && f == f })
		vectors := rapid.SliceOfN(rapid.SliceOfN(number, size, size), 1, 9).Draw(t, "vectors")
		order := rapid.Permutation(indices(len(vectors))).Draw(t, "order")

		plain, _ := json.MarshalIndent(map[string]any{"embeddings": vectors}, "", "\t")
		var entries []string
		for _, i := range order {
			v, _ := json.Marshal(vectors[i])
			entries = append(entries, fmt.Sprintf(`{"embedding": %s, "index": %d}`, v, i))
		}
		indexed := `{"object":"list","data":[` + strings.Join(entries, ",") + `]}`

		a, err := decodeOllama(plain, len(vectors))
		require.NoError(t, err)
		b, err := decodeOpenAI([]byte(indexed), len(vectors))
		require.NoError(t, err)
		for i, v := range vectors {
			if !slices.Equal(v, a[i]) || !slices.Equal(v, b[i]) {
				t.Fatalf("vector %d: sent %v, read %v and %v", i, v, a[i], b[i])
			}
		}
		for _, v := range a {
			zero := !slices.ContainsFunc(v, func(x float32) bool { return x != 0 })
			v = unit(v)
			if l := length(v); !zero && math.Abs(l-1) > 1e-5 || zero && l != 0 {
				t.Fatalf("length %v of %v", l, v)
			}
		}
	})
}

func indices(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

func length(v []float32) float64 {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	return math.Sqrt(sum)
}

func TestServerError(t *testing.T) {
	tests := []struct{ body, want string }{
		{`{"error":"a"}`, "a"},
		{`{"error":{"message":"b","code":1},"message":"z"}`, "b"},
		{`{"object":"error","message":"c"}`, "c"},
		{`{"detail":"d"}`, "d"},
		{`{"detail":[{"loc":1}]}`, ""},
		{`{"error":{"message":null}}`, ""},
		{`{"error":" "}`, ""},
		{`"error"`, ""},
		{`<error>`, ""},
	}
	for _, tt := range tests {
		if got, ok := serverError([]byte(tt.body)); got != tt.want || ok != (tt.want != "") {
			t.Errorf("%s: got %q, %v", tt.body, got, ok)
		}
	}
}

// FuzzAnswers feeds both decoders: whatever they accept has one vector for each
// text, none empty, of finite numbers, and survives being made of unit length.
func FuzzAnswers(f *testing.F) {
	for _, body := range []string{
		`{"embeddings":[[1,2],[3,4.5e-3]]}`, `{"embeddings":[null,[]]}`, `{"embeddings":[[1,null],[" ,1"]]}`,
		`{"data":[{"index":1,"embedding":[1]},{"index":0,"embedding":[-2]}]}`,
		`{"data":[{"index":0,"embedding":"AACAPw=="}],"data":[{},{}]}`,
		`{"error":"no"}`, `{"error":{"message":"no"}}`, `<html>`, ``, `{"embeddings":[[3.5e38],[1e-50]]}`,
	} {
		f.Add([]byte(body), 2)
	}
	f.Fuzz(func(t *testing.T, body []byte, n int) {
		n = 1 + max(n, -n-1)%8
		for name, decode := range map[string]func([]byte, int) ([]vector, error){"ollama": decodeOllama, "openai": decodeOpenAI} {
			vectors, err := decode(body, n)
			if err != nil {
				continue
			}
			if len(vectors) != n {
				t.Fatalf("%s: %d vectors for %d texts", name, len(vectors), n)
			}
			for _, v := range vectors {
				if len(v) == 0 {
					t.Fatalf("%s: an empty vector", name)
				}
				v = unit(v)
				if l := length(v); l != 0 && math.Abs(l-1) > 1e-3 || l != l {
					t.Fatalf("%s: length %v", name, l)
				}
			}
		}
		if text, ok := serverError(body); ok == (text == "") {
			t.Fatalf("message %q, %v", text, ok)
		}
		isMarkup(body)
	})
}
