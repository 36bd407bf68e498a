#!/usr/bin/env bash
# A good engineer would guess: a call of a tool is one request, and a client that knows a tool's name need not list tools.
#
# True of mcp 2.3.0, and of 1.30.0 (PyPI, 2026-11): after the answer the client lists the server's tools, to compare structured content
# with the schema, unless it has the tool from an earlier list. A tool that a server lists to nobody, because a search of the
# server finds it, is in no list: each of its calls costs another tools/list, with every schema that the server has.
#
# Output seen:
#   hidden, 3 calls:              tools/call tools/list tools/call tools/list tools/call tools/list
#   listed, 3 calls:              tools/call tools/list tools/call tools/call
#   hidden, after a list by hand: tools/list tools/call tools/list
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
python3 -m venv env && env/bin/pip install -q --disable-pip-version-check mcp==2.3.0
cat >count.py <<'PY'
import asyncio

import mcp_types as types
from mcp.client.client import Client
from mcp.server.lowlevel import Server

asked = []


async def lists(context, params):
    asked.append("tools/list")
    return types.ListToolsResult(tools=[types.Tool(name="search", input_schema={"type": "object"})])


async def calls(context, params):
    asked.append("tools/call")
    return types.CallToolResult(content=[types.TextContent(text="done")])


async def session(title, name, times, by_hand=False):
    asked.clear()
    async with Client(Server("searched", on_list_tools=lists, on_call_tool=calls)) as client:
        if by_hand:
            await client.list_tools()
        for _ in range(times):
            await client.call_tool(name, {})
    print(title, *asked)


async def main():
    await session("hidden, 3 calls:             ", "archive_report", 3)
    await session("listed, 3 calls:             ", "search", 3)
    await session("hidden, after a list by hand:", "archive_report", 1, by_hand=True)


asyncio.run(main())
PY
cat >expected <<'OUT'
hidden, 3 calls:              tools/call tools/list tools/call tools/list tools/call tools/list
listed, 3 calls:              tools/call tools/list tools/call tools/call
hidden, after a list by hand: tools/list tools/call tools/list
OUT
env/bin/python count.py 2>/dev/null | tee seen
diff expected seen
