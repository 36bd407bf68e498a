package shapes

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/words"
)

// openAPIDocument is a description of an HTTP API by OpenAPI 3.0 to 3.2, or by its
// predecessor Swagger 2.0 (spec.openapis.org/oas). Each operation is a tool: its name
// is the operationId, or the method with the path, in letters that every provider
// takes; its toolset is its first tag; its description is its summary with its
// description; its parameters and its body, as the property "body", are its schema.
// Schemas that it refers to come along, those and no others: see definitions. Where that
// is too much for all operations together, those behind many references are cut: see fit.
//
// The document is read as a tree, because references lead everywhere in it. What a
// response looks like, callbacks and webhooks are not read.
var openAPIDocument = shape{
	match: func(o *object) bool {
		return openAPIVersion(o) != "" && o.has("paths", "webhooks", "components", "info")
	},
	read: func(r *reader, o *object) error {
		read := func(a *api) error { return a.read(o.path) }
		if openAPIVersion(o) == "2.0" {
			return r.readAPI(o, swaggerOperation, []string{"definitions"}, "definitions", "#/definitions/", read)
		}
		return r.readAPI(o, openAPIOperation, []string{"components", "schemas"}, "$defs", "#/components/schemas/", read)
	},
}

// openAPIOperation and swaggerOperation are the forms of operations. No entry of an
// array matches them.
var (
	openAPIOperation = &form{name: "openapi"}
	swaggerOperation = &form{name: "swagger"}
)

// openAPIVersion returns the version of a document that is read, as 2.0 or 3.1; "" for others.
func openAPIVersion(o *object) string {
	version := versionOf(o)
	switch {
	case o.member("swagger").First() != 0 && (version == "2.0" || version == "2"):
		return "2.0"
	case o.member("openapi").First() != 0 && len(version) >= 3 && slices.Contains([]string{"3.0", "3.1", "3.2"}, version[:3]) && (len(version) == 3 || version[3] == '.' || version[3] == '-'):
		return version[:3]
	}
	return ""
}

// methods are the members of a path that are operations.
var methods = []string{"get", "put", "post", "delete", "options", "head", "patch", "trace", "query"}

// api reads a document.
type api struct {
	*reader
	at          int // offset of the document in the text
	root        *jsontree.Node
	form        *form
	definitions *definitions
	uses        map[string]bool // toolsets that operations are in
	told        map[int]bool    // offsets of references whose fault is told
	measuring   bool            // only how large the operations are is computed: no tool is made
	written     []byte          // the schema that was written last, whose memory the next one takes
}

// readAPI reads a document with schemas at a path. A tool has them under key, and refers to them
// by a prefix.
func (r *reader) readAPI(o *object, f *form, schemas []string, key, prefix string, read func(a *api) error) error {
	root, err := jsontree.Parse(o.Raw, jsontree.Strict)
	if err != nil {
		return r.finding("json_syntax", o.At+int(err.At), o.path, "nested too deep")
	}
	r.arrays++ // an API without operations is an empty catalogue
	a := &api{reader: r, at: o.At, root: root, form: f, uses: map[string]bool{}, told: map[int]bool{}}
	d := &definitions{root: root, key: key, prefix: prefix, index: map[string]int{}, names: map[string]bool{}, left: maxDefinitions}
	for _, m := range root.Find(schemas).Members() {
		d.index[prefix+jsontree.EscapeToken(m.Name)] = len(d.list)
		d.names[m.Name] = true
		d.list = append(d.list, definition{name: m.Name, node: m.Node})
	}
	a.definitions = d
	// Measure the operations whole, or, while they grow too large, with the schemas behind the fewest
	// references cut to name and type.
	depth := wholeDepth
	for a.measuring = true; ; {
		before := r.mark()
		d.begin(depth)
		err := read(a)
		*r = before
		clear(a.uses)
		clear(a.told)
		if !errors.Is(err, errTooLarge) {
			break // what else is wrong is found again
		}
		if depth--; depth < 0 {
			depth = mostDepth
		}
	}
	a.measuring = false
	d.begin(depth)
	if depth != wholeDepth {
		r.note("schemas_cut", a.at, "", "the operations take more than 256 MB with all the schemas that they refer to: "+
			"schemas that more than "+words.Count(depth, "reference")+" lead to are a name and a type without members")
	}
	return read(a)
}

