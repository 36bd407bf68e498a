package export

import (
	"strconv"

	"caliper/model"
)

// refuseBareArrays notes the arrays of a schema that say nothing of their items.
// OpenAI answers with "array schema missing items", VS Code does not take such
// a tool of an MCP server ("array type must have items").
func (w *writer) refuseBareArrays(d definition, refuses string) {
	if d.parameters == nil {
		return
	}
	first, count := "", 0
	bareArrays(readNode(d.parameters), place{}, func(at place) {
		if count++; count == 1 {
			if first = cut(at.String(), 120); first == "" {
				first = "the top of the parameters"
			}
		}
	})
	switch {
	case count == 1:
		w.refusef("an array without items at %s: %s refuses it", first, refuses)
	case count > 1:
		w.refusef("arrays without items at %s and %d more: %s refuses them", first, count-1, refuses)
	}
}

// bareArrays visits the schemas of arrays, down to model.MaxSchemaDepth, that say
// nothing of their items.
func bareArrays(n *node, at place, visit func(place)) {
	if n.kind != '{' || at.depth >= model.MaxSchemaDepth {
		return
	}
	at.depth++
	if n.member("type").says("array") && n.member("items") == nil {
		visit(at)
	}
	for _, m := range n.members {
		held, named := model.SchemaKeyword(m.name)
		in := at.in(m.name)
		switch {
		case held && m.value.kind == '{':
			bareArrays(m.value, in, visit)
		case held && m.value.kind == '[':
			for i, v := range m.value.items {
				bareArrays(v, in.in(strconv.Itoa(i)), visit)
			}
		case named && m.value.kind == '{':
			for _, p := range m.value.members {
				bareArrays(p.value, in.in(p.name), visit)
			}
		}
	}
}
