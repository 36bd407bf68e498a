package shapes

import (
	"net/url"
	"slices"
	"strings"

	"caliper/model"
	"caliper/model/jsontree"
)

// parameters returns the parameters of a path or an operation. From 3.1 on a description beside a
// reference counts before the parameter's (OpenAPI 3.1.1, Reference Object).
func (a *api) parameters(of *jsontree.Node, where string) []*jsontree.Node {
	var list []*jsontree.Node
	version := textOf(a.root.Member("openapi"))
	describes := version != "" && !strings.HasPrefix(version, "3.0")
	for i, p := range of.Member("parameters").Elements() {
		target := a.follow(p.Node, jsontree.JoinIndex(jsontree.JoinName(where, "parameters"), i), "the parameter is left out")
		if d := p.Node.Member("description"); target != nil && target != p.Node && textOf(d) != "" && describes {
			described := *target
			described.Children = slices.Clone(target.Children)
			described.Set("description", d)
			target = &described
		}
		list = append(list, target)
	}
	return list
}

func isTrue(n *jsontree.Node) bool { return n.Is(jsontree.Boolean) && n.Text == "true" }

// bodySchema returns the schema of a body: as JSON, or else of the first content.
func bodySchema(body *jsontree.Node) *jsontree.Node {
	content := body.Member("content").Members()
	i := slices.IndexFunc(content, func(c jsontree.Child) bool { return c.Name == "application/json" })
	if i < 0 {
		i = max(0, slices.IndexFunc(content, func(c jsontree.Child) bool { return strings.Contains(c.Name, "json") }))
	}
	if i >= len(content) {
		return nil
	}
	return content[i].Member("schema")
}

// operationSchema collects the properties of an operation.
type operationSchema struct {
	*api
	properties []byte
	required   []byte
	named      map[string]int // how many properties have a name
	refs       []int          // definitions that are referred to
}

// parameter adds a parameter, which a header of the transport is not.
func (s *operationSchema) parameter(p *jsontree.Node) {
	name, in := textOf(p.Member("name")), textOf(p.Member("in"))
	if name == "" || in == "header" && slices.Contains([]string{"accept", "content-type", "authorization"}, strings.ToLower(name)) {
		return
	}
	schema := p.Member("schema")
	switch {
	case schema != nil:
	case p.Member("content") != nil:
		schema = bodySchema(p)
	default: // Swagger 2: the parameter is its schema
		schema = &jsontree.Node{Kind: jsontree.Object, At: p.At}
		for _, m := range p.Members() {
			if !slices.Contains([]string{"name", "in", "required", "description", "collectionFormat", "allowEmptyValue", "style", "explode", "deprecated", "example", "examples", "allowReserved"}, m.Name) {
				schema.Children = append(schema.Children, m)
			}
		}
		if t := schema.Member("type"); textOf(t) == "file" {
			schema.Set("type", &jsontree.Node{Kind: jsontree.String, Text: "string"})
			schema.Set("format", &jsontree.Node{Kind: jsontree.String, Text: "binary"})
		}
	}
	s.add(name, in, schema, textOf(p.Member("description")), in == "path" || isTrue(p.Member("required")))
}

// add adds a property. One whose name is taken gets its place before it.
func (s *operationSchema) add(name, in string, schema *jsontree.Node, description string, required bool) {
	if s.named[name] > 0 {
		name = in + "_" + name
	}
	if s.named[name]++; s.named[name] > 1 {
		return
	}
	if len(s.properties) > 0 {
		s.properties = append(s.properties, ',')
	}
	described := jsontree.Node{Kind: jsontree.Object, Children: slices.Clip(schema.Members())}
	if description != "" && schema.Member("description") == nil {
		described.Set("description", textNode(description))
	}
	s.properties = s.definitions.write(append(jsontree.AppendQuoted(s.properties, name), ':'), &described, &s.refs)
	if required {
		if len(s.required) > 0 {
			s.required = append(s.required, ',')
		}
		s.required = jsontree.AppendQuoted(s.required, name)
	}
}

// write returns the schema, which lasts until the next one is written.
func (s *operationSchema) write() ([]byte, bool) {
	if s.measuring {
		_, size := s.definitions.needed(s.refs)
		s.definitions.left -= size
		return nil, s.definitions.left >= 0
	}
	out := append(append(s.written[:0], `{"type":"object","properties":{`...), s.properties...)
	out = append(out, '}')
	if len(s.required) > 0 {
		out = append(append(append(out, `,"required":[`...), s.required...), ']')
	}
	// The definitions that references lead to, up to the depth.
	d := s.definitions
	needed, size := d.needed(s.refs)
	model.Sort(needed, func(a, b definitionText) int { return a.index - b.index })
	for n, p := range needed {
		if n == 0 {
			out = append(slices.Grow(out, size+16), `,"`+d.key+`":{`...)
		} else {
			out = append(out, ',')
		}
		out = append(append(jsontree.AppendQuoted(out, d.list[p.index].name), ':'), p.text...)
	}
	if len(needed) > 0 {
		out = append(out, '}')
	}
	s.written = append(out, '}')
	return s.written, true
}

