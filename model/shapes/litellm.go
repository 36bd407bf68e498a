package shapes

import "caliper/model/jsontree"

// liteLLMTools is a configuration of LiteLLM's proxy with tools of its own
// (docs.litellm.ai, mcp_tools): {"mcp_tools":[{name,description,input_schema,handler}]}.
// Its servers are asked by --mcp-config.
var liteLLMTools = shape{
	match: func(o *object) bool { return o.member("mcp_tools").IsArray() },
	read: func(r *reader, o *object) error {
		if f, ok := clientFile(o); ok {
			at := o.Member(f.Path...).At
			r.note("client_config", at, jsontree.JoinName(o.path, f.Path[0]), configMessage(f, r.notation, r.source.Name))
		}
		return r.readList(o.member("mcp_tools"), jsontree.JoinName(o.path, "mcp_tools"), nil)
	},
}
