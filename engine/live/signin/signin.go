// Package signin signs a user in to MCP servers that are reached over HTTP, and keeps what the
// sign-in gave. It never asks the user by itself.
//
// It follows the authorization of MCP 2025-11-25 (basic/authorization), which is OAuth 2.1: the
// server names its authorization server (RFC 9728), that one describes itself (RFC 8414), caliper
// registers as a public client (RFC 7591), and the user consents in a browser (authorization code
// with PKCE, RFC 7636, whose answer comes to an address of this machine, RFC 8252) or on another
// device (RFC 8628). The steps are the MCP SDK's, but for the device's, which it has not.
//
// Invariants:
//   - a token reaches the server that it was given for, and nothing else: neither a message, nor a
//     print of a value here, nor a file that others can read
//   - a token that has ended is renewed without the user, and kept
//   - every wait ends with its context
//   - an address that is not reached over TLS is on this machine
//   - an answer of the browser that has not the state of its request changes nothing
package signin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"
)

// What can go wrong, for errors.Is.
var (
	ErrNotAsked   = errors.New("the server does not ask for a sign-in")
	ErrDenied     = errors.New("the sign-in was denied")
	ErrNoDevice   = errors.New("the server offers no sign-in by another device")
	ErrNoRegister = errors.New("the server registers no clients by itself")
	ErrUnsafe     = errors.New("neither https nor an address of this machine")
	ErrSentOn     = errors.New("sends what it was posted on to another server")
	ErrExpired    = errors.New("the code expired before anybody signed in with it")
)

// Way is how the user consents.
type Way string

// The ways.
const (
	Browser Way = "browser" // of this machine
	Device  Way = "device"  // any other, on which the user types a code
)

// Step is the user's next step. Its texts come from a server.
type Step struct {
	Address string // to open
	Code    string // to type there; empty: none
}

// Flow is one way to sign in. HTTP, Keeper and Show are required.
type Flow struct {
	HTTP     *http.Client
	Keeper   *Keeper
	ClientID string // of a client that was registered beforehand; empty: one is registered
	Way      Way
	Show     func(Step) // called once, when the user's turn has come

	wire *wire // the one of HTTP
}

// SignIn signs the user in to a server, and keeps what that gave. The error is ctx's or says which
// step failed.
func (f Flow) SignIn(ctx context.Context, server string) error {
	f.wire, f.HTTP = newWire(f.HTTP, server)
	f.wire.ctx = ctx
	request, refused, err := f.probe(ctx, server)
	if err != nil {
		return err
	}
	f.wire.mu.Lock()
	f.wire.posted = false // what was posted so far held nothing of the user
	f.wire.mu.Unlock()
	if f.Way == Device {
		defer refused.Body.Close()
		return f.byDevice(ctx, server, refused)
	}
	b, err := listenForBrowser()
	if err != nil {
		_ = refused.Body.Close() // nothing of it is read
		return err
	}
	defer b.close()
	c := &auth.AuthorizationCodeHandlerConfig{
		RedirectURL:           b.address(),
		RequestRefreshToken:   true,
		AcceptUnadvertisedIss: true,
		Client:                f.HTTP,
		AuthorizationCodeFetcher: func(ctx context.Context, a *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
			return b.ask(ctx, a.URL, f.Show)
		},
		NewTokenSource: func(_ context.Context, c *oauth2.Config, t *oauth2.Token) (oauth2.TokenSource, error) {
			return oauth2.StaticTokenSource(t), f.Keeper.save(grantOf(server, c, t))
		},
	}
	if f.ClientID != "" {
		c.PreregisteredClient = &oauthex.ClientCredentials{ClientID: f.ClientID}
	} else {
		if err := f.registers(ctx, server, refused); err != nil {
			_ = refused.Body.Close() // nothing of it is read
			return err
		}
		c.DynamicClientRegistrationConfig = &auth.DynamicClientRegistrationConfig{Metadata: registration(b.address(), "authorization_code")}
	}
	h, err := auth.NewAuthorizationCodeHandler(c)
	if err != nil {
		_ = refused.Body.Close() // nothing of it is read
		return fmt.Errorf("signing in: %w", err)
	}
	return f.wire.explain(ctx, h.Authorize(ctx, request, refused)) // which closes the body
}

