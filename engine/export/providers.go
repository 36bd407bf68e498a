package export

import (
	"slices"
	"strings"

	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/shapes"
)

// openAI writes a tool of OpenAI's chat completions. The function object is
// what the tool holds, member for member.
func (w *writer) openAI(d definition) {
	if slices.ContainsFunc(d.beside, func(m Member) bool { return m.Name == "strict" }) && d.strict() != nil {
		d.members = append(d.members, Member{"strict", d.strict()})
		d.Function = object(d.members)
	}
	w.out.WriteString(`{"type":"function","function":`)
	w.function(d)
	w.out.WriteByte('}')
	if d.parameters != nil && !hasType(d.parameters) {
		w.refusef("parameters have no type: OpenAI wants an object")
	}
	w.refuse(d)
	w.origin(d)
}

// anthropicMembers are the members of an Anthropic tool besides its name,
// description, schema, defer_loading and strict (API reference, tools of
// messages).
var anthropicMembers = []string{"cache_control", "input_examples", "allowed_callers", "eager_input_streaming"}

// anthropic writes a tool of Anthropic's messages.
func (w *writer) anthropic(d definition) {
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
	w.unsaid(d)
	w.refuse(d)
	w.origin(d)
}

// bedrock writes a tool of Bedrock's Converse, whose descriptions must not be
// empty where there are any (API reference, ToolSpecification).
func (w *writer) bedrock(d definition) {
	w.out.WriteString(`{"toolSpec":{`)
	w.member(true, "name", jsontree.Encode(d.name))
	w.text("description", d.Description)
	w.member(false, "inputSchema", object([]Member{{"json", w.schema(d)}}))
	if strict := d.strict(); strict != nil {
		w.member(false, "strict", strict)
	}
	w.out.WriteString(`}}`)
	w.unsaid(d)
	w.refuse(d)
	w.origin(d)
}

// mcpMembers are the members of an MCP tool besides its name, description and
// schema of the input (revision 2025-11-25, Tool).
var mcpMembers = []string{"title", "outputSchema", "annotations", "icons", "execution", "_meta"}

// responseSchema is what Gemini calls the schema of what a tool answers.
const responseSchema = "responseJsonSchema"

// outputSpellings are the names that the schema of what a tool answers has in dumps, at
// MCP and at Gemini.
var outputSpellings = []string{"output_schema", "outputSchema", responseSchema, "response_json_schema"}

// held writes what the source says of a tool besides, if the shape has a place
// for it.
func (w *writer) held(d definition, names []string) {
	for _, m := range d.beside {
		if slices.Contains(names, m.Name) {
			w.member(false, m.Name, m.Value)
		}
	}
}

// holds reports whether a shape has a place for what the source says of a tool
// besides its definition.
func (w *writer) holds(d definition, name string) bool {
	switch w.shape {
	case AsMCP:
		return slices.Contains(mcpMembers, name)
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

// endOfMCP is what ends a tools/list result: the mark that its names are those
// that a model sees, so that nobody makes others of them.
var endOfMCP = `],"_meta":{` + string(jsontree.Encode(shapes.MetaNames)) + `:` + string(jsontree.Encode(shapes.MetaFinal)) + `}}`

// mcp writes a tool of a tools/list result, under the name that the model sees.
// Its _meta says where the tool comes from, see metaOrigin.
func (w *writer) mcp(d definition) {
	if origin := w.metaOrigin(d.Tool); len(origin) > 0 {
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
	w.held(d, mcpMembers)
	w.out.WriteByte('}')
	w.unsaid(d)
	w.refuse(d)
	w.origin(d)
}

// metaOrigin returns what the _meta of a tool says of where it comes from.
func (w *writer) metaOrigin(t *model.Tool) []Member {
	var list []Member
	add := func(name, text string) {
		if text != "" {
			list = append(list, Member{name, jsontree.Encode(text)})
		}
	}
	if t.Toolset != model.NoToolset {
		add(shapes.MetaToolset, t.Toolset)
		if s, ok := w.registry.Toolset(t.Toolset); ok {
			add(shapes.MetaSource, s.Source)
		}
	}
	add(shapes.MetaServer, t.Server)
	add(shapes.MetaOriginal, t.OriginalName)
	return list
}

// withoutOrigin returns a _meta without what metaOrigin wrote, nil for nothing
// left.
func withoutOrigin(meta []byte) []byte {
	list, ok := readMembers(meta)
	if !ok {
		return meta
	}
	kept := slices.DeleteFunc(list, func(m Member) bool { return strings.HasPrefix(m.Name, shapes.MetaPrefix) })
	switch {
	case len(kept) == len(list):
		return meta
	case len(kept) == 0:
		return nil
	}
	return object(kept)
}
