// Package mcptool writes a tool as a server of MCP lists it, so that the clients of today
// take it: with what its own server says of it, and with schemas that they can read.
//
// The TypeScript SDK, and clients built on it, read a list of tools as a whole. One
// member of one tool that is not as its types say, and it has no tools. What it refuses
// was tried with @modelcontextprotocol/sdk 1.32.2 (from 1.22 on) and
// @modelcontextprotocol/client 2.4.0 (2026-11): a schema that is not an object, or whose type
// is not "object"; properties that are not an object; required that is not a list of texts; in
// 1.x also a property whose schema is true, false or null, and an outputSchema that its
// validator cannot compile; in 2.x also a $schema that is not a text. It reads the root of a
// schema alone, so that the parts further in stay as they are.
//
// Example: the parameters {"anyOf":[...],"properties":{"id":true},"required":null} are
// listed as {"anyOf":[...],"properties":{"id":{}},"type":"object"}, which take the same
// arguments.
//
// Invariants:
//   - a schema that clients take keeps its bytes;
//   - arguments that fit a schema fit the one listed in its place;
//   - a member that is left out or changed is a Change.
//
// Non-goals: what providers of models take, and the schema that arguments are checked
// against, which stays the tool's own.
package mcptool

import "cmp"

// Change is something that is not listed as the tool's server says it.
type Change struct {
	Kind   Kind
	Member string // of the tool: inputSchema, outputSchema, title, annotations, icons, execution or _meta
	Name   string // of the property or hint that it is about; foreign text; empty for none
}

// Kind is the kind of a change.
type Kind string

// The kinds.
const (
	NoSchema    Kind = "no_schema"    // it is not an object; one that takes anything stands in its place
	RootType    Kind = "root_type"    // its type is not "object"; that is set
	RootRef     Kind = "root_ref"     // it is a reference; what it leads to stands in its place
	Properties  Kind = "properties"   // they are not an object, and left out
	Property    Kind = "property"     // its schema is not an object; one that takes the same stands in its place
	Required    Kind = "required"     // it is not a list of names; the names in it stay
	Dialect     Kind = "dialect"      // $schema is not a text, and left out
	Header      Kind = "header"       // of a property, which MCP does not take; it is left out
	NotObject   Kind = "not_object"   // an outputSchema of no object, left out
	NotCompiled Kind = "not_compiled" // an outputSchema that clients cannot compile, left out
	BadMember   Kind = "bad_member"   // a member of another type than MCP has, left out
)

// Message returns the change in words, and the listed form; Name is not made safe.
func (c Change) Message() string {
	instead := map[Kind]string{
		NoSchema: "one that takes anything is listed", RootType: `"object" is listed`, RootRef: "what it leads to is listed", Properties: "none are listed",
		Property: "an object that takes the same is listed", Required: "the names in it are listed",
		Dialect: "none is listed", Header: "none is listed", NotObject: "none is listed", NotCompiled: "none is listed", BadMember: "it is not listed",
	}[c.Kind]
	if c.Kind == NoSchema && c.Member == outputSchema {
		instead = "none is listed"
	}
	return c.Fault() + ": " + instead
}

// Fault returns the form that clients do not take; Name is not made safe.
func (c Change) Fault() string {
	switch c.Kind {
	case NoSchema:
		return c.Member + " is not an object"
	case RootType:
		return c.Member + ` has another type than "object", or none`
	case RootRef:
		return c.Member + " is a $ref"
	case Properties:
		return c.Member + " has properties that are not an object"
	case Property:
		return c.Member + " has a property whose schema is not an object, " + c.Name
	case Required:
		return c.Member + " has a required that is not a list of names"
	case Dialect:
		return c.Member + " has a $schema that is not a text"
	case Header:
		return c.Member + " has an " + HeaderMark + " that MCP 2026-07-28 does not take, of " + cmp.Or(c.Name, "the root")
	case NotObject:
		return c.Member + " is not that of an object"
	case NotCompiled:
		return c.Member + " cannot be compiled by clients"
	}
	if c.Name != "" {
		return c.Member + " has a " + c.Name + " of another type than MCP has"
	}
	return c.Member + " is of another type than MCP has"
}
