#!/usr/bin/env bash
# A good engineer would guess: the name of an MCP tool in Codex depends on its server and its own name alone, so that a rule, a
# prompt or a log that names mcp__de__f means it as long as server de has tool f.
# True is: Codex compares names with the two underscores left out. Where server d with tool ef is added, mcp__def is taken, and
# tool f of server de, which nobody touched, becomes f_efdd5ad582c4 (12 digits of a SHA-1). No name was the other's, none was long.
# Package: @openai/codex 0.171.0 (linux-x64), 2026-11. Output seen:
#   alone: mcp__de__f; beside server d: mcp__d__ef mcp__de__f_efdd5ad582c4
set -euo pipefail
work=$(mktemp -d); model=
trap '[ -z "$model" ] || kill "$model" 2>/dev/null || true; rm -rf "$work"' EXIT
cd "$work"
npm init -y >/dev/null 2>&1
npm install --silent --no-audit --no-fund codex@npm:@openai/codex@0.171.0-linux-x64 >/dev/null 2>&1
# One process is the model, which searches once and is done, and both servers.
cat > model.py <<'PY'
import json, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
tools = {'/de': 'f', '/d': 'ef'}
class H(BaseHTTPRequestHandler):
    def log_message(self, *a): pass
    def reply(self, body, kind='application/json', status=200):
        b = body.encode(); self.send_response(status); self.send_header('content-type', kind); self.send_header('content-length', str(len(b))); self.end_headers(); self.wfile.write(b)
    def do_GET(self): self.reply('', status=405) if self.path in tools else self.reply('{"data":[],"models":[]}')
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers.get('content-length') or 0)))
        if self.path in tools:
            if 'id' not in body: return self.reply('', status=202)
            result = {'protocolVersion': body.get('params', {}).get('protocolVersion'), 'capabilities': {'tools': {}}, 'serverInfo': {'name': 'x', 'version': '1'}}
            if body['method'] == 'tools/list': result = {'tools': [{'name': tools[self.path], 'description': 'Light the lamp.', 'inputSchema': {'type': 'object'}}]}
            return self.reply(json.dumps({'jsonrpc': '2.0', 'id': body['id'], 'result': result}))
        if not self.path.endswith('/responses'): return self.reply('{}')
        found = [f"{g['name']}__{t['name']}" for m in body['input'] if m.get('type') == 'tool_search_output' for g in m['tools'] for t in g.get('tools', []) if g['name'].startswith('mcp__')]
        item = {'type': 'message', 'role': 'assistant', 'id': 'msg', 'content': [{'type': 'output_text', 'text': 'done', 'annotations': []}]}
        if found: open('found', 'w').write(' '.join(sorted(found)))
        else:
            time.sleep(3)  # until the servers have listed their tools
            item = {'type': 'tool_search_call', 'id': 't0', 'call_id': 'c0', 'execution': 'client', 'status': 'completed', 'arguments': {'query': 'lamp'}}
        usage = {'input_tokens': 1, 'input_tokens_details': None, 'output_tokens': 1, 'output_tokens_details': None, 'total_tokens': 2}
        events = [{'type': 'response.created', 'response': {'id': 'r'}}, {'type': 'response.output_item.done', 'output_index': 0, 'item': item}, {'type': 'response.completed', 'response': {'id': 'r', 'usage': usage}}]
        self.reply(''.join(f'event: {e["type"]}\ndata: {json.dumps(e)}\n\n' for e in events), 'text/event-stream')
server = ThreadingHTTPServer(('127.0.0.1', 0), H)
open('port', 'w').write(str(server.server_address[1])); server.serve_forever()
PY
python3 model.py & model=$!
for _ in $(seq 100); do [ -s port ] && break; sleep 0.1; done
codex=$(find node_modules/codex -type f -name codex -perm -u+x | head -1)
ask() { # the servers
  rm -rf home run found; mkdir home run
  cat > home/config.toml <<TOML
model = "gpt-5.5"
model_provider = "fake"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.fake]
name = "fake"
base_url = "http://127.0.0.1:$(cat port)/v1"
wire_api = "responses"
TOML
  for s; do printf '[mcp_servers.%s]\nurl = "http://127.0.0.1:%s/%s"\n' "$s" "$(cat port)" "$s" >> home/config.toml; done
  (cd run && env -i PATH="$PATH" HOME="$work/home" CODEX_HOME="$work/home" timeout 100 "$work/$codex" exec --skip-git-repo-check go </dev/null >/dev/null 2>&1) || true
  cat found
}
seen="alone: $(ask de); beside server d: $(ask de d)"
echo "$seen"
[ "$seen" = 'alone: mcp__de__f; beside server d: mcp__d__ef mcp__de__f_efdd5ad582c4' ]
