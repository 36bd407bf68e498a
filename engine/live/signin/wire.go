package signin

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"
)

// longestAnswer bounds an answer of an authorization server, in bytes.
const longestAnswer = 1 << 20

// wire carries the requests of a sign-in, and knows what may be said of their answers.
//
// SECURITY: a server names the addresses that are asked for its sign-in. One elsewhere
// must not have this machine's own services asked, nor a code sent in the clear. A value that is
// posted (a code with its verifier, a token that renews, a secret) is for the address that
// it was posted to, and follows no redirect to another.
type wire struct {
	base  http.RoundTripper
	local bool            // the server is on this machine, and so may the others be
	ctx   context.Context // of the sign-in, for requests that a library makes without it; may be nil

	mu     sync.Mutex
	posted bool   // something that may be repeated in an answer has been sent
	host   string // of the last request
	status int    // of its answer; 0: none
	fault  error  // why the last request was refused
}

// newWire returns the wire of a server, and the client c that goes over it.
func newWire(c *http.Client, server string) (*wire, *http.Client) {
	over := &http.Client{}
	if c != nil {
		*over = *c
	}
	w := &wire{base: over.Transport, local: isLocal(server)}
	if w.base == nil {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.Proxy = nil // the environment is not ours to read
		w.base = t
	}
	over.Transport = w
	return w, over
}

// RoundTrip sends a request.
func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	w.mu.Lock()
	w.host, w.status, w.posted = r.URL.Host, 0, w.posted || r.Method == http.MethodPost
	fault := w.refuses(r)
	w.fault = fault
	w.mu.Unlock()
	if fault != nil {
		return nil, fault
	}
	if w.ctx != nil && r.Context().Done() == nil { // golang.org/x/oauth2 0.38 asks for the code of a device so
		r = r.WithContext(w.ctx)
	}
	answer, err := w.base.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	w.status = answer.StatusCode
	w.mu.Unlock()
	answer.Body = struct {
		io.Reader
		io.Closer
	}{io.LimitReader(answer.Body, longestAnswer), answer.Body}
	return answer, nil
}

// refuses returns why a request is not sent; nil for one that is.
func (w *wire) refuses(r *http.Request) error {
	for by := r.Response; by != nil; by = by.Request.Response {
		if from := by.Request; from.Method != http.MethodGet && (from.URL.Scheme != r.URL.Scheme || from.URL.Host != r.URL.Host) {
			return fmt.Errorf("%s %w", from.URL.Host, ErrSentOn)
		}
	}
	if !isSafe(r.URL.String(), w.local) {
		return fmt.Errorf("%s://%s is %w", r.URL.Scheme, r.URL.Host, ErrUnsafe)
	}
	return nil
}

// knownCodes are the error codes of OAuth that are repeated to the user: from RFC 6749
// (sections 4.1.2.1 and 5.2), RFC 7591 (section 3.2.2), RFC 8628 (section 3.5) and
// RFC 8707 (section 2).
var knownCodes = map[string]bool{
	"invalid_request": true, "invalid_client": true, "invalid_grant": true, "unauthorized_client": true,
	"unsupported_grant_type": true, "invalid_scope": true, "access_denied": true, "unsupported_response_type": true,
	"server_error": true, "temporarily_unavailable": true,
	"invalid_redirect_uri": true, "invalid_client_metadata": true, "invalid_software_statement": true, "unapproved_software_statement": true,
	"authorization_pending": true, "slow_down": true, "expired_token": true,
	"invalid_target": true,
}

// explain returns why a sign-in failed.
//
// SECURITY: once something has been posted, an answer may repeat it, or hold a secret
// itself. Only its status and a code that OAuth knows are said then: neither free text,
// nor a code of the server's own, nor the address of a redirect.
func (w *wire) explain(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	var code string
	var answer *oauth2.RetrieveError
	var registering *oauthex.ClientRegistrationError
	var dialed *net.OpError
	var distrusted *tls.CertificateVerificationError
	switch {
	case errors.Is(err, ErrDenied), errors.Is(err, ErrNoDevice), errors.Is(err, ErrNoRegister):
		return err
	case w.fault != nil:
		return fmt.Errorf("signing in: %w", w.fault)
	case errors.Is(err, ErrUnsafe): // of the address for the browser
		return err
	case errors.As(err, &answer):
		code = answer.ErrorCode
	case errors.As(err, &registering):
		code = registering.ErrorCode
	case !w.posted:
		return fmt.Errorf("signing in: %w", err)
	}
	switch {
	case code == "access_denied":
		return ErrDenied
	case code == "expired_token":
		return ErrExpired
	case errors.Is(err, context.DeadlineExceeded): // ctx's own has not passed
		return fmt.Errorf("signing in: %s did not answer in time", w.host)
	case knownCodes[code]:
		return fmt.Errorf("signing in: the authorization server answered %q", code)
	case errors.As(err, &dialed):
		return fmt.Errorf("signing in: %w", dialed)
	case errors.As(err, &distrusted):
		return fmt.Errorf("signing in: %s: %w", w.host, distrusted)
	case w.status >= http.StatusBadRequest:
		return fmt.Errorf("signing in: %s answered %d", w.host, w.status)
	}
	return fmt.Errorf("signing in: what %s answered is not as OAuth has it", w.host)
}
