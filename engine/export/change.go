package export

import "cmp"

// Change is something that is not listed as the tool's server says it.
type Change struct {
	Kind   ChangeKind
	Member string // of the tool: inputSchema, outputSchema, title, annotations, icons, execution or _meta
	Name   string // of the property or hint that it is about; foreign text; empty for none
}

// ChangeKind is the kind of a change.
type ChangeKind string

// The kinds.
const (
	changeNoSchema    ChangeKind = "no_schema"    // a schema that is not an object: one that takes anything is listed
	changeRootType    ChangeKind = "root_type"    // a schema whose type is not "object": its type is set
	changeRootRef     ChangeKind = "root_ref"     // a schema that is a reference: the schema that it leads to is listed
	changeProperties  ChangeKind = "properties"   // properties that are not an object: they are left out
	changeProperty    ChangeKind = "property"     // a property whose schema is true or false: an object that takes the same is listed
	changeRequired    ChangeKind = "required"     // a required that is not a list of names: the names in it are listed
	changeDialect     ChangeKind = "dialect"      // $schema is not a text, and left out
	changeHeader      ChangeKind = "header"       // of a property, which MCP does not take; it is left out
	changeNotObject   ChangeKind = "not_object"   // an outputSchema of no object, left out
	changeNotCompiled ChangeKind = "not_compiled" // an outputSchema that clients cannot compile, left out
	changeMisread     ChangeKind = "misread"      // an outputSchema by which clients refuse right results, left out
	changeBadMember   ChangeKind = "bad_member"   // a member of another type than MCP has, left out
)

// Message returns the change in words, and the listed form; Name is not made safe.
func (c Change) Message() string {
	instead := map[ChangeKind]string{
		changeNoSchema: "one that takes anything is listed", changeRootType: `"object" is listed`, changeRootRef: "what it leads to is listed", changeProperties: "none are listed",
		changeProperty: "an object that takes the same is listed", changeRequired: "the names in it are listed",
		changeDialect: "none is listed", changeHeader: "none is listed", changeNotObject: "none is listed", changeNotCompiled: "none is listed", changeMisread: "none is listed", changeBadMember: "it is not listed",
	}[c.Kind]
	if c.Kind == changeNoSchema && c.Member == outputSchema {
		instead = "none is listed"
	}
	return c.Fault() + ": " + instead
}

// Fault returns the form that clients do not take; Name is not made safe.
func (c Change) Fault() string {
	switch c.Kind {
	case changeNoSchema:
		return c.Member + " is not an object"
	case changeRootType:
		return c.Member + ` has another type than "object", or none`
	case changeRootRef:
		return c.Member + " is a $ref"
	case changeProperties:
		return c.Member + " has properties that are not an object"
	case changeProperty:
		return c.Member + " has a property whose schema is not an object, " + c.Name
	case changeRequired:
		return c.Member + " has a required that is not a list of names"
	case changeDialect:
		return c.Member + " has a $schema that is not a text"
	case changeHeader:
		return c.Member + " has an " + HeaderMark + " that MCP 2026-07-28 does not take, of " + cmp.Or(c.Name, "the root")
	case changeNotObject:
		return c.Member + " is not that of an object"
	case changeNotCompiled:
		return c.Member + " cannot be compiled by clients"
	case changeMisread:
		return c.Member + " refuses right results where it is read by draft 7, as TypeScript clients of 1.x do"
	}
	if c.Name != "" {
		return c.Member + " has a " + c.Name + " of another type than MCP has"
	}
	return c.Member + " is of another type than MCP has"
}
