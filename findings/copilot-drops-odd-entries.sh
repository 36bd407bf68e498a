#!/usr/bin/env bash
# An entry of an MCP server in Copilot CLI's mcp-config.json with a value of another kind than its
# schema has, such as one text where a list of texts is wanted.
#
# What one would guess: "tools": "read" is read as a list of one, or a number in env as its text, as
# other clients read them; at the least the client says what is wrong with the entry.
# What is true: the server is gone, without a word, and the others of the file are there. A missing
# list of tools is fine, and so is an unknown key of any kind.
#
# npm @github/copilot-linux-x64 1.0.102, seen 2026-11 on Linux, of the servers of the file:
#   listed: plain no_tools enabled_text
#   a word about the others: 0
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --no-audit --no-fund --ignore-scripts @github/copilot-linux-x64@1.0.102 >/dev/null 2>&1
chmod +x node_modules/@github/copilot-linux-x64/copilot
mkdir -p home/.copilot work
python3 - <<'P'
import json
entry = lambda **more: {"type": "local", "command": "python3", "args": ["x"], "tools": ["*"], **more}
servers = {"plain": entry(), "no_tools": entry(), "enabled_text": entry(enabled="false"),
    "tools_text": entry(tools="read"), "tools_null": entry(tools=None), "tools_mixed": entry(tools=["read", 5]),
    "exclude_text": entry(excludeTools="rm"), "args_text": entry(args="x y"), "env_number": entry(env={"A": 5})}
del servers["no_tools"]["tools"]
json.dump({"mcpServers": servers}, open("home/.copilot/mcp-config.json", "w"))
P
(cd work && env -i PATH="$PATH" HOME="$dir/home" COPILOT_OFFLINE=true COPILOT_AUTO_UPDATE=false \
  timeout 200 ../node_modules/@github/copilot-linux-x64/copilot mcp list </dev/null >"$dir/said" 2>&1) || true
{
  echo "listed: $(grep -oE '^ +[a-z_]+ \(local\)' said | grep -oE '[a-z]+(_[a-z]+)?' | grep -v '^local$' | paste -sd' ')"
  echo "a word about the others: $(grep -ciE 'text|null|mixed|number|invalid|skip|warn' <(grep -v enabled_text said) || true)"
} | tee got
diff got - <<'EXPECTED'
listed: plain no_tools enabled_text
a word about the others: 0
EXPECTED
