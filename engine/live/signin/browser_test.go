package signin

import (
	"errors"
	"io"
	"net/http"
	"testing"

	"caliper/model/require"
)

// TestLastPage: the browser has its page, however soon the sign-in ends with the outcome.
func TestLastPage(t *testing.T) {
	t.Parallel()
	for range 200 {
		b, err := listenForBrowser()
		require.NoError(t, err)
		page := make(chan error, 1)
		_, err = b.ask(t.Context(), "https://example.com/authorize?state=s", func(Step) {
			go func() {
				answer, err := http.Get(b.address() + "?state=s&error=access_denied")
				if err == nil {
					_, err = io.ReadAll(answer.Body)
					_ = answer.Body.Close()
				}
				page <- err
			}()
		})
		b.close()
		if !errors.Is(err, ErrDenied) {
			t.Fatal(err)
		}
		require.NoError(t, <-page)
	}
}
