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
		if o.member("name").isString() && (o.member("type").text() == "function" ||
			o.member("parameters").isObject() || o.member("parametersJsonSchema").isObject()) {
			return true
		}
		return o.member("function").isObject() || o.member("inputSchema").isObject() || o.member("input_schema").isObject() ||
			o.member("toolSpec").isObject() || declarations(o).isArray()
	},
	read: func(r *reader, o *object) error {
		r.arrays++
		r.entry.reset(&o.path, -1)
		c := borrowCursor(o.raw, o.at)
		defer c.giveBack()
		if err := r.entry.read(c); err != nil {
			return err
		}
		return r.define(&r.entry)
	},
}

// deriveToolsets gives the tools of a source without a dump's toolsets the
// toolset that a name such as mcp__server__tool tells.
func (r *reader) deriveToolsets() {
	if r.isDump {
		return
	}
	for i := range r.found {
		f := &r.found[i]
		if f.form == hermesEntry || f.form == mcpEntry || f.tool.Toolset != "" {
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
