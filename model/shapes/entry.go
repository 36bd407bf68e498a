package shapes

import (
	"slices"
	"strings"

	"caliper/model"
	"caliper/model/jsontree"
)

// object is the members of a JSON object, without a document's array of tools, which has been
// read.
type object struct {
	jsontree.Value
	path    string
	members []jsontree.Member
	tools   bool // had an array of tools
}

// objectOf returns the members of v, which is an object.
func objectOf(v jsontree.Value) *object {
	o := &object{Value: v, members: make([]jsontree.Member, 0, 8)}
	v.Each(func(m jsontree.Member) { o.members = append(o.members, m) })
	return o
}

//go:noinline // or each caller has a copy
func (o *object) member(name string) jsontree.Value {
	for i := range o.members {
		if o.members[i].Name == name {
			return o.members[i].Value
		}
	}
	return jsontree.Value{}
}

// text returns the first text of the members of some names; "" for none.
func (o *object) text(names ...string) string {
	for _, name := range names {
		if t := o.member(name).Text(); t != "" {
			return t
		}
	}
	return ""
}

// entry is one element of an array of tools, as it stands in the source.
type entry struct {
	object
	function object  // the members of "function", where that is an object
	prefix   *string // path of the array
	index    int     // in the array; -1 for an entry that stands alone
}

// set makes e the entry v of an index in the array at prefix.
func (e *entry) set(v jsontree.Value, prefix *string, index int) {
	e.prefix, e.index = prefix, index
	e.object = object{Value: v, members: e.object.members[:0]}
	e.function = object{members: e.function.members[:0]}
	s := jsontree.Skimmer{Data: v.Raw}
	s.Members(func(quoted []byte) {
		name, isObject := jsontree.Unquote(quoted), s.Peek() == '{'
		at := s.At
		if string(name) != "function" || !isObject {
			e.members = append(e.members, jsontree.Member{Name: jsontree.NameOf(name), Value: jsontree.Value{Raw: s.Skip(), At: v.At + at}})
			return
		}
		s.Members(func(quoted []byte) {
			s.Peek()
			at := s.At
			m := jsontree.Member{Name: jsontree.NameOf(jsontree.Unquote(quoted)), Value: jsontree.Value{Raw: s.Skip(), At: v.At + at}}
			e.function.members = append(e.function.members, m)
		})
		e.function.Value = jsontree.Value{Raw: v.Raw[at:s.At:s.At], At: v.At + at}
	})
}

// readLone reads a document that is an entry.
func readLone(r *reader, o *object) error {
	r.arrays++
	e := &r.entry
	e.set(o.Value, &o.path, -1)
	e.members = slices.DeleteFunc(append(e.members[:0], o.members...), func(m jsontree.Member) bool { return m.Name == "function" && m.IsObject() })
	return r.define(e)
}

// define makes a tool of an entry, by the first form that fits.
func (r *reader) define(e *entry) error {
	if r.as != nil {
		return r.as.read(r, r.as, e)
	}
	if e.member("enabled").First() == 'f' && e.member("name").IsString() && e.has("inputSchema", "input_schema", "parameters") { // as fastmcp inspects a server
		r.note("disabled_tool", e.At, new(form).path(*e.prefix, e.index, "enabled"), "false: the tool is switched off, and is left out")
		r.skipped++
		return nil
	}
	for _, f := range forms {
		if f.match(e) {
			return f.read(r, f, e)
		}
	}
	r.foreign++
	e.object.path = new(form).path(*e.prefix, e.index, "")
	r.recognise(&e.object)
	if r.undefined == nil && e.index >= 0 && e.member("name").IsString() {
		f := r.finding("unknown_format", e.At, e.object.path, "no tool definition: beside its name it needs parameters, inputSchema, input_schema or arguments, "+
			"or a description and nothing else; "+understood())
		r.undefined = &f
	}
	r.note("no_definition", e.At, new(form).path(*e.prefix, e.index, ""), "holds no tool definition")
	return nil
}

// addBuilt makes a tool whose model-facing object is built. It returns nil without a usable name.
func (r *reader) addBuilt(f *form, e *entry, p parts) *found {
	d := r.add(f, e, p)
	if d != nil {
		raw := mcpParts{schema: p.parameters.Raw}
		if p.parameters.First() == 'n' {
			raw.schema = nil
		}
		if p.description.IsString() {
			raw.description = p.description.Raw
		}
		d.tool.Function, d.tool.Parameters = mcpFunction(d.tool.Name, raw)
		r.describe(d.tool, e)
	}
	return d
}

// parts are the values that every form must find in a definition.
type parts struct {
	name, description, parameters jsontree.Value
	schema                        string // what the form calls the parameters
}

// parts returns the parts of a definition whose parameters have a name.
func (o *object) parts(schema string) parts {
	return parts{o.member("name"), o.member("description"), o.member(schema), schema}
}

// add makes a tool of an entry's parts, nil without a usable name. The caller sets what its form
// has.
func (r *reader) add(f *form, e *entry, p parts) *found {
	path := func(member string) string { return f.path(*e.prefix, e.index, member) }
	name := p.name.Text()
	if strings.TrimSpace(name) == "" {
		what := "missing"
		if p.name.First() != 0 {
			what = "empty or not a string"
		}
		r.note("missing_name", e.At, path("name"), what+"; the definition is skipped")
		r.skipped++
		return nil
	}
	t := &model.Tool{Name: name, Available: true}
	if hint := e.member("_meta").Member("anthropic/searchHint"); hint.IsString() {
		t.Hint = hint.Text()
	}
	t.At = model.Offset{Source: r.index, Byte: int64(r.text.Origin(e.At))}
	switch p.description.First() {
	case '"':
		t.Description = p.description.Text()
	case 0, 'n':
	default:
		r.note("description_not_text", p.description.At, path("description"), "description is not a string")
	}
	switch p.parameters.First() {
	case '{':
		t.Parameters = p.parameters.Raw
	case 0, 'n':
	default:
		r.note("parameters_not_object", p.parameters.At, path(p.schema), "parameters is not an object")
	}
	r.found = append(r.found, found{
		tool:        t,
		form:        f,
		prefix:      e.prefix,
		index:       e.index,
		source:      e.member("source").Text(),
		name:        r.text.Origin(p.name.At),
		description: r.text.Origin(p.description.At),
	})
	return &r.found[len(r.found)-1]
}

// describe sets the fields of a tool that an entry has beside the function.
func (r *reader) describe(t *model.Tool, e *entry) {
	t.Toolset = e.member("toolset").Text()
	t.Server = e.member("server").Text()
	t.OriginalName = e.member("original_name").Text()
	t.Available = e.member("available").First() != 'f'
	t.Deferred = e.member("defer_loading").First() == 't'
	e.member("execution").Each(func(m jsontree.Member) { t.TaskOnly = t.TaskOnly || m.Name == "taskSupport" && m.Text() == "required" })
	t.Always = e.member("always_load").First() == 't' || e.member("_meta").Member("anthropic/alwaysLoad").First() == 't'
}
