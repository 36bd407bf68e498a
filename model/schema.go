package model

import (
	"io"

	"caliper/model/jsontree"
	"caliper/model/safetext"
	"caliper/model/words"
)

// Schema is one node of a parameter schema as a tree: a schema, or a group such as $defs that
// holds schemas under names. All its text is safe for a terminal but for Ref and Pointer.
type Schema struct {
	Key         string    // property name, or keyword such as items, oneOf[1], $defs; "parameters" for the root
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

// MaxSchemaDepth is how many schemas may stand in each other: the tree ends there with a note, and
// types are read, written and checked no deeper.
const MaxSchemaDepth = 200

// ParseSchema reads a JSON schema of any draft into a tree. What it does not know or makes no
// sense is in notes: only text that is not one JSON value is an error, a Diagnostic. No text, as
// in a tool without parameters, is a root of kind "none".
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

// Subschemas says where a keyword of a schema keeps other schemas. A keyword
// may keep them in more than one way; 0 stands for a keyword that holds data.
type Subschemas uint8

// Where the schemas are.
const (
	OneSchema    Subschemas = 1 << iota // the value is a schema
	SchemaList                          // the value is an array of schemas
	NamedSchemas                        // the value is an object of schemas

	boolNode // a schema that is true or false is worth a node in a tree
)

// subschemas holds the keywords of JSON Schema, drafts 4 to 2020-12, and of
// OpenAPI that keep schemas. All else in a schema is data.
var subschemas = map[string]Subschemas{
	"additionalItems":       OneSchema,
	"additionalProperties":  OneSchema,
	"unevaluatedItems":      OneSchema,
	"unevaluatedProperties": OneSchema,
	"contains":              OneSchema | boolNode,
	"contentSchema":         OneSchema | boolNode,
	"else":                  OneSchema | boolNode,
	"if":                    OneSchema | boolNode,
	"items":                 OneSchema | boolNode | SchemaList,
	"not":                   OneSchema | boolNode,
	"propertyNames":         OneSchema | boolNode,
	"then":                  OneSchema | boolNode,
	"allOf":                 SchemaList,
	"anyOf":                 SchemaList,
	"oneOf":                 SchemaList,
	"prefixItems":           SchemaList,
	"$defs":                 NamedSchemas,
	"definitions":           NamedSchemas,
	"dependencies":          NamedSchemas, // or lists of names
	"dependentSchemas":      NamedSchemas,
	"patternProperties":     NamedSchemas,
	"properties":            NamedSchemas,
}

// SubschemasOf returns where a keyword keeps schemas.
func SubschemasOf(keyword string) Subschemas { return subschemas[keyword] &^ boolNode }

// Has reports whether schemas are kept in one of some ways.
func (s Subschemas) Has(ways Subschemas) bool { return s&ways != 0 }

// Note is something odd about a schema, or what it says beside Schema's fields.
type Note struct {
	Kind  NoteKind
	Name  string // raw: the keyword, the unknown type, or the required property
	Value string // the value as JSON in one line, safe for a terminal
	Bytes int    // of a schema that is too deep
}

// NoteKind is the subject of a Note.
type NoteKind uint8

// The kinds of notes, with the fields that they use.
const (
	NoteKeyword           NoteKind = iota // Name is a keyword with Value
	NoteValue                             // Value stands where a schema may
	NoteNotSchema                         // Value is neither an object nor true nor false
	NoteTooDeep                           // Bytes lie deeper than MaxSchemaDepth
	NoteUnknownType                       // Name is a type that JSON Schema does not have
	NoteRequired                          // Name is required, and the schema says nothing about its properties
	NoteUndefinedRequired                 // Name is required, and not among the properties
	NoteExternalReference                 // Ref leads out of the schema, and is not fetched
	NoteDanglingReference                 // Ref leads to nothing in the schema
)

// String returns the note in one line that is safe for a terminal.
func (n Note) String() string {
	text := n.Value
	switch n.Kind {
	case NoteKeyword:
		text = safetext.Line(n.Name) + ": " + n.Value
	case NoteNotSchema:
		text = "not a schema: " + n.Value
	case NoteTooDeep:
		text = "too deep to show: " + words.CountOf(n.Bytes, "byte", "bytes")
	case NoteUnknownType:
		text = "unknown type: " + quoted(n.Name)
	case NoteRequired:
		text = "required: " + quoted(n.Name)
	case NoteUndefinedRequired:
		text = "required: " + quoted(n.Name) + " is not among the properties"
	case NoteExternalReference:
		text = "unresolved: " + errExternal.Error()
	case NoteDanglingReference:
		text = "unresolved: " + errDangling.Error()
	}
	return words.Message(text)
}

// NoteTexts returns the notes of a node as text.
func (s *Schema) NoteTexts() []string {
	out := make([]string, len(s.Notes))
	for i, n := range s.Notes {
		out[i] = n.String()
	}
	return out
}
