package shapes

import (
	"bytes"
	"slices"
	"strings"

	"caliper/model"
	"caliper/model/jsontree"
)

// Data sets define the same tools again beside every query, and write parameters in
// ways of their own. Here are the parts that their forms share.

// addOnce makes a tool of a definition of a data set, unless the source has one of the
// name: the first counts. It returns nil if it makes none.
func (r *reader) addOnce(f *form, m made) *found {
	r.dataSet = true
	if first, ok := r.defined[m.name]; ok {
		if !bytes.Equal(r.found[first].tool.Parameters, m.parameters) || r.found[first].tool.Description != m.description {
			r.variants++
		}
		return nil
	}
	if r.defined == nil {
		r.defined = map[string]int{}
	}
	d := r.addMade(f, m)
	if d != nil {
		r.defined[m.name] = len(r.found) - 1
	}
	return d
}

// types are the types of JSON Schema that data sets write as Python, Java and
// JavaScript call them.
var types = map[string]string{
	"dict": "object", "object": "object", "hashmap": "object", "hashtable": "object", "map": "object", "json": "object",
	"float": "number", "number": "number", "double": "number", "decimal": "number",
	"int": "integer", "integer": "integer", "long": "integer", "short": "integer", "byte": "integer", "bigint": "integer",
	"bool": "boolean", "boolean": "boolean",
	"mapping": "object", "mutablemapping": "object", "defaultdict": "object", "ordereddict": "object", "counter": "object",
	"sequence": "array", "iterable": "array", "collection": "array", "frozenset": "array", "deque": "array",
	"list": "array", "array": "array", "tuple": "array", "set": "array", "arraylist": "array", "queue": "array", "stack": "array",
	"null": "null", "none": "null",
}

// typeOf returns the type of JSON Schema that a data set means: a text for any other.
func typeOf(name string) string {
	name = strings.ToLower(name)
	if t, ok := types[strings.TrimSpace(name)]; ok {
		return t
	}
	return "string"
}

// appendComma appends a comma, unless what stands before begins an object.
func appendComma(dst []byte) []byte {
	if dst[len(dst)-1] == '{' {
		return dst
	}
	return append(dst, ',')
}

// appendType appends the members of a schema that its type means, but those that it has
// itself.
func appendType(dst []byte, schema *jsontree.Node, text string) []byte {
	for _, m := range typeSchema(text, 0).Children {
		if m.Name == "type" || schema.Member(m.Name) == nil {
			dst = m.AppendTo(append(jsontree.AppendQuoted(appendComma(dst), m.Name), ':'))
		}
	}
	return dst
}

// appendSchema appends a schema with the types of JSON Schema.
func appendSchema(dst []byte, n *jsontree.Node) []byte {
	if !n.Is(jsontree.Object) {
		return n.AppendTo(dst)
	}
	dst = append(dst, '{')
	for _, m := range n.Children {
		if m.Name == "type" && m.Is(jsontree.String) {
			dst = appendType(dst, n, m.Text)
			continue
		}
		dst = append(jsontree.AppendQuoted(appendComma(dst), m.Name), ':')
		ways := model.SubschemasOf(m.Name)
		switch {
		case ways.Has(model.NamedSchemas) && m.Is(jsontree.Object):
			dst = append(dst, '{')
			for i, c := range m.Children {
				if i > 0 {
					dst = append(dst, ',')
				}
				dst = appendSchema(append(jsontree.AppendQuoted(dst, c.Name), ':'), c.Node)
			}
			dst = append(dst, '}')
		case ways.Has(model.OneSchema) && m.Is(jsontree.Object):
			dst = appendSchema(dst, m.Node)
		default:
			dst = m.AppendTo(dst)
		}
	}
	return append(dst, '}')
}

// parametersOf returns the schema that a data set means by parameters: a schema, an
// object of properties, or a list of them by name. Required are the names that are
// listed beside it; nil for those that the properties say.
func parametersOf(v jsontree.Value, required *jsontree.Node) []byte {
	n, err := jsontree.Parse(v.Raw, jsontree.Strict)
	if err != nil {
		n = nil
	}
	if required == nil && n.Member("properties").Is(jsontree.Object) && !n.Member("type").Is(jsontree.Object) {
		return appendSchema(nil, n)
	}
	p := properties{}
	for _, c := range n.Members() {
		needed := !strings.Contains(strings.ToLower(textOf(c.Member("type"))), "optional") && c.Member("default") == nil
		if stated := c.Member("required"); stated.Is(jsontree.Boolean) {
			needed = isTrue(stated)
		}
		p.add(c.Name, c.Node, needed)
	}
	for _, c := range n.Elements() {
		needed := isTrue(c.Member("required")) || isTrue(c.Member("is_required")) || isTrue(c.Member("IsRequired"))
		p.add(firstOf(c.Node, "name", "Name"), c.Node, needed)
	}
	if required != nil {
		p.required = nil
		for _, c := range required.Elements() {
			if textOf(c.Node) != "" {
				p.required = append(p.required, textOf(c.Node))
			}
		}
		return p.schema(true)
	}
	return p.schema(len(p.required) > 0)
}

// firstOf returns the first text that a member of one of the names has.
func firstOf(n *jsontree.Node, names ...string) string {
	for _, name := range names {
		if t := textOf(n.Member(name)); t != "" {
			return t
		}
	}
	return ""
}

