package signin

import (
	"encoding/json"
	"fmt"

	"golang.org/x/oauth2"
)

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
