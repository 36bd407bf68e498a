"""The tool search of a real agent, asked offline: an agent's binary works for a model of our own on loopback, which only
searches. One process is the model and all MCP servers, so that a busy machine brings no server too late.

Usage: agent.py HOST BINARY REGISTRY QUERIES OUT [BATCH]
HOST is claude-code, codex or copilot-cli; REGISTRY a dump whose tools have server and original_name; QUERIES a JSON list of texts.
OUT is {"host", "limit", "queries": [{"query", "ranking"}]} with the names of the registry; a name that is not there is the agent's own.
Codex groups its answer by server: the order is what limits of 1 to 7 and none reveal one after the other, and "answer" the answer itself."""
import hashlib, json, os, re, subprocess, sys, tempfile, threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

host, binary, registry, queries, out = sys.argv[1:6]
batch = int(sys.argv[6]) if len(sys.argv) > 6 else {'claude-code': 10, 'codex': 5, 'copilot-cli': 40}[host]
tools = json.load(open(registry))['tools']
queries = json.load(open(queries))
servers = list(dict.fromkeys(t['server'] for t in tools))
letters = '[^a-zA-Z0-9_]' if host == 'codex' else '[^a-zA-Z0-9_-]'
made = lambda s: re.sub(letters, '-' if host == 'copilot-cli' else '_', s)
ascii = lambda s: s if s.isascii() else 'xn--' + s.encode('punycode').decode()
wire = (lambda t: f"{made(t['server'])}-{made(ascii(t['original_name']))}") if host == 'copilot-cli' else (lambda t: f"mcp__{made(t['server'])}__{made(t['original_name'])}")
dumped = {}
for t in tools:
    name, n = wire(t)[:64] if host == 'copilot-cli' else wire(t), 2
    if host == 'codex' and len(name) > 128:
        identity = '\0'.join((t['server'], t['server'], '', t['original_name'], t['original_name']))
        name = name[:115] + '_' + hashlib.sha1(identity.encode()).hexdigest()[:12]
    while name in dumped: name, n = name[:64 - len(str(n))] + str(n), n + 1
    dumped[name] = t['function']['name']
state = {}


def listed(server):
    return [{'name': t['original_name'], 'description': t['function'].get('description') or '',
             'inputSchema': t['function'].get('parameters') or {'type': 'object'}} for t in tools if t['server'] == server]


def mcp(server, message):
    """The answer of an MCP server, None to a notification."""
    if 'id' not in message: return None
    method = message.get('method')
    if method == 'initialize':
        result = {'protocolVersion': message['params']['protocolVersion'], 'capabilities': {'tools': {}}, 'serverInfo': {'name': server, 'version': '1'}}
    elif method == 'tools/list':
        state['listed'].add(server)
        if len(state['listed']) == len(servers): state['all'].set()
        result = {'tools': listed(server)}
    elif method == 'ping': result = {}
    else: return {'jsonrpc': '2.0', 'id': message['id'], 'error': {'code': -32601, 'message': 'unknown method'}}
    return {'jsonrpc': '2.0', 'id': message['id'], 'result': result}


def events(list_):
    return ''.join(f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in list_)


