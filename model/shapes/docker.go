package shapes

// dockerEntry is a tool of the MCP catalogue of Docker (github.com/docker/mcp-registry,
// servers/SERVER/tools.json): {"name","description","arguments":[{name,type,desc,
// optional}]}. It is a tool of the server that its folder is named after, as one of a
// tools/list result is of the server of its file.
var dockerEntry = &form{
	name: "docker",
	match: func(e *entry) bool {
		return e.member("name").IsString() && e.member("arguments").IsArray() && !e.has("parameters", "inputSchema")
	},
	read: func(r *reader, f *form, e *entry) error {
		p := parts{name: e.member("name"), description: e.member("description"), schema: "arguments"}
		if d := r.add(f, e, p); d != nil {
			r.describe(d.tool, e)
			d.raw = &mcpParts{schema: parametersOf(e.member("arguments"), nil), host: r.host, naming: r.naming()}
			if p.description.IsString() {
				d.raw.description = p.description.Raw
			}
		}
		return nil
	},
}
