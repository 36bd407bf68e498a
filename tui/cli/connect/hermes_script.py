"""Prints every tool that this Hermes Agent has registered, as a dump for caliper.

Run it with the Python of the agent, in the agent's folder:

    python hermes_dump.py > registry.json
    caliper budget --registry registry.json --config ~/.hermes/config.yaml

It starts the MCP servers of the agent's configuration, as the agent does, and calls
no tool. A part of the agent that cannot be loaded is named on standard error.
"""
import importlib
import json
import os
import sys

out, sys.stdout = sys.stdout, sys.stderr  # what the agent prints is no part of the dump
sys.path.insert(0, os.getcwd())


def run(modules, function=None):
    """Calls a function of the first of some modules that has it; without one, imports."""
    problem = None
    for module in modules.split():
        try:
            loaded = importlib.import_module(module)
            if function is None or hasattr(loaded, function):
                return getattr(loaded, function)() if function else None
            problem = f"it has no {function}"
        except Exception as raised:
            problem = f"{type(raised).__name__}: {raised}"
            if not isinstance(raised, ModuleNotFoundError):
                break
    print(f"{module}: {problem}", file=sys.stderr)


run("model_tools")  # registers the agent's own tools
run("hermes_cli.plugins", "discover_plugins")
run("tools.mcp_tool_discovery tools.mcp_tool", "discover_mcp_tools")  # where it is since September 2026, and before

import toolsets
from tools.registry import registry

entries = registry.get_all_entries() if hasattr(registry, "get_all_entries") else list(registry._tools.values())
entries.sort(key=lambda e: e.name)
names = {e.name for e in entries}
sent = {d["function"]["name"]: d["function"] for d in registry.get_definitions(names, quiet=True)}
aliases = getattr(registry, "_toolset_aliases", {})
servers = {target: alias for alias, target in aliases.items() if target == "mcp-" + alias}
known = getattr(toolsets, "TOOLSETS", {})


def source(toolset):
    """Returns what registers the tools of a toolset: mcp, builtin or plugin."""
    if toolset.startswith("mcp-"):
        return "mcp"
    return "builtin" if toolset in known else "plugin"


groups = {}
for name in sorted({e.toolset for e in entries} | set(known)):
    static = known.get(name, {})
    listed = sorted({t for t in static.get("tools", []) if t in names})
    own = any(e.toolset == name for e in entries)
    if not (own or listed or static.get("includes")):
        continue
    group = groups[name] = {"source": source(name), "description": static.get("description", "")}
    if group["source"] == "mcp":
        group["server"] = servers.get(name, name[len("mcp-"):])
    if listed:
        group["tools"] = listed
    if static.get("includes"):
        group["includes"] = list(static["includes"])

tools = []
for e in entries:
    tool = {"type": "function", "function": sent.get(e.name) or {**e.schema, "name": e.name},
            "toolset": e.toolset, "source": source(e.toolset)}
    if "server" in groups[e.toolset]:
        tool["server"] = groups[e.toolset]["server"]
    if e.name not in sent:
        tool["available"] = False  # its check failed, so the model is not sent it
    tools.append(tool)

json.dump({"generator": "hermes", "core": list(getattr(toolsets, "_HERMES_CORE_TOOLS", [])),
           "toolsets": groups, "tools": tools}, out, ensure_ascii=False, indent=1)
out.write("\n")
out.flush()
run("tools.mcp_tool_lifecycle tools.mcp_tool", "shutdown_mcp_servers")
