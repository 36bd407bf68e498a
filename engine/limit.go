package engine

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"caliper/config"
)

// effectiveLimit returns how many matches tool_search returns for a limit as
// the model sent it: absent and unusable values mean the default, everything
// else is clamped to 1..max. A fraction is truncated, true counts as 1, and
// text counts when it is a whole number, as in the reference agent.
func effectiveLimit(c config.ToolSearch, raw json.RawMessage) int {
	n, ok := wholeNumber(raw)
	if !ok {
		return c.DefaultLimit
	}
	return ClampLimit(c, n)
}

// ClampLimit returns n within 1..max_search_limit.
func ClampLimit(c config.ToolSearch, n int) int {
	return min(max(n, 1), c.MaxLimit)
}

// wholeNumber reads a JSON value as Python's int() would.
func wholeNumber(raw json.RawMessage) (int, bool) {
	value, ok := decodeValue(raw)
	if !ok {
		return 0, false
	}
	switch v := value.(type) {
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	case json.Number:
		f, err := v.Float64()
		if err != nil && math.IsInf(f, 0) && strings.ContainsAny(v.String(), ".eE") {
			return 0, false // Python reads 1e400 as infinity, and int() refuses it
		}
		return clampInt(f), true
	case string:
		digits := strings.ReplaceAll(trim(v), "_", "")
		n, err := strconv.Atoi(digits)
		if err != nil {
			return 0, false
		}
		return n, true
	}
	return 0, false
}
