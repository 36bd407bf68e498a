package model

// jsonRPCResult is the answer of an MCP server on the wire:
// {"jsonrpc":"2.0","id":1,"result":{...}}, where the result is a document.
// Answers to other requests than tools/list stand in a log too.
var jsonRPCResult = shape{
	match: func(o *object) bool { return o.member("result").isObject() },
	read: func(r *reader, o *object) error {
		foreign := r.foreign
		err := r.within(o.member("result"), joinName(o.path, "result"))
		if o.member("jsonrpc").isString() {
			r.foreign = foreign
		}
		return err
	},
}

// jsonRPCCall is a request or a notification, as a log of the wire holds them.
var jsonRPCCall = shape{
	match: func(o *object) bool { return o.member("jsonrpc").isString() && o.member("method").isString() },
	read:  func(*reader, *object) error { return nil },
}

// jsonRPCError is a server's answer that it could not answer. It rejects a
// source that holds no list of tools.
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
				code = string(v.raw[:min(len(v.raw), 40)])
			case name == "message":
				message = v.text()
			}
			return nil
		})
		if r.refusal == nil {
			f := r.finding("server_error", v.at, joinName(o.path, "error"), "the server returned an error: "+code+" "+quoted(message))
			r.refusal = &f
		}
		return err
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
		r.serverName = o.member("serverInfo").object().member("name").text()
		return nil
	},
}
