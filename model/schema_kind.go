package model

import (
	"slices"
	"strconv"
	"strings"

	"caliper/model/safetext"
)

// facts decide the kind of a schema. Its keywords may come in any order.
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
		// The kind of a schema that is no more than a choice: the kinds of its branches if these are
		// single words.
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
	case f.object:
		return "object"
	}
	return "any"
}

// maxKind is the length from which on a composed kind is cut to its outer part.
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

// parenthesized puts alternatives in parentheses, where they become part of another kind.
func parenthesized(kind string) string {
	if strings.Contains(kind, "|") {
		return "(" + kind + ")"
	}
	return kind
}
