#!/usr/bin/env bash
# Which MCP tools a subagent of Claude Code has, by tools and disallowedTools of its file.
#
# What one would guess: tools of .claude/agents/*.md are the patterns that permissions.deny takes, so
# that mcp__port__list* gives the tools of the server port that begin with list; and what a subagent is
# given by name is deferred as the main agent's tools are.
# What is true: a star stands for a whole server alone (mcp__port__*, as mcp__port); within a name it
# fits nothing in either list, and nobody says so: the subagent has no such tool, or has the tool that
# was to be taken away. And a list without ToolSearch gives its tools in full, whatever
# ENABLE_TOOL_SEARCH says; with ToolSearch in the list they are deferred.
#
# npm @anthropic-ai/claude-code-linux-x64 2.1.332, seen 2026-11 on Linux. What the subagent is sent:
#   tools: mcp__port: port__list_ships port__sink
#   tools: mcp__port__*: port__list_ships port__sink
#   tools: mcp__port__list*, Read: nothing
#   disallowedTools: mcp__port__s*: port__list_ships port__sink quay__moor
#   disallowedTools: mcp__port: quay__moor
#   permissions.deny mcp__port__s*: port__list_ships quay__moor
#   tools: mcp__port__sink, search on: port__sink
#   tools: ToolSearch, mcp__port__sink, search on: ToolSearch
set -euo pipefail
dir=$(mktemp -d); trap 'kill "${model:-}" 2>/dev/null || true; rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --no-audit --no-fund --ignore-scripts @anthropic-ai/claude-code-linux-x64@2.1.332 >/dev/null 2>&1
claude=$dir/node_modules/@anthropic-ai/claude-code-linux-x64/claude

cat >stub.py <<'P'
import json, sys
tools = [{"name": n, "description": n, "inputSchema": {"type": "object", "properties": {}}} for n in sys.argv[1:]]
for line in sys.stdin:
    m = json.loads(line)
    if "id" not in m: continue
    r = {"protocolVersion": m["params"]["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}} if m["method"] == "initialize" else {"tools": tools} if m["method"] == "tools/list" else {}
    print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": r}), flush=True)
P
cat >model.py <<'P'
# A model that asks the subagent mate once, and writes which tools each request has that is mate's.
import json, os, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
class H(BaseHTTPRequestHandler):
    def log_message(self, *a): pass
    def do_POST(self):
        m = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        names = [t.get("name") or "" for t in m.get("tools") or []]
        block, delta, stop = {"type": "text", "text": ""}, {"type": "text_delta", "text": "done"}, "end_turn"
        if "You are mate." in json.dumps(m.get("system")):
            open("sent", "w").write(" ".join(sorted(n.removeprefix("mcp__") for n in names if n.startswith("mcp__") or n == "ToolSearch")))
        elif "Agent" in names and not os.path.exists("asked"):
            open("asked", "w"); time.sleep(2)
            block, stop = {"type": "tool_use", "id": "toolu_1", "name": "Agent", "input": {}}, "tool_use"
            delta = {"type": "input_json_delta", "partial_json": json.dumps({"description": "d", "prompt": "go", "subagent_type": "mate", "run_in_background": False})}
        ev = [{"type": "message_start", "message": {"id": "m", "type": "message", "role": "assistant", "model": "x", "content": [], "stop_reason": None, "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}},
              {"type": "content_block_start", "index": 0, "content_block": block}, {"type": "content_block_delta", "index": 0, "delta": delta}, {"type": "content_block_stop", "index": 0},
              {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None}, "usage": {"output_tokens": 1}}, {"type": "message_stop"}]
        b = "".join(f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in ev).encode()
        self.send_response(200); self.send_header("content-type", "text/event-stream"); self.send_header("content-length", str(len(b))); self.end_headers(); self.wfile.write(b)
s = ThreadingHTTPServer(("127.0.0.1", 0), H)
open("port", "w").write(str(s.server_port)); s.serve_forever()
P
python3 model.py & model=$!
until [ -s port ]; do sleep 0.1; done

mkdir -p home work/.claude/agents
echo "{\"mcpServers\":{\"port\":{\"command\":\"python3\",\"args\":[\"$dir/stub.py\",\"list_ships\",\"sink\"]},\"quay\":{\"command\":\"python3\",\"args\":[\"$dir/stub.py\",\"moor\"]}}}" >work/.mcp.json
mate() { # prints what the subagent with a line of frontmatter is sent
  rm -f asked sent
  printf -- '---\nname: mate\ndescription: a mate\n%s\n---\nYou are mate.\n' "$1" >work/.claude/agents/mate.md
  (cd work && env -i PATH="$PATH" HOME="$dir/home" ANTHROPIC_BASE_URL="http://127.0.0.1:$(cat "$dir/port")" ANTHROPIC_API_KEY=none \
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 DISABLE_AUTOUPDATER=1 ENABLE_TOOL_SEARCH="${2:-false}" timeout 90 "$claude" -p go --model claude-sonnet-4-5 </dev/null >/dev/null 2>&1)
  cat sent
}
ok=true
check() { # label, what is sent, what was seen
  echo "$1: ${2:-nothing}"; [ "$2" = "$3" ] || ok=false
}
check "tools: mcp__port" "$(mate 'tools: mcp__port')" "port__list_ships port__sink"
check "tools: mcp__port__*" "$(mate 'tools: mcp__port__*')" "port__list_ships port__sink"
check "tools: mcp__port__list*, Read" "$(mate 'tools: mcp__port__list*, Read')" ""
check "disallowedTools: mcp__port__s*" "$(mate 'disallowedTools: mcp__port__s*')" "port__list_ships port__sink quay__moor"
check "disallowedTools: mcp__port" "$(mate 'disallowedTools: mcp__port')" "quay__moor"
echo '{"permissions":{"deny":["mcp__port__s*"]}}' >work/.claude/settings.json
check "permissions.deny mcp__port__s*" "$(mate 'model: inherit')" "port__list_ships quay__moor"
rm work/.claude/settings.json
check "tools: mcp__port__sink, search on" "$(mate 'tools: mcp__port__sink' true)" "port__sink"
check "tools: ToolSearch, mcp__port__sink, search on" "$(mate 'tools: ToolSearch, mcp__port__sink' true)" "ToolSearch"
$ok
