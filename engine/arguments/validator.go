package arguments

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"caliper/model"
	"caliper/model/jsontree"
)

// Limits of a check. A schema or a value beyond them is reported, not refused.
const (
	maxSchemaBytes    = 256 << 10
	maxSchemaValues   = 5_000 // values in the JSON of a schema
	maxSchemaDepth    = 128
	maxArgumentsBytes = 1 << 20
)

// Validator checks arguments against parameter schemas. It keeps compiled
// schemas, some 256 at most and those used last, because a dry run checks on
// every key press. A Validator is safe for concurrent use.
type Validator struct {
	mu         sync.Mutex
	young, old map[string]*compiled // by schema text
	youngBytes int
}

// NewValidator returns a Validator.
func NewValidator() *Validator {
	return &Validator{young: map[string]*compiled{}}
}

// Validate returns the faults of an arguments object, ordered by path and
// message; nothing when it fits. A schema that is absent, null or no object
// allows everything. Parts of a schema that cannot be checked, such as a
// pattern that Go's regular expressions do not know or a reference out of the
// schema, are reported as problems that are Uncheckable, whatever the
// arguments; the rest of the schema is checked.
//
// A schema that names no dialect is read as draft 2020-12. Formats are
// checked in all dialects, since servers commonly refuse what breaks them.
// Values that JSON does not have (NaN, Infinity) are Uncheckable.
func (v *Validator) Validate(schema, args []byte) []Problem {
	c := v.compiled(schema)
	if c == nil {
		return nil
	}
	found := append([]finding(nil), c.notes...)
	if c.schema != nil {
		found = append(found, c.check(args)...)
	}
	// In order, without repetitions, written for reading.
	model.Sort(found, func(a, b finding) int {
		switch {
		case a.Uncheckable && !b.Uncheckable:
			return 1
		case b.Uncheckable && !a.Uncheckable:
			return -1
		}
		return cmp.Or(
			slices.CompareFunc(a.at, b.at, func(a, b step) int { // items by index, members by name
				return cmp.Or(cmp.Compare(a.item, b.item), strings.Compare(a.name, b.name))
			}),
			strings.Compare(a.Path, b.Path),
			strings.Compare(a.Message, b.Message))
	})
	found = slices.CompactFunc(found, func(a, b finding) bool {
		return a.Uncheckable == b.Uncheckable && a.Message == b.Message && a.Path == b.Path && slices.Equal(a.at, b.at)
	})
	var out []Problem
	for i, f := range found {
		if i == maxProblems-1 && len(found) > maxProblems {
			return append(out, Problem{Message: fmt.Sprintf("and %d more", len(found)-i), Uncheckable: f.Uncheckable})
		}
		p := f.Problem
		if len(f.at) > 0 {
			// Writes a path as labels[0].name; names that are not plain words are quoted: ["a b"].
			const ends = 8
			path := ""
			for i, s := range f.at {
				switch {
				case len(f.at) > 3*ends && i == ends:
					path += "…"
				case len(f.at) > 3*ends && i > ends && i < len(f.at)-ends:
				case s.item >= 0:
					path += "[" + strconv.Itoa(s.item) + "]"
				default:
					path = into(path, s.name)
				}
			}
			p.Path = path
		}
		out = append(out, p)
	}
	return out
}

// Uncheckable returns the problems of Validate that hold whatever the arguments: the parts of a
// schema that cannot be checked. A plain schema has none, and is not compiled for it, which
// takes a hundred times as long as to read it.
func (v *Validator) Uncheckable(schema []byte) []Problem {
	if len(schema) <= maxSchemaBytes {
		if root, err := jsontree.Parse(schema, jsontree.Python); err == nil && isPlain(root, 0) && root.Count() <= maxSchemaValues {
			return nil
		}
	}
	return slices.DeleteFunc(v.Validate(schema, []byte("{}")), func(p Problem) bool { return !p.Uncheckable })
}

