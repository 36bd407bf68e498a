#!/usr/bin/env bash
# Variables in the entry of an MCP server, in Gemini CLI and in Qwen Code, which is made of it.
#
# What one would guess: both replace ${NAME} alone, as Claude Code does, take the same defaults, and refuse
# a variable that is not set, or name it.
# What is true: both replace a bare $NAME. Gemini CLI takes ${NAME:-else}, Qwen Code leaves it as it is
# written, set or not. With a variable that is not set both start the server: with the text as it is
# written, but in env of Gemini CLI, where it becomes empty.
#
# npm @google/gemini-cli 0.61.0, @qwen-code/qwen-code 0.24.4, seen 2026-11 on Linux, argument|variable:
#   gemini  val|val  val|val                    $UNSET|        ${UNSET}|          else|else
#   qwen    val|val  ${SET:-else}|${SET:-else}  $UNSET|$UNSET  ${UNSET}|${UNSET}  ${UNSET:-else}|${UNSET:-else}
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --no-audit --no-fund --ignore-scripts @google/gemini-cli@0.61.0 @qwen-code/qwen-code@0.24.4 >/dev/null 2>&1
cat >stub.py <<'P'
import json, os, sys
pairs = [a + "|" + os.environ["V%d" % n] for n, a in enumerate(sys.argv[2:])]
open(sys.argv[1], "w").write(" ".join(pairs) + "\n")  # what it was started with
for line in sys.stdin:
    m = json.loads(line)
    if "id" not in m: continue
    r = {"protocolVersion": m["params"]["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}} if m["method"] == "initialize" else {"tools": []} if m["method"] == "tools/list" else {}
    print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": r}), flush=True)
P
mkdir -p home/.gemini home/.qwen work
python3 - "$dir" <<'P'
import json, sys
texts = ["$SET", "${SET:-else}", "$UNSET", "${UNSET}", "${UNSET:-else}"]
entry = {"command": "python3", "args": [sys.argv[1] + "/stub.py", sys.argv[1] + "/seen", *texts], "env": {"V%d" % n: t for n, t in enumerate(texts)}}
for name in ".gemini", ".qwen":
    json.dump({"mcpServers": {"s": entry}}, open(sys.argv[1] + "/home/" + name + "/settings.json", "w"))
P
run() { # lists a client's servers, and prints with what this one was started
  rm -f seen
  (cd work && env -i PATH="$PATH" HOME="$dir/home" SET=val GEMINI_API_KEY=none GEMINI_CLI_TRUST_WORKSPACE=true \
    timeout 90 node "$dir/node_modules/$2" mcp list </dev/null >"$dir/said" 2>&1) || true
  echo "$1 $(cat seen)"
}
{
  run gemini @google/gemini-cli/bundle/gemini.js
  run qwen @qwen-code/qwen-code/cli.js
} | tee got
diff got - <<'EXPECTED'
gemini val|val val|val $UNSET| ${UNSET}| else|else
qwen val|val ${SET:-else}|${SET:-else} $UNSET|$UNSET ${UNSET}|${UNSET} ${UNSET:-else}|${UNSET:-else}
EXPECTED
