package embed

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// The bytes read of an answer. A number takes about 12 bytes and rarely more
// than 25, so that a vector of 8,192 fits what one text is allowed.
const (
	bodyBase    = 64 << 10
	bodyPerText = 512 << 10
	bodyMost    = 64 << 20
	errorBody   = 64 << 10 // of an answer that only explains an error
)

// connectTime is how long a server may take to accept a connection, and again
// to agree on its encryption.
const connectTime = 10 * time.Second

// maxRedirects is how often a server may send a request elsewhere within itself.
const maxRedirects = 5

// guarded returns a copy of h, or a new client, that sends requests to one server
// only.
//
// SECURITY: a redirect to another server is not followed. It would take along
// the texts, and, from https to http or to a subdomain, the key. Nor is one that
// makes the POST a GET, whose answer is of no use.
func guarded(h *http.Client) *http.Client {
	var copied http.Client
	if h != nil {
		copied = *h
	} else {
		copied.Transport = &http.Transport{
			// The transport goes on to connect after the request that wanted it
			// was cancelled; this is where that ends.
			DialContext:         (&net.Dialer{Timeout: connectTime}).DialContext,
			TLSHandshakeTimeout: connectTime,
			MaxIdleConnsPerHost: 2,
			IdleConnTimeout:     30 * time.Second,
			ForceAttemptHTTP2:   true,
		}
	}
	copied.Timeout = 0
	copied.CheckRedirect = sameServer
	return &copied
}

func sameServer(next *http.Request, via []*http.Request) error {
	first := via[0]
	if len(via) > maxRedirects || next.Method != first.Method ||
		next.URL.Scheme != first.URL.Scheme || !strings.EqualFold(next.URL.Host, first.URL.Host) {
		return http.ErrUseLastResponse
	}
	return nil
}

// exchange sends one request and returns the body of a good answer. Any other
// is a *refusal, or the error of ctx.
func (c *RemoteClient) exchange(ctx context.Context, payload []byte, texts int) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.endpoint.String(), bytes.NewReader(payload))
	if err != nil {
		return nil, &refusal{text: "the url cannot be requested"}
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", "caliper")
	// Lets the transport send again, at once, what it sent over a connection
	// that the server had closed meanwhile. An empty list is not itself sent.
	request.Header["Idempotency-Key"] = []string{}
	c.authorize(request.Header)

	response, err := c.http.Do(request)
	if err != nil {
		return nil, c.broken(ctx, err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, c.refused(response)
	}
	limit := int64(min(bodyMost, bodyBase+bodyPerText*texts))
	body, err := io.ReadAll(io.LimitReader(response.Body, limit+1))
	switch {
	case err != nil && ctx.Err() == nil:
		return nil, &refusal{
			text: fmt.Sprintf("the answer broke off after %d bytes: %s", len(body), c.quote(err.Error())), again: true,
		}
	case err != nil:
		return nil, ctx.Err()
	case int64(len(body)) > limit:
		return nil, &refusal{text: fmt.Sprintf("the answer has more than %d bytes", limit)}
	}
	return body, nil
}

// broken returns the reason why there is no answer.
//
// SECURITY: an error of the client quotes the whole url. Only what it wraps is
// used.
func (c *RemoteClient) broken(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var outer *url.Error
	if errors.As(err, &outer) {
		err = outer.Err
	}
	var (
		certificate *tls.CertificateVerificationError
		name        *net.DNSError
		number      syscall.Errno
	)
	hopeless := errors.As(err, &certificate) || errors.Is(err, http.ErrSchemeMismatch) ||
		errors.As(err, &name) && name.IsNotFound
	r := &refusal{text: c.quote(err.Error()), again: !hopeless}
	if errors.As(err, &number) {
		r.cause = number
	}
	return r
}

// The waits before another try: below firstWait before the second, twice that
// before the third, and so on to lastWait. A server may ask for longer, up to
// askedWait.
const (
	firstWait = 200 * time.Millisecond
	lastWait  = 5 * time.Second
	askedWait = 30 * time.Second
)

// ask sends a request until it has an answer, an error that stays, or no tries
// left: while the server says that it loads its model, there are as many as wakeTime has
// room for. Tries of a limited request last Options.Timeout each; one that used it
// up is the last, since the next would as well.
func (c *RemoteClient) ask(ctx context.Context, input []string, limited bool) ([]byte, error) {
	request := map[string]any{"model": c.identity.Model, "input": input}
	maps.Copy(request, c.dialect.request)
	payload, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	for try := 0; ; try++ {
		body, err := c.try(ctx, payload, len(input), limited)
		var r *refusal
		if !errors.As(err, &r) || !r.again {
			return body, err
		}
		if loads := r.cause == ErrWaking && time.Since(began) < wakeTime; try >= c.options.Retries && !loads {
			if try > 0 {
				r.text += fmt.Sprintf(" (%d tries)", try+1)
			}
			return nil, r
		}
		d := max(r.after, c.jitter(min(lastWait, firstWait<<min(try, 10))))
		if end, ok := ctx.Deadline(); ok && time.Until(end) <= d {
			r.text += " (no time for another try)"
			return nil, r
		}
		if err := c.options.Wait(ctx, d); err != nil {
			return nil, fmt.Errorf("%w, after: %s", err, r.text)
		}
	}
}

// try sends a request once.
func (c *RemoteClient) try(ctx context.Context, payload []byte, texts int, limited bool) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !limited {
		return c.exchange(ctx, payload, texts)
	}
	bounded, cancel := context.WithTimeout(ctx, c.options.Timeout)
	defer cancel()
	body, err := c.exchange(bounded, payload, texts)
	if err != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		return nil, &refusal{text: fmt.Sprintf("no answer within %v", c.options.Timeout), cause: context.DeadlineExceeded}
	}
	return body, err
}

func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// retryAfter returns the wait that a server asks for, askedWait at most, and 0
// when it asks for none. A date counts from the server's own, so that the
// clocks need not agree; without that it is ignored. See RFC 9110, 10.2.3.
func retryAfter(h http.Header) time.Duration {
	value := h.Get("Retry-After")
	if seconds, err := strconv.ParseUint(value, 10, 64); err == nil {
		return time.Duration(min(seconds, uint64(askedWait/time.Second))) * time.Second
	}
	then, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	now, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		return 0
	}
	return min(max(then.Sub(now), 0), askedWait)
}
