package shapes

import "caliper/model/jsontree"

// smolEntry is a tool as smolagents describes it (github.com/huggingface/smolagents,
// Tool): {"name","description","inputs":{name:{type,description,nullable}},"output_type"}.
// With an output_type, the inputs that are not nullable are required, as smolagents has
// it; without one it is another program's, which says nothing of that.
var smolEntry = &form{
	name: "smolagents",
	match: func(e *entry) bool {
		inputs := e.member("inputs")
		if !e.member("name").IsString() || !inputs.IsObject() || e.has("parameters", "inputSchema", "input_schema") {
			return false
		}
		typed, empty := true, true
		inputs.Each(func(m jsontree.Member) {
			typed, empty = typed && m.IsObject() && m.Member("type").First() != 0, false
		})
		return typed && (!empty || e.has("output_type", "description")) // else it may be a run of anything
	},
	read: func(r *reader, f *form, e *entry) error {
		required := func(c jsontree.Child) bool {
			return e.member("output_type").First() != 0 && !isTrue(c.Member("nullable")) && c.Member("default") == nil
		}
		return r.readProperties(f, e, e.member("inputs"), required)
	},
}

// cohereEntry is a tool of the first version of Cohere's interface (docs.cohere.com, Chat
// v1): {"name","description","parameter_definitions":{name:{type,description,required}}}.
var cohereEntry = &form{
	name: "cohere",
	match: func(e *entry) bool {
		return e.member("name").IsString() && e.member("parameter_definitions").IsObject()
	},
	read: func(r *reader, f *form, e *entry) error {
		return r.readProperties(f, e, e.member("parameter_definitions"), func(c jsontree.Child) bool { return isTrue(c.Member("required")) })
	},
}

// readProperties makes a tool of an entry whose parameters are an object of them by name.
func (r *reader) readProperties(f *form, e *entry, v jsontree.Value, required func(jsontree.Child) bool) error {
	r.addMade(f, f.made(e, "name", "description", propertiesOf(v, required)))
	return nil
}

// openWebUIEntry is a tool of Open WebUI (github.com/open-webui/open-webui), which is a
// module with functions: {"id","name","content","specs":[{name,description,parameters}]}.
// The module is their toolset.
var openWebUIEntry = &form{
	name:  "open-webui",
	match: func(e *entry) bool { return e.member("id").IsString() && e.member("specs").IsArray() },
	read: func(r *reader, f *form, e *entry) error {
		from := len(r.found)
		id, path := e.member("id").Text(), f.path(*e.prefix, e.index, "specs")
		if err := r.readList(e.member("specs"), path, nil); err != nil {
			return err
		}
		for i := range r.found[from:] {
			r.found[from+i].tool.Toolset = id
		}
		return nil
	},
}

// editorTools are the tools that an extension of VS Code gives a model, in its manifest
// (code.visualstudio.com, contributes.languageModelTools): {"contributes":
// {"languageModelTools":[{name,modelDescription,inputSchema}]}}.
var editorTools = shape{
	match: func(o *object) bool { return o.member("contributes").HoldsArray("languageModelTools") },
	read: func(r *reader, o *object) error {
		path := jsontree.JoinName(jsontree.JoinName(o.path, "contributes"), "languageModelTools")
		return r.readList(o.member("contributes").Member("languageModelTools"), path, editorTool)
	},
}

// editorTool is an entry of these. Its displayName and userDescription are for the user.
var editorTool = &form{
	name: "vscode",
	read: func(r *reader, f *form, e *entry) error {
		p := e.parts("inputSchema")
		p.description = e.member("modelDescription")
		r.addBuilt(f, e, p)
		return nil
	},
}
