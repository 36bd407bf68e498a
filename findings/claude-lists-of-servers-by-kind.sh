#!/usr/bin/env bash
# What an organisation's allowedMcpServers and deniedMcpServers match in Claude Code.
#
# What one would guess: the entries of a list are alternatives, so that one of them allows a server
# by its name whatever the others say; an address without a path is that very address, and one
# without a query is not an address with one; letters count in the whole address, or nowhere.
# What is true: as soon as one entry allows a command, a server that is started is allowed by its
# command alone, and the same for addresses: names then count for the other kind only. An address
# without a path matches every path, one without a query every query. The host is compared
# without its case, the path with it. Variables are replaced before.
#
# npm @anthropic-ai/claude-code-linux-x64 2.1.332, seen 2026-11 on Linux:
#   no list: /Case /path?q=1 /variable started
#   name and another command allowed: /path?q=1
#   denied without a path: started
#   denied without the query: /Case /variable started
#   denied host in upper case, path in lower: /path?q=1 /variable started
#   denied by what a variable holds: /Case /path?q=1 started
set -euo pipefail
self=$(realpath "$0")
dir=$(mktemp -d); trap 'kill "${web:-}" 2>/dev/null || true; rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --no-audit --no-fund --ignore-scripts @anthropic-ai/claude-code-linux-x64@2.1.332 >/dev/null 2>&1
claude=$dir/node_modules/@anthropic-ai/claude-code-linux-x64/claude

cat >web.py <<'P'
# No server of MCP, and no model: it writes which paths were asked for.
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
class H(BaseHTTPRequestHandler):
    def log_message(self, *a): pass
    def do_POST(self):
        if not self.path.startswith("/model"): open("asked", "a").write(self.path + "\n")
        self.send_response(404); self.send_header("content-length", "0"); self.end_headers()
    do_GET = do_POST
s = ThreadingHTTPServer(("127.0.0.1", 0), H)
open("port", "w").write(str(s.server_port)); s.serve_forever()
P
python3 web.py & web=$!
until [ -s port ]; do sleep 0.1; done
at=http://localhost:$(cat port)
mkdir -p work home/.claude
cat >work/.mcp.json <<J
{"mcpServers": {
  "local": {"command": "/bin/sh", "args": ["-c", "echo started >> $dir/asked"]},
  "path": {"type": "http", "url": "$at/path?q=1"},
  "case": {"type": "http", "url": "$at/Case"},
  "variable": {"type": "http", "url": "$at/\${PART}"}}}
J
run() { # prints which servers are tried under the settings
  : >asked
  echo "$2" >home/.claude/settings.json
  (cd work && env -i PATH="$PATH" HOME="$dir/home" PART=variable ANTHROPIC_BASE_URL="$at/model" ANTHROPIC_API_KEY=none \
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 DISABLE_AUTOUPDATER=1 timeout 60 "$claude" -p go --model claude-sonnet-4-5 </dev/null >/dev/null 2>&1) || true
  echo "$1: $(LC_ALL=C sort -u asked | paste -sd' ')"
}
{
  run "no list" '{}'
  run "name and another command allowed" '{"allowedMcpServers": [{"serverName": "local"}, {"serverName": "path"}, {"serverCommand": ["other"]}]}'
  run "denied without a path" "{\"deniedMcpServers\": [{\"serverUrl\": \"$at\"}]}"
  run "denied without the query" "{\"deniedMcpServers\": [{\"serverUrl\": \"$at/path\"}]}"
  run "denied host in upper case, path in lower" "{\"deniedMcpServers\": [{\"serverUrl\": \"${at/localhost/LOCALHOST}/Case\"}, {\"serverUrl\": \"$at/PATH\"}]}"
  run "denied by what a variable holds" "{\"deniedMcpServers\": [{\"serverUrl\": \"$at/variable\"}]}"
} | tee seen
diff <(sed -n 's/^#   //p' "$self") seen
