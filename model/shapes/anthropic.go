package shapes

// anthropicEntry is a tool of Anthropic's messages:
// {"name","description","input_schema"}, with or without "type":"custom",
// "cache_control" and "defer_loading".
var anthropicEntry = &form{
	name:  "anthropic",
	match: func(e *entry) bool { return e.member("input_schema").First() != 0 },
	read: func(r *reader, f *form, e *entry) error {
		r.addBuilt(f, e, e.parts("input_schema"))
		return nil
	},
}
