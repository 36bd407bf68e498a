package engine

import (
	"encoding/json"

	"caliper/config"
	"caliper/engine/arguments"
)

// effectiveLimit returns how many matches tool_search returns for a limit as
// the model sent it: absent and unusable values mean the default, everything
// else is clamped to 1..max. A fraction is truncated, true counts as 1, and
// text counts when Python's int reads it, as in the reference agent.
func effectiveLimit(c config.ToolSearch, raw json.RawMessage) int {
	n, ok := arguments.Whole(raw)
	if !ok {
		return c.DefaultLimit
	}
	return ClampLimit(c, n)
}

// ClampLimit returns n within 1..max_search_limit.
func ClampLimit(c config.ToolSearch, n int) int {
	return min(max(n, 1), c.MaxLimit)
}
