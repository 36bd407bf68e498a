package live

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"caliper/model"
	"caliper/model/require"
)

// expanded returns the one server of a client's configuration, with a value for each variable.
func expanded(t *testing.T, config, value string) Server {
	c, err := ParseClientConfig("mcp.json", []byte(config))
	if err != nil {
		t.Fatal(err)
	}
	s, err := c.Servers[0].Expand(func(string) (string, bool) { return value, true })
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestRepeatedSecrets: a secret that a server was given is withheld from its words about
// itself, wherever and however it stands there, and other values stay.
func TestRepeatedSecrets(t *testing.T) {
	for _, c := range []struct {
		name   string
		server Server
		env    []string
		text   string // of a description
		want   string // empty: the same
	}{
		{"a token of the environment", Stdio("x", "c").WithEnv("API_TOKEN", "tok-51abc"), nil, "Signed in with tok-51abc.", "Signed in with [withheld]."},
		{"in base64, and in upper case", Stdio("x", "c").WithEnv("API_TOKEN", "tok-51abc"), nil, "dG9rLTUxYWJj TOK-51ABC", "[withheld] [withheld]"},
		{"of a header", remote(t, HTTPTransport, "https://h/mcp", "X-Api-Key: tok-51abc"), nil, "with tok-51abc", "with [withheld]"},
		{"a bearer", remote(t, HTTPTransport, "https://h/mcp", "Authorization: Bearer tok-51abc"), nil, "with tok-51abc", "with [withheld]"},
		{"a login", remote(t, HTTPTransport, "https://h/mcp", "Authorization: Basic bWU6dG9rLTUxYWJj"), nil, "with tok-51abc", "with [withheld]"},
		{"of a query", remote(t, HTTPTransport, "https://h/mcp?api_key=tok-51abc&mode=readonly"), nil, "readonly with tok-51abc", "readonly with [withheld]"},
		{"of a path", remote(t, HTTPTransport, "https://h/s/a1b2c3d4e5f6a7b8c9/mcp"), nil, "at a1b2c3d4e5f6a7b8c9", "at [withheld]"},
		{"of user information", remote(t, HTTPTransport, "https://me:tok-51abc@h/mcp"), nil, "with tok-51abc", "with [withheld]"},
		{"of an option", Stdio("x", "c", "--token", "tok-51abc"), nil, "with tok-51abc", "with [withheld]"},
		{"of an option, joined", Stdio("x", "c", "--api-key=tok-51abc=="), nil, "with tok-51abc==", "with [withheld]"},
		{"of a header among the arguments", Stdio("x", "c", "--header", "Authorization: Bearer tok-51abc"), nil, "with tok-51abc", "with [withheld]"},
		{"of a variable among the arguments", Stdio("x", "c", "-e", "DB_PASSWORD=tok-51abc"), nil, "with tok-51abc", "with [withheld]"},
		{"of the user's own environment", Stdio("x", "c"), []string{"GITHUB_TOKEN=tok-51abc"}, "with tok-51abc", "with [withheld]"},
		{"of a name that says nothing", Stdio("x", "c").WithEnv("WORKSPACE", "a1b2c3d4e5f6a7b8c9"), nil, "in a1b2c3d4e5f6a7b8c9", "in [withheld]"},
		{"a key of a service, of such a name", Stdio("x", "c").WithEnv("WORKSPACE", "hf_abcdefghijklmnop"), nil, "in hf_abcdefghijklmnop", "in [withheld]"},
		{"of short names", Stdio("x", "c").WithEnv("BOT_TOK", "tok-51abc").WithEnv("SIGNING_PASSPHRASE", "a tall ship"), nil, "with tok-51abc of a tall ship", "with [withheld] of [withheld]"},
		{"of a file of variables", Stdio("x", "c").WithEnvFile([]string{"API_TOKEN=tok-51abc"}), nil, "with tok-51abc", "with [withheld]"},
		{"of a variable of such a name, in an address", expanded(t, `{"mcpServers":{"a":{"url":"https://h/${API_TOKEN}/mcp"}}}`, "tok-51abc"), nil, "with tok-51abc", "with [withheld]"},
		{"a word, in prose", Stdio("x", "c").WithEnv("PASSWORD", "swordfish"), nil, "The password is swordfish, not swordfishes.", "The password is [withheld], not swordfishes."},
		{"with characters between that nobody sees", Stdio("x", "c").WithEnv("API_TOKEN", "tok-51abc"), nil, "with tok\u200b-51\u00adabc, at\ufeff last", "with [withheld], at last"},
		{"such characters without a secret", Stdio("x", "c").WithEnv("API_TOKEN", "tok-51abc"), nil, "at\u200b last", ""},
		{"a word by itself", Stdio("x", "c").WithEnv("PASSWORD", "swordfish"), nil, "swordfish", ""},
		{"a word that descriptions have anyway", Stdio("x", "c").WithEnv("POSTGRES_PASSWORD", "postgres"), nil, "Asks a postgres database.", ""},
		{"a mode", Stdio("x", "c").WithEnv("MODE", "production"), nil, "In production this asks first.", ""},
		{"a folder", Stdio("x", "c", "/home/me/notes-2026"), nil, "Reads /home/me/notes-2026.", ""},
		{"a number", Stdio("x", "c").WithEnv("MAX_TOKENS", "100000"), nil, "At most 100000 tokens.", ""},
		{"a switch", Stdio("x", "c"), []string{"TOKENIZERS_PARALLELISM=true"}, "Is true by default.", ""},
		{"user information of an example", Stdio("x", "c").WithEnv("API_TOKEN", "tok-51abc"), nil, "Such as postgres://user:pass@host/db.", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.want == "" {
				c.want = c.text
			}
			x := &session{server: c.server, o: Options{Env: c.env}}
			given := []json.RawMessage{json.RawMessage(`{"name":"a","description":"` + c.text + `"}`)}
			l := x.repetitions().clean(Listing{Instructions: c.text, Title: c.text, Tools: given})
			if want := `{"name":"a","description":"` + c.want + `"}`; string(l.Tools[0]) != want || l.Instructions != c.want || l.Title != c.want {
				t.Errorf("instructions %q, title %q, %s, want %q", l.Instructions, l.Title, l.Tools[0], c.want)
			}
			repeats := []string{"instructions", "title", "tool a"}
			if c.want == c.text {
				repeats = nil
			}
			if !slices.Equal(l.Repeats, repeats) {
				t.Errorf("repeats %q", l.Repeats)
			}
		})
	}
}

