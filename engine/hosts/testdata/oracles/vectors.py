"""Writes answers of the scripts as vectors. Usage: vectors.py REGISTRY ANSWERS... > HOST.SET.json
Of each query the numbers of the tools in the registry; a name that the registry lacks is the package's own."""
import json, sys

tools = [t['function']['name'] for t in json.load(open(sys.argv[1]))['tools']]
number = {name: i for i, name in enumerate(tools)}
rows = [q['ranking'] for file in sys.argv[2:] for q in json.load(open(file))['queries']]
print('[' + ',\n'.join(json.dumps([number.get(n, n) for n in row]) for row in rows) + ']')
