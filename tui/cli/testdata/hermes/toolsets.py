# Groups of tools by name, and bundles of groups.
_HERMES_CORE_TOOLS = ["web_search", "process_manage", "delegate_task", "image_generate"]


def _group(description, tools=(), includes=()):
    return {"description": description, "tools": list(tools), "includes": list(includes)}


TOOLSETS = {
    "web": _group("Web", ["web_search", "web_extract"]),
    "terminal": _group("Commands", ["process_manage"]),
    "delegation": _group("Subagents", ["delegate_task"]),
    "image_gen": _group("Images", ["image_generate"]),
    "spotify": _group("Music", ["spotify_search"]),
    "safe": _group("No commands", includes=["web", "image_gen"]),
    "hermes-cli": _group("All", _HERMES_CORE_TOOLS),
}
