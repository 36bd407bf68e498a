#!/usr/bin/env bash
# "disabled": true and "enabled": false in the entry of an MCP server, in four clients.
#
# What one would guess: both keys are known everywhere, since half of the clients document one of
# them; at least a client that refuses an unknown key would not start the server.
# What is true: Gemini CLI 0.61.0 calls both keys unrecognized, and starts the server; Qwen Code
# 0.24.4 starts it without a word; OpenCode 1.18.33 documents enabled alone, and heeds disabled too.
# (Claude Code 2.1.332 starts both: claude_code_which_servers.sh.)
#
# npm @google/gemini-cli 0.61.0, @qwen-code/qwen-code 0.24.4, opencode-linux-x64 1.18.33, seen 2026-11
# on Linux:
#   gemini: disabled enabled_false plain
#   gemini says: Unrecognized key(s) in object: 'disabled'
#   qwen: disabled enabled_false plain
#   opencode: plain
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --no-audit --no-fund --ignore-scripts @google/gemini-cli@0.61.0 @qwen-code/qwen-code@0.24.4 opencode-linux-x64@1.18.33 >/dev/null 2>&1
bin=$dir/node_modules

cat >stub.py <<'P'
import json, sys
open(sys.argv[2], "a").write(sys.argv[1] + "\n")  # it was started
for line in sys.stdin:
    m = json.loads(line)
    if "id" not in m: continue
    r = {"protocolVersion": m["params"]["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}} if m["method"] == "initialize" else {"tools": []} if m["method"] == "tools/list" else {}
    print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": r}), flush=True)
P
entry() { printf '"%s":{"command":"python3","args":["%s/stub.py","%s","%s/started"]%s}' "$1" "$dir" "$1" "$dir" "${2:-}"; }
local_() { printf '"%s":{"type":"local","command":["python3","%s/stub.py","%s","%s/started"]%s}' "$1" "$dir" "$1" "$dir" "${2:-}"; }
list() { # runs a client, and prints which servers it started
  : >started
  (mkdir -p work && cd work && env -i PATH="$PATH" HOME="$dir/home" GEMINI_API_KEY=none GEMINI_CLI_TRUST_WORKSPACE=true OPENCODE_DISABLE_AUTOUPDATE=1 timeout 90 "$@" mcp list </dev/null >"$dir/said" 2>&1) || true
  sort -u started | paste -sd' '
}
mkdir -p home/.gemini home/.qwen home/.config/opencode
servers="{\"mcpServers\":{$(entry plain),$(entry disabled ',"disabled":true'),$(entry enabled_false ',"enabled":false')}}"
echo "$servers" >home/.gemini/settings.json
echo "$servers" >home/.qwen/settings.json
echo "{\"mcp\":{$(local_ plain),$(local_ disabled ',"disabled":true'),$(local_ enabled_false ',"enabled":false')}}" >home/.config/opencode/opencode.json

gemini=$(list node "$bin/@google/gemini-cli/bundle/gemini.js"); echo "gemini: $gemini"
says=$(grep -om1 "Unrecognized key(s) in object: 'disabled'" said || true); echo "gemini says: $says"
qwen=$(list node "$bin/@qwen-code/qwen-code/cli.js"); echo "qwen: $qwen"
opencode=$(list "$bin/opencode-linux-x64/bin/opencode"); echo "opencode: $opencode"

[ "$gemini" = "disabled enabled_false plain" ] && [ -n "$says" ] && [ "$qwen" = "disabled enabled_false plain" ] && [ "$opencode" = plain ]
