package model

import (
	"slices"
	"strconv"
	"strings"

	"caliper/model/jsontree"
	"caliper/model/safetext"
)

// facts decide the kind of a schema, and are gathered while its keywords
// are read, because they may come in any order.
type facts struct {
	types      []string // of "type", safe
	nullable   bool     // OpenAPI's "nullable": true
	constant   bool     // has "const"
	object     bool     // has keywords of objects
	items      *Schema  // of every element of an array
	tuple      []string // kinds of the first elements of an array
	union      string   // the first of anyOf, oneOf, allOf
	branches   []string // kinds of its schemas
	required   []string
	properties map[string]*Schema
}

// note takes in a child that is the value of a keyword.
func (f *facts) note(keyword string, child *Schema) {
	switch {
	case child == nil:
	case keyword == "items":
		f.items = child
	case keyword == "additionalProperties":
		f.object = true
	}
}

// noteListed takes in a child that is an element of a keyword's value.
func (f *facts) noteListed(keyword string, child *Schema) {
	switch {
	case child == nil:
	case keyword == "items" || keyword == "prefixItems":
		f.tuple = append(f.tuple, child.Kind)
	case f.union == "" || f.union == keyword:
		f.union = keyword
		f.branches = append(f.branches, child.Kind)
	}
}

// property takes in a property.
func (f *facts) property(name string, child *Schema) {
	if f.properties == nil {
		f.properties = map[string]*Schema{}
	}
	f.properties[name] = child
}

// setTypes takes in the value of "type". It reports false if that is neither a
// string nor an array of strings.
func (f *facts) setTypes(s *Schema, v jsontree.Value) bool {
	types, ok := stringsOf(v)
	if v.IsString() {
		types, ok = []string{v.Text()}, true
	}
	if !ok {
		return false
	}
	for _, t := range types {
		safe := safetext.Line(t)
		switch t {
		case "array", "boolean", "integer", "null", "number", "object", "string":
		case "any":
		default:
			s.note(Note{Kind: NoteUnknownType, Name: t})
		}
		f.types = append(f.types, safe)
	}
	return true
}

// markRequired marks the properties that are required, and notes the names
// that no property has. A schema that says nothing about properties, such as a
// branch of anyOf, names another one's.
func (f *facts) markRequired(s *Schema) {
	about := f.object || slices.Contains(f.types, "object")
	for _, name := range f.required {
		switch child := f.properties[name]; {
		case child != nil:
			child.Required = true
		case about:
			s.note(Note{Kind: NoteUndefinedRequired, Name: name})
		default:
			s.note(Note{Kind: NoteRequired, Name: name})
		}
	}
}

// kind returns Schema.Kind.
func (f *facts) kind(s *Schema) string {
	kind := f.plainKind(s)
	if f.nullable && kind != "any" && kind != "null" && !strings.HasSuffix(kind, "|null") {
		return parenthesized(kind) + "|null"
	}
	return kind
}

func (f *facts) plainKind(s *Schema) string {
	if s.Ref != "" {
		return "ref " + safetext.Line(s.Ref)
	}
	var kinds []string
	for _, t := range f.types {
		if t == "array" {
			t = f.arrayKind()
		}
		kinds = append(kinds, t)
	}
	switch {
	case len(kinds) == 1:
		return kinds[0]
	case len(kinds) > 1:
		for i := range kinds {
			kinds[i] = parenthesized(kinds[i])
		}
		return strings.Join(kinds, "|")
	case f.items != nil || f.tuple != nil:
		return f.arrayKind()
	case f.constant:
		return "const"
	case s.Enum != nil:
		return "enum"
	case f.union != "":
		return f.unionKind()
	case f.object:
		return "object"
	}
	return "any"
}

// maxKind is the length from which on a composed kind is cut to its outer
// part. The children tell the rest.
const maxKind = 60

// arrayKind returns the kind of an array, by its elements.
func (f *facts) arrayKind() string {
	kind := "array"
	switch {
	case f.tuple != nil:
		kind = "array of [" + strings.Join(f.tuple, ", ") + "]"
		if len(kind) > maxKind {
			kind = "array of " + strconv.Itoa(len(f.tuple)) + " elements"
		}
	case f.items != nil && f.items.Kind != "any":
		kind = "array of " + parenthesized(f.items.Kind)
		if len(kind) > maxKind {
			kind = "array"
		}
	}
	return kind
}

// unionKind returns the kind of a schema that is no more than a choice: the
// kinds of its branches if these are single words.
func (f *facts) unionKind() string {
	words := map[string]string{"allOf": "all of ", "anyOf": "any of ", "oneOf": "one of "}
	short := words[f.union] + strconv.Itoa(len(f.branches))
	if f.union == "allOf" {
		return short
	}
	var kinds []string
	for _, kind := range f.branches {
		if strings.ContainsAny(kind, " ") {
			return short
		}
		if !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	if joined := strings.Join(kinds, "|"); joined != "" && len(joined) <= maxKind {
		return joined
	}
	return short
}

// parenthesized puts a kind of several words or alternatives in parentheses
// where it becomes part of another.
func parenthesized(kind string) string {
	if strings.Contains(kind, "|") {
		return "(" + kind + ")"
	}
	return kind
}
