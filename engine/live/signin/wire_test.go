package signin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/synctest"

	"caliper/model/require"

	"golang.org/x/oauth2"
)

// post is a path of an authority to which a way to sign in posts.
type post struct {
	path string
	way  Way
}

var (
	posts  = []post{{"/register", Browser}, {"/register", Device}, {"/device", Device}, {"/token", Browser}}
	polled = post{"/token", Device}
)

// with calls f with an authority that listens or, where p is polled, with one in memory
// and a clock that skips the waiting.
func (p post) with(t *testing.T, f func(*testing.T, *authority)) {
	if p != polled {
		f(t, newAuthority(t))
		return
	}
	synctest.Test(t, func(t *testing.T) { f(t, inMemory(t)) })
}

// flow returns one way to sign in to an authority, whose user does as told.
func flow(t *testing.T, a *authority, way Way, k *Keeper) Flow {
	if way == Device {
		return Flow{HTTP: a.client, Keeper: k, Way: way, Show: func(Step) {}}
	}
	var step Step
	return Flow{Keeper: k, Way: way, Show: consents(t, &step)}
}

// signIn signs in to an authority by the way of p.
func (p post) signIn(ctx context.Context, t *testing.T, a *authority) error {
	return flow(t, a, p.way, &Keeper{Folder: t.TempDir()}).SignIn(ctx, a.URL+"/mcp")
}

// TestPostedStaysThere: a value posted to an authorization server goes nowhere else,
// whichever of its addresses redirects, by whichever status.
func TestPostedStaysThere(t *testing.T) {
	t.Parallel()
	reached := make(chan string, 100)
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		reached <- r.Method + " " + r.URL.String() + " " + string(body)
	}))
	defer elsewhere.Close()
	t.Run("each", func(t *testing.T) { // waits for those below it
		for _, at := range append(posts, polled) {
			for _, status := range []int{301, 302, 303, 307, 308} {
				t.Run(fmt.Sprint(at.path, at.way, status), func(t *testing.T) {
					t.Parallel()
					at.with(t, func(t *testing.T, a *authority) {
						a.instead = map[string]http.HandlerFunc{
							at.path: func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/on-the-way", status) },
							// The second redirect leaves the origin, after a first that has kept it.
							"/on-the-way": func(w http.ResponseWriter, r *http.Request) {
								http.Redirect(w, r, elsewhere.URL+"/?repeats=device-secret", status)
							},
						}
						err := at.signIn(t.Context(), t, a)
						if !errors.Is(err, ErrSentOn) || strings.Contains(err.Error(), "secret") {
							t.Error(err)
						}
					})
				})
			}
		}
	})
	// A token is renewed by the same rule.
	a := newAuthority(t)
	a.instead = map[string]http.HandlerFunc{"/token": func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
	}}
	k := &Keeper{Folder: t.TempDir()}
	g := grantOf(a.URL+"/mcp", grant{ClientID: "client-7", TokenURL: a.URL + "/token"}.config(), newToken(""))
	g.Token.RefreshToken = "refresh-secret"
	require.NoError(t, k.save(g))
	if _, err := k.Token(t.Context(), a.URL+"/mcp"); !errors.Is(err, ErrSentOn) {
		t.Errorf("renewing: %v", err)
	}
	close(reached)
	for request := range reached {
		t.Errorf("another server was sent %s", request)
	}
}

// TestSameOriginRedirect: an authorization server may send on to another path of its own.
func TestSameOriginRedirect(t *testing.T) {
	t.Parallel()
	a := newAuthority(t)
	a.instead = map[string]http.HandlerFunc{"/token": func(w http.ResponseWriter, r *http.Request) {
		if r.URL.RawQuery == "" {
			http.Redirect(w, r, "/token?again", http.StatusTemporaryRedirect)
			return
		}
		a.token(w, r)
	}}
	var step Step
	if err := (Flow{Keeper: &Keeper{Folder: t.TempDir()}, Way: Browser, Show: consents(t, &step)}).SignIn(t.Context(), a.URL+"/mcp"); err != nil {
		t.Error(err)
	}
}

