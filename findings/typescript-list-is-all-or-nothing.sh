#!/usr/bin/env bash
# A good engineer would guess: a client of MCP that dislikes the schema of one tool leaves out that tool,
# and schemas of results matter when a result comes.
#
# True of @modelcontextprotocol/sdk 1.32.2 (2026-11): listTools fails as a whole, and no tool is left. One
# parameter whose schema is true, which JSON Schema allows and a Go server writes for a field of type any, is
# enough; so is one outputSchema with a pattern that JavaScript lacks, such as (?i), or with the draft 4 keyword
# id, because the client compiles every outputSchema while it reads the list. In @modelcontextprotocol/client
# 2.4.0 all of these pass, and properties: null still loses the whole list.
#
# Output seen:
#   sdk 1.32.2: plain 2, property true refused, output pattern refused, output id refused, properties null refused
#   client 2.4.0: plain 2, property true 2, output pattern 2, output id 2, properties null refused
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts @modelcontextprotocol/sdk@1.32.2 @modelcontextprotocol/client@2.4.0 >/dev/null
cat >server.mjs <<'EOF'
import readline from "node:readline";
const forms = {
  "plain": {},
  "property true": { inputSchema: { type: "object", properties: { value: true } } },
  "output pattern": { outputSchema: { type: "object", properties: { a: { type: "string", pattern: "(?i)x" } } } },
  "output id": { outputSchema: { type: "object", id: "https://example.com/a" } },
  "properties null": { inputSchema: { type: "object", properties: null } },
};
const tools = [{ name: "good", inputSchema: { type: "object" } }, { name: "odd", inputSchema: { type: "object" }, ...forms[process.argv[2]] }];
readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const m = JSON.parse(line);
  if (m.id === undefined) return;
  const result = m.method === "initialize"
    ? { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } }
    : { tools };
  console.log(JSON.stringify({ jsonrpc: "2.0", id: m.id, result }));
});
EOF
cat >try.mjs <<'EOF'
const names = ["plain", "property true", "output pattern", "output id", "properties null"];
for (const [what, pack, stdio] of [["sdk 1.32.2", "@modelcontextprotocol/sdk/client/index.js", "@modelcontextprotocol/sdk/client/stdio.js"],
  ["client 2.4.0", "@modelcontextprotocol/client", "@modelcontextprotocol/client/stdio"]]) {
  const { Client } = await import(pack), { StdioClientTransport } = await import(stdio);
  const said = [];
  for (const name of names) {
    const client = new Client({ name: "x", version: "1" });
    await client.connect(new StdioClientTransport({ command: process.execPath, args: ["server.mjs", name] }));
    said.push(name + " " + await client.listTools().then((r) => r.tools.length, () => "refused"));
    await client.close();
  }
  console.log(what + ": " + said.join(", "));
}
EOF
got=$(node try.mjs 2>/dev/null)
echo "$got"
[ "$got" = "sdk 1.32.2: plain 2, property true refused, output pattern refused, output id refused, properties null refused
client 2.4.0: plain 2, property true 2, output pattern 2, output id 2, properties null refused" ]
