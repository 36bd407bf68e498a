package live

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"caliper/model/require"
)

// TestNothingIsSentOverHTTP: of a message that may not be sent nothing reaches the
// server, whether it is refused or dropped; the others reach it once.
func TestNothingIsSentOverHTTP(t *testing.T) {
	t.Parallel()
	var got []string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = append(got, string(body))
	}))
	defer server.Close()
	for _, c := range []struct {
		message string
		calls   bool
		sent    bool
		refused bool
	}{
		{`{"jsonrpc":"2.0","id":1,"method":"initialize"}`, false, true, false},
		{`{"jsonrpc":"2.0","id":1,"result":{}}`, false, true, false},
		{`{"jsonrpc":"2.0","method":"notifications/cancelled"}`, true, true, false},
		{`{"jsonrpc":"2.0","method":"notifications/cancelled"}`, false, false, false},
		{`{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`, true, false, false},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, true, false, true},
		{`{"jsonrpc":"2.0","id":1,"method":"resources/read"}`, true, false, true},
		{`{"jsonrpc":"2.0","id":1,"method":"` + ownCallMethod + `"}`, false, false, true},
		{`{"jsonrpc":"2.0","id":1,`, true, false, true},
	} {
		client, g, err := newGuard(nil, &hidden{url: server.URL}, 1<<20)
		require.NoError(t, err)
		g.calls, got = c.calls, nil
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, strings.NewReader(c.message))
		require.NoError(t, err)
		resp, err := client.Do(r)
		if err == nil {
			_ = resp.Body.Close()
		}
		if (err != nil) != c.refused || (len(got) == 1) != c.sent || len(got) > 1 {
			t.Errorf("%s, calls %v: the server got %q, error %v", c.message, c.calls, got, err)
		}
	}
}
