#!/usr/bin/env bash
# Which MCP servers Claude Code has in a folder.
#
# What one would guess: a server with "disabled": true or "enabled": false in .mcp.json is off, and
# allowedTools of an entry hides the other tools; in a subfolder of a repository Claude Code reads the
# .claude/settings.json of the repository's root, as it reads its .mcp.json; what `claude mcp add`
# keeps for a folder stands under that folder in ~/.claude.json.
# What is true: the three settings of an entry do nothing. In a subfolder .mcp.json of every folder
# above counts, and settings.local.json of the root, but its settings.json does not. Local entries
# stand under the root of the main checkout: those of the subfolder, or of a linked worktree, are
# never read.
#
# npm @anthropic-ai/claude-code-linux-x64 2.1.332, seen 2026-11 on Linux:
#   entries: filtered off_by_disabled off_by_enabled (2 tools)
#   subfolder: kept local_of_root shared
#   worktree: local_of_root
set -euo pipefail
dir=$(mktemp -d); trap 'kill "${model:-}" 2>/dev/null || true; rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --no-audit --no-fund --ignore-scripts @anthropic-ai/claude-code-linux-x64@2.1.332 >/dev/null 2>&1
claude=$dir/node_modules/@anthropic-ai/claude-code-linux-x64/claude

cat >stub.py <<'P'
import json, sys
open(sys.argv[2], "a").write(sys.argv[1] + "\n")  # it was started
schema = {"type": "object", "properties": {}}
tools = [{"name": n, "description": n, "inputSchema": schema} for n in ("explore", "rebuild")]
for line in sys.stdin:
    m = json.loads(line)
    if "id" not in m: continue
    r = {"protocolVersion": m["params"]["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}} if m["method"] == "initialize" else {"tools": tools} if m["method"] == "tools/list" else {}
    print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": r}), flush=True)
P
cat >model.py <<'P'
# A model that says "done", and writes the names of the tools that it was sent.
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
class H(BaseHTTPRequestHandler):
    def log_message(self, *a): pass
    def do_POST(self):
        m = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        open("tools", "a").write("".join(t["name"] + "\n" for t in m.get("tools") or [] if t.get("name", "").startswith("mcp__")))
        ev = [{"type": "message_start", "message": {"id": "m", "type": "message", "role": "assistant", "model": "x", "content": [], "stop_reason": None, "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}},
              {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}, {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "done"}}, {"type": "content_block_stop", "index": 0},
              {"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": None}, "usage": {"output_tokens": 1}}, {"type": "message_stop"}]
        b = "".join(f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in ev).encode()
        self.send_response(200); self.send_header("content-type", "text/event-stream"); self.send_header("content-length", str(len(b))); self.end_headers(); self.wfile.write(b)
s = ThreadingHTTPServer(("127.0.0.1", 0), H)
open("port", "w").write(str(s.server_port)); s.serve_forever()
P
python3 model.py & model=$!
until [ -s port ]; do sleep 0.1; done

server() { printf '"%s":{"command":"python3","args":["%s/stub.py","%s","%s/started"]%s}' "$1" "$dir" "$1" "$dir" "${2:-}"; }
run() { # prints which servers are started in a folder
  : >"$dir/started"; : >"$dir/tools"
  (cd "$1" && env -i PATH="$PATH" HOME="$dir/home" ANTHROPIC_BASE_URL="http://127.0.0.1:$(cat "$dir/port")" ANTHROPIC_API_KEY=none \
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 DISABLE_AUTOUPDATER=1 ENABLE_TOOL_SEARCH=false timeout 90 "$claude" -p go --model claude-sonnet-4-5 </dev/null >/dev/null 2>&1)
  sort "$dir/started" | paste -sd' '
}
mkdir -p home entries repo/sub/.claude repo/.claude
echo "{\"mcpServers\":{$(server off_by_disabled ',"disabled":true'),$(server off_by_enabled ',"enabled":false'),$(server filtered ',"allowedTools":["mcp__filtered__explore"]')}}" >entries/.mcp.json
entries="$(run entries) ($(grep -c mcp__filtered__ tools) tools)"; echo "entries: $entries"

git -c init.defaultBranch=main init -q repo
git -C repo -c user.name=n -c user.email=n@example.org commit -q --allow-empty -m m
git -C repo worktree add -q "$dir/tree"
echo "{\"mcpServers\":{$(server shared),$(server kept),$(server gone)}}" >repo/.mcp.json
echo '{"disabledMcpjsonServers":["kept"]}' >repo/.claude/settings.json        # not read in repo/sub
echo '{"disabledMcpjsonServers":["gone"]}' >repo/.claude/settings.local.json  # read
echo "{\"projects\":{\"$dir/repo\":{\"mcpServers\":{$(server local_of_root)}},\"$dir/repo/sub\":{\"mcpServers\":{$(server local_of_sub)}},\"$dir/tree\":{\"mcpServers\":{$(server local_of_tree)}}}}" >home/.claude.json
sub=$(run repo/sub); echo "subfolder: $sub"
tree=$(run tree); echo "worktree: $tree"

[ "$entries" = "filtered off_by_disabled off_by_enabled (2 tools)" ] && [ "$sub" = "kept local_of_root shared" ] && [ "$tree" = "local_of_root" ]
