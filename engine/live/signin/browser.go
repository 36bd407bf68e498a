package signin

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
)

// callbackPath is the path that the browser comes back to.
const callbackPath = "/callback"

// longestRequest bounds how long a browser may take for its one request.
const longestRequest = 10 * time.Second

// browser waits at an address of this machine for the user's browser to come back.
type browser struct {
	listener net.Listener
	server   *http.Server
	answers  chan outcome // has room for one
	state    string
}

// outcome is the answer that the browser came back with.
type outcome struct {
	result auth.AuthorizationResult
	err    error
}

// listenForBrowser begins to listen.
//
// SECURITY: on the loopback interface alone, at a port that the system chooses (RFC 8252,
// section 7.3).
func listenForBrowser() (*browser, error) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("waiting for the browser: %w", err)
	}
	return &browser{listener: l, answers: make(chan outcome, 1)}, nil
}

// address returns where the browser is sent back to.
func (b *browser) address() string { return "http://" + b.listener.Addr().String() + callbackPath }

// lastPage bounds how long the browser may take for the last page.
const lastPage = time.Second

// close ends the listening, once the browser has its page: it is written behind the outcome.
func (b *browser) close() {
	if b.server != nil {
		ctx, cancel := context.WithTimeout(context.Background(), lastPage) // the sign-in's own may have ended
		defer cancel()
		if b.server.Shutdown(ctx) != nil {
			_ = b.server.Close() // there is nothing left to do about an error
		}
	}
	_ = b.listener.Close() // closed already by the server, if there is one
}

// ask shows the address at which the user consents, and returns the browser's answer.
func (b *browser) ask(ctx context.Context, address string, show func(Step)) (*auth.AuthorizationResult, error) {
	u, err := url.Parse(address)
	// SECURITY: what a server names is opened by the user's browser. An address of
	// another scheme could start a program.
	if err != nil || !isSafe(address, true) {
		return nil, fmt.Errorf("the address to sign in at is %w", ErrUnsafe)
	}
	b.state = u.Query().Get("state")
	b.server = &http.Server{Handler: b, ReadTimeout: longestRequest, WriteTimeout: longestRequest}
	go func() { _ = b.server.Serve(b.listener) }() // ends with close
	show(Step{Address: address})
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case o := <-b.answers:
		return &o.result, o.err
	}
}

// ServeHTTP takes the browser's request. The first with the right state is the answer.
func (b *browser) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	// SECURITY: any page can send the browser here. Without the state, which only the
	// authorization server was given, that is no answer.
	if r.URL.Path != callbackPath || subtle.ConstantTimeCompare([]byte(q.Get("state")), []byte(b.state)) != 1 {
		http.NotFound(w, r)
		return
	}
	o := outcome{result: auth.AuthorizationResult{Code: q.Get("code"), State: q.Get("state"), Iss: q.Get("iss")}}
	text := "You are signed in. caliper goes on; this page can be closed."
	if code := q.Get("error"); code != "" || o.result.Code == "" {
		o.err = ErrDenied
		if knownCodes[code] && code != "access_denied" {
			o.err = fmt.Errorf("%w: the authorization server answered %q", ErrDenied, code)
		}
		text = "The sign-in was denied. This page can be closed."
	}
	select {
	case b.answers <- o:
	default: // it has come already
		text = "This sign-in is over. The page can be closed."
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Referrer-Policy", "no-referrer") // the address has the code
	if _, err := io.WriteString(w, text); err != nil && !errors.Is(err, http.ErrHandlerTimeout) {
		return // the browser has gone; its answer is here
	}
}
