package live

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"caliper/model/require"
)

func TestWithoutUserInfo(t *testing.T) {
	for text, want := range map[string]string{
		"":                                           "",
		"https://h/p":                                "https://h/p",
		"https://u:p@h/p":                            "https://h/p",
		"https://token@h":                            "https://h",
		"https://u:p@q@h:80/@scope/x":                "https://h:80/@scope/x",
		"https://registry.npmjs.org/@scope/x":        "https://registry.npmjs.org/@scope/x",
		"http://h:8080/a?mail=a@b":                   "http://h:8080/a?mail=a@b",
		"http://u:p/ss@h/x":                          "http://h/x",
		"http://u:p?s#s@h/x":                         "http://h/x",
		"http://a:1,http://u:p@b":                    "http://a:1,http://b",
		"--proxy=http://u:p@h --mail a@b":            "--proxy=http://h --mail a@b",
		`{"a":"http:\/\/u:p@h","mail":"a@b"}`:        `{"a":"http:\/\/h","mail":"a@b"}`,
		"?p=http%3A%2F%2Fu%3Ap%40h&q=http%3a//u:p@h": "?p=http%3A%2F%2Fh&q=http%3a//h",
		`\u003a\u002f\u002fu:p@h`:                    `\u003a\u002f\u002fh`,
		"see http://h, or ask a@b":                   "see http://h, or ask a@b",
		"http://@h":                                  "http://@h",
		"a@b://c":                                    "a@b://c",
	} {
		if got := withoutUserInfo(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestWithoutSecrets(t *testing.T) {
	for text, want := range map[string]string{
		"https://u:p@h/p?key=abc&x#f":  "https://h/p?key=…",
		"https://u:p?q@h/p?key=abc":    "https://h/p?key=…",
		"https://h/p#access_token=abc": "https://h/p",
		"what?a=b":                     "what?a=b",
	} {
		if got := withoutSecrets(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	got := addressSecrets("https://me:p%40w@h/?k=a+b&n#frag")
	for _, want := range []string{"me:p%40w", "me:p@w", "p%40w", "p@w", "me", "a+b", "a b", "frag"} {
		if !slices.Contains(got, want) {
			t.Errorf("%q is not withheld: %q", want, got)
		}
	}
}

func TestInherited(t *testing.T) {
	for _, c := range []struct{ variable, secrets string }{
		{"PATH=/bin:/usr/bin", ""},
		{"my_api_key=abc=d", "abc=d"},
		{"HTTPS_PROXY=http://admin:sesame@proxy:3128", "admin:sesame|sesame"},
		{"HTTP_PROXY=admin:sesame@proxy:3128", "admin:sesame|sesame"},
		{"HTTP_PROXY=admin:ses@me@proxy:3128", "admin:ses@me|ses@me"},
		{"HTTP_PROXY=//admin:sesame@proxy:3128", "admin:sesame|sesame"},
		{"UV_INDEX_URL=https://__token__:ses%61me@h/simple?user=x&token=abcd", "__token__:ses%61me|ses%61me|sesame|__token__|abcd"},
		{"PIP_INDEX_URL=https://sesame@h/simple", "sesame|sesame"},
		{"UV_INDEX=https://a:sesame@h https://b:sesame2@i", "a:sesame|sesame|b:sesame2|sesame2"},
		{"DOCKER_HOST=ssh://docker@h", "docker|docker"},
	} {
		if got := strings.Join(inherited([]string{c.variable}), "|"); got != c.secrets {
			t.Errorf("%s: %s, want %s", c.variable, got, c.secrets)
		}
	}
}

// A server repeats the addresses that it was started with, whole and in part;
// nothing of their user information is shown, nor any of an address
// that only the server knows.
func TestErrorsShowNoUserInfo(t *testing.T) {
	for _, proxy := range []string{"http://admin:sesame-pass@proxy:3128", "admin:sesame-pass@proxy:3128"} {
		w := newTether(t)
		s := w.child("repeats-environment")
		_, err := List(t.Context(), s, Options{Env: []string{"HTTP_PROXY=" + proxy}, Timeout: 2 * time.Minute})
		w.gone(1)
		var e *Error
		if !errors.As(err, &e) {
			t.Fatalf("error is %v", err)
		}
		for _, text := range []string{err.Error(), e.Stderr} {
			if strings.Contains(text, "sesame") || strings.Contains(text, "their-own") || !strings.Contains(text, "proxy:3128") {
				t.Errorf("shows %q", text)
			}
		}
	}
}

func TestSecretsInPaths(t *testing.T) {
	for name, c := range map[string]struct{ address, want string }{
		"base64 of an address":  {"https://h/api/mcp/s/NjQ1YjYxZTQtZGM5Yy00ZTFk0OjZhY2E/mcp", "https://h/api/mcp/s/…/mcp"},
		"with - and _":          {"https://h/s/Zx8-q_3Lr-Pv0_Km7-aab/mcp?k=v", "https://h/s/…/mcp?k=…"},
		"an identifier":         {"https://h/server/0191d3c2-7c1e-4b7a-9f00-3d2a1b5c6e7f/sse", "https://h/server/…/sse"},
		"hexadecimal":           {"https://h/9f86d081884c7d659a2f/mcp", "https://h/…/mcp"},
		"lower case and digits": {"https://h/k3x9q7m2v8b4n6z1/mcp", "https://h/…/mcp"},
		"mixed case":            {"https://h/pQzRtWaLmXkOvBnJyHcD", "https://h/…"},
		"a key of a service":    {"https://h/sk-abcdefghijklmnop/mcp", "https://h/…/mcp"},
		"two keys":              {"https://h/u:k3x9q7m2v8b4n6z1/9f86d081884c7d659a2f", "https://h/…/…"},
		"letters without end":   {"https://h/" + strings.Repeat("qwzx", 8), "https://h/…"},
		"one less than that":    {"https://h/" + strings.Repeat("qwzx", 8)[1:], "https://h/" + strings.Repeat("qwzx", 8)[1:]},
		"digits, one less":      {"https://h/102938475610293", "https://h/102938475610293"},
		"mixed, one less":       {"https://h/k3x9q7m2v8b4n6z", "https://h/k3x9q7m2v8b4n6z"},
		"cases, one less":       {"https://h/pQzRtWaLmXkOvBnJyHc", "https://h/pQzRtWaLmXkOvBnJyHc"},
		"digits":                {"https://h/1029384756102938", "https://h/…"},
		"escapes":               {"https://h/k3x9q7m2%2Bv8b4n6z1/mcp", "https://h/…/mcp"},
		"an IPv6 host, a port":  {"http://[::1]:8080/mcp", "http://[::1]:8080/mcp"},
		"a long host":           {"https://k3x9q7m2v8b4n6z1.example.com/mcp", "https://k3x9q7m2v8b4n6z1.example.com/mcp"},
		"words":                 {"https://h/model-context-protocol/servers/search_and_replace", "https://h/model-context-protocol/servers/search_and_replace"},
		"words in one":          {"https://h/modelcontextprotocolserver/mcp", "https://h/modelcontextprotocolserver/mcp"},
		"camel case":            {"https://h/getToolsForOrganizationMembers", "https://h/getToolsForOrganizationMembers"},
		"a version, a date":     {"https://h/v1beta1/api-version-2025-06-18/mcp", "https://h/v1beta1/api-version-2025-06-18/mcp"},
		"numbers in words":      {"https://h/my-server-12/team-7-of-30/route53", "https://h/my-server-12/team-7-of-30/route53"},
		"a commit":              {"git+https://h/team/tool@1b5c6e7f9a0d3c2b1b5c6e7f9a0d3c2b1b5c6e7f", "git+https://h/team/tool@1b5c6e7f9a0d3c2b1b5c6e7f9a0d3c2b1b5c6e7f"},
		"no commit":             {"https://h/team@1b5c6e7f9a0d3c2b1b5c6e7f9a0d3c2b1b5c6e7f", "https://h/…"},
		"a variable":            {"https://h/s/${ZAPIER_MCP_KEY_OF_THE_TEAM_2}/mcp", "https://h/s/${ZAPIER_MCP_KEY_OF_THE_TEAM_2}/mcp"},
		"a package":             {"https://registry.npmjs.org/@modelcontextprotocol/server-everything", "https://registry.npmjs.org/@modelcontextprotocol/server-everything"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := withoutSecrets(c.address); got != c.want {
				t.Errorf("%s is shown as %s, want %s", c.address, got, c.want)
			}
			secrets := addressSecrets(c.address)
			for _, segment := range strings.Split(strings.SplitN(c.address, "?", 2)[0], "/")[3:] {
				if shown := strings.Contains(c.want, segment); slices.Contains(secrets, segment) == shown {
					t.Errorf("%s: %q is shown: %t; withheld from messages: %q", c.address, segment, shown, secrets)
				}
			}
		})
	}
}

// A listing of servers, an error and a bridge's argument do not show the key in a path.
func TestNoKeyOfAPathIsShown(t *testing.T) {
	const key = "NjQ1YjYxZTQtZGM5Yy00ZTFk0OjZhY2E"
	s, err := Remote("z", HTTPTransport, "http://127.0.0.1:1/api/mcp/s/"+key+"/mcp")
	require.NoError(t, err)
	_, err = List(t.Context(), s, Options{})
	if err == nil || strings.Contains(err.Error(), key) || strings.Contains(s.String(), key) || !strings.Contains(s.URL, "/s/…/mcp") {
		t.Errorf("shows %v, %v", s, err)
	}
	shown, secrets := shownArgs([]string{"mcp-remote", "https://h/s/" + key + "/mcp"})
	if strings.Contains(strings.Join(shown, " "), key) || !slices.Contains(secrets, key) {
		t.Errorf("shows %q, withholds %q", shown, secrets)
	}
}
