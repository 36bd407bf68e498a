#!/usr/bin/env bash
# github.com/modelcontextprotocol/go-sdk: a server with SupportedProtocolVersions of 2026-07-28 alone.
# One would guess: it refuses initialize, which that revision has no more, so that a client
#   learns from the first answer to ask by server/discover; and both transports do the same.
# True: it answers initialize with 2025-11-25, a revision that it was told not to speak. Over
#   HTTP it then refuses the next message with 400, so that only the second answer tells; over
#   stdio it goes on, and lists its tools by the earlier revision.
# github.com/modelcontextprotocol/go-sdk v1.8.0, 2026-11. Output seen:
#   http: initialize is answered with 2025-11-25, notifications/initialized gets 400
#   stdio: initialize is answered with 2025-11-25, tools/list lists 1 tool
set -euo pipefail
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
cd "$dir"
cat >main.go <<'GO'
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	initialize  = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"probe","version":"1"}}}`
	initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	list        = `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`
)

type answer struct {
	Result struct {
		ProtocolVersion string
		Tools           []json.RawMessage
	}
}

func decode(line []byte) (a answer) {
	_ = json.Unmarshal(line, &a)
	return a
}

func main() {
	server := mcp.NewServer(&mcp.Implementation{Name: "harbor", Version: "1"}, &mcp.ServerOptions{SupportedProtocolVersions: []string{"2026-07-28"}})
	server.AddTool(&mcp.Tool{Name: "moor", InputSchema: json.RawMessage(`{"type":"object"}`)},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return &mcp.CallToolResult{}, nil })

	web := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true}))
	post := func(body, revision string) (int, []byte) {
		r, _ := http.NewRequest(http.MethodPost, web.URL, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		if revision != "" {
			r.Header.Set("Mcp-Protocol-Version", revision)
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			panic(err)
		}
		data, _ := io.ReadAll(resp.Body)
		return resp.StatusCode, data
	}
	_, first := post(initialize, "")
	revision := decode(first).Result.ProtocolVersion
	status, _ := post(initialized, revision)
	fmt.Printf("http: initialize is answered with %s, notifications/initialized gets %d\n", revision, status)

	in, stdin := io.Pipe()
	stdout, out := io.Pipe()
	go server.Run(context.Background(), &mcp.IOTransport{Reader: in, Writer: out})
	go io.Copy(stdin, bytes.NewBufferString(initialize+"\n"+initialized+"\n"+list+"\n"))
	lines := bufio.NewScanner(stdout)
	lines.Scan()
	revision = decode(lines.Bytes()).Result.ProtocolVersion
	lines.Scan()
	fmt.Printf("stdio: initialize is answered with %s, tools/list lists %d tool\n", revision, len(decode(lines.Bytes()).Result.Tools))
}
GO
export GOFLAGS=-mod=mod
{ go mod init probe && go get github.com/modelcontextprotocol/go-sdk@v1.8.0 && go mod tidy; } >/dev/null 2>&1
go run . | tee out
diff out - <<'EXPECTED'
http: initialize is answered with 2025-11-25, notifications/initialized gets 400
stdio: initialize is answered with 2025-11-25, tools/list lists 1 tool
EXPECTED
