#!/usr/bin/env bash
# A good engineer would guess: the error of a call says what went wrong and holds nothing that lets its reader act as
# the client, so that it may go into a log or to a model.
#
# True of github.com/modelcontextprotocol/go-sdk v1.8.0 (2026-11): when a server over streamable HTTP has forgotten the
# session, as after a restart, and answers 404 as the protocol wants, the error of CallTool holds the session's id, which
# servers take as the key to a session. Every later call has the same text in its error.
#
# Output seen:
#   the error has the session's id: true
#   the next one too: true
set -euo pipefail
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
cd "$dir"
cat >main.go <<'EOF'
package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	ctx := context.Background()
	server := mcp.NewServer(&mcp.Implementation{Name: "harbor", Version: "1"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "moor"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{}, nil, nil
	})
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)
	restarted := false
	over := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		if restarted && r.Method == http.MethodPost {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		handler.ServeHTTP(w, r)
	}))
	client := mcp.NewClient(&mcp.Implementation{Name: "client", Version: "1"}, nil)
	session, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: over.URL}, nil)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "moor"}); err != nil || len(session.ID()) < 8 {
		log.Fatal(err, session.ID())
	}
	restarted = true
	for _, which := range []string{"the error has the session's id:", "the next one too:"} {
		_, err = session.CallTool(ctx, &mcp.CallToolParams{Name: "moor"})
		fmt.Println(which, err != nil && strings.Contains(err.Error(), session.ID()))
	}
}
EOF
{ go mod init client && GOMODCACHE="$dir/mod" go get github.com/modelcontextprotocol/go-sdk@v1.8.0 && GOMODCACHE="$dir/mod" go mod tidy; } >/dev/null 2>&1
GOFLAGS=-mod=mod GOMODCACHE="$dir/mod" go run . 2>/dev/null | tee seen
diff seen - <<'EOF'
the error has the session's id: true
the next one too: true
EOF
