#!/usr/bin/env bash
# A good engineer would guess: the system prompt of a conversation of Claude Code stays the same, so that after
# /compact a provider can still read tools and system prompt from its cache; and the log of what each request
# sent (api-request-shape) has the system prompt as it was sent.
# True is: the first block of the system prompt has a mark that follows from the first message. After /compact
# that is the summary, so the block before all others is another one. The log leaves the block out.
# A cache that compares the whole prompt, as those of gateways and local models do, loses all behind the tools.
# Package: @anthropic-ai/claude-code-linux-x64 2.1.332, 2026-11. Output seen:
#   first block of system: turns 1 and 2 equal: True; of another conversation with the same first message equal: True; after /compact equal: False; the other blocks equal: True; in the log: False
set -euo pipefail
work=$(mktemp -d); model=
trap '[ -z "$model" ] || kill "$model" 2>/dev/null || true; rm -rf "$work"' EXIT
cd "$work"
npm init -y >/dev/null 2>&1
npm install --silent --no-audit --no-fund @anthropic-ai/claude-code-linux-x64@2.1.332 >/dev/null 2>&1
cat > model.py <<'PY'
import json, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
class H(BaseHTTPRequestHandler):
    def log_message(self, *a): pass
    def reply(self, body, kind='application/json'):
        b = body.encode(); self.send_response(200); self.send_header('content-type', kind); self.send_header('content-length', str(len(b))); self.end_headers(); self.wfile.write(b)
    def do_HEAD(self): self.reply('')
    def do_GET(self): self.reply('{"data":[]}')
    def do_POST(self):
        m = json.loads(self.rfile.read(int(self.headers.get('content-length') or 0)) or '{}')
        if not self.path.split('?')[0].endswith('/messages'): return self.reply('{"input_tokens":1}')
        if m.get('tools'): open('requests', 'a').write(json.dumps(m) + '\n')
        events = [{'type': 'message_start', 'message': {'id': f'msg_{time.time_ns()}', 'type': 'message', 'role': 'assistant', 'model': m['model'], 'content': [], 'stop_reason': None, 'stop_sequence': None, 'usage': {'input_tokens': 100, 'output_tokens': 1}}},
                  {'type': 'content_block_start', 'index': 0, 'content_block': {'type': 'text', 'text': ''}}, {'type': 'content_block_delta', 'index': 0, 'delta': {'type': 'text_delta', 'text': 'done, in short'}}, {'type': 'content_block_stop', 'index': 0},
                  {'type': 'message_delta', 'delta': {'stop_reason': 'end_turn', 'stop_sequence': None}, 'usage': {'output_tokens': 9}}, {'type': 'message_stop'}]
        self.reply(''.join(f'event: {e["type"]}\ndata: {json.dumps(e)}\n\n' for e in events), 'text/event-stream')
server = ThreadingHTTPServer(('127.0.0.1', 0), H)
open('port', 'w').write(str(server.server_address[1])); server.serve_forever()
PY
python3 model.py & model=$!
for _ in $(seq 100); do [ -s port ] && break; sleep 0.1; done
mkdir home run
ask() {
  (cd run && env -i PATH="$PATH" HOME="$work/home" ANTHROPIC_BASE_URL="http://127.0.0.1:$(cat ../port)" ANTHROPIC_API_KEY=none CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 DISABLE_AUTOUPDATER=1 \
    timeout 120 ../node_modules/@anthropic-ai/claude-code-linux-x64/claude -p "$@" --model claude-sonnet-4-5 </dev/null >/dev/null 2>&1) || true
  wc -l < requests >> turns
}
ask 'Count the boats at the quay'
ask 'And the crates' --continue
ask /compact --continue
ask 'And the cranes' --continue
ask 'Count the boats at the quay'
python3 - <<'PY'
import glob, json
sent = [json.loads(l) for l in open('requests')]
one, two, _, last, again = (sent[int(n) - 1]['system'] for n in open('turns').read().split())
text = lambda system: [b['text'] for b in system]
log = ''.join(open(f).read() for f in glob.glob('home/.claude/projects/*/*.jsonl'))
first = text(last)[0]
out = text(one)[0] == text(two)[0], text(one)[0] == text(again)[0], text(one)[0] == first, text(one)[1:] == text(last)[1:], first.split(':')[0] in log
print('first block of system: turns 1 and 2 equal: %s; of another conversation with the same first message equal: %s; after /compact equal: %s; the other blocks equal: %s; in the log: %s' % out)
assert 'api-request-shape' in log and out == (True, True, False, True, False), text(one)[0] + ' | ' + first
PY
