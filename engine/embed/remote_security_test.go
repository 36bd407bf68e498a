package embed

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

func TestKeyIsNowhereToBeSeen(t *testing.T) {
	c := NewOpenAI("https://usr7731:hunter22@h.example/v1?api-key=abcdef123456", "m", secretKey, RemoteOptions{})
	shown := fmt.Sprint(c, c.Identity()) + fmt.Sprintf("%s %v %+v %#v %q", c, c, c, c, c)
	for _, v := range []any{c.http, c.options, c.dialect, c.identity, struct{ *RemoteClient }{c}} {
		shown += fmt.Sprintf("%v %+v %#v", v, v, v)
	}
	for _, secret := range []string{secretKey, "hunter22", "abcdef123456", "usr7731"} {
		if strings.Contains(shown, secret) {
			t.Errorf("%q is within %s", secret, shown)
		}
	}
	if got, want := c.String(), "openai:m at h.example"; got != want {
		t.Errorf("String() = %q, want %q", got, want)
	}
}

func TestKeyIsNotInErrors(t *testing.T) {
	basic := base64.StdEncoding.EncodeToString([]byte("usr7731:hunter22"))
	echo := strings.Join([]string{"bearer", secretKey, "hunter22", basic, "abcdef123456", "v2"}, " ")
	long := strings.Repeat("x", quoteRunes-5) + secretKey // cut within the key
	quoted, _ := json.Marshal(echo)
	handlers := map[string]http.HandlerFunc{
		"message":           says(401, `{"error":{"message":`+string(quoted)+`}}`),
		"text":              says(401, echo),
		"cut":               says(401, long),
		"status 200":        says(200, `{"error":`+string(quoted)+`}`),
		"number":            says(200, `{"data":[{"index":`+string(quoted)+`}]}`),
		"redirect":          says(307, "", "Location", "http://"+secretKey+".example/?"+secretKey),
		"redirect no url":   says(307, "", "Location", "http://%zz"+secretKey),
		"malformed answer":  raw("HTTP/1.1 " + secretKey + " hunter22\r\n\r\n"),
		"malformed header":  raw("HTTP/1.1 200 OK\r\n" + secretKey + " hunter22\r\n\r\n"),
		"malformed length":  raw("HTTP/1.1 200 OK\r\nContent-Length: " + secretKey + "\r\n\r\n"),
		"retried":           says(503, echo),
		"malformed chunked": raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + secretKey + "\r\n"),
	}
	for name, h := range handlers {
		t.Run(name, func(t *testing.T) {
			s := serve(t, h)
			address := strings.Replace(s.URL, "http://", "http://usr7731:hunter22@", 1) + "/v1?api-key=abcdef123456&v=v2"
			var w waits
			_, err := NewOpenAI(address, "m", secretKey, RemoteOptions{Wait: w.wait}).Query(t.Context(), "a")
			if err == nil {
				t.Fatal("no error")
			}
			for _, secret := range []string{secretKey, secretKey[:5], "hunter22", basic, "abcdef123456", "usr7731"} {
				for _, text := range []string{err.Error(), fmt.Sprintf("%+v %#v", err, err)} {
					if strings.Contains(text, secret) {
						t.Errorf("%q is within %s", secret, text)
					}
				}
			}
			if !strings.HasPrefix(err.Error(), "openai:m at "+strings.TrimPrefix(s.URL, "http://")+": ") {
				t.Errorf("model or host missing: %v", err)
			}
		})
	}
}

// raw answers with bytes that need not be HTTP, and hangs up.
func raw(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			panic(err)
		}
		defer conn.Close()
		_, _ = io.WriteString(conn, text)
	}
}

func TestKeyThatNoHeaderCarries(t *testing.T) {
	s := serve(t, answer("openai"))
	_, err := NewOpenAI(s.URL, "m", "sk-one\nsk-two", RemoteOptions{}).Query(t.Context(), "a")
	if err == nil || strings.Contains(err.Error(), "sk-") || len(s.requests()) != 0 {
		t.Errorf("%v after %d requests", err, len(s.requests()))
	}
}

