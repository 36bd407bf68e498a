// Package export writes tool definitions in the formats of other programs: the tools
// of a request to OpenAI, Anthropic, Gemini or Bedrock, an MCP tools/list result, or
// a registry dump.
//
// Example: the annotations of an MCP tool are a member of its entry in a tools/list
// result; no provider has a place for them, so that they are in the list of Lost.
//
// Invariants:
//   - nothing is lost without an entry: what a shape cannot hold, and what its
//     provider would refuse, is listed for each tool
//   - package model reads from an export the tools that it holds
//   - the order of the tools, the digits of numbers and the order of members
//     stay; the same tools give the same bytes
//
// Cost: one pass over each definition for its form, and one for its limits.
//
// Non-goals: choosing tools, changing names so that a provider takes them,
// writing files, calling providers.
//
// # Limits
//
// This package has what providers and clients take of tool definitions: one table,
// and the checks that read it. Package lint, the gate of a change, the exports and what
// is served or imported all ask it, so that what one of them refuses the others say.
//
// Limits returns the table. A row has who refuses or cuts, what it is about, since when
// that is known, and where it was read. Breaches returns the rows that one definition
// breaks, RequestBreaches those that the tools of one request break. What MCP's TypeScript
// SDK takes is decided where a listing for it is written (see Listings for MCP).
//
// Example: {"type":"object","anyOf":[...]} as parameters is a Breach of the rows RuleRoot of
// OpenAI, of Anthropic and of Claude on Bedrock; the same anyOf in a property is no
// breach.
//
// Invariants:
//   - a breach is of a row, and a row without a check is one that somebody reads by Most
//   - what a listing for MCP changes of a definition is a breach, but for a reference at
//     the top, which is another's, and a type that is missing, which most writers add
//   - the same definition gives the same breaches in the order of the table
//
// Cost: one pass over the top of the parameters; a tree of them where they may hold an
// array, and of the schema of the output.
//
// Non-goals: mending definitions, what a model makes of them, limits of whole requests in
// tokens or bytes.
//
// # Listings for MCP
//
// This package also writes a tool as a server of MCP lists it, so that the clients of today
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
package export

import (
	"fmt"

	"caliper/model/words"
)

// Shape is the form in which tools are written.
type Shape string

// The shapes.
const (
	AsOpenAI    Shape = "openai"    // tools of chat completions: [{"type":"function","function"}]
	AsAnthropic Shape = "anthropic" // tools of messages: [{"name","description","input_schema"}]
	AsGemini    Shape = "gemini"    // tools of generateContent: [{"functionDeclarations":[{"parametersJsonSchema"}]}]
	AsBedrock   Shape = "bedrock"   // {"toolConfig":{"tools":[{"toolSpec"}]}} of Converse
	AsMCP       Shape = "mcp"       // result of tools/list: {"tools":[{"name","description","inputSchema"}]}
	AsHermes    Shape = "hermes"    // registry dump: {"toolsets","tools"}
)

// Shapes returns every shape.
func Shapes() []Shape { return []Shape{AsOpenAI, AsAnthropic, AsGemini, AsBedrock, AsMCP, AsHermes} }

// ParseShape returns the shape of a name. Names are exact.
func ParseShape(name string) (Shape, error) {
	var names []string
	for _, s := range Shapes() {
		if string(s) == name {
			return s, nil
		}
		names = append(names, string(s))
	}
	return "", fmt.Errorf("want %s", words.Or(names))
}

// providers are the names of who reads a shape, for messages.
var providers = map[Shape]string{AsOpenAI: OpenAI, AsAnthropic: Anthropic, AsGemini: Gemini, AsBedrock: Bedrock, AsMCP: "MCP", AsHermes: "a registry dump"}

// limiters are those whose limits are about a shape; nobody's are about a registry dump.
var limiters = map[Shape][]string{AsOpenAI: {OpenAI}, AsAnthropic: {Anthropic}, AsGemini: {Gemini}, AsBedrock: {Bedrock, Claude}, AsMCP: {VSCode, MCPSDK}}
