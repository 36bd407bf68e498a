#!/usr/bin/env bash
# A good engineer would guess: the usage of the assistant lines that Claude Code prints with
# --output-format stream-json is what each request cost, so that their sum is the turn's.
# True is: the input is, and the output is what the first event of the stream said (message_start).
# The tokens of the answer come with its last event and are in the line of the kind result alone.
# Package: @anthropic-ai/claude-code-linux-x64 2.1.332, 2026-11. Output seen:
#   lines: input 30 output 2; result: input 30 output 90
set -euo pipefail
work=$(mktemp -d); model=
trap '[ -z "$model" ] || kill "$model" 2>/dev/null || true; rm -rf "$work"' EXIT
cd "$work"
npm init -y >/dev/null 2>&1
npm install --silent --no-audit --no-fund @anthropic-ai/claude-code-linux-x64@2.1.332 >/dev/null 2>&1
cat > model.py <<'PY'
import json, sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
answers = [({'type': 'tool_use', 'id': 'toolu_1', 'name': 'Bash', 'input': {}}, {'type': 'input_json_delta', 'partial_json': '{"command":"echo hi"}'}, 10, 40),
           ({'type': 'text', 'text': ''}, {'type': 'text_delta', 'text': 'done'}, 20, 50)]
class H(BaseHTTPRequestHandler):
    def log_message(self, *a): pass
    def reply(self, body, kind='application/json'):
        b = body.encode(); self.send_response(200); self.send_header('content-type', kind); self.send_header('content-length', str(len(b))); self.end_headers(); self.wfile.write(b)
    def do_HEAD(self): self.reply('')
    def do_GET(self): self.reply('{"data":[]}')
    def do_POST(self):
        m = json.loads(self.rfile.read(int(self.headers.get('content-length') or 0)) or '{}')
        if not self.path.split('?')[0].endswith('/messages'): return self.reply('{"input_tokens":1}')
        n = 1 if '"tool_result"' in json.dumps(m['messages']) else 0
        block, delta, given, made = answers[n]
        events = [{'type': 'message_start', 'message': {'id': f'msg_{n}', 'type': 'message', 'role': 'assistant', 'model': m['model'], 'content': [], 'stop_reason': None, 'stop_sequence': None, 'usage': {'input_tokens': given, 'output_tokens': 1}}},
                  {'type': 'content_block_start', 'index': 0, 'content_block': block}, {'type': 'content_block_delta', 'index': 0, 'delta': delta}, {'type': 'content_block_stop', 'index': 0},
                  {'type': 'message_delta', 'delta': {'stop_reason': 'tool_use' if n == 0 else 'end_turn', 'stop_sequence': None}, 'usage': {'output_tokens': made}}, {'type': 'message_stop'}]
        self.reply(''.join(f'event: {e["type"]}\ndata: {json.dumps(e)}\n\n' for e in events), 'text/event-stream')
server = ThreadingHTTPServer(('127.0.0.1', 0), H)
open('port', 'w').write(str(server.server_address[1])); server.serve_forever()
PY
python3 model.py & model=$!
for _ in $(seq 100); do [ -s port ] && break; sleep 0.1; done
mkdir home
env -i PATH="$PATH" HOME="$work/home" ANTHROPIC_BASE_URL="http://127.0.0.1:$(cat port)" ANTHROPIC_API_KEY=none CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 DISABLE_AUTOUPDATER=1 \
  timeout 120 node_modules/@anthropic-ai/claude-code-linux-x64/claude -p go --model claude-sonnet-4-5 --allowedTools Bash --output-format stream-json --verbose </dev/null >out.jsonl 2>/dev/null
python3 - <<'PY'
import json
each, result = {}, None
for line in open('out.jsonl'):
    o = json.loads(line) if line.startswith('{') else {}
    if o.get('type') == 'assistant': each[o['message']['id']] = o['message']['usage']
    if o.get('type') == 'result': result = o['usage']
total = lambda k: sum(u[k] for u in each.values())
print(f"lines: input {total('input_tokens')} output {total('output_tokens')}; result: input {result['input_tokens']} output {result['output_tokens']}")
assert (total('input_tokens'), total('output_tokens')) == (30, 2), each
assert (result['input_tokens'], result['output_tokens']) == (30, 90), result
PY
