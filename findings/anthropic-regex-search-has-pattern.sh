#!/usr/bin/env bash
# A good engineer would guess: both of Anthropic's hosted searches of tools are asked by {"query": ...}, as the sample
# answer of the search by regular expression has it in Anthropic's documentation (tool search tool, response format).
#
# True of @ai-sdk/anthropic 3.0.140 with ai 7.0.173 (2026-11): the search by regular expression is asked by "pattern",
# the one by BM25 by "query". An answer as the sample has it is a call that the SDK marks as invalid.
#
# Output seen:
#   regex {"query":"weather"}: invalid
#   regex {"pattern":"weather"}: valid
#   bm25 {"query":"weather"}: valid
#   bm25 {"pattern":"weather"}: invalid
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts ai@7.0.173 @ai-sdk/anthropic@3.0.140 >/dev/null
cat >ask.mjs <<'EOF'
import { createAnthropic } from '@ai-sdk/anthropic'
import { generateText } from 'ai'

for (const kind of ['regex', 'bm25'])
  for (const input of [{ query: 'weather' }, { pattern: 'weather' }]) {
    const answer = {
      id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-opus-4-5', stop_reason: 'end_turn', stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
      content: [
        { type: 'server_tool_use', id: 'srvtoolu_1', name: 'tool_search_tool_' + kind, input },
        { type: 'tool_search_tool_result', tool_use_id: 'srvtoolu_1', content: { type: 'tool_search_tool_search_result', tool_references: [] } },
        { type: 'text', text: 'done' },
      ],
    }
    const anthropic = createAnthropic({ apiKey: 'x', fetch: async () => Response.json(answer) })
    const search = kind === 'regex' ? anthropic.tools.toolSearchRegex_20251119() : anthropic.tools.toolSearchBm25_20251119()
    const result = await generateText({ model: anthropic('claude-opus-4-5'), prompt: 'hi', tools: { search } })
    console.log(`${kind} ${JSON.stringify(input)}: ${result.toolCalls[0].invalid ? 'invalid' : 'valid'}`)
  }
EOF
node ask.mjs 2>/dev/null | tee seen
diff seen - <<'EOF'
regex {"query":"weather"}: invalid
regex {"pattern":"weather"}: valid
bm25 {"query":"weather"}: valid
bm25 {"pattern":"weather"}: invalid
EOF
