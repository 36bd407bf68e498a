# A registry of the shape of the agent's, with what a dump of it needs.
from dataclasses import dataclass
from typing import Callable, Optional


@dataclass
class ToolEntry:
    name: str
    toolset: str
    schema: dict
    check_fn: Optional[Callable] = None
    dynamic_schema_overrides: Optional[Callable] = None


class ToolRegistry:
    def __init__(self):
        self._tools = {}
        self._toolset_aliases = {}

    def register(self, name, toolset, schema, check_fn=None, dynamic_schema_overrides=None):
        self._tools[name] = ToolEntry(name, toolset, schema, check_fn, dynamic_schema_overrides)

    def register_toolset_alias(self, alias, toolset):
        self._toolset_aliases[alias] = toolset

    def get_all_entries(self):
        return list(self._tools.values())

    def get_definitions(self, tool_names, quiet=False):
        result = []
        for name in sorted(tool_names):
            entry = self._tools.get(name)
            if entry is None or entry.check_fn and not entry.check_fn():
                continue
            schema = {**entry.schema, "name": entry.name}
            if entry.dynamic_schema_overrides:
                schema.update(entry.dynamic_schema_overrides())
            result.append({"type": "function", "function": schema})
        return result


registry = ToolRegistry()
