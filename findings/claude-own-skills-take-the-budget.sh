#!/usr/bin/env bash
# A good engineer would guess: with a model of 200,000 tokens Claude Code lists skills in 8,000 characters, so the descriptions
# of 30 skills of 200 characters each, 6,000 in all, reach the model.
# True is: the skills that come with it take their room first, whole in any case, and that is most of it. The others get
# what is left, in the order of their folders; the rest is listed by name alone, and the model has nothing to choose them by.
# Package: @anthropic-ai/claude-code-linux-x64 2.1.332, 2026-11. Output seen:
#   of 30 skills of the user, 7 have a description in the list; of 13 that come with Claude Code, 13 do
set -euo pipefail
work=$(mktemp -d); model=
trap '[ -z "$model" ] || kill "$model" 2>/dev/null || true; rm -rf "$work"' EXIT
cd "$work"
npm init -y >/dev/null 2>&1
npm install --silent --no-audit --no-fund @anthropic-ai/claude-code-linux-x64@2.1.332 >/dev/null 2>&1
mkdir -p home run
for i in $(seq 10 39); do
	mkdir -p "home/.claude/skills/mine-$i"
	printf -- '---\nname: mine-%s\ndescription: %0200d\n---\nBody.\n' "$i" 0 | sed 's/: 0\(0*\)$/: Checks \1/' > "home/.claude/skills/mine-$i/SKILL.md"
done
cat > model.py <<'PY'
import json, re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
class H(BaseHTTPRequestHandler):
    def log_message(self, *a): pass
    def reply(self, body, kind='application/json'):
        b = body.encode(); self.send_response(200); self.send_header('content-type', kind); self.send_header('content-length', str(len(b))); self.end_headers(); self.wfile.write(b)
    def do_HEAD(self): self.reply('')
    def do_GET(self): self.reply('{"data":[]}')
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers.get('content-length') or 0)))
        if not self.path.split('?')[0].endswith('/messages'): return self.reply('{}')
        for m in body['messages']:
            for b in m['content'] if isinstance(m['content'], list) else []:
                if 'skills are available' not in b.get('text', ''): continue
                lines = [l for l in b['text'].split('\n') if l.startswith('- ')]
                mine = [l for l in lines if l.startswith('- mine-')]; own = [l for l in lines if l not in mine]
                open('found', 'w').write(f'of {len(mine)} skills of the user, {sum(": " in l for l in mine)} have a description in the list; of {len(own)} that come with Claude Code, {sum(": " in l for l in own)} do')
        events = [{'type': 'message_start', 'message': {'id': 'm', 'type': 'message', 'role': 'assistant', 'model': body.get('model'), 'content': [], 'stop_reason': None, 'stop_sequence': None, 'usage': {'input_tokens': 1, 'output_tokens': 1}}},
                  {'type': 'content_block_start', 'index': 0, 'content_block': {'type': 'text', 'text': ''}}, {'type': 'content_block_delta', 'index': 0, 'delta': {'type': 'text_delta', 'text': 'done'}}, {'type': 'content_block_stop', 'index': 0},
                  {'type': 'message_delta', 'delta': {'stop_reason': 'end_turn', 'stop_sequence': None}, 'usage': {'output_tokens': 1}}, {'type': 'message_stop'}]
        self.reply(''.join(f'event: {e["type"]}\ndata: {json.dumps(e)}\n\n' for e in events), 'text/event-stream')
server = ThreadingHTTPServer(('127.0.0.1', 0), H)
open('port', 'w').write(str(server.server_address[1])); server.serve_forever()
PY
python3 model.py & model=$!
for _ in $(seq 100); do [ -s port ] && break; sleep 0.1; done
(cd run && env -i PATH="$PATH" HOME="$work/home" ANTHROPIC_BASE_URL="http://127.0.0.1:$(cat ../port)" ANTHROPIC_API_KEY=none CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 DISABLE_AUTOUPDATER=1 ENABLE_TOOL_SEARCH=false \
	timeout 120 "$work"/node_modules/@anthropic-ai/claude-code-linux-x64/claude -p go --model claude-sonnet-4-5 </dev/null >/dev/null 2>&1) || true
cat found; echo