// definitions are the schemas that references lead to. A tool gets those that its own leads to,
// directly or not. References to other documents stay as they are.
type definitions struct {
	root   *jsontree.Node
	key    string // of the member of a tool's schema: $defs or definitions
	prefix string // of references to them; "" for references that are bare names
	list   []definition
	index  map[string]int // of list, by reference
	names  map[string]bool
	left   int // bytes that may still be written
	mark   int // of the tool that is written
	depth  int // how many references a tool's schema leads on to; wholeDepth for all

	cutting bool // the schema that is written refers to nothing: its references are left out
}

// The depths of definitions: all of them, and the most at which any is cut.
const (
	wholeDepth = -1
	mostDepth  = 3
)

// begin prepares d for the tools of a document from its beginning.
func (d *definitions) begin(depth int) {
	d.depth, d.left, d.cutting = depth, maxDefinitions, depth == 0
}

// definition is a schema with its name.
type definition struct {
	name string
	node *jsontree.Node
	mark int // of the last tool that has it

	texts [2]definitionText // as it is written, and so that it refers to nothing
}

// maxDefinitions bounds what the definitions of all tools of a document take.
//
// SECURITY: each tool has a copy, so that a small document could else fill the memory. Tests set it.
var maxDefinitions = 256 << 20

// at returns what a reference in the document leads to, nil for nothing.
func (d *definitions) at(ref string) *jsontree.Node {
	pointer, ok := strings.CutPrefix(ref, "#/")
	if !ok {
		return nil
	}
	return d.root.Find(pointerTokens(pointer))
}

// pointerTokens returns the names in a JSON pointer of a URL, without its first slash.
func pointerTokens(pointer string) []string {
	tokens := strings.Split(pointer, "/")
	for i, t := range tokens {
		if plain, err := url.PathUnescape(t); err == nil {
			t = plain
		}
		tokens[i] = jsontree.UnescapeToken(t)
	}
	return tokens
}

// refer returns the index of the definition of a reference, -1 for none in the document.
func (d *definitions) refer(ref string) int {
	if i, ok := d.index[ref]; ok {
		return i
	}
	target := d.at(ref)
	i := -1
	if target.Is(jsontree.Object) || target.Is(jsontree.Boolean) {
		tokens := pointerTokens(strings.TrimPrefix(ref, "#/"))
		name := tokens[len(tokens)-1]
		for n := len(tokens) - 2; d.names[name] && n >= 0; n-- {
			name = tokens[n] + "." + name
		}
		if known := slices.IndexFunc(d.list, func(other definition) bool { return other.node == target }); known >= 0 {
			i = known // the same in another spelling
		} else if !d.names[name] {
			i = len(d.list)
			d.names[name] = true
			d.list = append(d.list, definition{name: name, node: target})
		}
	}
	d.index[ref] = i
	return i
}

// exclusive turns the excluded bounds of OpenAPI 3.0 and Swagger 2,
// {"minimum":1,"exclusiveMinimum":true}, into JSON Schema's {"exclusiveMinimum":1}. Its Node is
// nil for a member that goes.
func exclusive(schema *jsontree.Node, m jsontree.Child) jsontree.Child {
	switch m.Name {
	case "minimum":
		if isTrue(schema.Member("exclusiveMinimum")) {
			m.Node = nil
		}
	case "maximum":
		if isTrue(schema.Member("exclusiveMaximum")) {
			m.Node = nil
		}
	case "exclusiveMinimum", "exclusiveMaximum":
		if m.Is(jsontree.Boolean) {
			bound := schema.Member(strings.Replace(m.Name, "exclusiveM", "m", 1))
			if m.Node = nil; isTrue(schema.Member(m.Name)) {
				m.Node = bound
			}
		}
	}
	return m
}

