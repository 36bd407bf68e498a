package serve

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// PathOf returns the path at which a session is served over HTTP.
func PathOf(session string) string { return "/mcp/" + url.PathEscape(session) }

// ShortestToken is the length in bytes that a token of a session must have: 16 random
// characters of base64 are 96 bits, which nobody guesses over a network.
const ShortestToken = 16

// NewToken returns a token that nobody can guess.
func NewToken() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// idleConnection is after which time without a request a client over HTTP is forgotten.
const idleConnection = 6 * time.Hour

// Handler returns the server over streamable HTTP (MCP 2025-11-25 and 2026-07-28,
// transports), the older revisions with a session for each client and the newer without. tokens
// has the bearer token of each session that may be reached; a session without one is not
// served. Where public is false only addresses of this machine are answered.
//
// SECURITY: a token opens the path of its own session alone, and an unknown path answers
// like a wrong token, so that nobody learns which sessions there are. Requests that a
// web page sends, or that reach this machine under another name, are refused.
func (s *Server) Handler(tokens map[string]string, public bool) http.Handler {
	sums := make(map[string][32]byte, len(tokens))
	for name, token := range tokens {
		sums[name] = sha256.Sum256([]byte(token))
	}
	of := func(r *http.Request) *mcp.Server {
		if x := s.session(sessionOf(r.URL)); x != nil {
			return x.mcp
		}
		return nil
	}
	streams := mcp.NewStreamableHTTPHandler(of, &mcp.StreamableHTTPOptions{SessionTimeout: idleConnection, DisableLocalhostProtection: public})
	single := mcp.NewStreamableHTTPHandler(of, &mcp.StreamableHTTPOptions{Stateless: true, PropagateRequestCancellation: true, DisableLocalhostProtection: public})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := sessionOf(r.URL)
		want, known := sums[name]
		if !public && !local(r.Host) {
			s.refuse(w, r, known, codeForeignHost)
			return
		}
		if origin := r.Header.Get("Origin"); origin != "" {
			if u, err := url.Parse(origin); err != nil || u.Host == "" || u.Host != r.Host {
				s.refuse(w, r, known, codeForeignPage)
				return
			}
		}
		token := bearer(r)
		got := sha256.Sum256([]byte(token))
		if subtle.ConstantTimeCompare(got[:], want[:]) != 1 || !known {
			code := codeWrongToken
			if !known {
				code = codeUnknownSession
			} else if token == "" {
				code = codeNoToken
			}
			s.refuse(w, r, known, code)
			return
		}
		// SECURITY: the SDK finds a client by its id alone; one of another path is none.
		if id, x := r.Header.Get("Mcp-Session-Id"), s.session(name); id != "" && (x == nil || !strings.HasPrefix(id, x.prefix)) {
			http.Error(w, "session not found", http.StatusNotFound)
			return
		}
		if r.Header.Get("Mcp-Protocol-Version") >= stateless {
			single.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), aloneKey{}, aloneKey{})))
			return
		}
		streams.ServeHTTP(w, r)
	})
}

// sessionOf returns the session that a path names; "" for a path that names none.
func sessionOf(u *url.URL) string {
	rest := strings.TrimPrefix(u.EscapedPath(), "/mcp/")
	if strings.Contains(rest, "/") {
		return ""
	}
	name, _ := url.PathUnescape(rest)
	return name
}

// bearer returns the token of a request; "" for none.
func bearer(r *http.Request) string {
	kind, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(kind, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

// local reports whether a Host header names this machine.
func local(host string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = strings.Trim(host, "[]")
	}
	if name == "localhost" {
		return true
	}
	a, err := netip.ParseAddr(name)
	return err == nil && a.IsLoopback()
}
