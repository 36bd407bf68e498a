package export

import (
	"slices"
	"strings"

	"caliper/model"
)

// endOfMCP is what ends a tools/list result: the mark that its names are those
// that a model sees, so that nobody makes others of them.
var endOfMCP = `],"_meta":{` + string(quoted(model.MetaNames)) + `:` + string(quoted(model.MetaFinal)) + `}}`

// mcp writes a tool of a tools/list result, under the name that the model sees.
// Where the tool comes from stands in its _meta.
func (w *writer) mcp(d definition) {
	d.beside = slices.Clone(d.beside)
	for i, m := range d.beside {
		name, ok := mcpSpellings[m.name]
		if ok && !slices.ContainsFunc(d.beside, func(m member) bool { return m.name == name }) {
			d.beside[i].name = name
		}
	}
	if origin := w.metaOrigin(d.Tool); len(origin) > 0 {
		at := slices.IndexFunc(d.beside, func(m member) bool { return m.name == "_meta" })
		if at < 0 {
			d.beside = append(d.beside, member{name: "_meta"})
			at = len(d.beside) - 1
		}
		theirs, ok := readMembers(d.beside[at].value)
		if !ok && d.beside[at].value != nil {
			w.losef("_meta, which is not an object")
		}
		d.beside[at].value = object(append(theirs, origin...))
	}
	w.out.WriteByte('{')
	w.member(true, "name", quoted(d.name))
	w.text("description", d.Description)
	w.member(false, "inputSchema", w.schema(d))
	w.held(d, mcpMembers)
	w.out.WriteByte('}')
	w.unsaid(d)
	w.rootKeywords(d)
	w.refuseBareArrays(d, "VS Code")
	w.origin(d)
}

// metaOrigin returns what the _meta of a tool says of where it comes from.
func (w *writer) metaOrigin(t *model.Tool) []member {
	var list []member
	add := func(name, text string) {
		if text != "" {
			list = append(list, member{name, quoted(text)})
		}
	}
	if t.Toolset != model.NoToolset {
		add(model.MetaToolset, t.Toolset)
		if s, ok := w.registry.Toolset(t.Toolset); ok {
			add(model.MetaSource, s.Source)
		}
	}
	add(model.MetaServer, t.Server)
	add(model.MetaOriginal, t.OriginalName)
	return list
}

// withoutOrigin returns a _meta without what metaOrigin wrote, nil for nothing
// left.
func withoutOrigin(meta []byte) []byte {
	list, ok := readMembers(meta)
	if !ok {
		return meta
	}
	kept := slices.DeleteFunc(list, func(m member) bool { return strings.HasPrefix(m.name, model.MetaPrefix) })
	switch {
	case len(kept) == len(list):
		return meta
	case len(kept) == 0:
		return nil
	}
	return object(kept)
}
