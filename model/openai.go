package model

import "strings"

// openAIEntry is a tool of OpenAI's chat completions:
// {"type":"function","function":{"name","description","parameters"}}.
var openAIEntry = &form{
	name:  "openai",
	under: "function",
	match: func(e *entry) bool { return e.function.isObject() },
	read:  readFunctionEntry,
}

// loneEntry is an object of the top level that is itself a definition, as in
// JSON Lines.
var loneEntry = shape{
	match: func(o *object) bool {
		return o.member("function").isObject() || o.member("inputSchema").isObject()
	},
	read: func(r *reader, o *object) error {
		r.arrays++
		r.entry.reset(&o.path, -1)
		if err := r.entry.read(newCursor(o.raw, o.at)); err != nil {
			return err
		}
		return r.define(&r.entry)
	},
}

// deriveToolsets gives the OpenAI tools of a source without any toolsets the
// toolset that a name such as mcp__server__tool tells.
func (r *reader) deriveToolsets() {
	if r.isDump {
		return
	}
	for i := range r.found {
		f := &r.found[i]
		if f.form != openAIEntry || f.tool.Toolset != "" {
			continue
		}
		rest, ok := strings.CutPrefix(f.tool.Name, "mcp__")
		if !ok {
			continue
		}
		server, tool, ok := strings.Cut(rest, "__")
		if ok && server != "" && tool != "" {
			f.tool.Toolset, f.tool.Server, f.tool.OriginalName = "mcp-"+server, server, tool
			f.source = "mcp"
		}
	}
}
