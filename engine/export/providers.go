package export

import (
	"slices"

	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/shapes"
)

// openAI writes a tool of OpenAI's chat completions. The function object is
// what the tool holds, member for member.
func (w *writer) openAI(d *definition) {
	if slices.ContainsFunc(d.beside, func(m Member) bool { return m.Name == "strict" }) && d.strict() != nil {
		d.members = append(d.members, Member{"strict", d.strict()})
		t := *d.Tool // the registry's stays
		t.Function, d.Tool = object(d.members), &t
	}
	w.out.WriteString(`{"type":"function","function":`)
	w.function(d)
	w.out.WriteByte('}')
	if d.parameters != nil && !hasType(d.parameters) {
		w.refusef("parameters have no type: OpenAI wants an object")
	}
}

// anthropicMembers are the members of an Anthropic tool besides its name,
// description, schema, defer_loading and strict (API reference, tools of
// messages).
var anthropicMembers = []string{"cache_control", "input_examples", "allowed_callers", "eager_input_streaming"}

// anthropic writes a tool of Anthropic's messages.
func (w *writer) anthropic(d *definition) {
	w.out.WriteByte('{')
	w.member(true, "name", jsontree.Encode(d.name))
	w.text("description", d.Description)
	w.member(false, "input_schema", w.schema(d))
	if d.Deferred {
		w.member(false, "defer_loading", []byte("true"))
	}
	if strict := d.strict(); strict != nil {
		w.member(false, "strict", strict)
	}
	w.held(d, anthropicMembers)
	w.out.WriteByte('}')
}

// bedrock writes a tool of Bedrock's Converse, whose descriptions must not be
// empty where there are any (API reference, ToolSpecification).
func (w *writer) bedrock(d *definition) {
	w.out.WriteString(`{"toolSpec":{`)
	w.member(true, "name", jsontree.Encode(d.name))
	w.text("description", d.Description)
	w.member(false, "inputSchema", object([]Member{{"json", w.schema(d)}}))
	if strict := d.strict(); strict != nil {
		w.member(false, "strict", strict)
	}
	w.out.WriteString(`}}`)
}

// gemini writes a function declaration with JSON Schema, as Google's SDKs and others send
// it untouched (API reference, FunctionDeclaration.parametersJsonSchema and
// responseJsonSchema; @google/genai 3.3.0, @ai-sdk/google 4.0.121), not in the older
// dialect of "parameters", which has no references, no unions of types and no formats.
// Parameters may be left out.
func (w *writer) gemini(d *definition) {
	w.out.WriteByte('{')
	w.member(true, "name", jsontree.Encode(d.name))
	w.text("description", d.Description)
	if d.parameters != nil {
		w.member(false, "parametersJsonSchema", w.schema(d))
	}
	w.held(d, []string{responseSchema})
	w.out.WriteByte('}')
}

// responseSchema is Gemini's name of the schema of a tool's answer.
const responseSchema = "responseJsonSchema"

// outputSpellings are the names that the schema of what a tool answers has in dumps, at
// MCP and at Gemini.
var outputSpellings = []string{"output_schema", "outputSchema", responseSchema, "response_json_schema"}

// held writes what the source says of a tool besides, if the shape has a place
// for it.
func (w *writer) held(d *definition, names []string) {
	for _, m := range d.beside {
		if slices.Contains(names, m.Name) {
			w.member(false, m.Name, m.Value)
		}
	}
}

// holds reports whether a shape has a place for what the source says of a tool
// besides its definition.
func (w *writer) holds(d *definition, name string) bool {
	switch w.shape {
	case AsMCP:
		return slices.Contains(besideMembers, name)
	case AsGemini:
		return name == responseSchema
	case AsAnthropic:
		return slices.Contains(anthropicMembers, name) || name == "strict" && d.strict() != nil
	case AsOpenAI, AsBedrock:
		return name == "strict" && d.strict() != nil
	}
	return false
}

// object returns an object of members.
func object(list []Member) []byte {
	out := []byte{'{'}
	for i, m := range list {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(jsontree.AppendText(out, m.Name), ':')
		out = append(out, compact(m.Value)...)
	}
	return append(out, '}')
}

// endOfMCP ends a tools/list result: the mark that its names are those
// that a model sees, so that nobody makes others of them.
var endOfMCP = `],"_meta":{` + string(jsontree.Encode(shapes.MetaNames)) + `:` + string(jsontree.Encode(shapes.MetaFinal)) + `}}`

// mcp writes a tool of a tools/list result, under the name that the model sees.
// Its _meta says where the tool comes from.
func (w *writer) mcp(d *definition) {
	var origin []Member
	add := func(name, text string) {
		if text != "" {
			origin = append(origin, Member{name, jsontree.Encode(text)})
		}
	}
	if d.Toolset != model.NoToolset {
		add(shapes.MetaToolset, d.Toolset)
		if s, ok := w.registry.Toolset(d.Toolset); ok {
			add(shapes.MetaSource, s.Source)
		}
	}
	add(shapes.MetaServer, d.Server)
	add(shapes.MetaOriginal, d.OriginalName)
	if len(origin) > 0 {
		at := slices.IndexFunc(d.beside, func(m Member) bool { return m.Name == "_meta" })
		if at < 0 {
			d.beside = append(d.beside, Member{Name: "_meta"})
			at = len(d.beside) - 1
		}
		theirs, ok := readMembers(d.beside[at].Value)
		if !ok && d.beside[at].Value != nil {
			w.losef("_meta, which is not an object")
		}
		d.beside[at].Value = object(append(theirs, origin...))
	}
	w.out.WriteByte('{')
	w.member(true, "name", jsontree.Encode(d.name))
	w.text("description", d.Description)
	w.member(false, "inputSchema", w.schema(d))
	w.held(d, besideMembers)
	w.out.WriteByte('}')
}