// errTooLarge is the error that the schemas of all operations grow too large.
var errTooLarge = errors.New("the operations with the schemas that they refer to are too large")

// read reads every operation of the document at a path.
func (a *api) read(path string) error {
	title := a.root.Member("info").Member("title")
	paths, inPaths := a.root.Member("paths"), jsontree.JoinName(path, "paths")
	switch {
	case paths == nil:
		a.note("no_paths", a.at, inPaths, "the document has no paths, and so no operation that would be a tool; webhooks and components are not read")
	case !paths.Is(jsontree.Object):
		a.note("paths_not_object", a.at+paths.At, inPaths, "paths is not an object; no operation is read")
	}
	for i, p := range paths.Members() {
		if i%pollEvery == 0 && a.ctx.Err() != nil {
			return a.ctx.Err()
		}
		if strings.HasPrefix(p.Name, "x-") { // an extension
			continue
		}
		here := jsontree.JoinName(inPaths, p.Name)
		item := a.follow(p.Node, here, "its operations are left out")
		if !item.Is(jsontree.Object) {
			a.note("path_not_object", a.at+p.At, here, "the path is not an object; its operations are left out")
		}
		for _, m := range item.Members() {
			if !slices.Contains(methods, m.Name) {
				continue
			}
			where := jsontree.JoinName(here, m.Name)
			if !m.Is(jsontree.Object) {
				a.note("operation_not_object", a.at+m.At, where, "the operation is not an object; it is left out")
				continue
			}
			if !a.operation(here, m.Name, p.Name, item, m.Node, title) {
				return errTooLarge
			}
		}
	}
	// The toolsets of the document's tags that operations are in.
	var sets []foundToolset
	for _, tag := range a.root.Member("tags").Elements() {
		name := textOf(tag.Member("name"))
		if !a.uses[name] {
			continue
		}
		set := model.Toolset{Name: name, Source: "openapi", Description: textOf(tag.Member("description"))}
		sets = append(sets, foundToolset{set, a.text.Origin(a.at + tag.At)})
	}
	a.toolsets = append(a.toolsets, sets...)
	return nil
}

// operation reads the operation of a method and path, whose item stands at here; false if all grow
// too large.
func (a *api) operation(here, method, url string, item, op *jsontree.Node, title *jsontree.Node) bool {
	where := jsontree.JoinName(here, method)
	id := op.Member("operationId")
	name := textOf(id)
	if name == "" {
		id, name = op, method+" "+url
	}
	summary, description := strings.TrimSpace(textOf(op.Member("summary"))), strings.TrimSpace(textOf(op.Member("description")))
	text := summary + "\n\n" + description
	switch {
	case summary == "" && description == "":
		text = strings.ToUpper(method) + " " + url
	case summary == "" || strings.HasPrefix(description, strings.TrimRight(summary, ".")): // it repeats the summary
		text = description
	case description == "":
		text = summary
	}
	s := &operationSchema{api: a, named: map[string]int{}}
	own := a.parameters(op, where)
	for _, n := range a.parameters(item, here) {
		same := func(o *jsontree.Node) bool {
			return textOf(o.Member("name")) == textOf(n.Member("name")) && textOf(o.Member("in")) == textOf(n.Member("in"))
		}
		if !slices.ContainsFunc(own, same) {
			s.parameter(n)
		}
	}
	for _, p := range own {
		s.parameter(p)
	}
	if body := a.follow(op.Member("requestBody"), jsontree.JoinName(where, "requestBody"), "the body is taken without its schema"); body != nil {
		s.add("body", "body", bodySchema(body), textOf(body.Member("description")), isTrue(body.Member("required")))
	}
	schema, ok := s.write()
	if !ok || a.measuring {
		return ok
	}
	toolset := textOf(title)
	if tags := op.Member("tags").Elements(); len(tags) > 0 {
		toolset = cmp.Or(textOf(tags[0].Node), toolset)
	}
	added := a.addOperation(restated{
		name: name, description: text, parameters: schema,
		path: where, at: a.at + op.At, nameAt: a.at + id.At,
	}, toolset)
	a.uses[toolset] = a.uses[toolset] || added
	return true
}

