"""What a real agent lists of skills, offline: an agent's binary is given folders of SKILL.md of our own, and works for a model on loopback that says "done".

Usage: skills.py HOST BINARY OUT [CASE...]
HOST is claude-code, codex or copilot-cli. OUT is {"host", "cases": [{"name", "context", "files": {path: text}, "listed"}]}, gzipped: paths begin with ~ (the
user's home) or . (the project); "listed" is the list in the first request without the agent's own skills. Names that Copilot CLI lists without a
description stand behind the entries, joined by ", ". HOME_OF_COPILOT may name a home where Copilot CLI has unpacked itself, which takes long."""
import gzip, json, os, re, subprocess, sys, tempfile, threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

host, binary, out = sys.argv[1:4]
home_place = {'claude-code': '~/.claude', 'codex': '~/.codex', 'copilot-cli': '~/.copilot'}[host] + '/skills'
work_place = {'claude-code': './.claude', 'codex': './.agents', 'copilot-cli': './.github'}[host] + '/skills'
verbs = 'Convert Review Draft Measure Archive Translate Deploy Inspect Summarize Schedule'.split()
things = 'invoices contracts recipes telescopes greenhouses ledgers tickets maps ballads engines'.split()


def text(i, long):
    s = f'{verbs[i % 10]} {things[i // 10 % 10]} of kind {i}.'
    if long: s += ''.join(f' Use it when a {things[(i + j) % 10][:-1]} must be checked against rule {i * 7 + j}.' for j in range(3 + i % 5))
    return s


def skill(name, description, more=''): return f'---\nname: {name}\ndescription: {description}\n{more}---\nBody of {name}.\n'
def at_home(skills): return {f'{home_place}/{folder}/SKILL.md': body for folder, body in skills.items()}
def many(n, long): return at_home({f's{i:03d}-{things[i % 10]}': skill(f's{i:03d}-{things[i % 10]}', text(i, long)) for i in range(n)})


rain = '検査をする文書の翻訳を行う係の手引。'
edges = at_home({
    'alpha': skill('alpha', 'A plain one.'),
    'otherdir': skill('beta', 'The name is not that of the folder.'),
    'colon': skill('colon', 'Makes this: and that, never: the other.'),
    'folded': '---\nname: folded\ndescription: >\n  Folded over\n  two lines.\n\n  And a paragraph.\n---\nBody.\n',
    'literal': '---\nname: literal\ndescription: |\n  Line one.\n  Line two.\n---\nBody.\n',
    'when': skill('when', 'Has a when.', 'when_to_use: On <b>wet</b> days,  after two   blanks.\n'),
    'manual': skill('manual', 'Only by hand.', 'disable-model-invocation: true\n'),
    'hidden': skill('hidden', 'Only by the model.', 'user-invocable: false\n'),
    'wide': skill('wide', '翻訳する文書の検査をする。'),
    'emoji': skill('emoji', 'Rockets 🚀 and families 👨\u200d👩\u200d👧, e\u0301 and ❤\ufe0f.'),
    'tag': skill('tag', 'Has <b>tags</b> & "quotes", it\'s said.'),
    'tab': skill('tab', 'tab\there'),
    'quoted': skill('quoted', '"In quotes: yes & no"'),
    'crlf': skill('crlf', 'Windows lines.').replace('\n', '\r\n'),
    'both': skill('both', 'Of the user.'),
    'UPPER': skill('UPPER', 'In capitals.'), 'Zed': skill('Zed', 'Capital.'), 'ab': skill('ab', 'Two.'), 'Ab': skill('Ab', 'Again.'),
    'a-b': skill('a-b', 'Hyphen.'), 'a_b': skill('a_b', 'Low line.'), 'a.b': skill('a.b', 'Dot.'), 'Bad Name': skill('Bad Name', 'Blank in it.'),
    'n' * 65: skill('n' * 65, 'A long name.'),
    'x1024': skill('x1024', 'x' * 1024), 'x1025': skill('x1025', 'x' * 1025), 'x1536': skill('x1536', 'x' * 1536), 'x1537': skill('x1537', 'x' * 1537),
    'ken1024': skill('ken1024', '検' * 1024), 'ken1025': skill('ken1025', '検' * 1025),
    'rocket512': skill('rocket512', '🚀' * 512), 'rocket513': skill('rocket513', '🚀' * 513), 'rocket769': skill('rocket769', '🚀' * 769),
})
edges |= {f'{work_place}/both/SKILL.md': skill('both', 'Of the project.'), f'{work_place}/mine/SKILL.md': skill('mine', 'Of the project alone.')}
edges |= {f'{root}{place}/skills/p{root[0].replace("~", "h").replace(".", "w")}{place[1:]}/SKILL.md': skill(f'p{root[0].replace("~", "h").replace(".", "w")}{place[1:]}', f'Of {place}.')
          for root in ('~/', './') for place in ('.agents', '.claude', '.codex', '.github', '.copilot')}
