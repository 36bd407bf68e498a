package shapes

import (
	"caliper/model/jsontree"
	"caliper/model/safetext"
)

// jsonRPCResult is the answer of an MCP server on the wire,
// {"jsonrpc":"2.0","id":1,"result":{...}}, to tools/list or to another request in a log.
var jsonRPCResult = shape{
	match: func(o *object) bool { return o.member("result").IsObject() },
	read: func(r *reader, o *object) error {
		foreign := r.foreign
		err := r.within(o.member("result"), jsontree.JoinName(o.path, "result"))
		if o.member("jsonrpc").IsString() {
			r.foreign = foreign
		}
		return err
	},
}

// jsonRPCCall is a request or a notification of such a log. A source of nothing else has no tools.
var jsonRPCCall = shape{
	match: func(o *object) bool { return o.member("jsonrpc").IsString() && o.member("method").IsString() },
	read: func(r *reader, o *object) error {
		if r.recognised == nil {
			f := r.finding("unknown_format", o.At, o.path, "this is a request to an MCP server, and not its answer: import the answer to tools/list, or the server with --stdio or --http")
			r.recognised = &f
		}
		return nil
	},
}

// jsonRPCError is a server's error. It rejects a source without a list of tools.
var jsonRPCError = shape{
	match: func(o *object) bool {
		return o.member("error").IsObject() && o.member("jsonrpc").IsString()
	},
	read: func(r *reader, o *object) error {
		v := o.member("error")
		code, message := v.Member("code"), v.Member("message").Text()
		if code.IsObject() || code.IsArray() {
			code.Raw = nil
		}
		if r.refusal == nil {
			f := r.finding("server_error", v.At, jsontree.JoinName(o.path, "error"),
				"the server returned an error: "+string(code.Raw[:min(len(code.Raw), 40)])+" "+safetext.Line(string(jsontree.AppendQuoted(nil, message))))
			r.refusal = &f
		}
		return nil
	},
}

// mcpInitialize is the result of the handshake in such a log. It may hold instructions.
var mcpInitialize = shape{
	match: func(o *object) bool {
		return o.member("protocolVersion").IsString() && o.member("serverInfo").IsObject()
	},
	read: func(r *reader, o *object) error {
		r.instructions = o.member("instructions").Text()
		r.serverName = objectOf(o.member("serverInfo")).member("name").Text()
		return nil
	},
}