// addOperation adds an operation as a tool of a toolset, in a name that providers take; false for
// a blank one.
func (a *api) addOperation(m restated, toolset string) bool {
	original := m.name
	m.name = plainName(original)
	d := a.addRestated(a.form, m)
	if d == nil {
		return false
	}
	d.tool.Operation, d.source, d.tool.Toolset = true, "openapi", toolset
	if d.tool.Name != original {
		d.tool.OriginalName = original
	}
	return true
}

// plainName returns a name with one underscore for every run of characters that a provider may
// refuse, and none at its ends.
func plainName(name string) string {
	var b strings.Builder
	gap := false
	for _, c := range []byte(name) {
		if c == '_' || c == '-' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' {
			if gap && b.Len() > 0 && c != '_' {
				b.WriteByte('_')
			}
			gap = false
			b.WriteByte(c)
		} else {
			gap = b.Len() > 0 && !strings.HasSuffix(b.String(), "_")
		}
	}
	if b.Len() == 0 {
		return name
	}
	return b.String()
}

// textOf returns the text of a string, and "" for anything else.
func textOf(n *jsontree.Node) string {
	if !n.Is(jsontree.String) {
		return ""
	}
	return n.Text
}

// maxHops bounds how many references lead from one to the next.
const maxHops = 16

// follow returns what a reference in n leads to, or n, which stands at a path. It warns once of a
// reference that cannot be followed, with the effect.
func (a *api) follow(n *jsontree.Node, path, effect string) *jsontree.Node {
	target, ref := n, textOf(n.Member("$ref"))
	for range maxHops {
		next := a.definitions.at(ref)
		if next == nil {
			break
		}
		target, ref = next, textOf(next.Member("$ref"))
	}
	if ref == "" || a.told[n.At] {
		return target
	}
	a.told[n.At] = true
	why := "leads to nothing in the document"
	switch {
	case !strings.HasPrefix(ref, "#"):
		why = "leads to another document, which is not read"
	case a.definitions.at(ref) != nil:
		why = "leads on to more references than are followed"
	}
	a.note("unresolved_ref", a.at+n.At, path, "its $ref "+why+"; "+effect) // SECURITY: the reference itself is foreign text
	return target
}

// restated is a definition that the source has in other words.
type restated struct {
	name, description string
	parameters        []byte // nil for none
	path              string
	at, nameAt        int // in the text
}

// restated returns the definition that an entry is, by the names of its members.
func (f *form) restated(e *entry, name, description string, parameters []byte) restated {
	return restated{name: e.member(name).Text(), description: e.member(description).Text(), parameters: parameters,
		path: f.path(*e.prefix, e.index, ""), at: e.At, nameAt: e.member(name).At}
}

// addRestated makes a tool of a definition. It returns nil if that has no usable name.
func (r *reader) addRestated(f *form, m restated) *found {
	e := entry{prefix: &m.path, index: -1}
	e.Value = jsontree.Value{At: m.at}
	p := parts{
		name:        jsontree.Value{Raw: jsontree.AppendQuoted(nil, m.name), At: m.nameAt},
		description: jsontree.Value{Raw: jsontree.AppendQuoted(nil, m.description), At: m.at},
		parameters:  jsontree.Value{Raw: m.parameters, At: m.at},
		schema:      "parameters",
	}
	return r.addBuilt(f, &e, p)
}