def anthropic(body):
    search = next((t['name'] for t in body.get('tools') or [] if re.match('(?i)tool_?search', t.get('name', ''))), None)
    content = [('text', {'type': 'text', 'text': ''}, {'type': 'text_delta', 'text': 'done'})]
    calls = []
    if search:
        results = {b['tool_use_id']: b for m in body['messages'] if isinstance(m['content'], list) for b in m['content'] if b.get('type') == 'tool_result'}
        state['results'].update(results)
        at = len(results)
        calls = state['calls'][at:at + 1] if host == 'copilot-cli' else state['calls'] if at == 0 else []
        if at == 0: settle()
    if calls:
        content = [('tool_use', {'type': 'tool_use', 'id': f'toolu_{at + i}', 'name': search, 'input': {}}, {'type': 'input_json_delta', 'partial_json': json.dumps(c)}) for i, c in enumerate(calls)]
    list_ = [{'type': 'message_start', 'message': {'id': 'msg_1', 'type': 'message', 'role': 'assistant', 'model': body.get('model'), 'content': [],
              'stop_reason': None, 'stop_sequence': None, 'usage': {'input_tokens': 1, 'output_tokens': 1}}}]
    for i, (_, block, delta) in enumerate(content):
        list_ += [{'type': 'content_block_start', 'index': i, 'content_block': block}, {'type': 'content_block_delta', 'index': i, 'delta': delta}, {'type': 'content_block_stop', 'index': i}]
    return events(list_ + [{'type': 'message_delta', 'delta': {'stop_reason': 'tool_use' if calls else 'end_turn', 'stop_sequence': None}, 'usage': {'output_tokens': 1}}, {'type': 'message_stop'}])


def responses(body):
    items = [{'type': 'message', 'id': 'm1', 'role': 'assistant', 'content': [{'type': 'output_text', 'text': 'done'}]}]
    answered = [m for m in body.get('input') or [] if isinstance(m, dict) and m.get('type') == 'tool_search_output']
    for m in answered: state['results'][m['call_id']] = m
    if not answered:
        settle()
        items = [{'type': 'tool_search_call', 'id': f't{i}', 'call_id': f'c{i}', 'execution': 'client', 'status': 'completed', 'arguments': c} for i, c in enumerate(state['calls'])]
    response = {'id': 'r1', 'object': 'response', 'model': body.get('model'), 'output': [], 'status': 'in_progress'}
    list_ = [{'type': 'response.created', 'response': response}]
    for i, item in enumerate(items):
        list_ += [{'type': 'response.output_item.added', 'output_index': i, 'item': item}, {'type': 'response.output_item.done', 'output_index': i, 'item': item}]
    usage = {'input_tokens': 1, 'input_tokens_details': None, 'output_tokens': 1, 'output_tokens_details': None, 'total_tokens': 2}
    return events(list_ + [{'type': 'response.completed', 'response': {**response, 'status': 'completed', 'output': items, 'usage': usage}}])


def settle():
    """Waits until every server has listed its tools, and until the agent has read them."""
    state['all'].wait(240)
    threading.Event().wait(3)


