package live

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"caliper/engine/live/signin"
)

// goodbye bounds the request that ends a session, which no answer matters to.
const goodbye = time.Second

// guard is the way of every request to a remote server. It adds headers, and bounds both sides.
type guard struct {
	base    http.RoundTripper
	own     bool // base was made here
	server  *url.URL
	headers []pair
	most    int64 // bytes of an answer that is no event stream
	calls   bool  // calls are let through
	address string
	token   func(ctx context.Context, address string) (string, error) // see Options.Token; may be nil

	mu     sync.Mutex
	params map[string][]paramHeader // of the tools that were listed last
	given  []string                 // tokens that the server was given
	status int                      // of the last answer, if it was an error
	well   bool                     // an answer was no error
	fault  error                    // why a request was refused, or an answer cut
	broken error                    // why the last request found no answer
}

// newGuard returns the client to use for a server, and its guard.
func newGuard(base *http.Client, h *hidden, most int64) (*http.Client, *guard, error) {
	u, err := url.Parse(h.url)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, nil, fmt.Errorf("not an http or https address: %s", plain(withoutSecrets(h.url)))
	}
	client := &http.Client{}
	if base != nil {
		*client = *base
	}
	g := &guard{base: client.Transport, server: u, headers: h.headers, most: most, address: h.url}
	if g.base == nil {
		g.base, g.own = &http.Transport{IdleConnTimeout: goodbye}, true // without a proxy: the environment is not ours to read
	}
	client.Transport = g
	return client, g, nil
}

// RoundTrip sends a request.
func (g *guard) RoundTrip(r *http.Request) (*http.Response, error) {
	// SECURITY: headers hold keys, so no redirect and no endpoint that the
	// server names leads them to another host or out of TLS.
	if r.URL.Host != g.server.Host || r.URL.Scheme != g.server.Scheme {
		return nil, g.refuse(fmt.Errorf("%w: %s", ErrOtherHost, plain(r.URL.Host)))
	}
	ctx := r.Context()
	if r.Method == http.MethodDelete {
		var cancel context.CancelFunc
		ctx, cancel = context.WithCancel(ctx)
		time.AfterFunc(goodbye, cancel)
	}
	out := r.Clone(ctx)
	if r.Method == http.MethodPost && r.Body != nil {
		data, err := io.ReadAll(r.Body)
		_ = r.Body.Close() // read to the end
		if err != nil {
			return nil, err
		}
		if data, err = outgoing(data, g.calls); err != nil {
			return nil, g.refuse(err)
		}
		if data == nil {
			return &http.Response{Status: "202 Accepted", StatusCode: http.StatusAccepted, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
				Header: http.Header{}, Body: http.NoBody, Request: r}, nil
		}
		g.mu.Lock()
		params := g.params
		g.mu.Unlock()
		// The SDK's headers name the methods of our own.
		switch out.Header.Get(methodHeader) {
		case ownMethod:
			out.Header.Set(methodHeader, listMethod)
		case ownCallMethod:
			out.Header.Set(methodHeader, callMethod)
			var m struct{ Params struct{ Name string } }
			if json.Unmarshal(data, &m) == nil {
				out.Header.Set(nameHeader, m.Params.Name)
				setParamHeaders(out.Header, params[m.Params.Name], data)
			}
		}
		out.Body, out.ContentLength, out.GetBody = io.NopCloser(bytes.NewReader(data)), int64(len(data)), nil
	}
	for _, h := range g.headers {
		out.Header.Set(h.name, h.value)
	}
	if err := g.authorize(ctx, out.Header); err != nil {
		return nil, g.refuse(err)
	}
	resp, err := g.base.RoundTrip(out)
	g.mu.Lock()
	g.broken = err
	g.mu.Unlock()
	if err != nil {
		return nil, err
	}
	if f, ok := r.Context().Value(fateKey{}).(*fate); ok {
		f.status.Store(int64(resp.StatusCode))
	}
	// Neither a goodbye's answer nor that of the stream of events tells how the server does.
	if status := resp.StatusCode; r.Method != http.MethodDelete && (r.Method != http.MethodGet || status >= 400 && status != http.StatusMethodNotAllowed) {
		if status < 400 {
			status = 0
		}
		g.mu.Lock()
		g.status, g.well = status, g.well || status == 0
		g.mu.Unlock()
	}
	look, most := new(eventInspector).inspect, int64(math.MaxInt64) // the SDK bounds events
	if t, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); t != "text/event-stream" {
		look, most = new(inspector).inspect, g.most
	}
	resp.Body = &inspected{resp.Body, look, most, g}
	return resp, nil
}

// authorize adds the token of the user's sign-in, unless the configuration has one.
func (g *guard) authorize(ctx context.Context, h http.Header) error {
	if g.token == nil || h.Get("Authorization") != "" {
		return nil
	}
	token, err := g.token(ctx, g.address)
	if err != nil {
		return fmt.Errorf("%w: its sign-in does not hold any more: %w", ErrNoAccess, err)
	}
	if token == "" {
		return nil
	}
	h.Set("Authorization", "Bearer "+token)
	g.mu.Lock()
	defer g.mu.Unlock()
	if !slices.Contains(g.given, token) {
		g.given = append(g.given, token)
	}
	return nil
}

// tokens returns the tokens that the server was given.
func (g *guard) tokens() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.given)
}

// refuse remembers the first reason for which something was refused.
func (g *guard) refuse(err error) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.fault == nil {
		g.fault = err
	}
	return err
}

// failure returns the status of a last answer that was an error, what was refused, and why there
// was no answer.
func (g *guard) failure() (status int, fault, broken error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.status, g.fault, g.broken
}

// SignIn signs the user in to a server. The server's variables must have been expanded. A
// child needs none, which is an error. The error is an *Error.
//
// SECURITY: the address may hold a secret, and leaves this package for the flow alone.
func SignIn(ctx context.Context, s Server, f signin.Flow) error {
	address, err := s.address()
	if err == nil {
		err = f.SignIn(ctx, address)
	}
	if err != nil {
		r := newRedactor(nil)
		if s.hidden != nil {
			r = newRedactor(s.hidden().secrets)
		}
		return &Error{Server: s.Name, Stage: SigningIn, Err: cleaned{clip(r.message(err.Error()), longestAnswer), err}}
	}
	return nil
}

// SignOut deletes what a sign-in to a server gave. It reports whether there was anything.
func SignOut(s Server, k *signin.Keeper) (bool, error) {
	address, err := s.address()
	if err != nil {
		return false, &Error{Server: s.Name, Stage: SigningIn, Err: err}
	}
	return k.Forget(address)
}

// address returns the address of a remote server.
func (s Server) address() (string, error) {
	if s.hidden == nil || !s.hidden().expanded || s.Transport == StdioTransport {
		return "", errors.New("only a server that is reached over HTTP has a sign-in")
	}
	return s.hidden().url, nil
}
