# The agent's own tools are registered when this is imported.
from tools.registry import registry


def own(name, toolset, **more):
    registry.register(name, toolset, {"description": f"{name} of the agent", "parameters": {"type": "object", "properties": {}}}, **more)


print("importing")
own("web_search", "web")
own("process_manage", "terminal")
own("delegate_task", "delegation", dynamic_schema_overrides=lambda: {"description": "at most 3 at once"})
own("image_generate", "image_gen", check_fn=lambda: False)
own("berth_plan", "harbour")