class Handler(BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    def log_message(self, *_): pass
    def reply(self, text, kind='application/json', status=200):
        data = text.encode()
        self.send_response(status); self.send_header('content-type', kind); self.send_header('content-length', str(len(data))); self.end_headers(); self.wfile.write(data)
    def do_HEAD(self): self.reply('')
    def do_DELETE(self): self.reply('')
    def do_GET(self): self.reply('', status=405) if self.path.startswith('/mcp/') else self.reply('{"data":[],"models":[]}')
    def do_POST(self):
        try: body = json.loads(self.rfile.read(int(self.headers.get('content-length') or 0)))
        except ValueError: return self.reply('{}')
        path = self.path.split('?')[0]
        if path.startswith('/mcp/'):
            answer = mcp(servers[int(path[5:])], body)
            return self.reply(json.dumps(answer)) if answer else self.reply('', status=202)
        if path.endswith('/messages'): return self.reply(anthropic(body), 'text/event-stream')
        if path.endswith('/responses'): return self.reply(responses(body), 'text/event-stream')
        self.reply('{}')


def run(calls):
    """Runs the agent once with calls of its search, and returns the results by the id of the call."""
    state.update(calls=calls, results={}, listed=set(), all=threading.Event())
    server = ThreadingHTTPServer(('127.0.0.1', 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f'http://127.0.0.1:{server.server_port}'
    with tempfile.TemporaryDirectory() as d:
        os.mkdir(d + '/work')
        env = {'PATH': os.environ['PATH'], 'HOME': d}
        if host == 'claude-code':
            json.dump({'mcpServers': {s: {'type': 'http', 'url': f'{base}/mcp/{i}'} for i, s in enumerate(servers)}}, open(d + '/mcp.json', 'w'))
            command = [binary, '-p', 'go', '--mcp-config', d + '/mcp.json', '--strict-mcp-config', '--model', 'claude-sonnet-4-5', '--allowedTools', 'ToolSearch']
            env |= {'ANTHROPIC_BASE_URL': base, 'ANTHROPIC_API_KEY': 'none', 'CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC': '1', 'DISABLE_AUTOUPDATER': '1', 'ENABLE_TOOL_SEARCH': 'true'}
        elif host == 'codex':
            open(d + '/config.toml', 'w').write(f'model = "gpt-5.5"\nmodel_provider = "own"\ncheck_for_update_on_startup = false\n[analytics]\nenabled = false\n[model_providers.own]\nname = "own"\nbase_url = "{base}/v1"\nwire_api = "responses"\n'
                + ''.join(f'[mcp_servers.{s}]\nurl = "{base}/mcp/{i}"\n' for i, s in enumerate(servers)))
            command = [binary, 'exec', '--skip-git-repo-check', 'go']
            env |= {'CODEX_HOME': d}
        else:
            os.mkdir(d + '/.copilot')
            json.dump({'mcpServers': {s: {'type': 'http', 'url': f'{base}/mcp/{i}', 'tools': ['*']} for i, s in enumerate(servers)}}, open(d + '/.copilot/mcp-config.json', 'w'))
            command = [binary, '-p', 'go', '--allow-all-tools']
            env |= {'COPILOT_PROVIDER_BASE_URL': base, 'COPILOT_PROVIDER_TYPE': 'anthropic', 'COPILOT_MODEL': 'claude-sonnet-4.5', 'COPILOT_PROVIDER_API_KEY': 'none', 'COPILOT_OFFLINE': 'true', 'COPILOT_AUTO_UPDATE': 'false'}
        subprocess.run(command, cwd=d + '/work', timeout=1500, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=env)
    server.shutdown()
    if missing := set(servers) - state['listed']: raise SystemExit(f'never listed: {missing}')
    return state['results']


def references(result):
    """The names in a result of Anthropic's wire, and its text where it has none."""
    content = result['content']
    if isinstance(content, str): return [], content
    return [dumped.get(b['tool_name'], b['tool_name']) for b in content if b.get('type') == 'tool_reference'], ' '.join(b.get('text', '') for b in content)


rows = []
for at in range(0, len(queries), batch):
    part = queries[at:at + batch]
    if host == 'codex':
        limits = [None, 1, 2, 3, 4, 5, 6, 7]
        results = run([{'query': q, **({'limit': n} if n else {})} for q in part for n in limits])
        for i, q in enumerate(part):
            answers = [[dumped.get(f"{g['name']}__{t['name']}", f"{g['name']}__{t['name']}") for g in results[f'c{8 * i + n}']['tools'] for t in g.get('tools', [])] for n in range(8)]
            rows.append({'query': q, 'ranking': list(dict.fromkeys(n for a in answers[1:] + answers[:1] for n in a)), 'answer': answers[0]})
        continue
    results = run([{'query': q} for q in part] if host == 'claude-code' else [{'pattern': q if isinstance(q, str) and '|' in q else '|'.join(re.escape(w) for w in q.split())} for q in part])
    for i, q in enumerate(part):
        names, text = references(results[f'toolu_{i}'])
        rows.append({'query': q, 'ranking': names, **({} if names else {'answer': text[:200]})})
json.dump({'host': host, 'limit': 8 if host == 'codex' else 5, 'queries': rows}, open(out, 'w'), indent=1, ensure_ascii=False)
print(host, len(rows), 'queries,', sum(1 for r in rows if r['ranking']), 'with hits')
