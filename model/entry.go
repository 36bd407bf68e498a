package model

import "strings"

// member is one member of an object: its name, unquoted, and its value.
type member struct {
	name string
	value
}

// object is a JSON object of which only the members are known. A document's
// array of tools is not among them: it has been read when the object is
// complete.
type object struct {
	value
	path    string
	members []member
	tools   bool // had an array of tools
}

// member returns the value of a member, and no value if there is none.
func (o *object) member(name string) value {
	for i := range o.members {
		if o.members[i].name == name {
			return o.members[i].value
		}
	}
	return value{}
}

// entry is one element of an array of tools, as it stands in the source.
type entry struct {
	object
	function object  // the members of "function", where that is an object
	prefix   *string // path of the array
	index    int     // in the array; -1 for an entry that stands alone
}

// reset prepares e for the next entry.
func (e *entry) reset(prefix *string, index int) {
	e.prefix, e.index = prefix, index
	e.object = object{members: e.object.members[:0]}
	e.function = object{members: e.function.members[:0]}
}

// read reads the entry, which is an object, in one pass.
func (e *entry) read(c *cursor) (err error) {
	e.value, err = c.object(func(name []byte) error {
		if string(name) == "function" && c.next() == '{' {
			return e.readFunction(c)
		}
		v, err := c.value()
		e.object.members = append(e.object.members, member{known(name), v})
		return err
	})
	return err
}

func (e *entry) readFunction(c *cursor) (err error) {
	e.function.value, err = c.object(func(name []byte) error {
		v, err := c.value()
		e.function.members = append(e.function.members, member{known(name), v})
		return err
	})
	return err
}

// known returns name as a string, without allocating for the usual ones.
func known(name []byte) string {
	switch string(name) {
	case "type":
		return "type"
	case "name":
		return "name"
	case "description":
		return "description"
	case "parameters":
		return "parameters"
	case "inputSchema":
		return "inputSchema"
	case "toolset":
		return "toolset"
	case "source":
		return "source"
	case "server":
		return "server"
	case "original_name":
		return "original_name"
	case "annotations":
		return "annotations"
	case "input_schema":
		return "input_schema"
	case "strict":
		return "strict"
	case "title":
		return "title"
	case "outputSchema":
		return "outputSchema"
	case "toolSpec":
		return "toolSpec"
	}
	return string(name)
}

// define adds the definition that the entry holds to r, if there is one.
func (r *reader) define(e *entry) error {
	if r.as != nil {
		return r.as.read(r, r.as, e)
	}
	for _, f := range forms {
		if f.match(e) {
			return f.read(r, f, e)
		}
	}
	r.foreign++
	r.note("no_definition", e.at, new(form).path(*e.prefix, e.index, ""), "holds no tool definition")
	return nil
}

// newTool returns a tool in the next free place of a block. A block that is
// full goes to the finisher: the tool returned before is complete, but for
// what only the end of the source can tell.
func (r *reader) newTool() *Tool {
	const block = 256
	if len(r.block) == cap(r.block) {
		r.finisher.take(r.block)
		r.block = make([]Tool, 0, block)
	}
	r.block = append(r.block, Tool{})
	return &r.block[len(r.block)-1]
}

// addBuilt makes a tool of an entry whose source has no model-facing object,
// which is built. It returns nil if the entry has no usable name.
func (r *reader) addBuilt(f *form, e *entry, p parts) *found {
	d := r.add(f, e, p)
	if d != nil {
		raw := mcpParts{schema: p.parameters.raw}
		if p.parameters.kind() == 'n' {
			raw.schema = nil
		}
		if p.description.isString() {
			raw.description = p.description.raw
		}
		d.tool.Function, d.tool.Parameters = mcpFunction(d.tool.Name, raw)
		r.describe(d.tool, e)
	}
	return d
}

// parts is what every form must say about a definition.
type parts struct {
	name, description, parameters value
	schema                        string // what the form calls the parameters
}

// add makes a tool of an entry's parts. It returns nil if the entry has no
// usable name. The caller sets what only its form knows.
func (r *reader) add(f *form, e *entry, p parts) *found {
	path := func(member string) string { return f.path(*e.prefix, e.index, member) }
	name := p.name.text()
	if strings.TrimSpace(name) == "" {
		what := "missing"
		if p.name.kind() != 0 {
			what = "empty or not a string"
		}
		r.note("missing_name", e.at, path("name"), what+"; the definition is skipped")
		r.skipped++
		return nil
	}
	t := r.newTool()
	t.Name = name
	t.Available = true
	t.At = Offset{Source: r.index, Byte: int64(r.text.origin(e.at))}
	switch p.description.kind() {
	case '"':
		t.Description = p.description.text()
	case 0, 'n':
	default:
		r.note("description_not_text", p.description.at, path("description"), "description is not a string")
	}
	switch p.parameters.kind() {
	case '{':
		t.Parameters = p.parameters.raw
	case 0, 'n':
	default:
		r.note("parameters_not_object", p.parameters.at, path(p.schema), "parameters is not an object")
	}
	r.found = append(r.found, found{
		tool:        t,
		form:        f,
		prefix:      e.prefix,
		index:       e.index,
		source:      r.intern(e.member("source")),
		size:        len(e.raw),
		function:    -1,
		name:        r.text.origin(p.name.at),
		description: r.text.origin(p.description.at),
	})
	return &r.found[len(r.found)-1]
}

// describe sets what an entry says about a tool besides its function.
func (r *reader) describe(t *Tool, e *entry) {
	t.Toolset = r.intern(e.member("toolset"))
	t.Server = r.intern(e.member("server"))
	t.OriginalName = e.member("original_name").text()
	t.Available = e.member("available").kind() != 'f'
	t.Deferred = e.member("defer_loading").kind() == 't'
}

// intern returns the text of v, and the same string for the same text.
func (r *reader) intern(v value) string {
	if !v.isString() {
		return ""
	}
	text := unquoted(v.raw)
	if known, ok := r.interned[string(text)]; ok {
		return known
	}
	s := string(text)
	r.interned[s] = s
	return s
}
