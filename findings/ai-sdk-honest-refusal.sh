#!/usr/bin/env bash
# A good engineer would guess: a server of MCP that does not speak 2026-07-28 helps a newer client most by the
# error that the specification has for it, -32022 with the list of revisions that it does speak; the client
# then begins again with initialize.
#
# True of @ai-sdk/mcp 2.0.99 (2026-11), whose first message is server/discover: on exactly that error it gives
# up, although it speaks a revision of the list. On -32601, "no such method", or any other error it goes on with
# initialize and works. An old server that knows nothing of 2026-07-28 is reached, and one that answers as the
# specification says is not, unless protocolVersionDiscovery is false.
#
# Output seen:
#   -32022 with the list: not connected, after server/discover
#   -32601: 1 tool, after server/discover initialize notifications/initialized tools/list
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts @ai-sdk/mcp@2.0.99 >/dev/null
cat >server.mjs <<'EOF'
import readline from "node:readline";
import { appendFileSync } from "node:fs";
const [code, log] = [Number(process.argv[2]), process.argv[3]];
readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const m = JSON.parse(line);
  appendFileSync(log, m.method + " ");
  if (m.id === undefined) return;
  const results = {
    initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } },
    "tools/list": { tools: [{ name: "good", inputSchema: { type: "object" } }] },
  };
  const error = { code, message: "not here", ...(code === -32022 ? { data: { supported: ["2025-11-25"], requested: "2026-07-28" } } : {}) };
  console.log(JSON.stringify({ jsonrpc: "2.0", id: m.id, ...(results[m.method] ? { result: results[m.method] } : { error }) }));
});
EOF
cat >try.mjs <<'EOF'
import { createMCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport } from "@ai-sdk/mcp/mcp-stdio";
const [code, log] = process.argv.slice(2);
try {
  const client = await createMCPClient({ transport: new Experimental_StdioMCPTransport({ command: process.execPath, args: ["server.mjs", code, log] }) });
  console.log(Object.keys(await client.tools()).length + " tool");
} catch {
  console.log("not connected");
}
process.exit(0);
EOF
try() { printf '%s: %s, after %s\n' "$2" "$(node try.mjs "$1" "log$1" 2>/dev/null)" "$(sed 's/ $//' "log$1")"; }
got=$(try -32022 "-32022 with the list"; try -32601 "-32601")
echo "$got"
[ "$got" = "-32022 with the list: not connected, after server/discover
-32601: 1 tool, after server/discover initialize notifications/initialized tools/list" ]
