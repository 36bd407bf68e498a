package shapes

import "caliper/model/jsontree"

// bedrockEntry is a tool of Bedrock's Converse:
// {"toolSpec":{"name","description","inputSchema":{"json":{...}}}}.
var bedrockEntry = &form{
	name:  "bedrock",
	under: "toolSpec",
	match: func(e *entry) bool { return e.member("toolSpec").IsObject() },
	read: func(r *reader, f *form, e *entry) error {
		spec := objectOf(e.member("toolSpec"))
		schema := spec.member("inputSchema")
		if schema.IsObject() {
			schema = objectOf(schema).member("json")
		}
		r.addBuilt(f, e, parts{
			name:        spec.member("name"),
			description: spec.member("description"),
			parameters:  schema,
			schema:      "inputSchema",
		})
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