// properties collects the properties of a schema.
type properties struct {
	text     []byte
	required []string
}

// add adds a property as a data set describes it.
func (p *properties) add(name string, n *jsontree.Node, required bool) {
	if name == "" || !n.Is(jsontree.Object) {
		return
	}
	if len(p.text) > 0 {
		p.text = append(p.text, ',')
	}
	p.text = append(jsontree.AppendQuoted(p.text, name), ':')
	for _, key := range []string{"schema", "Schema", "schema_data"} { // Semantic Kernel
		if s := n.Member(key); s.Is(jsontree.Object) && len(s.Children) > 0 {
			whole := jsontree.Node{Kind: jsontree.Object, Children: slices.Clone(s.Children)}
			if d := firstOf(n, "description", "Description"); d != "" && whole.Member("description") == nil {
				whole.Set("description", &jsontree.Node{Kind: jsontree.String, Text: d})
			}
			p.text = appendSchema(p.text, &whole)
			if required {
				p.required = append(p.required, name)
			}
			return
		}
	}
	whole := jsontree.Node{Kind: jsontree.Object}
	kind := firstOf(n, "type", "type_", "ParameterType")
	if kind == "" {
		kind = "string"
	}
	whole.Set("type", textNode(kind))
	if d := firstOf(n, "description", "desc", "Description"); d != "" || n.Member("description") != nil || n.Member("desc") != nil {
		whole.Set("description", &jsontree.Node{Kind: jsontree.String, Text: d})
	}
	for _, key := range []string{"default", "enum", "items", "properties", "minimum", "maximum", "format"} {
		if m := n.Member(key); m != nil && !m.Is(jsontree.Null) {
			whole.Set(key, m)
		}
	}
	p.text = appendSchema(p.text, &whole)
	if required {
		p.required = append(p.required, name)
	}
}

// schema returns the schema, with the list of required properties if that is asked for.
func (p *properties) schema(listed bool) []byte {
	out := append([]byte(`{"type":"object","properties":{`), p.text...)
	out = append(out, '}')
	if listed {
		out = append(out, `,"required":[`...)
		for i, name := range p.required {
			if i > 0 {
				out = append(out, ',')
			}
			out = jsontree.AppendQuoted(out, name)
		}
		out = append(out, ']')
	}
	return append(out, '}')
}

// embedded returns the values of JSON in a text: a value itself, or, of a string, the
// values that it holds one behind the other.
func embedded(v jsontree.Value) []jsontree.Value {
	if !v.IsString() {
		return v.Elements()
	}
	var all []jsontree.Value
	text := jsontree.Unquote(v.Raw)
	for len(text) > 0 {
		at := bytes.IndexAny(text, "[{")
		if at < 0 {
			break
		}
		c := jsontree.NewCursor(text[at:], 0)
		value, err := c.Value()
		if err != nil {
			break
		}
		text = text[at+len(value.Raw):]
		if value.IsArray() {
			for _, e := range value.Elements() {
				all = append(all, jsontree.Value{Raw: e.Raw, At: v.At})
			}
			continue
		}
		all = append(all, jsontree.Value{Raw: value.Raw, At: v.At})
	}
	return all
}

// addFlat adds the tools that values define as {name, description, parameters}, or
// under "function", and returns their names.
func (r *reader) addFlat(f *form, e *entry, values []jsontree.Value, member string) {
	path := f.path(*e.prefix, e.index, member)
	for i, v := range values {
		o := objectOf(v)
		if inner := o.member("function"); inner.IsObject() {
			o = objectOf(inner)
		}
		name := o.member("name").Text()
		if name == "" {
			r.foreign++
			continue
		}
		parameters := o.member("parameters")
		if parameters.First() == 0 {
			parameters = o.member("arguments")
		}
		d := r.addOnce(f, made{name: name, description: o.member("description").Text(), parameters: parametersOf(parameters, nil),
			path: jsontree.JoinIndex(path, i), at: v.At, nameAt: v.At})
		if toolset, _, ok := strings.Cut(name, "."); ok && d != nil && f.name == "bfcl" {
			d.tool.Toolset = toolset
		}
	}
}

// called returns the names in calls of tools: {name} or {function:{name}}.
func called(values []jsontree.Value) []string {
	var names []string
	for _, v := range values {
		name := v.Member("name").Text()
		if name == "" {
			name = v.Member("function", "name").Text()
		}
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// dataSetLine is an object of the top level that is an entry of a data set or of a
// catalogue, as in JSON Lines.
var dataSetLine = shape{
	match: func(o *object) bool {
		e := entry{object: *o}
		return slices.ContainsFunc(lineForms(), func(f *form) bool { return f.match(&e) })
	},
	read: func(r *reader, o *object) error {
		r.arrays++
		r.lone++
		r.entry.is(o)
		return r.define(&r.entry)
	},
}

// lineForms are the forms that may stand alone in a line.
func lineForms() []*form {
	return []*form{bfclEntry, bfclConversation, bfclAnswer, xlamEntry, glaiveEntry, sharedChatEntry, sealConversation, toolBenchEntry, sealTool, sealQuery, liveMCPTask, metaToolQuery, ultraToolEntry, chatEntry, dockerEntry, kernelEntry, pluginManifest}
}
