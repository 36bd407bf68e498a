package lint

import "caliper/model"

// clients returns the findings about what agents that reach a tool by MCP make of it.
func (c *check) clients(t *model.Tool) []draft {
	if !t.TaskOnly {
		return nil
	}
	return []draft{found(TaskOnly, Warning, t, "execution.taskSupport is required: it runs only as a task, and its server refuses a plain call")}
}
