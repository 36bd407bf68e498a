package shapes

import (
	"slices"
	"strings"

	"caliper/model"
	"caliper/model/jsontree"
)

// openAIEntry is a tool of OpenAI's chat completions:
// {"type":"function","function":{"name","description","parameters"}}.
var openAIEntry = &form{
	name:  "openai",
	under: "function",
	match: func(e *entry) bool { return e.function.IsObject() },
	read:  readFunctionEntry,
}

// loneEntry is a definition at the top level, as in JSON Lines.
var loneEntry = shape{
	match: func(o *object) bool {
		if o.member("name").IsString() && (o.member("type").Text() == "function" ||
			o.member("parameters").IsObject() || o.member("parametersJsonSchema").IsObject()) {
			return true
		}
		return o.member("function").IsObject() || o.member("inputSchema").IsObject() || o.member("input_schema").IsObject() ||
			o.member("toolSpec").IsObject() || declarations(o).IsArray()
	},
	read: readLone,
}

// flatFunction is a function whose parts stand in the entry itself: a tool of
// OpenAI's responses, {"type":"function","name","description","parameters"},
// or one of the older "functions" of its chat completions, which had no type.
var flatFunction = &form{
	name: "openai",
	match: func(e *entry) bool {
		return e.member("type").Text() == "function" && e.member("name").First() != 0 ||
			e.member("type").First() == 0 && e.member("name").IsString() && e.member("parameters").First() != 0
	},
	read: func(r *reader, f *form, e *entry) error {
		p := e.parts("parameters")
		other := func(m jsontree.Member) bool {
			return !slices.Contains([]string{"name", "description", "parameters", "strict"}, m.Name)
		}
		if slices.ContainsFunc(e.members, other) { // the entry is not itself what the model is sent
			r.addBuilt(f, e, p)
		} else if d := r.add(f, e, p); d != nil {
			d.tool.Function = e.Raw
			r.describe(d.tool, e)
		}
		return nil
	},
}

// legacyFunctions is an object with "functions", OpenAI's chat completions before "tools".
var legacyFunctions = shape{
	match: func(o *object) bool { return o.member("functions").IsArray() },
	read: func(r *reader, o *object) error {
		return r.readList(o.member("functions"), jsontree.JoinName(o.path, "functions"), flatFunction)
	},
}

// namespaceEntry is a group of tools in OpenAI's responses:
// {"type":"namespace","name","description","tools":[...]}. It is a toolset; one called
// mcp__SERVER or mcp__SERVER__, as Codex makes them, has the tools of that server.
var namespaceEntry = &form{
	name: "openai",
	match: func(e *entry) bool {
		return e.member("type").Text() == "namespace" && e.member("name").IsString() && e.member("tools").IsArray()
	},
	read: func(r *reader, f *form, e *entry) error {
		name, from := e.member("name").Text(), len(r.found)
		if strings.HasPrefix(name, mcpMark) {
			name = strings.TrimSuffix(name, "__")
		}
		set := model.Toolset{Name: name, Description: e.member("description").Text()}
		r.toolsets = append(r.toolsets, foundToolset{set, r.text.Origin(e.At)})
		if err := r.readList(e.member("tools"), f.path(*e.prefix, e.index, "tools"), nil); err != nil {
			return err
		}
		r.belong(name, from)
		return nil
	},
}

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

// bedrockRequest is a request to Converse, whose toolConfig holds the array of tools.
var bedrockRequest = shape{
	match: func(o *object) bool { return o.member("toolConfig").HoldsArray("tools") },
	read: func(r *reader, o *object) error {
		return r.within(o.member("toolConfig"), jsontree.JoinName(o.path, "toolConfig"))
	},
}
