#!/usr/bin/env bash
# A good engineer would guess: where two servers have a tool of one name, LangChain's client names them apart as coding
# agents do, or refuses.
#
# True of langchain-mcp-adapters 0.3.2 with langgraph 1.2.24 (PyPI, 2026-11): the model is given both under one name, with
# both descriptions, and ToolNode keeps the last one of a name, in the order of the configuration. Whatever description the
# model chose by, the later server answers, and nothing says so. tool_name_prefix=True names them apart.
#
# Output seen:
#   given to the model: search of wiki, search of mail
#   called as search:   answer of mail
#   with a prefix:      wiki_search, mail_search
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
python3 -m venv env && env/bin/pip install -q --disable-pip-version-check langchain-mcp-adapters==0.3.2 langgraph==1.2.24 langgraph-prebuilt==1.1.3 langchain-core==1.8.3 mcp==1.30.0
cat >server.py <<'PY'
import sys

from mcp.server.fastmcp import FastMCP

app = FastMCP(sys.argv[1])


@app.tool(description="search of " + sys.argv[1])
def search(query: str) -> str:
    return "answer of " + sys.argv[1]


app.run()
PY
cat >ask.py <<'PY'
import asyncio
import sys

from langchain_mcp_adapters.client import MultiServerMCPClient
from langgraph.prebuilt import ToolNode

servers = {name: {"command": sys.executable, "args": ["server.py", name], "transport": "stdio"} for name in ("wiki", "mail")}


async def main():
    tools = await MultiServerMCPClient(servers).get_tools()
    print("given to the model:", ", ".join(t.description for t in tools))
    answer = await ToolNode(tools).tools_by_name["search"].ainvoke({"query": "boats"})
    print("called as search:  ", answer[0]["text"])
    apart = await MultiServerMCPClient(servers, tool_name_prefix=True).get_tools()
    print("with a prefix:     ", ", ".join(t.name for t in apart))

asyncio.run(main())
PY
env/bin/python ask.py 2>errors | tee seen
diff seen - <<'SEEN'
given to the model: search of wiki, search of mail
called as search:   answer of mail
with a prefix:      wiki_search, mail_search
SEEN
