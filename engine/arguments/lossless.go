package arguments

import (
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"caliper/model/jsontree"
)

// A call that is proposed in place of a refused one must do what the model asked for and
// nothing else. Lossless therefore changes how a value is written and never which value it
// is.
//
// A value that does not fit its schema is rewritten in the first of these ways after which
// it fits:
//
//   - a text is the number, truth value, null, list or object that it spells: "7" is 7
//   - a text is the one listed value that differs from it in capitals alone: "OPEN" is "open"
//   - a number or a truth value is the text that spells it: 7 is "7"
//   - a value where a list is wanted is the list of it alone: "a" is ["a"], but for a text that
//     spells a list
//
// For {"properties":{"ids":{"type":"array","items":{"type":"integer"}}}} the arguments
// {"ids":["7","9"]} become {"ids":[7,9]}, and {"ids":["7","x"]} do not become anything.
//
// Invariants:
//   - each value that is given is in the result, at the same path or as the only item of
//     a list there
//   - nothing else is in it: no default, no example, no blank
//   - numbers keep all their digits

// maxRewritten is how many values of one call are rewritten at most. A call with more
// wrong values is one to be made anew.
const maxRewritten = 200

// Lossless returns an arguments object in a form that fits a schema, with every value that
// was given. args is an object that Parse returned. When there is no such form, kept is nil
// and unfit has the reasons, in the order of the arguments as Validate reports them.
//
// unfit also names what fits and would be lost: a name that is given twice, a value that is
// not JSON, and a name, at any depth, that the schema does not declare although it declares
// others and does not say that it takes more. A tool that ignores dryRun would do what dry_run
// forbids.
func (v *Validator) Lossless(schema, args []byte) (kept []byte, unfit []Problem) {
	kept = args
	for range maxRewritten {
		if unfit = v.unfit(schema, kept); len(unfit) == 0 {
			return kept, nil
		}
		rewritten := v.rewrite(schema, kept, unfit)
		if rewritten == nil {
			return nil, unfit
		}
		kept = rewritten
	}
	return nil, unfit
}

// rewrite returns the arguments with the first of the unfit values that can be rewritten
// so that it fits; nil when none can.
func (v *Validator) rewrite(schema, args []byte, unfit []Problem) []byte {
	// What a schema says of each value inside some arguments, by its path.
	of := map[string]said{}
	root, err := jsontree.Parse(schema, jsontree.Python)
	given, bad := jsontree.Parse(args, jsontree.Python)
	if err == nil && bad == nil {
		s := skeleton{root: root}
		s.each("", []*jsontree.Node{root}, given, func(path string, said said) { of[path] = said })
	}
	for _, p := range unfit {
		start, end, ok := Place(string(args), p.Path)
		if p.Path == "" || !ok {
			continue
		}
		value, err := jsontree.Parse(args[start:end], jsontree.Python)
		if err != nil {
			continue
		}
		for _, spelled := range spellings(value, of[p.Path]) {
			var found []byte
			for _, one := range spelled {
				text := slices.Concat(args[:start], one, args[end:])
				if slices.ContainsFunc(v.unfit(schema, text), func(left Problem) bool {
					rest, inside := strings.CutPrefix(left.Path, p.Path)
					return inside && (rest == "" || rest[0] == '.' || rest[0] == '[')
				}) {
					continue
				}
				if found != nil { // two of them fit, so neither is known to be meant
					return nil
				}
				found = text
			}
			if found != nil {
				return found
			}
		}
	}
	return nil
}

// spellings returns the ways to write a value otherwise, those to be tried first first.
// Each way has one spelling, or several where only one may fit.
func spellings(value *jsontree.Node, of said) [][][]byte {
	var ways [][][]byte
	switch value.Kind {
	case jsontree.String:
		if spelled := spelledBy(value.Text); spelled != nil {
			ways = append(ways, [][]byte{spelled})
			if v, err := jsontree.Parse(spelled, jsontree.Python); err == nil && len(v.Children) > 0 {
				if inner := spelledInside(v); inner != nil {
					ways = append(ways, [][]byte{inner})
				}
			}
		}
		var same [][]byte
		for _, text := range of.texts {
			if text != value.Text && strings.EqualFold(text, value.Text) {
				same = append(same, jsontree.Encode(text))
			}
		}
		ways = append(ways, same)
	case jsontree.Number, jsontree.Boolean:
		ways = append(ways, [][]byte{jsontree.Encode(string(value.Raw))})
	case jsontree.Array, jsontree.Object: // a union does not say which of its values is wrong
		if inner := spelledInside(value); inner != nil {
			ways = append(ways, [][]byte{inner})
		}
	}
	if value.Kind != jsontree.Array && of.list {
		if coerceJSON(value, jsontree.Array) == value {
			ways = append(ways, [][]byte{slices.Concat([]byte("["), value.Raw, []byte("]"))})
		}
		if spelled := spelledBy(value.Text); value.Kind == jsontree.String && spelled != nil {
			ways = append(ways, [][]byte{slices.Concat([]byte("["), spelled, []byte("]"))})
		}
	}
	return ways
}

