package model

import (
	"io"

	"caliper/model/jsontree"
)

// Schema is one node of a parameter schema, ready to be drawn as a tree. A node
// is a schema, or a group such as $defs that holds schemas under names. All
// its text is safe for a terminal but for Ref and Pointer, which are kept as
// they stand in the source.
type Schema struct {
	Key         string    // property name, or keyword such as items, oneOf[1], $defs; "parameters" for the root
	Property    bool      // Key is the name of a property, not a keyword
	Kind        string    // such as string, array of string, string|null, enum, any, never, ref #/$defs/x; "" for a group
	Required    bool      // the parent requires this property
	Description string    // may have several lines
	Enum        []string  // the values as JSON, numbers and strings as written
	Notes       []Note    // every other keyword, and oddities of the schema
	Ref         string    // what $ref says
	Children    []*Schema // in source order; references are not followed
	Pointer     string    // JSON pointer (RFC 6901) from the root, which is ""

	document *schemaDocument
}

// MaxSchemaDepth is how many schemas may stand in each other for everything that
// walks over them: the tree ends there with a note of what lies deeper, and
// types are read, written and checked no deeper. No schema that a person reads
// comes near it, and no interface takes one.
const MaxSchemaDepth = 200

// ParseSchema reads a JSON schema of any draft into a tree, in one pass. What
// it does not know it keeps as notes, and what does not make sense it tells in
// notes: only text that is not one JSON value is an error, a Diagnostic. No
// text at all, as in a tool without parameters, is a root of kind "none".
func ParseSchema(raw []byte) (*Schema, error) {
	t := jsontree.NewText(raw)
	if len(t.Data) == 0 {
		return &Schema{Key: "parameters", Kind: "none", document: newSchemaDocument()}, nil
	}
	s, err := readSchema(t)
	if jsontree.IsSyntax(err) {
		t, _ = t.Repair()
		s, err = readSchema(t)
	}
	switch f := err.(type) {
	case nil:
		return s, nil
	case jsontree.Fault:
		return nil, DiagnosticAt(Source{}, jsontree.NewLines(raw), f)
	}
	f := jsontree.FindFault(t.Data)
	f.At = t.Origin(f.At)
	return nil, DiagnosticAt(Source{}, jsontree.NewLines(raw), f)
}

// readSchema reads a text strictly. Its error is a finding or a syntax error.
func readSchema(t *jsontree.Text) (*Schema, error) {
	d := newSchemaDocument()
	r := schemaReader{jsontree.NewCursor(t.Data, 0), d}
	root, err := r.schema("parameters", "", 0)
	if err != nil {
		return nil, err
	}
	second, err := r.c.Value()
	switch {
	case err == nil:
		return nil, jsontree.Fault{At: t.Origin(second.At), Code: "json_syntax", Message: "more than one value"}
	case err != io.EOF:
		return nil, err
	}
	d.noteUnresolved()
	return root, nil
}