cases = {'none': {}, **{f'{n}-{"long" if long else "short"}': many(n, long) for n in (3, 50, 300) for long in (False, True)}, '120-long': many(120, True)}
cases['300-names'] = at_home({f'{"n" * 30}{i:03d}': skill(f'{"n" * 30}{i:03d}', text(i, False)) for i in range(300)})
cases['50-mixed'] = at_home({f'm{i:02d}': skill(f'm{i:02d}', text(i, i % 3 == 0) if i % 4 else '検査をする文書の翻訳 ' * (i % 9 + 1)) for i in range(50)})
cases['120-wide'] = at_home({f'w{i:03d}': skill(f'w{i:03d}', rain * (5 + i % 4)) for i in range(120)})
cases['60-rockets'] = at_home({f'q{i:02d}': skill(f'q{i:02d}', '🚀 ' * 100 + 'é' * 100) for i in range(60)})
cases['gap'] = {**many(40, True), **at_home({f't{i:02d}': skill(f't{i:02d}', 'Giant. ' + 'word ' * 180 if i % 3 == 0 else f'Tiny {i}.') for i in range(12)})}
cases['edges'] = edges
cases['window'] = many(300, True)
environment = {}
if host == 'claude-code':
    def set_in(file, **values): return {file: json.dumps(values)}
    user, project, local = '~/.claude/settings.json', './.claude/settings.json', './.claude/settings.local.json'
    cases['set-user'] = many(120, True) | set_in(user, skillListingBudgetFraction=0.02, skillListingMaxDescChars=150)
    cases['set-project'] = many(120, True) | set_in(user, skillListingBudgetFraction=0.02) | set_in(project, skillListingBudgetFraction=0.03)
    cases['set-local'] = many(120, True) | set_in(project, skillListingBudgetFraction=0.03, skillListingMaxDescChars=80) | set_in(local, skillListingBudgetFraction=0.015)
    cases['set-environment'] = many(120, True) | set_in(user, skillListingBudgetFraction=0.02)
    cases['set-none'] = many(50, True)
    cases['set-odd'] = many(50, True) | set_in(project, skillListingBudgetFraction=3, skillListingMaxDescChars=80) | set_in(user, skillListingBudgetFraction=0.02, skillListingMaxDescChars=120)
    kinds = {'s001-contracts': 'off', 's002-recipes': 'name-only', 's003-telescopes': 'user-invocable-only', 's004-greenhouses': 'on'}
    shown = {f'./.claude/skills/p{i}/SKILL.md': skill(f'p{i}', f'Of the project {i}.') for i in range(3)}
    cases['set-overrides'] = many(12, False) | shown | set_in(user, skillOverrides=kinds) | set_in(project, skillOverrides={'s002-recipes': 'on', 's005-ledgers': 'name-only'})
    cases['set-overrides-full'] = many(120, True) | set_in(user, skillOverrides=kinds | {f's{i:03d}-{things[i % 10]}': 'name-only' for i in range(60, 120)})
    environment = {'set-environment': '12345', 'set-none': '0'}
contexts = {name: {'claude-code': 200_000, 'codex': 272_000, 'copilot-cli': 200_000}[host] for name in cases}
contexts |= {'edges': {'claude-code': 2_500_000}.get(host, contexts['edges']), 'window': {'claude-code': 1_000_000, 'codex': 100_000}.get(host, 200_000)}
state = {}


class Model(BaseHTTPRequestHandler):
    def log_message(self, *_): pass

    def answer(self, body, kind='application/json'):
        self.send_response(200)
        self.send_header('content-type', kind)
        self.send_header('content-length', str(len(body.encode())))
        self.end_headers()
        self.wfile.write(body.encode())

    def do_HEAD(self): self.answer('')
    def do_GET(self): self.answer('{"data":[],"models":[]}')

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get('content-length') or 0))
        try: request = json.loads(body)
        except ValueError: return self.answer('{}')
        state['requests'].append(request)
        model = request.get('model')
        if self.path.split('?')[0].endswith('/messages'):
            events = [{'type': 'message_start', 'message': {'id': 'm', 'type': 'message', 'role': 'assistant', 'model': model, 'content': [], 'stop_reason': None, 'stop_sequence': None, 'usage': {'input_tokens': 1, 'output_tokens': 1}}},
                      {'type': 'content_block_start', 'index': 0, 'content_block': {'type': 'text', 'text': ''}}, {'type': 'content_block_delta', 'index': 0, 'delta': {'type': 'text_delta', 'text': 'done'}}, {'type': 'content_block_stop', 'index': 0},
                      {'type': 'message_delta', 'delta': {'stop_reason': 'end_turn', 'stop_sequence': None}, 'usage': {'output_tokens': 1}}, {'type': 'message_stop'}]
        elif self.path.endswith('/responses'):
            item = {'type': 'message', 'id': 'm', 'role': 'assistant', 'content': [{'type': 'output_text', 'text': 'done'}]}
            response = {'id': 'r', 'object': 'response', 'model': model, 'output': [item], 'status': 'completed', 'usage': {'input_tokens': 1, 'input_tokens_details': None, 'output_tokens': 1, 'output_tokens_details': None, 'total_tokens': 2}}
            events = [{'type': 'response.created', 'response': response}, {'type': 'response.output_item.done', 'output_index': 0, 'item': item}, {'type': 'response.completed', 'response': response}]
        else: return self.answer('{}')
        self.answer(''.join(f'event: {e["type"]}\ndata: {json.dumps(e)}\n\n' for e in events), 'text/event-stream')


