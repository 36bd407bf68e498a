#!/usr/bin/env bash
# A good engineer would guess: a tool of the Python SDK that returns a list answers with one text, the list as JSON.
#
# True of mcp 2.3.0 (PyPI, 2026-11, Python 3.11): each element is a text of its own, an object indented by two blanks, so that
# the texts together are no JSON, and an empty list has no text at all. The whole list stands in structuredContent alone,
# under a key "result". An agent that hands the texts on shows its model nothing where nothing was found, cannot parse what
# it shows, and pays for the blanks: 100 rows of four fields take 1.29 times the characters of the list as compact JSON.
#
# Output seen:
#   no boats: 0 texts, structuredContent {"result": []}
#   2 boats: 2 texts, the first '{\n  "name": "Teal 0",\n  "berth": 0,\n  "hired": true,\n  "deposit": 60\n}'
#   2 boats: the texts together are JSON: False
#   100 boats: 7180 characters in texts, 5581 as compact JSON
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
python3 -m venv env && env/bin/pip install -q --disable-pip-version-check mcp==2.3.0 pydantic==2.14.4
cat >ask.py <<'PY'
import asyncio
import json
from typing import Any

from mcp import Client
from mcp.server.mcpserver import MCPServer

app = MCPServer("harbour")


@app.tool()
def boats(count: int) -> list[dict[str, Any]]:
    """The boats."""
    return [{"name": f"Teal {i}", "berth": i, "hired": True, "deposit": 60} for i in range(count)]


def is_json(text):
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


async def main():
    async with Client(app) as client:
        async def texts(count):
            answer = await client.call_tool("boats", {"count": count})
            return [block.text for block in answer.content], answer.structured_content

        none, whole = await texts(0)
        print(f"no boats: {len(none)} texts, structuredContent {json.dumps(whole)}")
        two, _ = await texts(2)
        print(f"2 boats: {len(two)} texts, the first {two[0]!r}")
        print("2 boats: the texts together are JSON:", any(is_json(by.join(two)) for by in ("", "\n")))
        many, whole = await texts(100)
        compact = json.dumps(whole["result"], separators=(",", ":"))
        print(f"100 boats: {sum(map(len, many))} characters in texts, {len(compact)} as compact JSON")

asyncio.run(main())
PY
env/bin/python ask.py 2>errors | tee seen
diff seen - <<'SEEN'
no boats: 0 texts, structuredContent {"result": []}
2 boats: 2 texts, the first '{\n  "name": "Teal 0",\n  "berth": 0,\n  "hired": true,\n  "deposit": 60\n}'
2 boats: the texts together are JSON: False
100 boats: 7180 characters in texts, 5581 as compact JSON
SEEN
