// A server of MCP over standard input and output whose tools have the forms of a file, by name; t0 returns what is no object.
import readline from 'node:readline'; import fs from 'node:fs';
const forms = JSON.parse(fs.readFileSync(process.argv[2])); const tools = Object.entries(forms).map(([k, v], i) => ({ name: "t" + i, description: k, ...v }));
readline.createInterface({ input: process.stdin }).on("line", (l) => {
  const m = JSON.parse(l); if (m.id === undefined) return;
  const result = { initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "f", version: "1" }, instructions: "Mind the forms." }, "tools/list": { tools },
    "tools/call": { content: [{ type: "text", text: "done" }], structuredContent: m.params?.name === "t0" ? [1] : {} } }[m.method];
  process.stdout.write(JSON.stringify(result ? { jsonrpc: "2.0", id: m.id, result } : { jsonrpc: "2.0", id: m.id, error: { code: -32601, message: "none" } }) + "\n");
});
