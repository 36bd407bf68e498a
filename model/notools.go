package model

// clientConfig is the configuration of an MCP client. It says how to reach
// servers and holds no tools. Its values may be secrets: none is shown.
var clientConfig = shape{
	match: func(o *object) bool { return clientServers(o).isObject() },
	read: func(r *reader, o *object) error {
		m := clientServers(o)
		servers := 0
		_, err := newCursor(m.raw, m.at).eachMember(func(string, value) error { servers++; return nil })
		if err != nil {
			return err
		}
		return r.finding("client_config", m.at, joinName(o.path, m.name), "a client configuration: it lists "+count(servers, "server", "servers")+
			" and holds no tools; save each server's answer to tools/list and read that")
	},
}

// clientServers returns the member under which clients keep their servers.
func clientServers(o *object) member {
	for _, name := range []string{"mcpServers", "context_servers", "mcp_servers"} {
		if v := o.member(name); v.isObject() {
			return member{name, v}
		}
	}
	return member{}
}

// toolsetListing is an entry that names tools without defining them, as
// agents list their toolsets.
var toolsetListing = &form{
	match: func(e *entry) bool {
		return e.member("name").isString() && e.member("tools").isArray()
	},
	read: func(r *reader, _ *form, e *entry) error {
		r.names += len(r.readNames(e.member("tools")))
		return nil
	},
}
