// Package limits has what providers and clients take of tool definitions: one table,
// and the checks that read it. Package lint, the gate of a change, the exports and what
// is served or imported all ask here, so that what one of them refuses the others say.
//
// Rows returns the table. A row has who refuses or cuts, what it is about, since when
// that is known, and where it was read. Check returns what rows say of one definition,
// Request what they say of the tools of one request. What MCP's TypeScript SDK takes is
// decided by package mcptool, which writes for it what it takes in its place.
//
// Example: {"type":"object","anyOf":[...]} as parameters is a Breach of the rows Root of
// OpenAI, of Anthropic and of Claude on Bedrock; the same anyOf in a property is none.
//
// Invariants:
//   - a breach is of a row, and a row without a check is one that somebody reads by Most
//   - what package mcptool changes of a definition is a breach, but for a reference at the
//     top, which is another's, and a type that is missing, which most writers add
//   - the same definition gives the same breaches in the order of the table
//
// Cost: one pass over the top of the parameters; a tree of them where they may hold an
// array, and of the schema of the output.
//
// Non-goals: mending definitions, what a model makes of them, limits of whole requests in
// tokens or bytes.
package limits

import (
	"slices"

	"caliper/model"
)

// Rule is the subject of a limit.
type Rule string

// The rules.
const (
	Tools        Rule = "tools a request"
	Name         Rule = "name"
	Together     Rule = "server and tool name"
	Root         Rule = "top of the parameters"
	RootType     Rule = "type of the parameters"
	Members      Rule = "members of a schema"
	Beside       Rule = "what is said besides"
	Keys         Rule = "names of parameters"
	Items        Rule = "arrays without items"
	Enum         Rule = "enum, strict"
	Output       Rule = "output schema"
	Description  Rule = "description"
	Instructions Rule = "server's instructions"
	Deferral     Rule = "deferral"
	Cache        Rule = "cache of deferred tools"
)

// Effect is the consequence of a breach.
type Effect string

// The effects.
const (
	Refused Effect = "the request is refused"
	Dropped Effect = "no tool of the server is taken"
	LeftOut Effect = "the tool is left out"
	Cut     Effect = "the rest is cut off"
	Advised Effect = "it is advised against"
)

// Row is a limit of a provider or a client.
type Row struct {
	Who    string
	Rule   Rule
	Limit  string   // in words
	Most   int      // where the limit is a number; 0 for none
	Words  []string // keywords that are not taken, of Root
	Effect Effect
	Source string
	Date   string // month in which it was read
}

// The names of who has limits, besides those of model.NameRules.
const (
	OpenAI    = "OpenAI"
	Anthropic = "Anthropic"
	Gemini    = "Gemini"
	Bedrock   = "Bedrock"
	Claude    = "Claude on Bedrock"
	VSCode    = "VS Code"
	ClaudeApp = "Claude Code"
	Cursor    = "Cursor"
	MCPSDK    = "MCP's TypeScript SDK"

	OpenAIProtocol = "what speaks OpenAI's protocol"
)

