package embed

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
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
		{"too many seconds", "31", "", 30 * time.Second},
		{"seconds that overflow", "18446744073709551615", "", 30 * time.Second},
		{"more digits than fit", "99999999999999999999", "", 0},
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
