package model

// The members of a Gemini tool that hold its declarations, in the two
// spellings that its interfaces take.
var declarationLists = []string{"functionDeclarations", "function_declarations"}

// geminiEntry is a tool of Gemini, which is a list of function declarations:
// {"functionDeclarations":[...]}.
var geminiEntry = &form{
	name:  "gemini",
	match: func(e *entry) bool { return declarations(&e.object).isArray() },
	read: func(r *reader, f *form, e *entry) error {
		m := declarations(&e.object)
		return r.readList(m.value, joinName(f.path(*e.prefix, e.index, ""), m.name), geminiDeclaration)
	},
}

// declarations returns the member that holds the declarations of a Gemini tool.
func declarations(o *object) member {
	for _, name := range declarationLists {
		if v := o.member(name); v.isArray() {
			return member{name, v}
		}
	}
	return member{}
}

// geminiDeclaration is one function declaration. Its schema is JSON Schema as
// "parametersJsonSchema", or as "parameters" a dialect of its own, which is
// read as JSON Schema (geminiSchema).
var geminiDeclaration = &form{
	name: "gemini",
	match: func(e *entry) bool {
		return e.member("parametersJsonSchema").kind() != 0 || e.member("parameters_json_schema").kind() != 0
	},
	read: func(r *reader, f *form, e *entry) error {
		p := parts{name: e.member("name"), description: e.member("description")}
		for _, p.schema = range []string{"parametersJsonSchema", "parameters_json_schema", "parameters"} {
			if p.parameters = e.member(p.schema); p.parameters.kind() != 0 {
				break
			}
		}
		if p.schema == "parameters" && p.parameters.isObject() {
			p.parameters.raw = geminiSchema(p.parameters.raw)
		}
		r.addBuilt(f, e, p)
		return nil
	},
}

// geminiTools is a request, or a part of one, in which "tools" is one tool and
// not an array of them.
var geminiTools = shape{
	match: func(o *object) bool {
		v := o.member("tools")
		return v.holdsArray(declarationLists[0]) || v.holdsArray(declarationLists[1])
	},
	read: func(r *reader, o *object) error {
		return r.within(o.member("tools"), joinName(o.path, "tools"))
	},
}
