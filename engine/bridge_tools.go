package engine

import (
	"encoding/json"
	"fmt"
	"strings"
)

// BridgeTools returns the three bridge definitions as the model is sent them
// beside a number of deferred tools. That number is the only thing in them that
// varies, so that the array is byte-stable while the number is, and a prompt
// cache survives. Names, if there are any, are listed in the description of
// tool_search.
func BridgeTools(deferred int, names ...string) []json.RawMessage {
	search := fmt.Sprintf("Find tools that are not in this list. %d more tools are available; this returns the best matches for a few words with their names and what they do.", deferred)
	if len(names) > 0 {
		search += " Their names: " + strings.Join(names, ", ")
	}
	return []json.RawMessage{
		bridgeTool(ToolSearch, search, `{"type":"object","properties":{"query":{"type":"string","description":"What the tool should do, in a few words"},"limit":{"type":"integer","description":"How many matches to return"}},"required":["query"]}`),
		bridgeTool(ToolDescribe, "Read the parameters of a tool that tool_search found.", `{"type":"object","properties":{"name":{"type":"string","description":"Name as tool_search gave it"}},"required":["name"]}`),
		bridgeTool(ToolCall, "Call a tool that tool_search found. Tools of this list are called directly, never through this one.", `{"type":"object","properties":{"name":{"type":"string","description":"Name as tool_search gave it"},"arguments":{"type":"object","description":"Arguments as tool_describe shows them"}},"required":["name","arguments"]}`),
	}
}

// bridgeTool returns one definition.
func bridgeTool(name, description, parameters string) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(`{"type":"function","function":{"name":%q,"description":%s,"parameters":%s}}`,
		name, encode(description), parameters))
}
