#!/usr/bin/env bash
# A good engineer would guess: x-mcp-header in a tool's schema is about HTTP in MCP 2026-07-28, so a client that speaks
# an earlier revision over standard input reads over it, as over any keyword that it does not know.
#
# True of github.com/modelcontextprotocol/go-sdk v1.8.0 (2026-11): ListTools leaves out every tool of whose headers one
# is not as the newest revision has it, whatever revision and transport were agreed on: a header on a number, whose
# values no header may repeat, or two of one name. The call returns no error; a log line is all there is.
#
# Output seen (the server lists four tools):
#   2025-11-25 over stdio: moor wait
set -euo pipefail
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
cd "$dir"
cat >server.py <<'EOF'
import json, sys

def tool(name, **properties):
    return {"name": name, "inputSchema": {"type": "object", "properties": properties}}

text, number = {"type": "string"}, {"type": "number"}
tools = [tool("moor", boat=text | {"x-mcp-header": "Boat"}), tool("weigh", tons=number | {"x-mcp-header": "Tons"}),
         tool("tow", boat=text | {"x-mcp-header": "Boat"}, by=text | {"x-mcp-header": "boat"}), tool("wait", hours=number)]
for line in sys.stdin:
    m = json.loads(line)
    result = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "harbor", "version": "1"}}
    if m["method"] == "tools/list":
        result = {"tools": tools}
    if m["method"] in ("initialize", "tools/list"):
        print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": result}), flush=True)
    elif "id" in m:
        print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "error": {"code": -32601, "message": "no such method"}}), flush=True)
EOF
cat >main.go <<'EOF'
package main

import (
	"context"
	"fmt"
	"log"
	"os/exec"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	ctx := context.Background()
	client := mcp.NewClient(&mcp.Implementation{Name: "client", Version: "1"}, nil)
	session, err := client.Connect(ctx, &mcp.CommandTransport{Command: exec.Command("python3", "server.py")}, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer session.Close()
	list, err := session.ListTools(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(session.InitializeResult().ProtocolVersion, " over stdio:")
	for _, t := range list.Tools {
		fmt.Print(" ", t.Name)
	}
	fmt.Println()
}
EOF
{ go mod init client && GOMODCACHE="$dir/mod" go get github.com/modelcontextprotocol/go-sdk@v1.8.0 && GOMODCACHE="$dir/mod" go mod tidy; } >/dev/null 2>&1
GOFLAGS=-mod=mod GOMODCACHE="$dir/mod" go run . 2>/dev/null | tee seen
diff seen - <<'EOF'
2025-11-25 over stdio: moor wait
EOF
