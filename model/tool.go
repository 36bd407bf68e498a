package model

import (
	"crypto/sha256"
	"slices"

	"caliper/model/jsontree"
	"caliper/model/safetext"
)

// Hash identifies the content of a tool definition: the first 16 bytes of the SHA-256 of the
// function object. White space counts. It is stable across processes.
type Hash [16]byte

// NoToolset is the toolset of the tools whose definitions name none, that no toolset lists and
// whose source has none for them.
const NoToolset = "(none)"

// Tool is one tool definition of a registry. The plain fields are untrusted text as the model is
// sent it, which is never drawn; those called Shown are the same made safe by safetext.Line.
type Tool struct {
	Name        string // as the model sees it; may be borne by several tools
	Qualified   string // unique in the registry: Name, or toolset/name when Name is not unique
	Description string
	Function    []byte    // the model-facing function object, raw JSON in source order; valid UTF-8, no repeated names
	Envelope    *Envelope // the members sent around Function; nil when that is no more than its type
	Parameters  []byte    // the parameter schema, a slice of Function; nil when absent, null or not an object

	ShownName string // Qualified, safe for a terminal

	Toolset      string   // the one the definition names, else the first that lists the tool, else the one that its name tells, else the source's, else NoToolset
	Texts        *Toolset // of that name, with its texts; nil where no registry has the tool
	Server       string   // MCP server, when the source says
	OriginalName string   // name at the server, when the source says
	Hint         string   // words that Claude Code alone searches (_meta anthropic/searchHint); no model sees them
	Deferred     bool     // the source marks the definition as loaded on demand
	Always       bool     // the source marks the definition as always sent, as Claude Code's alwaysLoad
	Available    bool     // false when its availability check failed by the dump
	TaskOnly     bool     // it runs only as a task by its source (execution.taskSupport: required), not by a plain call
	Operation    bool     // made of an operation of an API, which says in its own words what a tool says; Function is compact then

	Override string // where the description stands that replaces the tool's own, as file:line:col, safe for a terminal; empty: it is its own

	Hash  Hash // zero where it is not known yet: Content returns it
	Index int  // position in Registry.Tools
	At    Offset
}

// ShownToolset returns the name of the toolset, safe for a terminal.
func (t *Tool) ShownToolset() string { return safetext.Line(t.Toolset) }

// ShownDescription returns the description, safe for a terminal.
func (t *Tool) ShownDescription() string { return safetext.Line(t.Description) }

// Content returns the hash of the function object and the members sent around it, which it
// computes unless t has it.
func (t *Tool) Content() Hash {
	if t.Hash != (Hash{}) {
		return t.Hash
	}
	sum := sha256.Sum256(t.Function)
	if e := t.Envelope; e != nil {
		sum = sha256.Sum256(slices.Concat(sum[:], []byte(e.Before), []byte{0}, []byte(e.After)))
	}
	return Hash(sum[:])
}

// Offset is the place of a definition in the sources of a registry.
type Offset struct {
	Source int   // index into Registry.Sources
	Byte   int64 // offset of the definition's first byte
}

// Toolset is a named group: of the tools that name it, that it lists, and of what it includes.
type Toolset struct {
	Name         string
	ShownName    string
	Title        string
	Description  string
	Source       string   // builtin, mcp or plugin, as the dump says; may be empty
	Server       string   // MCP server whose bare name is an alias of the toolset; never empty for one called mcp-SERVER
	Instructions string   // the server's instructions, raw
	Tools        []string // the names that it lists; it may have other tools, which name it
	Includes     []string // names of other toolsets
}

// PropertyNames returns the names of t's top-level parameters in the order of the schema, as the
// model sees them, unsafe for a terminal. They are found by quotes and brackets, since Parameters
// are valid JSON; of a Tool made by hand with other bytes the result is some of its names.
func (t *Tool) PropertyNames() []string { return t.AppendPropertyNames(nil) }

// AppendPropertyNames appends what PropertyNames returns, for those who ask many tools.
func (t *Tool) AppendPropertyNames(names []string) []string {
	t.EachPropertyName(func(name []byte) { names = append(names, string(name)) })
	return names
}

// EachPropertyName calls visit with each name, which may share the memory of Parameters.
func (t *Tool) EachPropertyName(visit func(name []byte)) {
	s := jsontree.Skimmer{Data: t.Parameters}
	s.Members(func(name []byte) {
		if string(name) != `"properties"` || s.Peek() != '{' {
			s.Skip()
			return
		}
		s.Members(func(name []byte) {
			visit(jsontree.Unquote(name))
			s.Skip()
		})
	})
}

// Envelope is the text around the function object in a definition as it is sent.
type Envelope struct{ Before, After string }

// plainEnvelope is the envelope of a definition with nothing but type and function.
var plainEnvelope = Envelope{`{"type":"function","function":`, `}`}

// Around returns the raw JSON that is sent before and behind Function.
func (t *Tool) Around() (before, after string) {
	if t.Envelope == nil {
		return plainEnvelope.Before, plainEnvelope.After
	}
	return t.Envelope.Before, t.Envelope.After
}
