"""The tool search of a package of PyPI, asked in process. Usage: packages.py HOST REGISTRY QUERIES OUT
HOST is fastmcp or livekit; the files are those of agent.py."""
import asyncio, json, sys

host, registry, queries, out = sys.argv[1:5]
tools = [t['function'] for t in json.load(open(registry))['tools']]
shape = lambda t: {'name': t['name'], 'description': t.get('description') or '', 'parameters': t.get('parameters') or {'type': 'object'}}


async def fastmcp():
    from fastmcp import Client, FastMCP
    from fastmcp.server.transforms.search import BM25SearchTransform
    from fastmcp.tools.base import Tool, ToolResult

    class Stub(Tool):
        async def run(self, arguments):
            return ToolResult(content='')

    server = FastMCP('registry')
    for t in tools:
        server.add_tool(Stub(**shape(t)))
    server.add_transform(BM25SearchTransform())
    async with Client(server) as client:
        for q in json.load(open(queries)):
            answer = await client.call_tool('search_tools', {'query': q})
            yield q, [t['name'] for t in json.loads(answer.content[0].text or '[]')] if answer.content else []


async def livekit():
    from livekit.agents import function_tool
    from livekit.agents.beta.toolsets.tool_search import ToolSearchToolset

    async def run(raw_arguments: dict[str, object]):
        return ''
    search = await ToolSearchToolset(id='search', tools=[function_tool(run, raw_schema=shape(t)) for t in tools]).setup()
    for q in json.load(open(queries)):
        yield q, [t.info.name for t in await search._search_tools(q)]


async def main():
    rows = [{'query': q, 'ranking': names} async for q, names in {'fastmcp': fastmcp, 'livekit': livekit}[host]()]
    json.dump({'host': host, 'queries': rows}, open(out, 'w'))

asyncio.run(main())