// TestRepeatedInJSON: a secret is withheld from keys, escapes and names, and no other byte
// changes.
func TestRepeatedInJSON(t *testing.T) {
	r := repeated{newRedactor([]string{`tök"51/abc`}), redactorOf(nil, nil)}
	for given, want := range map[string]string{
		`{"tök\"51/abc" : 1,  "b":"t\u00f6k\u0022\u0035\u0031\/abc" }`: `{"[withheld]" : 1,  "b":"[withheld]" }`,
		`{"a":1e400,"a":"\ud800","c":"\\\"","d":[]}`:                   "",
		`{"a":"x`: "",
		`"\`:      "",
	} {
		if want == "" {
			want = given
		}
		if got := string(r.value(json.RawMessage(given))); got != want {
			t.Errorf("%s becomes %s, want %s", given, got, want)
		}
	}
}

// TestRepeatedTokenIsInNoDump: the token with which a user is signed in, or that the
// configuration has, is in no part of a dump, and the listing says where the server
// repeats it.
func TestRepeatedTokenIsInNoDump(t *testing.T) {
	const secret = "tok-51abc-SECRET"
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		given := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		s := mcp.NewServer(&mcp.Implementation{Name: "x", Title: "of " + given, Version: given}, &mcp.ServerOptions{Instructions: "You are " + given + "."})
		s.AddTool(&mcp.Tool{Name: "whoami", Description: "As " + given, Title: given, InputSchema: json.RawMessage(`{"type":"object","properties":{"as":{"type":"string","default":"` + given + `"}}}`),
			Meta: mcp.Meta{given: given}}, nil)
		s.AddTool(&mcp.Tool{Name: "plain", Description: "Does nothing.", InputSchema: json.RawMessage(`{"type":"object"}`)}, nil)
		mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: true}).ServeHTTP(w, r)
	}))
	defer web.Close()
	for _, c := range []struct {
		server Server
		o      Options
	}{{remote(t, HTTPTransport, web.URL, "Authorization: Bearer "+secret), Options{}}, {remote(t, HTTPTransport, web.URL), Options{Token: func(context.Context, string) (string, error) { return secret, nil }}}} {
		l, err := List(t.Context(), c.server, c.o)
		require.NoError(t, err)
		dump, _ := Dump([]Listing{l}, model.HermesNaming)
		if strings.Contains(string(dump), secret) || strings.Count(string(dump), withheld) != 8 {
			t.Errorf("the dump is %s", dump)
		}
		if want := []string{"instructions", "title", "version", "tool whoami"}; !slices.Equal(l.Repeats, want) {
			t.Errorf("repeats %q, want %q", l.Repeats, want)
		}
		if w := l.Warnings(); len(w) != 1 || w[0] != "instructions, title, version and 1 more repeat a secret that the server was given, which is there as [withheld]" {
			t.Errorf("warns %q", w)
		}
	}
}