func TestRedirects(t *testing.T) {
	to := func(status int, url string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/there" {
				answer("openai")(w, r)
				return
			}
			http.Redirect(w, r, url, status)
		}
	}
	for _, status := range []int{301, 302, 303, 307, 308} {
		t.Run(fmt.Sprint("another host ", status), func(t *testing.T) {
			other := serve(t, answer("openai"))
			s := serve(t, to(status, other.URL+"/there"))
			_, err := client("openai", s.URL, RemoteOptions{}).Documents(t.Context(), []string{"private"})
			if len(other.requests()) != 0 {
				t.Errorf("the other server was sent %+v", other.requests())
			}
			if err == nil || !strings.Contains(err.Error(), fmt.Sprint(status)) || !strings.Contains(err.Error(), other.URL+", which is not followed") {
				t.Error(err)
			}
			if len(s.requests()) != 1 {
				t.Errorf("%d requests", len(s.requests()))
			}
		})
	}
	t.Run("same host", func(t *testing.T) {
		s := serve(t, to(307, "/there"))
		v, err := client("openai", s.URL, RemoteOptions{}).Query(t.Context(), "four")
		if err != nil || !near(v[0], .6) {
			t.Fatal(v, err)
		}
		last := s.requests()[1]
		if last.Path != "/there" || last.Authorization != "Bearer "+secretKey || last.Input[0] != "four" {
			t.Errorf("sent %+v", last)
		}
	})
	t.Run("same host as a GET", func(t *testing.T) {
		s := serve(t, to(301, "/there"))
		_, err := client("openai", s.URL, RemoteOptions{}).Query(t.Context(), "four")
		if err == nil || len(s.requests()) != 1 {
			t.Errorf("%v after %d requests", err, len(s.requests()))
		}
	})
	t.Run("round in circles", func(t *testing.T) {
		s := serve(t, to(307, "/here"))
		_, err := client("openai", s.URL, RemoteOptions{}).Query(t.Context(), "four")
		if err == nil || len(s.requests()) != 1+maxRedirects {
			t.Errorf("%v after %d requests", err, len(s.requests()))
		}
	})
}

func TestSameServer(t *testing.T) {
	tests := []struct {
		name, from, to string
		follow         bool
	}{
		{"same", "https://h.example/v1/embeddings", "https://H.example/v2/embeddings", true},
		{"other host", "https://h.example/", "https://g.example/", false},
		{"subdomain, to which clients send the key", "https://h.example/", "https://x.h.example/", false},
		{"other port", "http://h:1/", "http://h:2/", false},
		{"without encryption", "https://h.example/", "http://h.example/", false},
	}
	for _, tt := range tests {
		from, _ := url.Parse(tt.from)
		to, _ := url.Parse(tt.to)
		err := sameServer(&http.Request{Method: "POST", URL: to}, []*http.Request{{Method: "POST", URL: from}})
		if (err == nil) != tt.follow {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

// A caller's client may follow redirects as it likes; the copy does not.
func TestRedirectRuleOfTheCallerIsNotUsed(t *testing.T) {
	other := serve(t, answer("openai"))
	s := serve(t, says(307, "", "Location", other.URL))
	theirs := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return nil }}
	if _, err := client("openai", s.URL, RemoteOptions{HTTP: theirs}).Query(t.Context(), "a"); err == nil || len(other.requests()) != 0 {
		t.Errorf("%v, and the other server has %d requests", err, len(other.requests()))
	}
	if theirs.CheckRedirect(nil, nil) != nil {
		t.Error("the client of the caller was changed")
	}
}

func TestCredentialsOfTheURLAreSent(t *testing.T) {
	var user, password string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, password, _ = r.BasicAuth()
		answer("ollama")(w, r)
	}))
	defer s.Close()
	address := strings.Replace(s.URL, "http://", "http://usr7731:hunter22@", 1)
	if _, err := NewOllama(address, "m", RemoteOptions{}).Query(t.Context(), "a"); err != nil || user != "usr7731" || password != "hunter22" {
		t.Errorf("%v; sent %q %q", err, user, password)
	}
}
