#!/usr/bin/env bash
# A good engineer would guess: whether FastMCP's search finds a tool by the description of one parameter does not
# depend on the schema of another parameter.
#
# True of fastmcp 4.2.3 (2026-11): the search reads the descriptions of the top-level parameters as they are listed,
# with references replaced by their definitions. Where any schema of the tool refers to itself, as a filter does that
# holds filters, nothing is replaced, and the descriptions of all parameters that are references are gone from the
# search. A query by their words then finds nothing, although the tool's text is as before.
#
# Output seen:
#   a filter that is flat: found
#   a filter of filters: not found
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check fastmcp==4.2.3 >/dev/null 2>&1
cat >try.py <<'EOP'
import asyncio, json
from fastmcp import Client, FastMCP
from fastmcp.server.transforms.search import BM25SearchTransform
from fastmcp.tools.base import Tool, ToolResult

class Stub(Tool):
    async def run(self, arguments):
        return ToolResult(content='')

async def found(inner):
    server = FastMCP('s')
    server.add_tool(Stub(name='list_rows', description='List rows.', parameters={'type': 'object', 'properties': {
        'period': {'$ref': '#/$defs/period'}, 'filter': {'$ref': '#/$defs/filter'}}, '$defs': {
        'period': {'type': 'string', 'description': 'The fortnight.'}, 'filter': {'type': 'object', 'properties': {'not': inner}}}}))
    server.add_transform(BM25SearchTransform())
    async with Client(server) as client:
        answer = await client.call_tool('search_tools', {'query': 'fortnight'})
        return 'found' if answer.content and json.loads(answer.content[0].text) else 'not found'

async def main():
    print('a filter that is flat:', await found({'type': 'string'}))
    print('a filter of filters:', await found({'$ref': '#/$defs/filter'}))
asyncio.run(main())
EOP
got=$(venv/bin/python try.py 2>/dev/null)
echo "$got"
[ "$got" = "a filter that is flat: found
a filter of filters: not found" ]
