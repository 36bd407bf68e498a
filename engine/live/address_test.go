package live

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
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