// write appends a schema with its references rewritten, and to refs what it refers to.
func (d *definitions) write(dst []byte, n *jsontree.Node, refs *[]int) []byte {
	if !n.Is(jsontree.Object) {
		return n.AppendTo(dst)
	}
	if ref := textOf(n.Member("$ref")); d.cutting && ref != "" {
		if i := d.refer(ref); i >= 0 {
			// Of a cut definition its name, its type, and the reference's description are left.
			dst = jsontree.AppendQuoted(append(dst, `{"title":`...), d.list[i].name)
			if kind := textOf(d.list[i].node.Member("type")); kind != "" {
				dst = jsontree.AppendQuoted(append(dst, `,"type":`...), kind)
			}
			if text := textOf(n.Member("description")); text != "" {
				dst = jsontree.AppendQuoted(append(dst, `,"description":`...), text)
			}
			return append(dst, '}')
		}
	}
	null := isTrue(n.Member("nullable")) || isTrue(n.Member("x-nullable"))
	dst = append(dst, '{')
	first := true
	for _, m := range n.Children {
		if m.Name == "nullable" || m.Name == "x-nullable" {
			continue
		}
		if m = exclusive(n, m); m.Node == nil {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(jsontree.AppendQuoted(dst, m.Name), ':')
		ways := model.SubschemasOf(m.Name)
		switch {
		case m.Name == "$ref" && m.Is(jsontree.String):
			dst = d.writeRef(dst, m.Text, refs)
		case null && m.Name == "type" && m.Is(jsontree.String) && m.Text != "null":
			dst = append(append(append(dst, '['), m.AppendTo(nil)...), `,"null"]`...)
		case null && m.Name == "enum" && m.Is(jsontree.Array) && !slices.ContainsFunc(m.Children, func(c jsontree.Child) bool { return c.Is(jsontree.Null) }):
			admitted := append(slices.Clip(m.Children), jsontree.Child{Node: &jsontree.Node{Text: "null"}})
			dst = (&jsontree.Node{Kind: jsontree.Array, Children: admitted}).AppendTo(dst)
		case ways.Has(model.NamedSchemas) && m.Is(jsontree.Object), ways.Has(model.SchemaList) && m.Is(jsontree.Array):
			brackets := "[]"
			if m.Is(jsontree.Object) {
				brackets = "{}"
			}
			dst = append(dst, brackets[0])
			for i, c := range m.Children {
				if i > 0 {
					dst = append(dst, ',')
				}
				if m.Is(jsontree.Object) {
					dst = append(jsontree.AppendQuoted(dst, c.Name), ':')
				}
				dst = d.write(dst, c.Node, refs)
			}
			dst = append(dst, brackets[1])
		case ways.Has(model.OneSchema):
			dst = d.write(dst, m.Node, refs)
		default:
			dst = m.AppendTo(dst)
		}
	}
	return append(dst, '}')
}

// writeRef appends a reference.
func (d *definitions) writeRef(dst []byte, ref string, refs *[]int) []byte {
	i := d.refer(ref)
	if i < 0 {
		if d.prefix == "" {
			return jsontree.AppendQuoted(dst, "#/"+d.key+"/"+jsontree.EscapeToken(ref))
		}
		if rest, ok := strings.CutPrefix(ref, d.prefix); ok { // into a definition, or to none
			name, _, inside := strings.Cut(rest, "/")
			if at, ok := d.index[d.prefix+name]; ok && at >= 0 && inside {
				*refs = append(*refs, at)
			}
			ref = "#/" + d.key + "/" + rest
		}
		return jsontree.AppendQuoted(dst, ref)
	}
	*refs = append(*refs, i)
	return jsontree.AppendQuoted(dst, "#/"+d.key+"/"+jsontree.EscapeToken(d.list[i].name))
}

// definitionText is a definition as it is in one tool's schema.
type definitionText struct {
	index int
	text  []byte // nil before it is written
	refs  []int  // definitions that it refers to
}

// needed returns the definitions that references lead to, up to the depth, and their size.
func (d *definitions) needed(refs []int) (all []definitionText, size int) {
	d.mark++
	for depth := 1; len(refs) > 0; depth++ {
		var next []int
		for _, i := range refs {
			if d.list[i].mark == d.mark {
				continue
			}
			d.list[i].mark = d.mark
			as, cut := 0, depth == d.depth
			if cut {
				as = 1
			}
			w := d.list[i].texts[as]
			if w.text == nil {
				w = definitionText{index: i}
				d.cutting = cut || d.depth == 0
				w.text = d.write([]byte{}, d.list[i].node, &w.refs) // which may lengthen the list
				if d.cutting = d.depth == 0; cut {
					w.refs = nil
				}
				d.list[i].texts[as] = w
			}
			all, next = append(all, w), append(next, w.refs...)
			size += len(w.text) + len(d.list[i].name) + 4
		}
		refs = next
	}
	return all, size
}
