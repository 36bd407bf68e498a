#!/usr/bin/env bash
# A good engineer would guess: a client that has listed all pages of a server's tools knows what each of them declares.
#
# True of @modelcontextprotocol/sdk 1.32.2 (npm, 2026-11): its client knows the tools of the page that it listed last, and no
# others. A tool that must be called as a task (execution.taskSupport: required) is refused with the way to call it while its
# page is the last one listed; after the next page the plain call is sent. Output schemas are held in the same way, so that
# results of tools on earlier pages are not compared with their schemas. A list that fits one page shows nothing of it.
#
# Output seen:
#   page 1 listed: Tool "report" requires task-based execution
#   page 2 listed: report is called, done
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"type": "module"}' >package.json
npm install --silent --no-audit --no-fund @modelcontextprotocol/sdk@1.32.2 zod@4.1.13
cat >pages.mjs <<'JS'
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const inputSchema = { type: 'object' };
const pages = {
  first: { tools: [{ name: 'report', inputSchema, execution: { taskSupport: 'required' } }], nextCursor: 'second' },
  second: { tools: [{ name: 'echo', inputSchema }] },
};
const server = new Server({ name: 'paged', version: '1' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, ({ params }) => pages[params?.cursor ?? 'first']);
server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({ content: [{ type: 'text', text: `${params.name} is called` }] }));

const client = new Client({ name: 'reader', version: '1' });
const [near, far] = InMemoryTransport.createLinkedPair();
await Promise.all([server.connect(far), client.connect(near)]);

const call = () =>
  client.callTool({ name: 'report', arguments: {} }).then(
    (result) => `${result.content[0].text}, done`,
    (error) => error.message.replace(/^MCP error -?\d+: /, '').replace(/\..*/, ''),
  );
const { nextCursor } = await client.listTools();
console.log('page 1 listed:', await call());
await client.listTools({ cursor: nextCursor });
console.log('page 2 listed:', await call());
JS
cat >expected <<'OUT'
page 1 listed: Tool "report" requires task-based execution
page 2 listed: report is called, done
OUT
node pages.mjs | tee seen
diff expected seen
