package signin

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"

	"golang.org/x/oauth2"
)

// authority is an MCP server that asks for a sign-in, and its authorization server. It
// checks what a client must send.
type authority struct {
	*httptest.Server
	t       *testing.T
	handler http.Handler
	client  *http.Client // for which the handler answers without a connection; nil where the authority listens

	mu                   sync.Mutex
	deny                 bool   // the user says no
	pending              int    // answers before the user of a device has consented
	lifetime             int    // of tokens, in seconds
	revoked              bool   // tokens are not renewed
	elsewhere            string // where the user of a device is sent; empty: here
	noDevice, noRegister bool
	expires              int                         // seconds that the code of a device holds
	instead              map[string]http.HandlerFunc // by path: answers in place of this server
	codes                map[string]string           // the challenge of each code
	issued               int
}

// newAuthority returns an authority that listens.
func newAuthority(t *testing.T) *authority {
	a := inMemory(t)
	a.Server, a.client = httptest.NewServer(a.handler), nil
	t.Cleanup(a.Close)
	return a
}

// inMemory returns an authority that does not listen.
func inMemory(t *testing.T) *authority {
	a := &authority{t: t, lifetime: 3600, expires: 60, codes: map[string]string{}, Server: &httptest.Server{URL: "http://127.0.0.1:1"}}
	a.client = &http.Client{Transport: a}
	m := http.NewServeMux()
	m.HandleFunc("/mcp", a.mcp)
	m.HandleFunc("GET /.well-known/oauth-protected-resource/mcp", a.resource)
	m.HandleFunc("GET /.well-known/oauth-authorization-server", a.meta)
	m.HandleFunc("POST /register", a.register)
	m.HandleFunc("GET /authorize", a.authorize)
	m.HandleFunc("POST /device", a.device)
	m.HandleFunc("POST /token", a.token)
	a.handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if f := a.instead[r.URL.Path]; f != nil {
			f(w, r)
			return
		}
		m.ServeHTTP(w, r)
	})
	return a
}

// RoundTrip answers a request. Nobody else is there.
func (a *authority) RoundTrip(r *http.Request) (*http.Response, error) {
	if "http://"+r.URL.Host != a.URL {
		return nil, errors.New("another server is asked: " + r.URL.Host)
	}
	w := httptest.NewRecorder()
	a.handler.ServeHTTP(w, r)
	answer := w.Result()
	answer.Request = r
	return answer, r.Context().Err()
}

func (a *authority) answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

func (a *authority) mcp(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Authorization") != "" {
		a.t.Error("the probe has a token")
	}
	w.Header().Set("WWW-Authenticate", fmt.Sprintf(`Bearer resource_metadata="%s/.well-known/oauth-protected-resource/mcp", scope="tools"`, a.URL))
	w.WriteHeader(http.StatusUnauthorized)
}

func (a *authority) resource(w http.ResponseWriter, _ *http.Request) {
	a.answer(w, 200, map[string]any{"resource": a.URL + "/mcp", "authorization_servers": []string{a.URL}, "scopes_supported": []string{"tools"}})
}

func (a *authority) meta(w http.ResponseWriter, _ *http.Request) {
	m := map[string]any{
		"issuer": a.URL, "authorization_endpoint": a.URL + "/authorize", "token_endpoint": a.URL + "/token",
		"response_types_supported": []string{"code"}, "code_challenge_methods_supported": []string{"S256"},
	}
	if !a.noRegister {
		m["registration_endpoint"] = a.URL + "/register"
	}
	if !a.noDevice {
		m["device_authorization_endpoint"] = a.URL + "/device"
	}
	a.answer(w, 200, m)
}

func (a *authority) register(w http.ResponseWriter, r *http.Request) {
	var m struct {
		Method string   `json:"token_endpoint_auth_method"`
		Grants []string `json:"grant_types"`
	}
	if err := json.NewDecoder(r.Body).Decode(&m); err != nil || m.Method != "none" || len(m.Grants) != 2 {
		a.t.Errorf("registers %+v, %v", m, err)
	}
	a.answer(w, 201, map[string]any{"client_id": "client-7"})
}

func (a *authority) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if q.Get("client_id") != "client-7" || q.Get("code_challenge_method") != "S256" || q.Get("resource") != a.URL+"/mcp" || q.Get("scope") != "tools" {
		a.t.Errorf("asks for %v", q)
	}
	back, _ := url.Parse(q.Get("redirect_uri"))
	answer := url.Values{"state": {q.Get("state")}}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.deny {
		answer.Set("error", "access_denied")
	} else {
		code := fmt.Sprint("code-", len(a.codes))
		a.codes[code] = q.Get("code_challenge")
		answer.Set("code", code)
	}
	back.RawQuery = answer.Encode()
	http.Redirect(w, r, back.String(), http.StatusFound)
}

func (a *authority) device(w http.ResponseWriter, r *http.Request) {
	if r.FormValue("client_id") != "client-7" || r.FormValue("scope") != "tools" || r.FormValue("resource") != a.URL+"/mcp" {
		a.t.Errorf("asks for %v", r.Form)
	}
	at := a.URL + "/activate"
	if a.elsewhere != "" {
		at = a.elsewhere
	}
	a.answer(w, 200, map[string]any{"device_code": "device-secret", "user_code": "WDJB-MJHT", "verification_uri": at, "expires_in": a.expires, "interval": 1})
}

func (a *authority) token(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	refuse := func(code string) {
		a.answer(w, 400, map[string]any{"error": code, "error_description": "about refresh-secret"})
	}
	switch r.FormValue("grant_type") {
	case "authorization_code":
		sum := sha256.Sum256([]byte(r.FormValue("code_verifier")))
		challenge, known := a.codes[r.FormValue("code")]
		if !known || base64.RawURLEncoding.EncodeToString(sum[:]) != challenge || r.FormValue("resource") != a.URL+"/mcp" {
			refuse("invalid_grant")
			return
		}
	case "refresh_token":
		if a.revoked || r.FormValue("refresh_token") != "refresh-secret" {
			refuse("invalid_grant")
			return
		}
	case deviceGrant:
		if r.FormValue("device_code") != "device-secret" {
			a.t.Errorf("the device has %v", r.Form)
		}
		if a.pending > 0 {
			a.pending--
			refuse("authorization_pending")
			return
		}
		if a.deny {
			refuse("access_denied")
			return
		}
	}
	a.issued++
	a.answer(w, 200, map[string]any{"access_token": fmt.Sprint("access-secret-", a.issued), "token_type": "Bearer",
		"expires_in": a.lifetime, "refresh_token": "refresh-secret"})
}

// newToken returns a token that does not end.
func newToken(access string) *oauth2.Token { return &oauth2.Token{AccessToken: access} }
