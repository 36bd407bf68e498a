# A package, as the agent has it.
