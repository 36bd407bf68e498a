package model

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
