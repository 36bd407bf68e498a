#!/usr/bin/env bash
# A good engineer would guess: a search that gives 5 more to a tool whose name is the query answers with that tool.
#
# True of @mastra/core 1.71.0 (npm, 2026-11): ToolSearchProcessor gives its points for names only to the first ten hits of
# BM25 over name and description (topK × 2), so that a tool with a long description is not answered to its own name when ten
# others with short ones have the word: the model has to call load_tool with a name that the search does not tell it.
#
# Output seen:
#   archive among 8 others:  archive first
#   archive among 11 others: archive is not answered
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm i --silent --ignore-scripts --no-audit --no-fund @mastra/core@1.71.0 zod@4.1.12 >/dev/null 2>&1
cat >ask.mjs <<'JS'
import { ToolSearchProcessor } from '@mastra/core/processors';
import { createTool } from '@mastra/core/tools';
import { z } from 'zod';

const long = 'Moves a folder with everything in it to the cold store, keeps an index of what was moved, and tells when it can be fetched again.';
for (const n of [8, 11]) {
  const make = (id, description) => [id, createTool({ id, description, inputSchema: z.object({}), execute: async () => '' })];
  const tools = Object.fromEntries([make('archive', long), ...Array.from({ length: n }, (_, i) => make(`mail_${String.fromCharCode(97 + i)}`, 'archive mail'))]);
  const step = await new ToolSearchProcessor({ tools, ttl: 0 }).processInputStep({ tools: {}, messageList: { addSystem() {} }, messages: [] });
  const names = (await step.tools.search_tools.execute({ query: 'archive' }, {})).results.map(t => t.name);
  console.log(`archive among ${n} others:`.padEnd(25) + (names[0] === 'archive' ? 'archive first' : names.includes('archive') ? 'archive later' : 'archive is not answered'));
}
JS
node ask.mjs | tee seen
diff seen - <<'SEEN'
archive among 8 others:  archive first
archive among 11 others: archive is not answered
SEEN
