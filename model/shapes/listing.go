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

// nameEntry is the form of names, which become tools if the source defines none. No entry matches
// it.
var nameEntry = &form{name: "names"}

// toolsetListing is an entry that names tools without defining them, as
// agents list their toolsets: {"name","label","description","tools":["a"]}.
var toolsetListing = &form{
	match: func(e *entry) bool {
		return e.member("name").IsString() && e.member("tools").IsArray()
	},
	read: func(r *reader, f *form, e *entry) error {
		set, unavailable := e.member("name").Text(), e.member("available").First() == 'f'
		r.readToolset(set, e.Value, f.path(*e.prefix, e.index, ""))
		path := f.path(*e.prefix, e.index, "tools")
		for i, v := range e.member("tools").Elements() {
			if v.IsString() {
				r.listed = append(r.listed, listedName{v, &path, i, set, unavailable})
			}
		}
		return nil
	},
}

// defineNames makes tools of the names that the source lists, of which only the name is sent.
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
		t := &model.Tool{Name: name, Toolset: n.toolset, Available: !n.unavailable}
		t.At = model.Offset{Source: r.index, Byte: int64(r.text.Origin(n.At))}
		t.Function, _ = mcpFunction(name, mcpParts{})
		r.found = append(r.found, found{
			tool: t, form: nameEntry, prefix: n.prefix, index: n.index,
			name: r.text.Origin(n.At), description: r.text.Origin(n.At),
		})
	}
}
