package model

// jsonRPCResult is the answer of an MCP server on the wire:
// {"jsonrpc":"2.0","id":1,"result":{...}}, where the result is a document.
var jsonRPCResult = shape{
	match: func(o *object) bool { return o.member("result").isObject() },
	read: func(r *reader, o *object) error {
		v := o.member("result")
		return r.readObject(newCursor(v.raw, v.at), joinName(o.path, "result"))
	},
}

// jsonRPCError is a server's answer that it could not answer.
var jsonRPCError = shape{
	match: func(o *object) bool {
		return o.member("error").isObject() && o.member("jsonrpc").isString()
	},
	read: func(r *reader, o *object) error {
		v := o.member("error")
		var code, message string
		_, err := newCursor(v.raw, v.at).eachMember(func(name string, v value) error {
			switch {
			case name == "code" && v.kind() != '{' && v.kind() != '[':
				code = string(v.raw)
			case name == "message":
				message = v.text()
			}
			return nil
		})
		if err != nil {
			return err
		}
		return r.finding("server_error", v.at, joinName(o.path, "error"), "the server returned an error: "+code+" "+quoted(message))
	},
}

// mcpInitialize is the result of the handshake that comes before tools/list in
// a log of the wire. It holds no tools, but may hold instructions.
var mcpInitialize = shape{
	match: func(o *object) bool {
		return o.member("protocolVersion").isString() && o.member("serverInfo").isObject()
	},
	read: func(r *reader, o *object) error {
		r.instructions = o.member("instructions").text()
		return nil
	},
}
