package shapes

import "caliper/model/jsontree"

// bedrockEntry is a tool of Bedrock's Converse:
// {"toolSpec":{"name","description","inputSchema":{"json":{...}}}}.
var bedrockEntry = &form{
	name:  "bedrock",
	under: "toolSpec",
	match: func(e *entry) bool { return e.member("toolSpec").IsObject() },
	read: func(r *reader, f *form, e *entry) error {
		p := objectOf(e.member("toolSpec")).parts("inputSchema")
		if p.parameters.IsObject() {
			p.parameters = objectOf(p.parameters).member("json")
		}
		r.addBuilt(f, e, p)
		return nil
	},
}

// bedrockRequest is a request to Converse, whose toolConfig holds the array of
// tools.
var bedrockRequest = shape{
	match: func(o *object) bool { return o.member("toolConfig").HoldsArray("tools") },
	read: func(r *reader, o *object) error {
		return r.within(o.member("toolConfig"), jsontree.JoinName(o.path, "toolConfig"))
	},
}
