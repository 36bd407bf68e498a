#!/usr/bin/env bash
# A good engineer would guess: Gemini knows its own dialect of schemas (types in capitals, no $ref, no const), so
# Google's SDK and the AI SDK translate the JSON Schema of a tool, or lose what the dialect lacks.
#
# True of @google/genai 3.3.0 and @ai-sdk/google 4.0.121 (2026-11): both send parametersJsonSchema as it was
# given, with $ref, $defs, const, a union at the top and a list of types. What Gemini refuses is the service's
# word, not that of the SDK.
#
# Output seen:
#   @google/genai 3.3.0: parametersJsonSchema untouched
#   @ai-sdk/google 4.0.121: parametersJsonSchema untouched
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts @google/genai@3.3.0 @ai-sdk/google@4.0.121 >/dev/null
cat >try.mjs <<'EOF'
import http from "node:http";
import { GoogleGenAI } from "@google/genai";
import * as ai from "@ai-sdk/google";
const schema = { type: "object", $defs: { a: { const: 7 } }, properties: { x: { $ref: "#/$defs/a" }, y: { type: ["string", "null"] } }, anyOf: [{ required: ["x"] }, { required: ["y"] }] };
let body = "";
const answer = JSON.stringify({ candidates: [{ content: { role: "model", parts: [{ text: "ok" }] }, finishReason: "STOP" }], usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 } });
const server = http.createServer((request, response) => {
  body = "";
  request.on("data", (part) => (body += part)).on("end", () => response.setHeader("content-type", "application/json").end(answer));
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const baseUrl = `http://127.0.0.1:${server.address().port}`;
const say = (who) => {
  const sent = JSON.parse(body).tools.flatMap((t) => t.functionDeclarations ?? [])[0];
  console.log(`${who}: parametersJsonSchema ${JSON.stringify(sent.parametersJsonSchema) === JSON.stringify(schema) ? "untouched" : "changed"}`);
};
await new GoogleGenAI({ apiKey: "k", httpOptions: { baseUrl } }).models.generateContent({
  model: "gemini-2.5-flash", contents: "hello", config: { tools: [{ functionDeclarations: [{ name: "t", description: "T.", parametersJsonSchema: schema }] }] } });
say("@google/genai 3.3.0");
const create = ai.createGoogle ?? ai.createGoogleGenerativeAI;
await create({ apiKey: "k", baseURL: baseUrl })("gemini-2.5-flash").doGenerate({
  prompt: [{ role: "user", content: [{ type: "text", text: "hello" }] }], tools: [{ type: "function", name: "t", description: "T.", inputSchema: schema }] });
say("@ai-sdk/google 4.0.121");
server.close();
EOF
got=$(node try.mjs)
echo "$got"
[ "$got" = "@google/genai 3.3.0: parametersJsonSchema untouched
@ai-sdk/google 4.0.121: parametersJsonSchema untouched" ]
