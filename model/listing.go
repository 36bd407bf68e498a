package model

import "strings"

// listedName is the name of a tool that a source lists without defining it.
type listedName struct {
	value
	prefix      *string
	index       int
	toolset     string
	unavailable bool
}

// nameEntry is the form of names without definitions. No entry matches it: the
// names of a source become tools only if it defines none.
var nameEntry = &form{name: "names"}

// toolsetListing is an entry that names tools without defining them, as
// agents list their toolsets: {"name","label","description","tools":["a"]}.
var toolsetListing = &form{
	match: func(e *entry) bool {
		return e.member("name").isString() && e.member("tools").isArray()
	},
	read: func(r *reader, f *form, e *entry) error {
		set, unavailable := e.member("name").text(), e.member("available").kind() == 'f'
		from := len(r.listed)
		if err := r.readToolset(set, e.value, f.path(*e.prefix, e.index, "")); err != nil {
			return err
		}
		r.listings++
		path := f.path(*e.prefix, e.index, "tools")
		c := newCursor(e.member("tools").raw, e.member("tools").at)
		_, err := c.array(func(i int) error {
			v, err := c.value()
			if v.isString() {
				r.listed = append(r.listed, listedName{value: v, prefix: &path, index: i})
			}
			return err
		})
		for i := range r.listed[from:] {
			r.listed[from+i].toolset, r.listed[from+i].unavailable = set, unavailable
		}
		return err
	},
}

// defineNames makes tools of the names that the source lists: there is nothing
// to be sent of them but the name.
func (r *reader) defineNames() {
	if len(r.listed) == 0 {
		return
	}
	first := r.listed[0]
	r.note("names_only", first.at, nameEntry.path(*first.prefix, first.index, ""), "only "+
		count(len(r.listed), "name", "names")+", no definitions: descriptions and parameters are unknown")
	for _, n := range r.listed {
		name := n.text()
		if strings.TrimSpace(name) == "" {
			r.note("missing_name", n.at, nameEntry.path(*n.prefix, n.index, ""), "empty; the name is skipped")
			r.skipped++
			continue
		}
		t := r.newTool()
		t.Name, t.Toolset, t.Available = name, n.toolset, !n.unavailable
		t.At = Offset{Source: r.index, Byte: int64(r.text.origin(n.at))}
		t.Function, _ = mcpFunction(name, mcpParts{})
		r.found = append(r.found, found{
			tool: t, form: nameEntry, prefix: n.prefix, index: n.index, size: len(n.raw), function: -1,
			name: r.text.origin(n.at), description: r.text.origin(n.at),
		})
	}
}
