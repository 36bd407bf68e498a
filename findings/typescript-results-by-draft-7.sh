#!/usr/bin/env bash
# A good engineer would guess: a client of MCP checks structured results by the dialect of JSON Schema that the
# protocol names, 2020-12, above all where the schema says so in $schema.
#
# True of @modelcontextprotocol/sdk 1.32.2 (npm, 2026-11): it checks them by draft 7, whatever $schema says. Keywords
# that came later are passed over, so that results which break prefixItems, dependentRequired or
# unevaluatedProperties are taken; and a right one is refused: in a tuple as 2020-12 writes it, items: false means
# "nothing behind the prefix", in draft 7 "no element at all". Every call of such a tool fails in the client, though
# its server answers rightly. @modelcontextprotocol/client 2.4.0 checks all of these as 2020-12 has them.
#
# Output seen, with and without $schema:
#   sdk 1.32.2: right tuple refused, wrong tuple taken, dependent member missing taken, member too many taken
#   client 2.4.0: right tuple taken, wrong tuple refused, dependent member missing refused, member too many refused
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts @modelcontextprotocol/sdk@1.32.2 @modelcontextprotocol/client@2.4.0 >/dev/null
cat >results.mjs <<'EOF'
export const results = {
  "right tuple": [{ properties: { berth: { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], items: false } } }, { berth: ["north", 4] }],
  "wrong tuple": [{ properties: { berth: { type: "array", prefixItems: [{ type: "string" }] } } }, { berth: [4] }],
  "dependent member missing": [{ dependentRequired: { tug: ["pilot"] } }, { tug: "Ada" }],
  "member too many": [{ properties: { tug: {} }, unevaluatedProperties: false }, { tug: "Ada", pier: 1 }],
};
EOF
cat >server.mjs <<'EOF'
import readline from "node:readline";
import { results } from "./results.mjs";
const [, , name, dialect] = process.argv;
const [schema, answer] = results[name];
const outputSchema = { ...(dialect ? { $schema: dialect } : {}), type: "object", ...schema };
readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const m = JSON.parse(line);
  if (m.id === undefined) return;
  const result = m.method === "initialize"
    ? { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } }
    : m.method === "tools/list" ? { tools: [{ name: "moor", inputSchema: { type: "object" }, outputSchema }] }
    : { content: [], structuredContent: answer };
  console.log(JSON.stringify({ jsonrpc: "2.0", id: m.id, result }));
});
EOF
cat >try.mjs <<'EOF'
import { results } from "./results.mjs";
for (const [what, pack, stdio] of [["sdk 1.32.2", "@modelcontextprotocol/sdk/client/index.js", "@modelcontextprotocol/sdk/client/stdio.js"],
  ["client 2.4.0", "@modelcontextprotocol/client", "@modelcontextprotocol/client/stdio"]]) {
  const { Client } = await import(pack), { StdioClientTransport } = await import(stdio);
  for (const dialect of ["", "https://json-schema.org/draft/2020-12/schema"]) {
    const said = [];
    for (const name of Object.keys(results)) {
      const client = new Client({ name: "x", version: "1" });
      await client.connect(new StdioClientTransport({ command: process.execPath, args: ["server.mjs", name, dialect] }));
      await client.listTools();
      said.push(name + " " + await client.callTool({ name: "moor", arguments: {} }).then(() => "taken", () => "refused"));
      await client.close();
    }
    console.log(what + ": " + said.join(", "));
  }
}
EOF
got=$(node try.mjs 2>/dev/null | uniq)
echo "$got"
[ "$got" = "sdk 1.32.2: right tuple refused, wrong tuple taken, dependent member missing taken, member too many taken
client 2.4.0: right tuple taken, wrong tuple refused, dependent member missing refused, member too many refused" ]
