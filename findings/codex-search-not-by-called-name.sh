#!/usr/bin/env bash
# A good engineer would guess: tool_search of Codex finds a tool by the name that the model calls it by, such as
# mcp__files__archive_box, as it finds it by the tool's name at its server.
# True is: it finds nothing by that name. Server and tool stand in the searched text run together, mcp__filesarchive_box, and
# an underscore cuts no word. A system prompt that names tools as they are called sends the model to an empty answer.
# Package: @openai/codex 0.171.0 (linux-x64), 2026-11. Output seen:
#   mcp__files__archive_box: nothing; archive_box: archive_box; mcp__filesarchive_box: archive_box
set -euo pipefail
work=$(mktemp -d); model=
trap '[ -z "$model" ] || kill "$model" 2>/dev/null || true; rm -rf "$work"' EXIT
cd "$work"
npm init -y >/dev/null 2>&1
npm install --silent --no-audit --no-fund codex@npm:@openai/codex@0.171.0-linux-x64 >/dev/null 2>&1
# One process is the model, which searches three times and is done, and the server of two tools.
cat > model.py <<'PY'
import json, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
queries = ['mcp__files__archive_box', 'archive_box', 'mcp__filesarchive_box']
class H(BaseHTTPRequestHandler):
    def log_message(self, *a): pass
    def reply(self, body, kind='application/json', status=200):
        b = body.encode(); self.send_response(status); self.send_header('content-type', kind); self.send_header('content-length', str(len(b))); self.end_headers(); self.wfile.write(b)
    def do_GET(self): self.reply('', status=405) if self.path == '/mcp' else self.reply('{"data":[],"models":[]}')
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers.get('content-length') or 0)))
        if self.path == '/mcp':
            if 'id' not in body: return self.reply('', status=202)
            result = {'protocolVersion': body.get('params', {}).get('protocolVersion'), 'capabilities': {'tools': {}}, 'serverInfo': {'name': 'files', 'version': '1'}}
            if body['method'] == 'tools/list': result = {'tools': [{'name': n, 'description': d, 'inputSchema': {'type': 'object'}} for n, d in [('archive_box', 'Seal it.'), ('open_lid', 'Look inside.')]]}
            return self.reply(json.dumps({'jsonrpc': '2.0', 'id': body['id'], 'result': result}))
        if not self.path.endswith('/responses'): return self.reply('{}')
        found = {m['call_id']: [t['name'] for g in m['tools'] for t in g.get('tools', [])] for m in body['input'] if m.get('type') == 'tool_search_output'}
        items = [{'type': 'message', 'role': 'assistant', 'id': 'msg', 'content': [{'type': 'output_text', 'text': 'done', 'annotations': []}]}]
        if found: open('found', 'w').write('; '.join(f'{q}: {" ".join(found[f"c{i}"]) or "nothing"}' for i, q in enumerate(queries)))
        else:
            time.sleep(3)  # until the server has listed its tools
            items = [{'type': 'tool_search_call', 'id': f't{i}', 'call_id': f'c{i}', 'execution': 'client', 'status': 'completed', 'arguments': {'query': q}} for i, q in enumerate(queries)]
        events = [{'type': 'response.created', 'response': {'id': 'r'}}] + [{'type': 'response.output_item.done', 'output_index': i, 'item': item} for i, item in enumerate(items)]
        usage = {'input_tokens': 1, 'input_tokens_details': None, 'output_tokens': 1, 'output_tokens_details': None, 'total_tokens': 2}
        events.append({'type': 'response.completed', 'response': {'id': 'r', 'usage': usage}})
        self.reply(''.join(f'event: {e["type"]}\ndata: {json.dumps(e)}\n\n' for e in events), 'text/event-stream')
server = ThreadingHTTPServer(('127.0.0.1', 0), H)
open('port', 'w').write(str(server.server_address[1])); server.serve_forever()
PY
python3 model.py & model=$!
for _ in $(seq 100); do [ -s port ] && break; sleep 0.1; done
mkdir home run
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
[mcp_servers.files]
url = "http://127.0.0.1:$(cat port)/mcp"
TOML
codex=$(find node_modules/codex -type f -name codex -perm -u+x | head -1)
(cd run && env -i PATH="$PATH" HOME="$work/home" CODEX_HOME="$work/home" timeout 100 "$work/$codex" exec --skip-git-repo-check go </dev/null >/dev/null 2>&1) || true
cat found; echo
[ "$(cat found)" = 'mcp__files__archive_box: nothing; archive_box: archive_box; mcp__filesarchive_box: archive_box' ]
