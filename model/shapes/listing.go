package shapes

import (
	"strings"

	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/words"
)

// listedName is the name of a tool that a source lists without defining it.
type listedName struct {
	jsontree.Value
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
		return e.member("name").IsString() && e.member("tools").IsArray()
	},
	read: func(r *reader, f *form, e *entry) error {
		set, unavailable := e.member("name").Text(), e.member("available").First() == 'f'
		if err := r.readToolset(set, e.Value, f.path(*e.prefix, e.index, "")); err != nil {
			return err
		}
		r.listings++
		path := f.path(*e.prefix, e.index, "tools")
		for i, v := range e.member("tools").Elements() {
			if v.IsString() {
				r.listed = append(r.listed, listedName{v, &path, i, set, unavailable})
			}
		}
		return nil
	},
}

// defineNames makes tools of the names that the source lists: there is nothing
// to be sent of them but the name.
func (r *reader) defineNames() {
	if len(r.listed) == 0 {
		return
	}
	first := r.listed[0]
	r.note("names_only", first.At, nameEntry.path(*first.prefix, first.index, ""), "only "+
		words.CountOf(len(r.listed), "name", "names")+", no definitions: descriptions and parameters are unknown")
	for _, n := range r.listed {
		name := n.Text()
		if strings.TrimSpace(name) == "" {
			r.note("missing_name", n.At, nameEntry.path(*n.prefix, n.index, ""), "empty; the name is skipped")
			r.skipped++
			continue
		}
		t := r.newTool()
		t.Name, t.Toolset, t.Available = name, n.toolset, !n.unavailable
		t.At = model.Offset{Source: r.index, Byte: int64(r.text.Origin(n.At))}
		t.Function, _ = mcpFunction(name, mcpParts{})
		r.found = append(r.found, found{
			tool: t, form: nameEntry, prefix: n.prefix, index: n.index,
			name: r.text.Origin(n.At), description: r.text.Origin(n.At),
		})
	}
}
