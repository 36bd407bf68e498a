#!/usr/bin/env bash
# An entry of an MCP server refers to ${VARIABLE}, and that is not set.
# One would guess: the server is not started, or started with an empty text in its place.
# True: Claude Code starts it, and the text ${VARIABLE} itself is the argument and the value.
#   A server that only checks whether its key is there takes that for a key. Of several
#   commands only `mcp list` warns; `mcp get` shows the entry as it is written.
# @anthropic-ai/claude-code-linux-x64 2.1.332, 2026-11. Output seen:
#   arg:${NO_SUCH_VARIABLE}
#   arg:fallback
#   env:x${NO_SUCH_VARIABLE}y
#   warned by list: 1, by get: 0
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @anthropic-ai/claude-code-linux-x64@2.1.332 >/dev/null
claude=$dir/node_modules/@anthropic-ai/claude-code-linux-x64/claude
mkdir home work

cat >server.sh <<'SERVER'
#!/bin/sh
{ for a in "$@"; do echo "arg:$a"; done; echo "env:$KEY"; } >"$SEEN"
while read -r line; do
  id=$(printf %s "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case $line in
  *'"initialize"'*) result='{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}' ;;
  *'"tools/list"'*) result='{"tools":[]}' ;;
  *) result='{}' ;;
  esac
  [ -z "$id" ] || printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$result"
done
SERVER
chmod +x server.sh
cat >home/.claude.json <<JSON
{"mcpServers":{"s":{"command":"$dir/server.sh","args":["\${NO_SUCH_VARIABLE}","\${NO_SUCH_VARIABLE:-fallback}"],
 "env":{"KEY":"x\${NO_SUCH_VARIABLE}y","SEEN":"$dir/seen"}}}}
JSON

run() { (cd work && env -i PATH="$PATH" HOME="$dir/home" CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 timeout 60 "$claude" mcp "$@" 2>&1); }
run list >list.txt
cat seen
run get s >get.txt
warned="warned by list: $(grep -c 'Missing environment variables: NO_SUCH_VARIABLE' list.txt || true), by get: $(grep -c 'Missing environment' get.txt || true)"
echo "$warned"

diff <(cat seen; echo "$warned") - <<'EXPECTED'
arg:${NO_SUCH_VARIABLE}
arg:fallback
env:x${NO_SUCH_VARIABLE}y
warned by list: 1, by get: 0
EXPECTED
