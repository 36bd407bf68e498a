package signin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/zalando/go-keyring"

	"caliper/model/require"
)

// consents returns what a user does who opens the address in a browser.
func consents(t *testing.T, seen *Step) func(Step) {
	return func(s Step) {
		*seen = s
		go func() {
			answer, err := http.Get(s.Address)
			if err != nil {
				t.Error(err)
				return
			}
			defer answer.Body.Close()
			text, _ := io.ReadAll(answer.Body)
			if !strings.Contains(string(text), "can be closed") {
				t.Errorf("the page says %q", text)
			}
		}()
	}
}

func TestSignInByBrowser(t *testing.T) {
	t.Parallel()
	a := newAuthority(t)
	k := &Keeper{Folder: filepath.Join(t.TempDir(), "sign-ins")}
	var step Step
	f := Flow{Keeper: k, Way: Browser, Show: consents(t, &step)}
	require.NoError(t, f.SignIn(t.Context(), a.URL+"/mcp"))
	if !strings.HasPrefix(step.Address, a.URL+"/authorize?") || step.Code != "" {
		t.Errorf("the user is shown %+v", step)
	}
	for _, k := range []*Keeper{k, {Folder: k.Folder}} { // another process reads what was kept
		if token, err := k.Token(t.Context(), a.URL+"/mcp"); token != "access-secret-1" || err != nil {
			t.Errorf("%q, %v", token, err)
		}
	}
	if token, err := k.Token(t.Context(), a.URL+"/other"); token != "" || err != nil {
		t.Errorf("another server is given %q, %v", token, err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	files, err := os.ReadDir(k.Folder)
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %v", files, err)
	}
	folder, _ := os.Stat(k.Folder)
	file, _ := files[0].Info()
	if folder.Mode().Perm() != 0o700 || file.Mode().Perm() != 0o600 {
		t.Errorf("the folder is %v, the file %v", folder.Mode(), file.Mode())
	}
}

func TestSignInByDevice(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := inMemory(t)
		a.pending = 1
		k := &Keeper{Folder: t.TempDir()}
		var step Step
		f := Flow{HTTP: a.client, Keeper: k, Way: Device, Show: func(s Step) { step = s }}
		require.NoError(t, f.SignIn(t.Context(), a.URL+"/mcp"))
		if step != (Step{Address: a.URL + "/activate", Code: "WDJB-MJHT"}) {
			t.Errorf("the user is shown %+v", step)
		}
		if token, err := k.Token(t.Context(), a.URL+"/mcp"); token != "access-secret-1" || err != nil {
			t.Errorf("%q, %v", token, err)
		}
	})
}

func TestSignInFails(t *testing.T) {
	t.Parallel()
	open := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(open.Close)
	for _, tt := range []struct {
		name   string
		way    Way
		change func(*authority)
		server string // empty: the authority's
		want   error
	}{
		{"the user says no in the browser", Browser, func(a *authority) { a.deny = true }, "", ErrDenied},
		{"the user says no on the device", Device, func(a *authority) { a.deny = true }, "", ErrDenied},
		{"no sign-in by device", Device, func(a *authority) { a.noDevice = true }, "", ErrNoDevice},
		{"no registration, browser", Browser, func(a *authority) { a.noRegister = true }, "", ErrNoRegister},
		{"no registration, device", Device, func(a *authority) { a.noRegister = true }, "", ErrNoRegister},
		{"the device is sent to a script", Device, func(a *authority) { a.elsewhere = "javascript:alert(1)" }, "", ErrUnsafe},
		{"the device is sent out of TLS", Device, func(a *authority) { a.elsewhere = "http://198.51.100.7/activate" }, "", ErrUnsafe},
		{"a server that is open", Browser, func(*authority) {}, open.URL, ErrNotAsked},
		{"a server out of TLS", Browser, func(*authority) {}, "http://198.51.100.7/mcp", ErrUnsafe},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			post{"/token", tt.way}.with(t, func(t *testing.T, a *authority) {
				tt.change(a)
				k := &Keeper{Folder: t.TempDir()}
				f := flow(t, a, tt.way, k)
				if err := f.SignIn(t.Context(), cmp.Or(tt.server, a.URL+"/mcp")); !errors.Is(err, tt.want) {
					t.Errorf("%v, want %v", err, tt.want)
				}
				if files, _ := os.ReadDir(k.Folder); len(files) > 0 {
					t.Errorf("%v is kept", files)
				}
			})
		})
	}
}