// isPlain reports whether a schema, which has depth schemas around it, has keywords alone that
// nearly all parameters are written with, and of each a value that every dialect takes: no
// references, no regular expressions, nothing that negates, and no number of many digits or with an exponent. It is
// false of many schemas that can be checked as well.
func isPlain(n *jsontree.Node, depth int) bool {
	const deepest, longestList, longestNumber = 24, 64, 9
	isSchema := func(c jsontree.Child) bool { return isPlain(c.Node, depth+1) }
	isText := func(c jsontree.Child) bool { return c.Kind == jsontree.String }
	isNumber := func(c jsontree.Child) bool {
		return c.Kind == jsontree.Number && len(c.Text) <= longestNumber && strings.Trim(c.Text, "-.0123456789") == ""
	}
	isScalar := func(c jsontree.Child) bool {
		return isText(c) || isNumber(c) || c.Kind == jsontree.Boolean || c.Kind == jsontree.Null
	}
	isType := func(c jsontree.Child) bool {
		return isText(c) && slices.Contains([]string{"array", "boolean", "integer", "null", "number", "object", "string"}, c.Text)
	}
	every := func(list []jsontree.Child, is func(jsontree.Child) bool) bool {
		return !slices.ContainsFunc(list, func(c jsontree.Child) bool { return !is(c) })
	}
	distinct := func(list []jsontree.Child, is func(jsontree.Child) bool) bool {
		for i, c := range list {
			if slices.ContainsFunc(list[:i], func(other jsontree.Child) bool { return other.Text == c.Text }) {
				return false
			}
		}
		return len(list) > 0 && len(list) <= longestList && every(list, is)
	}
	if n.Kind != jsontree.Object || depth > deepest {
		return false
	}
	return every(n.Children, func(m jsontree.Child) bool {
		switch m.Name {
		case "type":
			return isType(m) || distinct(m.Elements(), isType)
		case "description", "title", "format":
			return isText(m)
		case "properties":
			return m.Is(jsontree.Object) && every(m.Children, isSchema)
		case "items", "propertyNames":
			return isSchema(m)
		case "anyOf", "oneOf", "allOf":
			return len(m.Elements()) > 0 && every(m.Elements(), isSchema)
		case "additionalProperties":
			return m.Is(jsontree.Boolean) || isSchema(m)
		case "required":
			return distinct(m.Elements(), isText)
		case "enum":
			return distinct(m.Elements(), func(c jsontree.Child) bool { return isText(c) || isNumber(c) })
		case "const":
			return isText(m) || isNumber(m) || m.Is(jsontree.Boolean)
		case "default":
			return every(m.Children, isScalar) && (len(m.Children) > 0 || isScalar(m) || m.Is(jsontree.Array) || m.Is(jsontree.Object))
		case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
			return isNumber(m)
		case "minLength", "maxLength", "minItems", "maxItems":
			return isNumber(m) && strings.Trim(m.Text, "0123456789") == ""
		case "uniqueItems":
			return m.Is(jsontree.Boolean)
		case "$schema":
			return depth == 0 && isText(m) &&
				(m.Text == "http://json-schema.org/draft-07/schema#" || m.Text == "https://json-schema.org/draft/2020-12/schema")
		}
		return false
	})
}

// compiled returns a schema made ready, from memory if it is known; nil when
// it allows everything.
func (v *Validator) compiled(schema []byte) *compiled {
	if len(schema) > maxSchemaBytes {
		return &compiled{notes: []finding{uncheckable("", fmt.Sprintf("the schema is larger than %d KiB; arguments are not checked", maxSchemaBytes>>10))}}
	}
	v.mu.Lock()
	c, ok := v.young[string(schema)]
	if !ok {
		if c, ok = v.old[string(schema)]; ok {
			v.keep(string(schema), c)
		}
	}
	v.mu.Unlock()
	if ok {
		return c
	}
	c = compile(schema)
	v.mu.Lock()
	v.keep(string(schema), c)
	v.mu.Unlock()
	return c
}

// keep remembers a compiled schema. When the young ones are many they become
// the old ones, and those that were old are forgotten.
func (v *Validator) keep(schema string, c *compiled) {
	const most, mostBytes = 128, 4 << 20
	if len(v.young) >= most || v.youngBytes+len(schema) > mostBytes {
		v.old, v.young, v.youngBytes = v.young, map[string]*compiled{}, 0
	}
	v.young[schema] = c
	v.youngBytes += len(schema)
}