// spelledBy returns the JSON that a text spells, but for texts in quotes; nil when it
// spells none, or when reading it would lose something.
func spelledBy(text string) []byte {
	switch lower := strings.ToLower(text); lower {
	case "true", "false":
		return []byte(lower)
	}
	v, lost, ok := readWhole([]byte(text))
	if !ok || v.Kind == jsontree.String || len(lost) > 0 {
		return nil
	}
	return v.Raw
}

// spelledInside returns a list or an object with every text in it replaced by the number
// or truth value that it spells; nil when there is none.
func spelledInside(value *jsontree.Node) []byte {
	changed := false
	out := value.AppendWith(nil, func(dst []byte, scalar *jsontree.Node) []byte {
		switch {
		case scalar.Raw == nil: // a name
			return scalar.AppendTo(dst)
		case scalar.Kind == jsontree.String:
			if spelled := spelledBy(scalar.Text); spelled != nil {
				changed = true
				return append(dst, spelled...)
			}
		}
		return append(dst, scalar.Raw...)
	})
	if !changed {
		return nil
	}
	return out
}

// unfit returns what does not fit a schema, or would be lost, of some arguments.
func (v *Validator) unfit(schema, args []byte) []Problem {
	out := slices.DeleteFunc(v.ValidateLater(schema, args), func(p Problem) bool { return p.Uncheckable })
	given, lost, ok := readWhole(args)
	if !ok {
		return append(out, Problem{Message: "the arguments are not JSON"})
	}
	out = append(out, lost...)
	root, err := jsontree.Parse(schema, jsontree.Python)
	if err != nil {
		return out
	}
	known := func(path string) bool {
		return slices.ContainsFunc(out, func(p Problem) bool { return p.Path == path })
	}
	for _, item := range root.Member("required").Elements() {
		if item.Kind == jsontree.String && given.Member(item.Text) == nil && !known(into("", item.Text)) {
			out = append(out, Problem{Path: into("", item.Text), Message: "required", Keyword: "required"})
		}
	}
	s := skeleton{root: root}
	s.each("", []*jsontree.Node{root}, given, func(path string, of said) {
		if of.nothing && !known(path) {
			out = append(out, Problem{Path: path, Message: "no such parameter"})
		}
	})
	return out
}

// readWhole reads JSON and tells what is lost of it when a program reads it: the first
// values of a name that is given twice, and numbers that JSON does not have.
func readWhole(text []byte) (v *jsontree.Node, lost []Problem, ok bool) {
	v, err := jsontree.ParseNoting(text, jsontree.Python, jsontree.PythonDepth, func(_ *jsontree.Node, name string) {
		lost = append(lost, Problem{Message: quote(name) + " is given twice"})
	})
	if err != nil {
		return nil, nil, false
	}
	var visit func(path string, v *jsontree.Node)
	visit = func(path string, v *jsontree.Node) {
		if v.Kind == jsontree.NotFinite {
			lost = append(lost, Problem{Path: path, Message: v.Text + " is not a number of JSON"})
		}
		for i, c := range v.Children {
			if v.Kind == jsontree.Object {
				visit(into(path, c.Name), c.Node)
			} else {
				visit(path+"["+strconv.Itoa(i)+"]", c.Node)
			}
		}
	}
	visit("", v)
	return v, lost, true
}

// said is what the schemas of one value say of it, also in the parts that they are combined
// of.
type said struct {
	members map[string][]*jsontree.Node // the schemas of its members, by their names
	others  []*jsontree.Node            // of members of other names, where the schemas speak of those
	items   []*jsontree.Node
	texts   []string // that are listed as its values, each once
	list    bool     // it may be a list
	nothing bool     // it is a member of a name that is not declared beside others
}

