package serve

import (
	"encoding/json"

	"caliper/engine"
	"caliper/engine/mcptool"
	"caliper/model"
	"caliper/model/jsontree"
)

// noParameters is the schema of a tool that takes nothing: MCP wants one.
const noParameters = mcptool.Anything

// Listed is a tool that is not listed as its server says it.
type Listed struct {
	Tool    *model.Tool
	Changes []mcptool.Change
}

// listed returns the result of tools/list (MCP 2025-11-25, server/tools) for an assembly
// of a snapshot, in its order: a tool that is sent as itself with what its server says of
// it, see package mcptool, then the bridge, and last own, a tool in the form of the
// assembly, unless it is nil. Where nothing is executed no results are of an outputSchema,
// and none is listed.
func listed(s *engine.Snapshot, a engine.Assembly, own json.RawMessage, executes bool) (result json.RawMessage, count int, changed []Listed) {
	definitions := a.Definitions()
	if own != nil {
		definitions = append(definitions, own)
	}
	result = append(result, `{"tools":[`...)
	for i, d := range definitions {
		if i > 0 {
			result = append(result, ',')
		}
		var said []mcptool.Member
		var more []mcptool.Change
		if i < len(a.Tools) {
			said, more = mcptool.Said(s.Registry, a.Tools[i])
		}
		var changes []mcptool.Change
		result, changes = appendTool(result, d)
		for _, m := range said {
			if executes || m.Name != "outputSchema" {
				result = append(append(append(append(result, ',', '"'), m.Name...), '"', ':'), m.Value...)
			}
		}
		result = append(result, '}')
		if changes = append(changes, more...); len(changes) > 0 && i < len(a.Tools) {
			changed = append(changed, Listed{a.Tools[i], changes})
		}
	}
	return append(result, `]}`...), len(definitions), changed
}

// appendTool appends a definition of the assembly in the form of MCP, but for its end,
// and returns what is changed in it. Descriptions and schemas that clients take keep their
// bytes.
func appendTool(dst []byte, definition json.RawMessage) ([]byte, []mcptool.Change) {
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
	if len(description) > 0 && description[0] == '"' { // clients take no other
		dst = append(append(dst, `,"description":`...), description...)
	}
	schema, changes := mcptool.InputSchema(parameters)
	return append(append(dst, `,"inputSchema":`...), schema...), changes
}
