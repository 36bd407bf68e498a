package lint

import (
	"bytes"
	"slices"

	"caliper/engine/arguments"
	"caliper/model"
	"caliper/model/jsontree"
)

// plain is the facts that one pass finds in plain parameters, which nearly all tools have: an
// object with the keywords of arguments.Checkable, which has no references, and whose
// required parameters are defined. Nothing about such a schema is broken. The zero
// value stands for other parameters, which are read in several passes.
type plain struct {
	is    bool
	texts []string // of the descriptions in it, in order; none is empty
	bare  int      // arrays that say nothing of their items
	noise bool     // it has keywords that do not help a model; see isNoise
}

// plainOf reads the parameters of a tool.
func plainOf(t *model.Tool) plain {
	if len(t.Parameters) == 0 || !arguments.Checkable(t.Parameters) {
		return plain{}
	}
	r := plainReader{Skimmer: jsontree.Skimmer{Data: t.Parameters}}
	r.schema(true)
	if !r.object || slices.ContainsFunc(r.required, func(name string) bool { return !slices.Contains(r.names, name) }) {
		return plain{}
	}
	r.found.is = true
	return r.found
}

// textsOf returns the descriptions in the parameters of the tool that p was read from.
func (p plain) textsOf(t *model.Tool) []string {
	if p.is {
		return p.texts
	}
	return descriptionsIn(t.Parameters)
}

// plainReader walks over a plain schema.
type plainReader struct {
	jsontree.Skimmer
	found    plain
	object   bool     // the whole is an object, as rootType has it
	names    []string // of its parameters
	required []string // names that it requires
}

// schema walks over the schema that comes next.
func (r *plainReader) schema(whole bool) {
	isArray, hasItems := false, false
	r.Members(func(quoted []byte) {
		r.Peek()
		switch keyword := jsontree.Unquote(quoted); string(keyword) {
		case "type":
			value := r.Skip()
			isArray = namesType(value, "array")
			r.object = r.object || whole && bytes.Contains(value, []byte(`"object"`))
		case "description":
			if text, ok := stringOf(r.Skip()); ok && text != "" {
				r.found.texts = append(r.found.texts, text)
			}
		case "properties":
			r.Members(func(name []byte) {
				if whole {
					r.names = append(r.names, string(jsontree.Unquote(name)))
				}
				r.schema(false)
			})
		case "required":
			if value := r.Skip(); whole {
				r.required = append(r.required, stringsIn(value)...)
			}
		case "items":
			hasItems = true
			r.schema(false)
		case "anyOf":
			r.object = r.object || whole
			for r.At++; r.Peek() != ']'; {
				r.schema(false)
			}
			r.At++
		case "additionalProperties":
			from := r.At
			value := r.Skip()
			if r.found.noise = r.found.noise || isNoise(string(keyword), value); value[0] == '{' {
				r.At = from
				r.schema(false)
			}
		default:
			value := r.Skip()
			r.found.noise = r.found.noise || isNoise(string(keyword), value)
		}
	})
	if isArray && !hasItems {
		r.found.bare++
	}
}

// stringsIn returns the strings of a list of strings.
func stringsIn(list []byte) []string {
	var out []string
	s := jsontree.Skimmer{Data: list, At: 1}
	for s.Peek() == '"' {
		out = append(out, string(jsontree.Unquote(s.String())))
	}
	return out
}