// each calls visit with the path of each value inside a value, and what its schemas say of it.
func (s *skeleton) each(path string, schemas []*jsontree.Node, value *jsontree.Node, visit func(path string, of said)) {
	of := s.said(schemas)
	for i, c := range value.Children {
		inner, at, nothing := of.items, path+"["+strconv.Itoa(i)+"]", false
		if value.Kind == jsontree.Object {
			inner, at = of.members[c.Name], into(path, c.Name)
			if inner == nil {
				inner, nothing = of.others, len(of.others) == 0 && len(of.members) > 0
			}
		}
		next := s.said(inner)
		next.nothing = nothing
		visit(at, next)
		s.each(at, inner, c.Node, visit)
	}
}

// said returns what some schemas of one value say of it.
func (s *skeleton) said(schemas []*jsontree.Node) said {
	of := said{members: map[string][]*jsontree.Node{}}
	seen := map[*jsontree.Node]bool{}
	var visit func(schema *jsontree.Node)
	visit = func(schema *jsontree.Node) {
		if !schema.Is(jsontree.Object) || seen[schema] {
			return
		}
		seen[schema] = true
		for _, part := range s.view(schema) {
			visit(part)
		}
		for _, m := range schema.Children {
			switch m.Name {
			case "properties":
				for _, p := range m.Node.Members() {
					of.members[p.Name] = append(of.members[p.Name], p.Node)
				}
			case "additionalProperties", "unevaluatedProperties":
				of.others = append(of.others, m.Node)
			case "patternProperties":
				of.others = append(of.others, m.Node) // it speaks of them also when it is empty
				for _, p := range m.Node.Members() {
					of.others = append(of.others, p.Node)
				}
			case "items", "prefixItems", "additionalItems":
				of.items, of.list = append(of.items, m.Node), true
				for _, p := range m.Node.Elements() {
					of.items = append(of.items, p.Node)
				}
			case "enum", "const":
				for _, value := range append(m.Node.Elements(), jsontree.Child{Node: m.Node}) {
					if value.Kind == jsontree.String && !slices.Contains(of.texts, value.Text) {
						of.texts = append(of.texts, value.Text)
					}
				}
			case "type":
				of.list = of.list || m.Node.Text == "array" || slices.ContainsFunc(m.Node.Elements(), func(c jsontree.Child) bool { return c.Text == "array" })
			case "if", "then", "else":
				visit(m.Node)
			case "anyOf", "oneOf", "allOf", "dependentSchemas":
				for _, part := range m.Node.Children {
					visit(part.Node)
				}
			}
		}
	}
	for _, schema := range schemas {
		visit(schema)
	}
	return of
}

// SameValues reports whether two texts of JSON have the same values in the same places,
// where the second may have written out what a text of the first spells, as Lossless does.
// Numbers are the same when they are equal in all digits.
func SameValues(given, converted []byte) bool {
	a, err := jsontree.Parse(given, jsontree.Python)
	if err != nil {
		return false
	}
	b, err := jsontree.Parse(converted, jsontree.Python)
	return err == nil && sameNode(a, b)
}

// sameNode is SameValues of two values.
func sameNode(a, b *jsontree.Node) bool {
	switch {
	case a.Kind == jsontree.String && b.Kind != jsontree.String:
		spelled := spelledBy(a.Text)
		return spelled != nil && SameValues(spelled, appendValue(nil, b))
	case a.Kind != b.Kind || len(a.Children) != len(b.Children):
		return false
	case a.Kind == jsontree.Number:
		return a.Text == b.Text || sameNumber(a.Text, b.Text)
	}
	for i, c := range a.Children {
		other := b.Children[i].Node
		if a.Kind == jsontree.Object {
			other = b.Member(c.Name)
		}
		if other == nil || !sameNode(c.Node, other) {
			return false
		}
	}
	return a.Text == b.Text
}

// sameNumber reports whether two numbers of different spelling are equal. Numbers of very
// many digits count as different.
func sameNumber(a, b string) bool {
	const most = 400
	for _, text := range []string{a, b} {
		if f, err := strconv.ParseFloat(text, 64); len(text) > most || err != nil || f != 0 && math.Abs(f) < 1e-300 {
			return false
		}
	}
	x, ok := new(big.Rat).SetString(a)
	y, okay := new(big.Rat).SetString(b)
	return ok && okay && x.Cmp(y) == 0
}
