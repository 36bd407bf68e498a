def discover_plugins():
    pass  # the plugin of this agent is registered by model_tools
