package shapes

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"caliper/model"
	"caliper/model/jsontree"
)

// Data sets define the same tools again beside every query, and write parameters in
// ways of their own. Here are the parts that their forms share.

// addOnce makes a tool of a definition of a data set; nil if the source has one of the name.
func (r *reader) addOnce(f *form, m restated) *found {
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
	d := r.addRestated(f, m)
	if d != nil {
		r.defined[m.name] = len(r.found) - 1
	}
	return d
}

// types are the types of JSON Schema by their names in Python, Java and JavaScript.
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

// translated returns a schema with the types of JSON Schema.
func translated(n *jsontree.Node) *jsontree.Node {
	if !n.Is(jsontree.Object) {
		return n
	}
	out := &jsontree.Node{Kind: jsontree.Object}
	for _, m := range n.Children {
		ways := model.SubschemasOf(m.Name)
		switch {
		case m.Name == "type" && m.Is(jsontree.String):
			for _, meant := range typeSchema(m.Text, 0).Children {
				if meant.Name == "type" || n.Member(meant.Name) == nil {
					out.Children = append(out.Children, meant)
				}
			}
			continue
		case ways.Has(model.NamedSchemas) && m.Is(jsontree.Object):
			for i, c := range m.Children {
				m.Children[i].Node = translated(c.Node)
			}
		case ways.Has(model.OneSchema):
			m.Node = translated(m.Node)
		}
		out.Children = append(out.Children, m)
	}
	return out
}

// treeOf returns a value as a tree; nil for one that cannot be read.
func treeOf(v jsontree.Value) *jsontree.Node {
	n, err := jsontree.Parse(v.Raw, jsontree.Strict)
	if err != nil {
		return nil
	}
	return n
}

// parametersOf returns the schema of parameters: a schema, or properties as an object or a list.
func parametersOf(v jsontree.Value) []byte {
	if n := treeOf(v); n.Member("properties").Is(jsontree.Object) && !n.Member("type").Is(jsontree.Object) {
		return translated(n).AppendTo(nil)
	}
	return propertiesOf(v, func(c jsontree.Child) bool {
		if c.Name == "" { // of a list
			return isTrue(c.Member("required")) || isTrue(c.Member("is_required")) || isTrue(c.Member("IsRequired"))
		}
		if stated := c.Member("required"); stated.Is(jsontree.Boolean) {
			return isTrue(stated)
		}
		return !strings.Contains(strings.ToLower(textOf(c.Member("type"))), "optional") && c.Member("default") == nil
	})
}

// propertiesOf returns the schema of properties, an object or a list of them, required by a rule.
func propertiesOf(v jsontree.Value, required func(c jsontree.Child) bool) []byte {
	var p properties
	p.add(treeOf(v), required)
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
type properties struct{ all, required []jsontree.Child }

// add adds an object of properties, or a list of them by name, as data sets describe them.
func (p *properties) add(list *jsontree.Node, required func(c jsontree.Child) bool) {
	for _, c := range slices.Concat(list.Members(), list.Elements()) {
		name, n := c.Name, c.Node
		if list.Is(jsontree.Array) {
			name = firstOf(n, "name", "Name")
		}
		if name == "" || !n.Is(jsontree.Object) {
			continue
		}
		if required(c) {
			p.required = append(p.required, jsontree.Child{Node: textNode(name)})
		}
		described := firstOf(n, "description", "desc", "Description")
		schema := typeNode(cmp.Or(firstOf(n, "type", "type_", "ParameterType"), "string"))
		whole := false // the parameter has a whole schema, as in Semantic Kernel
		for _, key := range []string{"schema_data", "Schema", "schema"} {
			if s := n.Member(key); s.Is(jsontree.Object) && len(s.Children) > 0 {
				schema, whole = s, true
			}
		}
		if described != "" && schema.Member("description") == nil || !whole && (n.Member("description") != nil || n.Member("desc") != nil) {
			schema.Set("description", textNode(described))
		}
		for _, key := range []string{"default", "enum", "items", "properties", "minimum", "maximum", "format"} {
			if m := n.Member(key); !whole && m != nil && !m.Is(jsontree.Null) {
				schema.Set(key, m)
			}
		}
		p.all = append(p.all, jsontree.Child{Name: name, Node: translated(schema)})
	}
}

// schema returns the schema, with the list of required properties if that is asked for.
func (p *properties) schema(listed bool) []byte {
	s := typeNode("object")
	s.Set("properties", &jsontree.Node{Kind: jsontree.Object, Children: p.all})
	if listed {
		s.Set("required", &jsontree.Node{Kind: jsontree.Array, Children: p.required})
	}
	return s.AppendTo(nil)
}

// embedded returns the values that a value holds, or that a string has one behind the other.
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

// inText returns the values of JSON in a text at an offset, or what Python writes in it.
func inText(text string, at int) []jsontree.Value {
	values := embedded(jsontree.Value{Raw: jsontree.AppendQuoted(nil, text), At: at})
	if len(values) == 0 {
		values = embedded(jsontree.Value{Raw: jsontree.AppendQuoted(nil, string(jsonOfPython([]byte(text)))), At: at})
	}
	return values
}

// addFlat adds the tools that values define as {name,description,parameters}, or under "function".
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
		d := r.addOnce(f, restated{name: name, description: o.member("description").Text(), parameters: parametersOf(parameters),
			path: jsontree.JoinIndex(path, i), at: v.At, nameAt: v.At})
		if toolset, _, ok := strings.Cut(name, "."); ok && d != nil && f.name == "bfcl" {
			d.tool.Toolset = toolset
		}
	}
}

// called returns the names in calls, each once: the first text at a path, up to a bracket.
func called(calls []jsontree.Value, paths ...[]string) []string {
	var names []string
	for _, v := range calls {
		name := ""
		for _, path := range paths {
			name = cmp.Or(name, v.Member(path...).Text())
		}
		name, _, _ = strings.Cut(name, "(")
		if name = strings.TrimSpace(name); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// functionNames are where calls of functions have their names: {name} or {function:{name}}.
var functionNames = [][]string{{"name"}, {"function", "name"}}

// dataSetLine is an entry of a data set or a catalogue at the top level, as in JSON Lines.
var dataSetLine = shape{
	match: func(o *object) bool {
		e := entry{object: *o}
		return slices.ContainsFunc(lineForms, func(f *form) bool { return f.match(&e) })
	},
	read: readLone,
}