// TestAnswersAreNotRepeated: whatever an authorization server answers, and in whatever
// form, no more of it is said than its status and a code that OAuth knows.
func TestAnswersAreNotRepeated(t *testing.T) {
	t.Parallel()
	answers := func(status int, kind, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		}
	}
	const form = "application/x-www-form-urlencoded"
	for _, tt := range []struct {
		name   string
		answer http.HandlerFunc
		want   string // in the error
	}{
		{"a text", answers(403, "text/plain", "no: hush"), "answered 403"},
		{"a page", answers(500, "text/html", "<p>hush</p>"), "answered 500"},
		{"a code of its own", answers(400, "application/json", `{"error":"hush","error_description":"hush"}`), "answered 400"},
		{"a known code", answers(400, "application/json", `{"error":"invalid_request","error_description":"hush","error_uri":"https://hush"}`), `answered "invalid_request"`},
		{"a form", answers(400, form, "error=hush&error_description=hush"), "answered 400"},
		{"a known code in a form", answers(401, form, "error=invalid_client&error_description=hush"), ""},
		{"a type that does not fit", answers(200, "application/json", `{"client_id":["hush"],"device_code":["hush"],"access_token":["hush"]}`), "not as OAuth has it"},
		{"no JSON", answers(200, "application/json", `hush`), "not as OAuth has it"},
		{"a broken form", answers(200, form, `%hush`), "not as OAuth has it"},
		{"nothing", answers(201, "application/json", `{"client_secret":"hush"}`), ""},
		{"a header that is none", func(w http.ResponseWriter, _ *http.Request) {
			c, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				_, _ = io.WriteString(c, "hush\r\n\r\n")
				_ = c.Close()
			}
		}, "not as OAuth has it"},
		{"a Location that is none", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "http://[hush")
			w.WriteHeader(307)
		}, ""},
	} {
		for _, at := range posts {
			t.Run(tt.name+at.path+" "+string(at.way), func(t *testing.T) {
				t.Parallel()
				a := newAuthority(t)
				a.instead = map[string]http.HandlerFunc{at.path: tt.answer}
				err := at.signIn(t.Context(), t, a)
				if err == nil || strings.Contains(err.Error(), "hush") || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("%v, want %q in it", err, tt.want)
				}
			})
		}
	}
	t.Run("in the browser", func(t *testing.T) {
		a := newAuthority(t)
		a.instead = map[string]http.HandlerFunc{"/authorize": func(w http.ResponseWriter, r *http.Request) {
			q := r.URL.Query()
			http.Redirect(w, r, q.Get("redirect_uri")+"?error=hush&state="+q.Get("state"), http.StatusFound)
		}}
		var step Step
		err := Flow{Keeper: &Keeper{Folder: t.TempDir()}, Way: Browser, Show: consents(t, &step)}.SignIn(t.Context(), a.URL+"/mcp")
		if !errors.Is(err, ErrDenied) || strings.Contains(err.Error(), "hush") {
			t.Errorf("%v", err)
		}
	})
}

// TestExpiredCode: that the code of a device has ended is said as such, whether the server
// says so or its time is over.
func TestExpiredCode(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		change func(*authority)
	}{
		{"its time is over", func(a *authority) { a.expires, a.pending = 1, 1000 }},
		{"the server says so", func(a *authority) {
			a.instead = map[string]http.HandlerFunc{"/token": func(w http.ResponseWriter, _ *http.Request) {
				a.answer(w, 400, map[string]string{"error": "expired_token"})
			}}
		}},
	} {
		polled.with(t, func(t *testing.T, a *authority) {
			tt.change(a)
			k := &Keeper{Folder: t.TempDir()}
			if err := flow(t, a, Device, k).SignIn(t.Context(), a.URL+"/mcp"); !errors.Is(err, ErrExpired) {
				t.Errorf("%s: %v", tt.name, err)
			}
			if files, _ := os.ReadDir(k.Folder); len(files) > 0 {
				t.Errorf("%s: %v is kept", tt.name, files)
			}
		})
	}
}

// TestKnownCodes: the codes of OAuth are said, and no other word of a server's.
func TestKnownCodes(t *testing.T) {
	const codes = "invalid_request invalid_client invalid_grant unauthorized_client unsupported_grant_type invalid_scope unsupported_response_type server_error temporarily_unavailable " +
		"invalid_redirect_uri invalid_client_metadata invalid_software_statement unapproved_software_statement authorization_pending slow_down invalid_target"
	for _, code := range strings.Fields(codes + " sesame") {
		err := (&wire{host: "sign-in.example", posted: true}).explain(t.Context(), &oauth2.RetrieveError{ErrorCode: code})
		if said := strings.Contains(err.Error(), code); said != (code != "sesame") {
			t.Errorf("%s: %v", code, err)
		}
	}
}

// TestUnsafeAddress: the address that the browser would be sent to is what is wrong.
func TestUnsafeAddress(t *testing.T) {
	t.Parallel()
	fault := fmt.Errorf("the address to sign in at is %w", ErrUnsafe)
	for _, posted := range []bool{false, true} {
		if err := (&wire{host: "sign-in.example", posted: posted}).explain(t.Context(), fault); err != fault {
			t.Errorf("%v", err)
		}
	}
}

// TestSlowAnswer: an authorization server that does not answer in time is told apart from a
// code that has ended.
func TestSlowAnswer(t *testing.T) {
	t.Parallel()
	w := &wire{host: "sign-in.example", posted: true}
	err := w.explain(t.Context(), fmt.Errorf("posting: %w", context.DeadlineExceeded))
	if err == nil || errors.Is(err, ErrExpired) || !strings.Contains(err.Error(), "sign-in.example did not answer in time") {
		t.Errorf("%v", err)
	}
}
