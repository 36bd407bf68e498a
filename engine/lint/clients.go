package lint

import (
	"caliper/engine/mcptool"
	"caliper/model"
)

// clients returns the findings about what agents that reach a tool by MCP make of it.
func (c *check) clients(t *model.Tool) (out []draft) {
	if changes := mcptool.Changes(c.s.Registry, t); len(changes) > 0 {
		var says []string
		for _, change := range changes {
			says = append(says, change.Message())
		}
		out = append(out, found(ClientSchema, Warning, t, "%s%s", says[0], andMore(distinct(says))))
	}
	if t.TaskOnly {
		out = append(out, found(TaskOnly, Warning, t, "execution.taskSupport is required: it runs only as a task, and its server refuses a plain call"))
	}
	return out
}
