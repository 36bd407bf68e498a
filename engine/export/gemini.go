package export

import (
	"fmt"

	"caliper/model/jsontree"
	"caliper/model/lazy"
	"caliper/model/words"
)

// gemini writes a function declaration, in the dialect of schemas that every
// version of the interface takes, not in the JSON Schema that newer ones take
// (API reference, FunctionDeclaration and Schema). Parameters may be left
// out; the description may not.
func (w *writer) gemini(d definition) {
	w.out.WriteByte('{')
	w.member(true, "name", jsontree.Encode(d.name))
	w.member(false, "description", jsontree.Encode(d.Description))
	w.unsaid(d)
	if d.Description == "" {
		w.refusef("no description: Gemini wants one")
	}
	if d.parameters != nil {
		root := readNode(d.parameters)
		g := geminiWriter{root: root, index: map[string]int{}, nulls: map[string]nullity{}, circles: map[string]bool{}}
		schema := g.schema(root, place{}, "")
		if !isEmptyObject(schema) {
			w.member(false, "parameters", schema.write(nil))
		} else if m := schema.member("description"); m != nil {
			w.losef("the description of parameters without properties, which Gemini refuses")
		}
		for _, l := range g.losses {
			w.losef("%s", l)
		}
		w.geminiRoot(schema)
	}
	w.out.WriteByte('}')
	w.origin(d)
}

// isEmptyObject reports whether a schema in Gemini's dialect is an object without
// properties. Gemini refuses it as parameters ("should be non-empty for OBJECT
// type"); a function without parameters leaves them out.
func isEmptyObject(schema *node) bool {
	p := schema.member("properties")
	return schema.member("type").text() == "OBJECT" && (p == nil || len(p.members) == 0) && schema.member("anyOf") == nil
}

// parameterName matches the names of parameters that are valid (Vertex AI reference,
// FunctionDeclaration.parameters).
var parameterName = lazy.Regexp(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`)

// geminiRoot notes what Gemini does not take at the top of parameters.
func (w *writer) geminiRoot(schema *node) {
	switch kind := schema.member("type").text(); kind {
	case "OBJECT":
	case "":
		w.refusef("parameters without a type: Gemini wants an object")
	default:
		w.refusef("parameters of type %s: Gemini wants an object", kind)
	}
	if p := schema.member("properties"); p != nil {
		w.oddParameters(p, parameterName(), "letters, digits and _, not a digit first, and 64 characters")
	}
}

// geminiWriter translates the schema of one tool.
type geminiWriter struct {
	root     *node
	losses   []geminiLoss
	index    map[string]int     // in losses, by what
	nulls    map[string]nullity // of what references lead to
	circles  map[string]bool    // whether a reference leads back to itself
	inserted int                // references that a definition was put in for
}

// geminiLoss is something that schemas lose, and where.
type geminiLoss struct {
	what, first string
	more        int
}

// String returns the loss in words.
func (l geminiLoss) String() string {
	if l.more == 0 {
		return l.what + " at " + l.first
	}
	return fmt.Sprintf("%s at %s and %d more", l.what, l.first, l.more)
}

// place is where a schema stands, and the references that led there.
type place struct {
	up    *place
	name  string // of the member, or the number of the element; "" at the root
	depth int    // schemas above
	refs  []string
}

// in returns the place of a member or an element.
func (p place) in(name string) place {
	return place{up: &p, name: name, depth: p.depth, refs: p.refs}
}

// String returns the place as a JSON pointer (RFC 6901).
func (p place) String() string {
	if p.up == nil {
		return ""
	}
	return p.up.String() + "/" + escaped(p.name)
}

// lose notes a loss at a place.
func (g *geminiWriter) lose(at place, format string, args ...any) {
	what := fmt.Sprintf(format, args...)
	if i, ok := g.index[what]; ok {
		g.losses[i].more++
		return
	}
	first := words.Clip(at.String(), 120)
	if first == "" {
		first = "the top of the parameters"
	}
	g.index[what] = len(g.losses)
	g.losses = append(g.losses, geminiLoss{what: what, first: first})
}

// brief returns a value as it is written, cut to one line.
func brief(n *node) string { return words.Clip(string(n.write(nil)), 60) }