// rows is the table but for the names.
var rows = []Row{
	{OpenAI, Tools, "128", 128, nil, Refused, "API reference, chat completions, tools; openai/openai-openapi#76", "2026-11"},
	{Gemini, Tools, "512", 512, nil, Refused, "google-gemini/gemini-cli#19083, #25440", "2026-04"},

	{Cursor, Together, "59 characters", 59, nil, LeftOut, "ComposioHQ/composio#2788, PostHog/posthog#51483", "2026-03"},

	{OpenAI, Root, "no anyOf, oneOf, allOf, enum, const, not, $ref", 0, []string{"anyOf", "oneOf", "allOf", "enum", "const", "not", "$ref"}, Refused,
		"error invalid_function_parameters; goruck/home-generative-agent#545", "2026-08"},
	{Anthropic, Root, "no anyOf, oneOf, allOf", 0, []string{"anyOf", "oneOf", "allOf"}, Refused, "anthropics/claude-code#40075, anomalyco/opencode#37916", "2026-07"},
	{Claude, Root, "no anyOf, oneOf, allOf", 0, []string{"anyOf", "oneOf", "allOf"}, Refused, "anthropics/claude-code#5973; the same on Vertex", "2026-07"},

	{OpenAI, RootType, "object, and no list", 0, nil, Refused, "error invalid_function_parameters; langchain-ai/langchainjs#9804", "2026-08"},
	{Anthropic, RootType, "object, and no list", 0, nil, Refused, "API reference, messages, tools[].input_schema.type", "2026-11"},
	{Gemini, RootType, "object, and no list", 0, nil, Refused, "Vertex AI REST reference, FunctionDeclaration.parametersJsonSchema", "2026-11"},
	{Bedrock, RootType, "object, and no list", 0, nil, Refused, "API reference, ToolInputSchema", "2026-11"},
	{MCPSDK, RootType, "object, and no list", 0, nil, Dropped, "@modelcontextprotocol/sdk 1.22.0 to 1.32.2, types.js, ToolSchema", "2026-11"},

	{MCPSDK, Members, "properties is an object of objects, required a list of texts", 0, nil, Dropped, "@modelcontextprotocol/sdk 1.22.0 to 1.32.2, types.js, ToolSchema", "2026-11"},
	{MCPSDK, Beside, "title, icons, annotations, execution and _meta have the types of MCP", 0, nil, Dropped, "@modelcontextprotocol/sdk 1.22.0 to 1.32.2, types.js, ToolSchema", "2026-11"},

	{Anthropic, Keys, "^[a-zA-Z0-9_.-]{1,64}$, at the top", 64, nil, Refused, "beautyfree/appstore-connect-mcp#2, ComposioHQ/composio#3067", "2026-04"},
	{Claude, Keys, "^[a-zA-Z0-9_.-]{1,64}$, at the top", 64, nil, Refused, "aws-solutions-library-samples, accelerated-intelligent-document-processing-on-aws#709", "2026-08"},

	{OpenAI, Items, "items is there", 0, nil, Refused, "error invalid_function_parameters: array schema missing items", "2026-11"},
	{VSCode, Items, "items is there", 0, nil, LeftOut, "its validation of tools: array type must have items", "2026-11"},

	{OpenAI, Enum, "1,000 values in all, 15,000 characters in one of more than 250", 1000, nil, Refused, "developers.openai.com, Structured outputs, supported schemas", "2026-11"},

	{MCPSDK, Output, "type object, members as those of the parameters, and Ajv compiles it", 0, nil, Dropped, "modelcontextprotocol/typescript-sdk#1175, google-labs-code/stitch-sdk#367", "2026-08"},

	{OpenAIProtocol, Description, "1,024 characters", 1024, nil, Advised, "getsentry/sentry-mcp#106; OpenAI itself takes more since run-llama/llama_index#18784", "2025-05"},
	{ClaudeApp, Description, "2,048 characters", 2048, nil, Cut, "anthropics/claude-code#87650, version 2.1.234", "2026-08"},
	{ClaudeApp, Instructions, "2,048 characters", 2048, nil, Cut, "anthropics/claude-code#81268, version 2.1.220", "2026-07"},

	{Anthropic, Deferral, "one tool is not deferred", 0, nil, Refused, "eclipse-theia/theia#17254; the search tool may be it", "2026-08"},
	{Anthropic, Cache, "no cache_control beside defer_loading", 0, nil, Refused, "router-for-me/CLIProxyAPI#4561, Wei-Shaw/sub2api#4990", "2026-07"},
}

// Rows returns the table.
func Rows() []Row {
	out := slices.Clone(rows[:2])
	for _, r := range model.NameRules {
		row := Row{Who: r.Provider, Rule: Name, Limit: r.String(), Most: r.Longest, Effect: Refused, Source: r.Source, Date: "2026-11"}
		if r.Advice {
			row.Effect = Advised
		}
		out = append(out, row)
	}
	return append(out, rows[2:]...)
}

// Most returns the number of a rule of who has it, 0 for none.
func Most(who string, about Rule) int {
	for _, r := range rows {
		if r.Who == who && r.Rule == about {
			return r.Most
		}
	}
	return 0
}
