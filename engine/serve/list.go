package serve

import (
	"bytes"
	"encoding/json"

	"caliper/engine"
	"caliper/engine/export"
	"caliper/model"
	"caliper/model/jsontree"
)

// noParameters is the schema of a tool that takes nothing: MCP wants one.
const noParameters = export.AnySchema

// Listed is a tool of a list that its client should know more of; without a tool it is
// about the whole list.
type Listed struct {
	Tool    *model.Tool
	Changes []export.Change // of what its server says of it, because clients do not take it
	Refused []export.Breach // by providers that a client sends it to, or by the client
}

// Listing returns what a client should know of a tool that is listed as itself.
func Listing(r *model.Registry, t *model.Tool) Listed {
	return Listed{t, export.Changes(r, t), export.Told(export.Defined(r, t), export.MCPSDK)}
}

// Changed returns what the clients of a session should know of its list: tools that are
// not listed as their servers say them, and what providers and clients refuse or cut.
func (s *Server) Changed(session string) (list []Listed) {
	x := s.session(session)
	if x == nil {
		return nil
	}
	o := x.current()
	named := map[string]bool{}
	for _, t := range o.snapshot.Assembly().Tools {
		l := Listing(o.snapshot.Registry, t)
		if named[t.Name] {
			l.Refused = append(l.Refused, export.Breach{What: "a name that another tool of the list has", Takes: "each once", By: []string{"OpenAI", "Anthropic"}})
		}
		if named[t.Name] = true; len(l.Changes)+len(l.Refused) > 0 {
			list = append(list, l)
		}
	}
	if all := append(export.RequestBreaches(o.count, 0, false), export.InstructionBreaches(o.says)...); len(all) > 0 {
		list = append(list, Listed{Refused: export.Joined(all)})
	}
	return list
}

// listed returns the result of tools/list (MCP 2025-11-25, server/tools) for an assembly
// of a snapshot, in its order: a tool that is sent as itself with what its server says of
// it, see ListedBesides, then the bridge, and last own, a tool in the form of the
// assembly, unless it is nil. Where nothing is executed no results are of an outputSchema,
// and none is listed.
func listed(s *engine.Snapshot, a engine.Assembly, own json.RawMessage, executes bool) (result json.RawMessage, count int) {
	definitions := a.Definitions()
	if own != nil {
		definitions = append(definitions, own)
	}
	result = append(result, `{"tools":[`...)
	for i, d := range definitions {
		if i > 0 {
			result = append(result, ',')
		}
		var said []export.Member
		if i < len(a.Tools) {
			said, _ = export.ListedBesides(s.Registry, a.Tools[i])
		}
		// Appends a definition of the assembly in the form of MCP, but for its end.
		dst := result
		var name, description, parameters []byte
		jsontree.Members(d, func(member string, value []byte) {
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
		if bytes.HasPrefix(description, []byte(`"`)) { // clients take no other
			dst = append(append(dst, `,"description":`...), description...)
		}
		schema, _ := export.ListedInput(parameters)
		result = append(append(dst, `,"inputSchema":`...), schema...)
		for _, m := range said {
			if executes || m.Name != "outputSchema" {
				result = append(append(append(append(result, ',', '"'), m.Name...), '"', ':'), m.Value...)
			}
		}
		result = append(result, '}')
	}
	return append(result, `]}`...), len(definitions)
}
