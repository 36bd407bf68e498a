#!/usr/bin/env bash
# A good engineer would guess: turn.completed of `codex exec --json` has the usage of the turn that
# has just ended, as the event's name says, so that the runs of a thread add up to what was paid.
# True is: it has the sum of the whole thread. A resumed run reports again all that the runs before
# it paid, so that three runs of 1,000 tokens add up to 6,000.
# Package: @openai/codex 0.171.0 (linux-x64), 2026-11. Output seen:
#   exec: input 1000 output 10 (its request: 1000); resume: input 2000 output 20 (its request: 1000); resume: input 3000 output 30 (its request: 1000)
set -euo pipefail
work=$(mktemp -d); model=
trap '[ -z "$model" ] || kill "$model" 2>/dev/null || true; rm -rf "$work"' EXIT
cd "$work"
npm init -y >/dev/null 2>&1
npm install --silent --no-audit --no-fund codex@npm:@openai/codex@0.171.0-linux-x64 >/dev/null 2>&1
cat > model.py <<'PY'
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
class H(BaseHTTPRequestHandler):
    def log_message(self, *a): pass
    def reply(self, body, kind='application/json'):
        b = body.encode(); self.send_response(200); self.send_header('content-type', kind); self.send_header('content-length', str(len(b))); self.end_headers(); self.wfile.write(b)
    def do_GET(self): self.reply('{"data":[],"models":[]}')
    def do_POST(self):
        self.rfile.read(int(self.headers.get('content-length') or 0))
        if not self.path.endswith('/responses'): return self.reply('{}')
        open('requests', 'a').write('1000\n')
        item = {'type': 'message', 'role': 'assistant', 'id': 'msg', 'content': [{'type': 'output_text', 'text': 'done', 'annotations': []}]}
        usage = {'input_tokens': 1000, 'input_tokens_details': {'cached_tokens': 0}, 'output_tokens': 10, 'output_tokens_details': {'reasoning_tokens': 0}, 'total_tokens': 1010}
        events = [{'type': 'response.created', 'response': {'id': 'r'}}, {'type': 'response.output_item.done', 'output_index': 0, 'item': item}, {'type': 'response.completed', 'response': {'id': 'r', 'usage': usage}}]
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
TOML
codex=$(find node_modules/codex -type f -name codex -perm -u+x | head -1)
run() { # the words of a command: its last line with usage, and what its own requests sent
  : > requests
  (cd run && env -i PATH="$PATH" HOME="$work/home" CODEX_HOME="$work/home" timeout 100 "$work/$codex" "$@" --json --skip-git-repo-check go </dev/null 2>/dev/null) > out.jsonl || true
  python3 - "$1 ${2:-}" <<'PY'
import json
u = [json.loads(l)['usage'] for l in open('out.jsonl') if '"turn.completed"' in l][-1]
print(u['input_tokens'], u['output_tokens'], sum(map(int, open('requests'))))
PY
}
first=$(run exec); second=$(run exec resume --last); third=$(run exec resume --last)
show() { printf '%s: input %s output %s (its request: %s)' "$@"; }
echo "$(show exec $first); $(show resume $second); $(show resume $third)"
[ "$first" = '1000 10 1000' ] && [ "$second" = '2000 20 1000' ] && [ "$third" = '3000 30 1000' ]
