package live

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"caliper/engine/live/signin"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestTokenOfASignIn: the token is sent with every request, to the address that it was
// given for; a header of the configuration holds against it; and no message has it.
func TestTokenOfASignIn(t *testing.T) {
	server := sdkServer(3)
	r := &recorder{next: mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)}
	web := httptest.NewServer(r)
	defer web.Close()
	token := func(value string, err error) func(context.Context, string) (string, error) {
		return func(_ context.Context, address string) (string, error) {
			if address != web.URL {
				t.Errorf("the token of %s is asked for", address)
			}
			return value, err
		}
	}
	l, err := List(t.Context(), remote(t, HTTPTransport, web.URL), Options{Token: token(secretValue, nil)})
	if err != nil || len(l.Tools) != 3 || slices.Contains(r.headers, "") {
		t.Errorf("%d tools, %v; headers %q", len(l.Tools), err, r.headers)
	}
	if _, err = List(t.Context(), remote(t, HTTPTransport, web.URL, bearer), Options{Token: token("of-a-sign-in", nil)}); err != nil {
		t.Errorf("with a header: %v", err)
	}
	_, err = List(t.Context(), remote(t, HTTPTransport, web.URL), Options{Token: token("of-a-sign-in", nil)})
	if !errors.Is(err, ErrNoAccess) || strings.Contains(err.Error(), "of-a-sign-in") {
		t.Errorf("a token that the server does not take: %v", err)
	}
	_, err = List(t.Context(), remote(t, HTTPTransport, web.URL), Options{Token: token("", errors.New("revoked"))})
	if !errors.Is(err, ErrNoAccess) || !strings.Contains(err.Error(), "revoked") {
		t.Errorf("a token that is not renewed: %v", err)
	}
}

func TestOnlyRemoteServersHaveASignIn(t *testing.T) {
	var e *Error
	if err := SignIn(t.Context(), Stdio("x", "cat"), signin.Flow{}); !errors.As(err, &e) || e.Stage != SigningIn {
		t.Errorf("%v", err)
	}
	if known, err := SignOut(Stdio("x", "cat"), &signin.Keeper{}); known || err == nil {
		t.Errorf("%v, %v", known, err)
	}
}
