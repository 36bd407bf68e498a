package signin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"
)

// deviceGrant is the name of the grant (RFC 8628, section 3.4).
const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"

// byDevice signs in by a code that the user types on another device.
func (f Flow) byDevice(ctx context.Context, server string, refused *http.Response) error {
	resource, err := f.resource(ctx, server, refused)
	if err != nil {
		return f.wire.explain(ctx, err)
	}
	issuer := resource.AuthorizationServers[0]
	meta, err := auth.GetAuthServerMetadata(ctx, issuer, f.HTTP)
	if err != nil {
		return f.wire.explain(ctx, err)
	}
	if meta == nil {
		return ErrNoDevice
	}
	c := &oauth2.Config{
		ClientID: f.ClientID,
		Scopes:   resource.ScopesSupported,
		Endpoint: oauth2.Endpoint{TokenURL: meta.TokenEndpoint, AuthStyle: oauth2.AuthStyleInParams},
	}
	if c.Endpoint.DeviceAuthURL = f.deviceEndpoint(ctx, issuer); c.Endpoint.DeviceAuthURL == "" {
		return ErrNoDevice
	}
	if c.ClientID == "" {
		if meta.RegistrationEndpoint == "" {
			return ErrNoRegister
		}
		client, err := oauthex.RegisterClient(ctx, meta.RegistrationEndpoint, registration("", deviceGrant), f.HTTP)
		if err != nil {
			return f.wire.explain(ctx, err)
		}
		c.ClientID, c.ClientSecret = client.ClientID, client.ClientSecret
	}
	ctx = context.WithValue(ctx, oauth2.HTTPClient, f.HTTP)
	here := oauth2.SetAuthURLParam("resource", resource.Resource)
	code, err := c.DeviceAuth(ctx, here)
	if err != nil {
		return f.wire.explain(ctx, err)
	}
	step := Step{Address: code.VerificationURI, Code: code.UserCode}
	if !isSafe(step.Address, isLocal(server)) {
		return fmt.Errorf("the address to sign in at is %w", ErrUnsafe)
	}
	f.Show(step)
	token, err := c.DeviceAccessToken(ctx, code, here)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil && !code.Expiry.IsZero() && !time.Now().Before(code.Expiry) {
		return ErrExpired
	}
	if err != nil {
		return f.wire.explain(ctx, err)
	}
	return f.Keeper.save(grantOf(server, c, token))
}

// resource returns what the server says of its sign-in: as its refusal names it, at its path, or
// at its root. A server that says nothing is its own authorization server (MCP 2025-03-26).
func (f Flow) resource(ctx context.Context, server string, refused *http.Response) (*oauthex.ProtectedResourceMetadata, error) {
	u, err := url.Parse(server)
	if err != nil {
		return nil, err
	}
	root := url.URL{Scheme: u.Scheme, Host: u.Host}
	var places [][2]string // an address, and the resource that it is to tell of
	challenges, err := oauthex.ParseWWWAuthenticate(refused.Header.Values("WWW-Authenticate"))
	if err != nil {
		return nil, fmt.Errorf("the refusal of the server: %w", err)
	}
	for _, c := range challenges {
		if address := c.Params["resource_metadata"]; address != "" {
			places = append(places, [2]string{address, server})
		}
	}
	const known = "/.well-known/oauth-protected-resource"
	places = append(places, [2]string{root.String() + known + "/" + strings.TrimLeft(u.Path, "/"), server}, [2]string{root.String() + known, root.String()})
	for _, p := range places {
		meta, err := oauthex.GetProtectedResourceMetadata(ctx, p[0], p[1], f.HTTP)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err == nil && meta != nil && len(meta.AuthorizationServers) > 0 {
			return meta, nil
		}
	}
	return &oauthex.ProtectedResourceMetadata{Resource: server, AuthorizationServers: []string{root.String()}}, nil
}

// deviceEndpoint returns where a server gives codes for devices, empty for nowhere. The SDK does
// not read this member (RFC 8628, section 4).
func (f Flow) deviceEndpoint(ctx context.Context, issuer string) string {
	u, err := url.Parse(issuer)
	if err != nil {
		return ""
	}
	path := strings.Trim(u.Path, "/")
	root := u.Scheme + "://" + u.Host
	places := []string{ // in the order of MCP 2025-11-25
		root + "/.well-known/oauth-authorization-server/" + path,
		root + "/.well-known/openid-configuration/" + path,
		strings.TrimRight(issuer, "/") + "/.well-known/openid-configuration",
	}
	for _, p := range places {
		var meta struct {
			Issuer string `json:"issuer"`
			Device string `json:"device_authorization_endpoint"`
		}
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(p, "/"), nil)
		if err != nil {
			continue
		}
		answer, err := f.HTTP.Do(request)
		if err != nil {
			continue
		}
		err = json.NewDecoder(answer.Body).Decode(&meta)
		_ = answer.Body.Close() // nothing more of it is read
		if err == nil && answer.StatusCode == http.StatusOK && meta.Issuer == issuer {
			return meta.Device
		}
	}
	return ""
}
