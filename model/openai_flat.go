package model

// flatFunction is a function whose parts stand in the entry itself: a tool of
// OpenAI's responses, {"type":"function","name","description","parameters"},
// or one of the older "functions" of its chat completions, which had no type.
var flatFunction = &form{
	name: "openai",
	match: func(e *entry) bool {
		return e.member("type").text() == "function" && e.member("name").kind() != 0 ||
			e.member("type").kind() == 0 && e.member("name").isString() && e.member("parameters").kind() != 0
	},
	read: func(r *reader, f *form, e *entry) error {
		p := parts{
			name:        e.member("name"),
			description: e.member("description"),
			parameters:  e.member("parameters"),
			schema:      "parameters",
		}
		if !isFunctionObject(e) {
			r.addBuilt(f, e, p)
		} else if d := r.add(f, e, p); d != nil {
			d.tool.Function = e.raw
			d.function = e.at
			d.parameters = p.parameters.at - e.at
			r.describe(d.tool, e)
		}
		return nil
	},
}

// isFunctionObject reports whether an entry is itself what the model is sent.
func isFunctionObject(e *entry) bool {
	for _, m := range e.members {
		switch m.name {
		case "name", "description", "parameters", "strict":
		default:
			return false
		}
	}
	return true
}

// legacyFunctions is an object whose tools are "functions", as requests to
// OpenAI's chat completions had them before "tools".
var legacyFunctions = shape{
	match: func(o *object) bool { return o.member("functions").isArray() },
	read: func(r *reader, o *object) error {
		return r.readList(o.member("functions"), joinName(o.path, "functions"), flatFunction)
	},
}

// namespaceEntry is a group of tools in OpenAI's responses:
// {"type":"namespace","name","description","tools":[...]}. It is a toolset.
var namespaceEntry = &form{
	name: "openai",
	match: func(e *entry) bool {
		return e.member("type").text() == "namespace" && e.member("name").isString() && e.member("tools").isArray()
	},
	read: func(r *reader, f *form, e *entry) error {
		name, from := e.member("name").text(), len(r.found)
		set := Toolset{Name: name, Description: e.member("description").text()}
		r.toolsets = append(r.toolsets, foundToolset{set, r.text.origin(e.at)})
		if err := r.readList(e.member("tools"), f.path(*e.prefix, e.index, "tools"), nil); err != nil {
			return err
		}
		for i := range r.found[from:] {
			if t := r.found[from+i].tool; t.Toolset == "" {
				t.Toolset = name
			}
		}
		return nil
	},
}
