# Two servers, of which one has a name that differs from that of its tools.
from tools.registry import registry


def discover_mcp_tools():
    print("connecting")
    for server, tools in {"tide-log": ["read_tide", "find_ship"], "ledger": ["book"]}.items():
        for tool in tools:
            name = f"mcp__{server.replace('-', '_')}__{tool}"
            registry.register(name, f"mcp-{server}", {
                "name": name, "description": f"{tool} of the harbour, é",
                "parameters": {"type": "object", "properties": {"ship": {"type": "string"}}}})
        registry.register_toolset_alias(server, f"mcp-{server}")


def shutdown_mcp_servers():
    pass
