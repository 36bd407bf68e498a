package cli

import (
	"bytes"
	"caliper/tui/cli/runner"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// closedServer is an MCP server with one tool that takes one token, with the
// authorization server that gives one to whoever asks. Its user consents at once.
func closedServer(t *testing.T, token, given string) *httptest.Server {
	t.Helper()
	server := mcp.NewServer(&mcp.Implementation{Name: "vault", Version: "1"}, nil)
	server.AddTool(&mcp.Tool{Name: "open_box", Description: "Open a box.", InputSchema: json.RawMessage(`{"type":"object"}`)}, nil)
	tools := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)
	m := http.NewServeMux()
	web := httptest.NewServer(m)
	t.Cleanup(web.Close)
	answer := func(pattern, format string) {
		m.HandleFunc(pattern, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			if strings.HasPrefix(pattern, "POST /register") {
				w.WriteHeader(http.StatusCreated)
			}
			fmt.Fprint(w, strings.ReplaceAll(format, "HERE", web.URL))
		})
	}
	answer("GET /.well-known/oauth-protected-resource/mcp", `{"resource":"HERE/mcp","authorization_servers":["HERE"]}`)
	answer("GET /.well-known/oauth-authorization-server", `{"issuer":"HERE","authorization_endpoint":"HERE/authorize","token_endpoint":"HERE/token",`+
		`"registration_endpoint":"HERE/register","device_authorization_endpoint":"HERE/device","response_types_supported":["code"],"code_challenge_methods_supported":["S256"]}`)
	answer("POST /register", `{"client_id":"c"}`)
	answer("POST /device", `{"device_code":"d","user_code":"ABCD-EFGH","verification_uri":"HERE/activate","expires_in":60,"interval":1}`)
	answer("POST /token", `{"access_token":"`+given+`","token_type":"Bearer","expires_in":3600}`)
	m.HandleFunc("GET /authorize", func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		http.Redirect(w, r, q.Get("redirect_uri")+"?"+url.Values{"code": {"x"}, "state": {q.Get("state")}}.Encode(), http.StatusFound)
	})
	m.HandleFunc("/mcp", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+token {
			http.Error(w, "no", http.StatusUnauthorized)
			return
		}
		tools.ServeHTTP(w, r)
	})
	return web
}

// TestImportSignsIn: a server that asks for it is signed in to, which the next import
// knows, until the user signs out. No output has the token.
func TestImportSignsIn(t *testing.T) {
	const token = "access-secret"
	web, folder := closedServer(t, token, token), t.TempDir()
	file := filepath.Join(folder, "registry.json")
	env := runner.Env{
		SignIns: filepath.Join(folder, "sign-ins"),
		Browse: func(address string) error {
			go func() {
				if answer, err := http.Get(address); err == nil {
					answer.Body.Close()
				}
			}()
			return nil
		},
	}
	for _, step := range []struct {
		args []string
		code int
		says []string
	}{
		{nil, 1, []string{"401", "--sign-in browser"}},
		{[]string{"--sign-in", "forget"}, 1, []string{"nobody has signed in"}},
		{[]string{"--sign-in", "browser"}, 0, []string{"/authorize?", "signed in", "1 tool"}},
		{nil, 0, []string{"1 tool"}},
		{[]string{"--sign-in", "forget"}, 0, []string{"signed out"}},
		{nil, 1, []string{"401"}},
		{[]string{"--sign-in", "device"}, 0, []string{"/activate", "ABCD-EFGH", "signed in"}},
	} {
		var out, errOut bytes.Buffer
		args := append([]string{"import", "--http", web.URL + "/mcp", "--name", "vault", "-o", file}, step.args...)
		if code := Main(t.Context(), args, nil, &out, &errOut, env); code != step.code {
			t.Errorf("%q exits with %d, want %d", step.args, code, step.code)
		}
		said := out.String() + errOut.String()
		for _, want := range step.says {
			if !strings.Contains(said, want) {
				t.Errorf("%q says nothing of %q:\n%s", step.args, want, said)
			}
		}
		dump, _ := os.ReadFile(file)
		if strings.Contains(said+string(dump), token) {
			t.Errorf("%q prints the token:\n%s%s", step.args, said, dump)
		}
	}
}

// TestSignedInForNothing: who has signed in to a server that does not take the token is not
// told to sign in.
func TestSignedInForNothing(t *testing.T) {
	web, folder := closedServer(t, "wanted", "given"), t.TempDir()
	var out, errOut bytes.Buffer
	args := []string{"import", "--http", web.URL + "/mcp", "--sign-in", "device", "-o", filepath.Join(folder, "registry.json")}
	code := Main(t.Context(), args, nil, &out, &errOut, runner.Env{SignIns: filepath.Join(folder, "sign-ins")})
	if said := errOut.String(); code != 1 || !strings.Contains(said, "401 Unauthorized; it does not take the token that the sign-in gave\n") {
		t.Errorf("exit %d: %s", code, said)
	}
}
