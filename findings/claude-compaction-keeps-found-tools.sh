#!/usr/bin/env bash
# A good engineer would guess: what Claude Code's ToolSearch found is loaded by the tool_reference in
# the result, so after /compact, which takes the results away, a tool has to be searched again.
# True is: it stays. The requests after a compaction have no reference, and still send the definition
# of each tool that was ever found, with defer_loading; the log names them as preCompactDiscoveredTools.
# Package: @anthropic-ai/claude-code-linux-x64 2.1.332, 2026-11. Output seen:
#   before: references 1, deferred definitions sent: mcp__quay__moor; after /compact: references 0, deferred definitions sent: mcp__quay__moor
set -euo pipefail
work=$(mktemp -d); model=
trap '[ -z "$model" ] || kill "$model" 2>/dev/null || true; rm -rf "$work"' EXIT
cd "$work"
npm init -y >/dev/null 2>&1
npm install --silent --no-audit --no-fund @anthropic-ai/claude-code-linux-x64@2.1.332 >/dev/null 2>&1
cat > server.py <<'PY'
import json, sys
tools = [{'name': n, 'description': d, 'inputSchema': {'type': 'object'}} for n, d in (('moor', 'Moor a boat at a quay'), ('weigh', 'Weigh a crate of fish'))]
for line in sys.stdin:
    m = json.loads(line)
    if 'id' not in m or 'method' not in m: continue
    result = {'initialize': lambda: {'protocolVersion': m['params']['protocolVersion'], 'capabilities': {'tools': {}}, 'serverInfo': {'name': 'quay', 'version': '1'}},
              'tools/list': lambda: {'tools': tools}}.get(m['method'], dict)()
    print(json.dumps({'jsonrpc': '2.0', 'id': m['id'], 'result': result}), flush=True)
PY
cat > model.py <<'PY'
import json, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
state = {'searched': False}
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
        block, delta, stop = {'type': 'text', 'text': ''}, {'type': 'text_delta', 'text': 'done, in short'}, 'end_turn'
        if m.get('tools') and not state['searched']:
            state['searched'] = True; time.sleep(3)  # until the server is connected
            block, delta, stop = {'type': 'tool_use', 'id': 'toolu_1', 'name': 'ToolSearch', 'input': {}}, {'type': 'input_json_delta', 'partial_json': '{"query":"select:mcp__quay__moor"}'}, 'tool_use'
        events = [{'type': 'message_start', 'message': {'id': f'msg_{time.time_ns()}', 'type': 'message', 'role': 'assistant', 'model': m['model'], 'content': [], 'stop_reason': None, 'stop_sequence': None, 'usage': {'input_tokens': 100, 'output_tokens': 1}}},
                  {'type': 'content_block_start', 'index': 0, 'content_block': block}, {'type': 'content_block_delta', 'index': 0, 'delta': delta}, {'type': 'content_block_stop', 'index': 0},
                  {'type': 'message_delta', 'delta': {'stop_reason': stop, 'stop_sequence': None}, 'usage': {'output_tokens': 9}}, {'type': 'message_stop'}]
        self.reply(''.join(f'event: {e["type"]}\ndata: {json.dumps(e)}\n\n' for e in events), 'text/event-stream')
server = ThreadingHTTPServer(('127.0.0.1', 0), H)
open('port', 'w').write(str(server.server_address[1])); server.serve_forever()
PY
python3 model.py & model=$!
for _ in $(seq 100); do [ -s port ] && break; sleep 0.1; done
mkdir home run
echo "{\"mcpServers\":{\"quay\":{\"command\":\"python3\",\"args\":[\"$work/server.py\"]}}}" > mcp.json
ask() {
  (cd run && env -i PATH="$PATH" HOME="$work/home" ANTHROPIC_BASE_URL="http://127.0.0.1:$(cat ../port)" ANTHROPIC_API_KEY=none CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 DISABLE_AUTOUPDATER=1 ENABLE_TOOL_SEARCH=true \
    timeout 120 ../node_modules/@anthropic-ai/claude-code-linux-x64/claude -p "$@" --mcp-config ../mcp.json --strict-mcp-config --model claude-sonnet-4-5 --allowedTools ToolSearch </dev/null >/dev/null 2>&1) || true
}
ask go; wc -l < requests > before
ask /compact --continue
ask again --continue
python3 - <<'PY'
import json
sent = [json.loads(l) for l in open('requests')]
def said(m):
    deferred = [t['name'] for t in m['tools'] if t.get('defer_loading') and t['name'].startswith('mcp__')]
    return json.dumps(m['messages']).count('"tool_reference"'), ', '.join(deferred)
before, after = said(sent[int(open('before').read()) - 1]), said(sent[-1])
print('before: references %d, deferred definitions sent: %s; after /compact: references %d, deferred definitions sent: %s' % (before + after))
assert before == (1, 'mcp__quay__moor') and after == (0, 'mcp__quay__moor')
assert 'continued from a previous conversation' in json.dumps(sent[-1]['messages'])
PY