// A page that sends the browser to the callback without the state ends nothing; the
// answer that comes then counts.
func TestBrowserNeedsTheState(t *testing.T) {
	t.Parallel()
	a := newAuthority(t)
	k := &Keeper{Folder: t.TempDir()}
	var step Step
	f := Flow{Keeper: k, Way: Browser, Show: func(s Step) {
		go func() {
			address, _ := http.NewRequest(http.MethodGet, s.Address, nil)
			back := address.URL.Query().Get("redirect_uri")
			for _, forged := range []string{"?code=evil", "?code=evil&state=", "?code=evil&state=guess", "?error=access_denied&state=x"} {
				answer, err := http.Get(back + forged)
				if err != nil || answer.StatusCode != http.StatusNotFound {
					t.Errorf("%s: %v, %v", forged, answer, err)
				}
				answer.Body.Close()
			}
			consents(t, &step)(s)
		}()
	}}
	require.NoError(t, f.SignIn(t.Context(), a.URL+"/mcp"))
}

func TestSignInEndsWithItsContext(t *testing.T) {
	t.Parallel()
	a := newAuthority(t)
	ctx, cancel := context.WithCancel(t.Context())
	f := Flow{Keeper: &Keeper{Folder: t.TempDir()}, Way: Browser, Show: func(Step) { cancel() }}
	if err := f.SignIn(ctx, a.URL+"/mcp"); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// A server that does not answer is waited for no longer than the context holds.
func TestSilentEndpoint(t *testing.T) {
	t.Parallel()
	for _, at := range append(posts, polled) {
		at.with(t, func(t *testing.T, a *authority) {
			ctx, cancel := context.WithCancel(t.Context())
			a.instead = map[string]http.HandlerFunc{at.path: func(_ http.ResponseWriter, r *http.Request) {
				cancel()
				_, _ = io.ReadAll(r.Body) // the end of the connection is noticed behind the body
				<-r.Context().Done()
			}}
			if err := at.signIn(ctx, t, a); !errors.Is(err, context.Canceled) {
				t.Errorf("%v: %v", at, err)
			}
		})
	}
}

// A token that has ended is renewed, and the next process has the new one. Where it is
// not renewed, the error says so without what the authorization server was sent.
func TestTokensAreRenewed(t *testing.T) {
	t.Parallel()
	a := newAuthority(t)
	a.lifetime = 1 // less than what the library takes for ended
	folder := t.TempDir()
	var step Step
	require.NoError(t, (Flow{Keeper: &Keeper{Folder: folder}, Way: Browser, Show: consents(t, &step)}).SignIn(t.Context(), a.URL+"/mcp"))
	a.mu.Lock()
	a.lifetime = 3600
	a.mu.Unlock()
	for range 2 {
		if token, err := (&Keeper{Folder: folder}).Token(t.Context(), a.URL+"/mcp"); token != "access-secret-2" || err != nil {
			t.Errorf("%q, %v", token, err)
		}
	}
	a.mu.Lock()
	a.revoked, a.lifetime = true, 1
	a.mu.Unlock()
	require.NoError(t, (Flow{Keeper: &Keeper{Folder: folder}, Way: Browser, Show: consents(t, &step)}).SignIn(t.Context(), a.URL+"/mcp"))
	_, err := (&Keeper{Folder: folder}).Token(t.Context(), a.URL+"/mcp")
	if err == nil || !strings.Contains(err.Error(), "invalid_grant") || strings.Contains(err.Error(), "secret") {
		t.Errorf("%v", err)
	}
}

func TestKeeperForgets(t *testing.T) {
	t.Parallel()
	keyring.MockInit()
	g := grantOf("https://x.example/mcp", grant{}.config(), nil)
	if err := readGrantOf(t, &Keeper{Keyring: true}, g); err != nil {
		t.Error("in the keyring:", err)
	}
	if err := readGrantOf(t, &Keeper{Folder: t.TempDir()}, g); err != nil {
		t.Error("in a folder:", err)
	}
	keyring.MockInitWithError(errors.New("locked"))
	if err := readGrantOf(t, &Keeper{Keyring: true, Folder: t.TempDir()}, g); err != nil {
		t.Error("beside a locked keyring:", err)
	}
	if err := (&Keeper{Keyring: true}).put(g); err == nil {
		t.Error("kept nowhere, without an error")
	}
}

// readGrantOf keeps a grant, reads it by another keeper, and deletes it.
func readGrantOf(t *testing.T, k *Keeper, g grant) error {
	t.Helper()
	g.Token = newToken("a-secret")
	if err := k.save(g); err != nil {
		return err
	}
	other := &Keeper{Folder: k.Folder, Keyring: k.Keyring}
	if token, err := other.Token(t.Context(), g.Server); token != "a-secret" || err != nil {
		return fmt.Errorf("%q, %v", token, err)
	}
	if known, err := k.Forget(g.Server); !known || err != nil && k.Folder == "" {
		return fmt.Errorf("%v, %v", known, err)
	}
	if token, err := k.Token(t.Context(), g.Server); token != "" || err != nil {
		return fmt.Errorf("afterwards %q, %v", token, err)
	}
	return nil
}

// A file that is no grant of ours, or of a later version, counts as none and stays.
func TestUnknownFilesStay(t *testing.T) {
	k := &Keeper{Folder: t.TempDir()}
	const server = "https://x.example/mcp"
	for _, content := range []string{"", "null", "{}", `{"version":2,"server":"https://x.example/mcp","token":{"access_token":"x"}}`,
		`{"version":1,"server":"https://y.example/mcp","token":{"access_token":"x"}}`} {
		require.NoError(t, os.WriteFile(k.file(server), []byte(content), 0o600))
		if token, err := (&Keeper{Folder: k.Folder}).Token(t.Context(), server); token != "" || err != nil {
			t.Errorf("%s: %q, %v", content, token, err)
		}
		if got, _ := os.ReadFile(k.file(server)); string(got) != content {
			t.Errorf("%s became %s", content, got)
		}
	}
}

func TestGrantsAreNotPrinted(t *testing.T) {
	g := grantOf("https://x.example/mcp", grant{ClientSecret: "hush-1"}.config(), newToken("hush-2"))
	for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
		if text := fmt.Sprintf(format, g) + fmt.Sprintf(format, &g); strings.Contains(text, "hush") {
			t.Errorf("%s prints %s", format, text)
		}
	}
}

func TestIsSafe(t *testing.T) {
	for _, tt := range []struct {
		address     string
		here, local bool // whether it is safe for a server elsewhere, and for a local one
	}{
		{"https://x.example/authorize", true, true},
		{"http://x.example/authorize", false, false},
		{"http://127.0.0.1:8080/x", false, true},
		{"https://localhost/x", false, true},
		{"http://[::1]/x", false, true},
		{"http://169.254.169.254/latest", false, false},
		{"javascript:alert(1)", false, false},
		{"file:///etc/passwd", false, false},
		{"https:/no-host", false, false},
		{"", false, false},
	} {
		if here, local := isSafe(tt.address, false), isSafe(tt.address, true); here != tt.here || local != tt.local {
			t.Errorf("%s: %v for a server elsewhere, %v for a local one", tt.address, here, local)
		}
	}
}
