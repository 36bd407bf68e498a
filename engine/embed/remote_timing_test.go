package embed

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

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

func TestNobodyAccepts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &pipes{conns: make(chan net.Conn)}
		transport := &http.Transport{DialContext: p.dial}
		defer transport.CloseIdleConnections() // the transport itself goes on to connect
		c := NewOllama("http://h", "m", RemoteOptions{HTTP: &http.Client{Transport: transport}})
		start := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		_, err := c.Query(ctx, "a")
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 300*time.Millisecond {
			t.Errorf("%v after %v", err, time.Since(start))
		}
	})
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

func TestRetryTakesItsTime(t *testing.T) {
	tries := 0
	busy := func(w http.ResponseWriter, r *http.Request) {
		if tries++; tries < 3 {
			says(429, "busy", "Retry-After", "2")(w, r)
			return
		}
		answer("ollama")(w, r)
	}
	bubble(t, RemoteOptions{}, busy, func(t *testing.T, c *RemoteClient) {
		start := time.Now()
		_, err := c.Query(t.Context(), "four")
		if took := time.Since(start); err != nil || took != 4*time.Second {
			t.Errorf("%v after %v, want two waits of 2s", err, took)
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
