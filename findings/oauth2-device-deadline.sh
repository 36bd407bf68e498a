#!/usr/bin/env bash
# golang.org/x/oauth2: Config.DeviceAuth(ctx, ...) asks for the code of a device sign-in.
# One would guess: it ends with ctx, as Config.Exchange and every other call of the package.
# True: ctx only carries the HTTP client. The request is made without it, so that a deadline
#   of 0.2 s waits the 2 s that the server takes, and the answer then counts. A sign-in that
#   the user cancels goes on; whoever wants an end sets one in the client.
# golang.org/x/oauth2 v0.38.0, 2026-11. Output seen:
#   exchange: ended with its deadline
#   device: waited for the server, error <nil>, code ABCD
set -euo pipefail
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
cd "$dir"
cat >main.go <<'GO'
package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"golang.org/x/oauth2"
)

const slow, short = 2 * time.Second, 200 * time.Millisecond

func main() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(slow)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"device_code":"d","user_code":"ABCD","verification_uri":"https://example.com","expires_in":600,"access_token":"t"}`)
	}))
	c := oauth2.Config{ClientID: "c", Endpoint: oauth2.Endpoint{DeviceAuthURL: server.URL, TokenURL: server.URL, AuthStyle: oauth2.AuthStyleInParams}}

	ctx, cancel := context.WithTimeout(context.Background(), short)
	defer cancel()
	if _, err := c.Exchange(ctx, "code"); errors.Is(err, context.DeadlineExceeded) {
		fmt.Println("exchange: ended with its deadline")
	}
	ctx, cancel = context.WithTimeout(context.Background(), short)
	defer cancel()
	began := time.Now()
	answer, err := c.DeviceAuth(ctx)
	if time.Since(began) >= slow && answer != nil {
		fmt.Printf("device: waited for the server, error %v, code %s\n", err, answer.UserCode)
	} else {
		fmt.Println("device: ended with its deadline,", err)
	}
}
GO
export GOFLAGS=-mod=mod
{ go mod init probe && go get golang.org/x/oauth2@v0.38.0; } >/dev/null 2>&1
go run . | tee out
diff out - <<'EXPECTED'
exchange: ended with its deadline
device: waited for the server, error <nil>, code ABCD
EXPECTED