// probe asks the server for what needs a sign-in, and returns the request and its refusal.
func (f Flow) probe(ctx context.Context, server string) (*http.Request, *http.Response, error) {
	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",` +
		`"capabilities":{},"clientInfo":{"name":"caliper","version":"1"}}}`
	for _, method := range []string{http.MethodPost, http.MethodGet} { // a server of the older transport has no POST here
		request, err := http.NewRequestWithContext(ctx, method, server, strings.NewReader(hello))
		if err != nil {
			return nil, nil, fmt.Errorf("the address of the server: %w", err)
		}
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Accept", "application/json, text/event-stream")
		answer, err := f.HTTP.Do(request)
		if err != nil {
			return nil, nil, fmt.Errorf("asking the server where to sign in: %w", err)
		}
		if answer.StatusCode == http.StatusUnauthorized {
			return request, answer, nil
		}
		_ = answer.Body.Close() // nothing of it is read
		if answer.StatusCode != http.StatusMethodNotAllowed && answer.StatusCode != http.StatusNotFound {
			break
		}
	}
	return nil, nil, ErrNotAsked
}

// registers returns ErrNoRegister for a server that says it registers no clients.
func (f Flow) registers(ctx context.Context, server string, refused *http.Response) error {
	resource, err := f.resource(ctx, server, refused)
	if err != nil {
		return f.wire.explain(ctx, err)
	}
	meta, err := auth.GetAuthServerMetadata(ctx, resource.AuthorizationServers[0], f.HTTP)
	if err == nil && meta != nil && meta.RegistrationEndpoint == "" {
		return ErrNoRegister
	}
	return f.wire.explain(ctx, err)
}

// registration returns what caliper says of itself to be registered.
func registration(redirect, grant string) *oauthex.ClientRegistrationMetadata {
	m := &oauthex.ClientRegistrationMetadata{
		ClientName:              "caliper",
		TokenEndpointAuthMethod: "none",
		GrantTypes:              []string{grant, "refresh_token"},
	}
	if redirect != "" {
		m.RedirectURIs, m.ResponseTypes = []string{redirect}, []string{"code"}
	}
	return m
}

// isLocal reports whether an address is one of this machine.
func isLocal(address string) bool {
	u, err := url.Parse(address)
	return err == nil && isLoopback(u.Hostname())
}

// isLoopback reports whether a host is this machine.
func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// isSafe reports whether an address may be asked or opened: https elsewhere, or with local one
// here.
func isSafe(address string, local bool) bool {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return false
	}
	if isLoopback(u.Hostname()) {
		return local && (u.Scheme == "http" || u.Scheme == "https")
	}
	return u.Scheme == "https"
}

// grantVersion is the version of a kept grant. One of another version is left alone.
const grantVersion = 1

// grant is the result of a sign-in: the tokens, and the means to renew them.
//
// SECURITY: String and GoString keep fmt from printing its secrets.
type grant struct {
	Version      int              `json:"version"`
	Server       string           `json:"server"`
	ClientID     string           `json:"client_id"`
	ClientSecret string           `json:"client_secret,omitempty"`
	TokenURL     string           `json:"token_url"`
	AuthStyle    oauth2.AuthStyle `json:"auth_style"`
	Scopes       []string         `json:"scopes,omitempty"`
	Token        *oauth2.Token    `json:"token"`
}

// grantOf returns what a client was given for a server.
func grantOf(server string, c *oauth2.Config, t *oauth2.Token) grant {
	return grant{Version: grantVersion, Server: server, ClientID: c.ClientID, ClientSecret: c.ClientSecret,
		TokenURL: c.Endpoint.TokenURL, AuthStyle: c.Endpoint.AuthStyle, Scopes: c.Scopes, Token: t}
}

// config returns the client that renews the tokens.
func (g grant) config() *oauth2.Config {
	return &oauth2.Config{ClientID: g.ClientID, ClientSecret: g.ClientSecret, Scopes: g.Scopes,
		Endpoint: oauth2.Endpoint{TokenURL: g.TokenURL, AuthStyle: g.AuthStyle}}
}

// String returns whose grant it is.
func (g grant) String() string { return fmt.Sprintf("grant of %q", g.Server) }

// GoString is String, so that %#v shows nothing else.
func (g grant) GoString() string { return g.String() }

// readGrant reads a kept grant of a server; nil for bytes that are none.
func readGrant(data []byte, server string) *grant {
	var g grant
	if json.Unmarshal(data, &g) != nil || g.Version != grantVersion || g.Server != server || g.Token == nil {
		return nil
	}
	return &g
}
