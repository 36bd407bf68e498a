package engine

import (
	"encoding/json"
	"fmt"
	"strings"
)

// The most that one call of a bridge tool of september-2026 may ask for. Source: the
// reference agent, September 2026.
const (
	MaxQueries = 7
	MaxNames   = 10
)

// laterBridge returns the three bridge definitions of september-2026 for a number of
// deferred tools. The description of tool_search ends with a list of them, or with
// the names of lazy, if there is one.
func laterBridge(deferred int, list string, names []string) []json.RawMessage {
	search := fmt.Sprintf("Find tools that are not in this list, by what they do. %d more tools are available.", deferred)
	switch {
	case list != "":
		search += "\n" + list
	case len(names) > 0:
		search += " Their names: " + strings.Join(names, ", ")
	}
	return []json.RawMessage{
		bridgeTool(ToolSearch, search, fmt.Sprintf(`{"type":"object","properties":{"queries":{"type":"array","items":{"type":"string"},"description":"What the tools should do, a few words each, at most %d"},"limit":{"type":"integer","description":"Matches for each"}},"required":["queries"]}`, MaxQueries)),
		bridgeTool(ToolDescribe, "Read the parameters of tools that tool_search found.", fmt.Sprintf(`{"type":"object","properties":{"names":{"type":"array","items":{"type":"string"},"description":"Names as tool_search gave them, at most %d"}},"required":["names"]}`, MaxNames)),
		bridgeTool(ToolCall, "Call a tool that tool_search found. Tools of this list are called directly, never through this one.", `{"type":"object","properties":{"calls":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"arguments":{"type":"object","description":"As tool_describe shows them"}},"required":["name","arguments"]}}},"required":["calls"]}`),
	}
}
