package model

import (
	"caliper/model/safetext"
	"caliper/model/words"
)

// Note is one thing that a schema says beside what Schema has fields for, or
// one thing that is odd about it.
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
func (n Note) String() string { return words.Message(n.text()) }

func (n Note) text() string {
	switch n.Kind {
	case NoteKeyword:
		return safetext.Line(n.Name) + ": " + n.Value
	case NoteNotSchema:
		return "not a schema: " + n.Value
	case NoteTooDeep:
		return "too deep to show: " + words.CountOf(n.Bytes, "byte", "bytes")
	case NoteUnknownType:
		return "unknown type: " + quoted(n.Name)
	case NoteRequired:
		return "required: " + quoted(n.Name)
	case NoteUndefinedRequired:
		return "required: " + quoted(n.Name) + " is not among the properties"
	case NoteExternalReference:
		return "unresolved: " + errExternal.Error()
	case NoteDanglingReference:
		return "unresolved: " + errDangling.Error()
	}
	return n.Value
}

// NoteTexts returns the notes of a node as text.
func (s *Schema) NoteTexts() []string {
	out := make([]string, len(s.Notes))
	for i, n := range s.Notes {
		out[i] = n.String()
	}
	return out
}
