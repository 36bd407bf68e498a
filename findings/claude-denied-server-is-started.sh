#!/usr/bin/env bash
# What switches an MCP server of .mcp.json off in Claude Code, and what only hides its tools.
#
# What one would guess: a server of which permissions.deny has all tools (mcp__SERVER) is not needed, so
# it is not started, as one in disabledMcpjsonServers is not.
# What is true: the model is sent none of its tools, and the server is started and asked for its tools
# all the same. disabledMcpjsonServers and deniedMcpServers do not start it.
#
# npm @anthropic-ai/claude-code-linux-x64 2.1.332, seen 2026-11 on Linux:
#   nothing: started port quay, sent port__sink quay__moor
#   permissions.deny: started port quay, sent port__sink
#   disabledMcpjsonServers: started port, sent port__sink
#   deniedMcpServers: started port, sent port__sink
set -euo pipefail
dir=$(mktemp -d); trap 'kill "${model:-}" 2>/dev/null || true; rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --no-audit --no-fund --ignore-scripts @anthropic-ai/claude-code-linux-x64@2.1.332 >/dev/null 2>&1
claude=$dir/node_modules/@anthropic-ai/claude-code-linux-x64/claude

cat >stub.py <<'P'
import json, sys
name, tool, note = sys.argv[1:]
for line in sys.stdin:
    m = json.loads(line)
    if "id" not in m: continue
    if m["method"] == "tools/list": open(note, "a").write(name + "\n")
    r = {"protocolVersion": m["params"]["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}} if m["method"] == "initialize" else {"tools": [{"name": tool, "description": tool, "inputSchema": {"type": "object", "properties": {}}}]} if m["method"] == "tools/list" else {}
    print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": r}), flush=True)
P
cat >model.py <<'P'
# A model that asks for the time twice, so that the servers are there by the last request, and notes the tools of it.
import json, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
class H(BaseHTTPRequestHandler):
    def log_message(self, *a): pass
    def do_POST(self):
        m = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        names = [t.get("name") or "" for t in m.get("tools") or []]
        block, delta, stop = {"type": "text", "text": ""}, {"type": "text_delta", "text": "done"}, "end_turn"
        if "Bash" in names:
            open("sent", "w").write(" ".join(sorted(n.removeprefix("mcp__") for n in names if n.startswith("mcp__"))))
            if sum(1 for x in m["messages"] if x["role"] == "assistant") < 2:
                time.sleep(2)
                block, stop = {"type": "tool_use", "id": f"toolu_{time.time_ns()}", "name": "Bash", "input": {}}, "tool_use"
                delta = {"type": "input_json_delta", "partial_json": json.dumps({"command": "date", "description": "time"})}
        ev = [{"type": "message_start", "message": {"id": f"m{time.time_ns()}", "type": "message", "role": "assistant", "model": "x", "content": [], "stop_reason": None, "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}},
              {"type": "content_block_start", "index": 0, "content_block": block}, {"type": "content_block_delta", "index": 0, "delta": delta}, {"type": "content_block_stop", "index": 0},
              {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None}, "usage": {"output_tokens": 1}}, {"type": "message_stop"}]
        b = "".join(f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in ev).encode()
        self.send_response(200); self.send_header("content-type", "text/event-stream"); self.send_header("content-length", str(len(b))); self.end_headers(); self.wfile.write(b)
s = ThreadingHTTPServer(("127.0.0.1", 0), H)
open("port", "w").write(str(s.server_port)); s.serve_forever()
P
python3 model.py & model=$!
until [ -s port ]; do sleep 0.1; done

mkdir -p home work/.claude
echo "{\"mcpServers\":{\"port\":{\"command\":\"python3\",\"args\":[\"$dir/stub.py\",\"port\",\"sink\",\"$dir/started\"]},\"quay\":{\"command\":\"python3\",\"args\":[\"$dir/stub.py\",\"quay\",\"moor\",\"$dir/started\"]}}}" >work/.mcp.json
ok=true
check() { # label, settings, what is to be seen
  rm -f sent; : >started
  echo "$2" >work/.claude/settings.json
  (cd work && env -i PATH="$PATH" HOME="$dir/home" ANTHROPIC_BASE_URL="http://127.0.0.1:$(cat "$dir/port")" ANTHROPIC_API_KEY=none \
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 DISABLE_AUTOUPDATER=1 ENABLE_TOOL_SEARCH=false timeout 90 "$claude" -p go --model claude-sonnet-4-5 </dev/null >/dev/null 2>&1) || true
  seen="started $(sort -u started | tr '\n' ' ' | sed 's/ $//'), sent $(cat sent)"
  echo "$1: $seen"; [ "$seen" = "$3" ] || ok=false
}
check nothing '{}' "started port quay, sent port__sink quay__moor"
check permissions.deny '{"permissions":{"deny":["mcp__quay"]}}' "started port quay, sent port__sink"
check disabledMcpjsonServers '{"disabledMcpjsonServers":["quay"]}' "started port, sent port__sink"
check deniedMcpServers '{"deniedMcpServers":[{"serverName":"quay"}]}' "started port, sent port__sink"
$ok
