package serve

import (
	"encoding/json"

	"caliper/model/jsontree"
)

// noParameters is the schema of a tool that takes nothing: MCP wants one.
const noParameters = `{"type":"object","properties":{}}`

// listed returns the result of tools/list (MCP 2025-11-25, server/tools) for definitions
// as the assembly has them, in their order, and how many there are. Descriptions and
// schemas keep their bytes; own, a tool in the form of MCP, stands last unless it is nil.
func listed(definitions []json.RawMessage, own json.RawMessage) (result json.RawMessage, count int) {
	result = append(result, `{"tools":[`...)
	for _, d := range definitions {
		if count > 0 {
			result = append(result, ',')
		}
		result = appendTool(result, d)
		count++
	}
	if own != nil {
		if count > 0 {
			result = append(result, ',')
		}
		result = append(result, own...)
		count++
	}
	return append(result, `]}`...), count
}

// appendTool appends a definition of the assembly in the form of MCP.
func appendTool(dst []byte, definition json.RawMessage) []byte {
	var name, description, parameters []byte
	jsontree.Members(definition, func(member string, value []byte) {
		if member != "function" {
			return
		}
		jsontree.Members(value, func(member string, value []byte) {
			switch member {
			case "name":
				name = value
			case "description":
				description = value
			case "parameters":
				parameters = value
			}
		})
	})
	dst = append(append(dst, `{"name":`...), name...)
	if len(description) > 0 {
		dst = append(append(dst, `,"description":`...), description...)
	}
	if len(parameters) == 0 || parameters[0] != '{' || string(parameters) == "{}" {
		parameters = []byte(noParameters)
	}
	return append(append(append(dst, `,"inputSchema":`...), parameters...), '}')
}
