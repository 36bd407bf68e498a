// Package modeltest holds what the tests of several packages below model share:
// a generator of random schemas, and the promises that every schema tree keeps.
package modeltest

import (
	"slices"
	"strings"

	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/safetext"

	"pgregory.net/rapid"
)

// CheckSchema fails if a tree breaks a promise of model.Schema.
func CheckSchema(t interface{ Fatalf(string, ...any) }, s *model.Schema) {
	for _, line := range append(append([]string{s.Key, s.Kind}, s.Enum...), s.NoteTexts()...) {
		if safetext.Line(line) != line {
			t.Fatalf("%s: unsafe text %q", s.Pointer, line)
		}
	}
	if safetext.Lines(s.Description) != s.Description {
		t.Fatalf("%s: unsafe description %q", s.Pointer, s.Description)
	}
	if s.Key == "" {
		t.Fatalf("%s: no key", s.Pointer)
	}
	if s.Ref != "" {
		target, err := s.Resolve(s.Ref)
		if (err == nil) != (target != nil) {
			t.Fatalf("%s: %v, %v", s.Pointer, target, err)
		}
		if unresolved := slices.ContainsFunc(s.Notes, func(n model.Note) bool {
			return n.Kind == model.NoteExternalReference || n.Kind == model.NoteDanglingReference
		}); unresolved != (err != nil) {
			t.Fatalf("%s: reference %q, error %v, notes %q", s.Pointer, s.Ref, err, s.Notes)
		}
	}
	for _, child := range s.Children {
		if !strings.HasPrefix(child.Pointer, s.Pointer+"/") {
			t.Fatalf("%s is a child of %s", child.Pointer, s.Pointer)
		}
		CheckSchema(t, child)
	}
}

// keywords and words are what random schemas are made of.
var (
	keywords = []string{"type", "properties", "items", "required", "enum", "anyOf", "allOf", "$ref", "$defs", "description", "not", "prefixItems", "additionalProperties", "x-note", "a", "b", "", "$id", "$anchor", "nullable", "dependencies"}
	words    = []string{`"object"`, `"string"`, `"array"`, `"a"`, `"#/properties/a"`, `"#/$defs/b"`, `"#"`, `"#/x-note/a"`, `"\u001b[0m"`, `1.50`, `true`, `false`, `null`}
)

// RandomJSON draws a JSON value that looks much like a schema.
func RandomJSON(t *rapid.T, depth int) string {
	if depth == 0 || rapid.IntRange(0, 3).Draw(t, "leaf") == 0 {
		return rapid.SampledFrom(words).Draw(t, "word")
	}
	n := rapid.IntRange(0, 4).Draw(t, "n")
	var parts []string
	if rapid.IntRange(0, 3).Draw(t, "array") == 0 {
		for range n {
			parts = append(parts, RandomJSON(t, depth-1))
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	for range n {
		parts = append(parts, string(jsontree.AppendQuoted(nil, rapid.SampledFrom(keywords).Draw(t, "key")))+":"+RandomJSON(t, depth-1))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