def texts(value):
    if isinstance(value, str): yield value
    for v in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []: yield from texts(v)


def listed(request):
    """The list in a request, without the agent's own skills, of which the case "none" has nothing but."""
    for t in texts(request):
        if host == 'claude-code' and 'skills are available' in t:
            return t[t.index('\n\n- ') + 2:t.index('- dataviz')]
        if host == 'codex' and '### Available skills\n' in t:
            rows = t[t.index('### Available skills\n') + 21:].split('\n### ')[0].split('\n</skills')[0].rstrip('\n').split('\n')
            return ''.join(re.sub(r'\(file: r\d+/', '(file: r0/', r) + '\n' for r in rows if not re.match('- (imagegen|openai-docs|skill-creator|skill-installer): ', r))
        if host == 'copilot-cli' and '<available_skills>\n' in t:
            part = t[t.index('<available_skills>\n') + 19:t.index('</available_skills>')]
            entries = ''.join(e for e in re.findall('<skill>.*?</skill>\n', part, re.S) if '<location>builtin<' not in e)
            others = re.search(r'invoke by name\): (.*?)(\.\.\. and \d+ more)?\n', part)
            names = others[1].split(', ') if others else []
            return entries + ''.join(n + ', ' for n in names if n not in ('customize-cloud-agent', 'github-pr-media'))


server = ThreadingHTTPServer(('127.0.0.1', 0), Model)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f'http://127.0.0.1:{server.server_address[1]}'
rows = []
for name, files in cases.items():
    if sys.argv[4:] and name not in sys.argv[4:]: continue
    with tempfile.TemporaryDirectory() as folder:
        home, work = folder + '/home', folder + '/work'
        os.makedirs(work + '/.git')
        os.makedirs(home + '/.codex')
        for path, body in files.items():
            path = (home if path[0] == '~' else work) + path[1:]
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, 'w', newline='') as f: f.write(body)
        env = {'PATH': os.environ['PATH'], 'HOME': home}
        if host == 'claude-code':
            command = [binary, '-p', 'go', '--model', 'claude-sonnet-4-5']
            env |= {'ANTHROPIC_BASE_URL': url, 'ANTHROPIC_API_KEY': 'none', 'CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC': '1', 'DISABLE_AUTOUPDATER': '1', 'ENABLE_TOOL_SEARCH': 'false'}
            if name in environment: env['SLASH_COMMAND_TOOL_CHAR_BUDGET'] = environment[name]
            if contexts[name] != 200_000: env['SLASH_COMMAND_TOOL_CHAR_BUDGET'] = str(contexts[name] * 4 // 100)
        elif host == 'codex':
            with open(home + '/.codex/config.toml', 'w') as f:
                f.write(f'model = "gpt-5.5"\nmodel_context_window = {contexts[name]}\nmodel_provider = "own"\ncheck_for_update_on_startup = false\n[analytics]\nenabled = false\n[model_providers.own]\nname = "own"\nbase_url = "{url}/v1"\nwire_api = "responses"\n[projects."{work}"]\ntrust_level = "trusted"\n')
            command = [binary, 'exec', '--skip-git-repo-check', 'go']
        else:
            if 'HOME_OF_COPILOT' in os.environ:
                os.makedirs(home + '/.cache')
                os.symlink(os.environ['HOME_OF_COPILOT'] + '/.cache/copilot', home + '/.cache/copilot')
            command = [binary, '-p', 'go', '--allow-all-tools']
            env |= {'COPILOT_PROVIDER_BASE_URL': url, 'COPILOT_PROVIDER_TYPE': 'anthropic', 'COPILOT_MODEL': 'claude-sonnet-4.5', 'COPILOT_PROVIDER_API_KEY': 'none', 'COPILOT_OFFLINE': 'true', 'COPILOT_AUTO_UPDATE': 'false'}
        state['requests'] = []
        subprocess.run(command, cwd=work, timeout=180, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=env)
        rows.append({'name': name, 'context': contexts[name], 'files': files, 'budget': environment.get(name, ''), 'listed': next(l for l in map(listed, state['requests']) if l is not None)})
        print(name, len(rows[-1]['listed']), file=sys.stderr)
with gzip.GzipFile(out, 'wb', mtime=0) as f: f.write(json.dumps({'host': host, 'cases': rows}, ensure_ascii=False).encode())
