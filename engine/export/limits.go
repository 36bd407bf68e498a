package export

import (
	"slices"

	"caliper/model"
)

// Rule is the subject of a limit.
type Rule string

// The rules.
const (
	RuleTools        Rule = "tools a request"
	RuleName         Rule = "name"
	RuleTogether     Rule = "server and tool name"
	RuleRoot         Rule = "top of the parameters"
	RuleRootType     Rule = "type of the parameters"
	RuleMembers      Rule = "members of a schema"
	RuleBeside       Rule = "what is said besides"
	RuleKeys         Rule = "names of parameters"
	RuleItems        Rule = "arrays without items"
	RuleEnum         Rule = "enum, strict"
	RuleOutput       Rule = "output schema"
	RuleDescription  Rule = "description"
	RuleInstructions Rule = "server's instructions"
	RuleDeferral     Rule = "deferral"
	RuleCache        Rule = "cache of deferred tools"
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

// Limit is a bound of a provider or a client.
type Limit struct {
	Who    string
	Rule   Rule
	Bound  string   // in words
	Most   int      // where the limit is a number; 0 for none
	Words  []string // keywords that are not taken, of RuleRoot
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

// limits is the table but for the names.
var limits = []Limit{
	{OpenAI, RuleTools, "128", 128, nil, Refused, "API reference, chat completions, tools; openai/openai-openapi#76", "2026-11"},
	{Gemini, RuleTools, "512", 512, nil, Refused, "google-gemini/gemini-cli#19083, #25440", "2026-04"},

	{Cursor, RuleTogether, "59 characters", 59, nil, LeftOut, "ComposioHQ/composio#2788, PostHog/posthog#51483", "2026-03"},
	{ClaudeApp, RuleTogether, "121, 128 with mcp__ and __", 121, nil, LeftOut, "measured on 2.1.332: it is never listed to the model, without a word", "2026-11"},

	{OpenAI, RuleRoot, "no anyOf, oneOf, allOf, enum, const, not, $ref", 0, []string{"anyOf", "oneOf", "allOf", "enum", "const", "not", "$ref"}, Refused,
		"error invalid_function_parameters; goruck/home-generative-agent#545", "2026-08"},
	{Anthropic, RuleRoot, "no anyOf, oneOf, allOf", 0, []string{"anyOf", "oneOf", "allOf"}, Refused, "anthropics/claude-code#40075, anomalyco/opencode#37916", "2026-07"},
	{Claude, RuleRoot, "no anyOf, oneOf, allOf", 0, []string{"anyOf", "oneOf", "allOf"}, Refused, "anthropics/claude-code#5973; the same on Vertex", "2026-07"},

	{OpenAI, RuleRootType, "object, and no list", 0, nil, Refused, "error invalid_function_parameters; langchain-ai/langchainjs#9804", "2026-08"},
	{Anthropic, RuleRootType, "object, and no list", 0, nil, Refused, "API reference, messages, tools[].input_schema.type", "2026-11"},
	{Gemini, RuleRootType, "object, and no list", 0, nil, Refused, "Vertex AI REST reference, FunctionDeclaration.parametersJsonSchema", "2026-11"},
	{Bedrock, RuleRootType, "object, and no list", 0, nil, Refused, "API reference, ToolInputSchema", "2026-11"},
	{MCPSDK, RuleRootType, "object, and no list", 0, nil, Dropped, "@modelcontextprotocol/sdk 1.22.0 to 1.32.2, types.js, ToolSchema", "2026-11"},

	{MCPSDK, RuleMembers, "properties is an object of objects, required a list of texts", 0, nil, Dropped, "@modelcontextprotocol/sdk 1.22.0 to 1.32.2, types.js, ToolSchema", "2026-11"},
	{MCPSDK, RuleBeside, "title, icons, annotations, execution and _meta have the types of MCP", 0, nil, Dropped, "@modelcontextprotocol/sdk 1.22.0 to 1.32.2, types.js, ToolSchema", "2026-11"},

	{Anthropic, RuleKeys, "^[a-zA-Z0-9_.-]{1,64}$, at the top", 64, nil, Refused, "beautyfree/appstore-connect-mcp#2, ComposioHQ/composio#3067", "2026-04"},
	{Claude, RuleKeys, "^[a-zA-Z0-9_.-]{1,64}$, at the top", 64, nil, Refused, "aws-solutions-library-samples, accelerated-intelligent-document-processing-on-aws#709", "2026-08"},
	{ClaudeApp, RuleKeys, "^[a-zA-Z0-9_.-]{1,64}$, at the top", 64, nil, LeftOut, "measured on 2.1.332: it is never listed to the model, without a word", "2026-11"},

	{OpenAI, RuleItems, "items is there", 0, nil, Refused, "error invalid_function_parameters: array schema missing items", "2026-11"},
	{VSCode, RuleItems, "items is there", 0, nil, LeftOut, "its validation of tools: array type must have items", "2026-11"},

	{OpenAI, RuleEnum, "1,000 values in all, 15,000 characters in one of more than 250", 1000, nil, Refused, "developers.openai.com, Structured outputs, supported schemas", "2026-11"},

	{MCPSDK, RuleOutput, "type object, members as those of the parameters, and Ajv compiles it", 0, nil, Dropped, "modelcontextprotocol/typescript-sdk#1175, google-labs-code/stitch-sdk#367", "2026-08"},

	{OpenAIProtocol, RuleDescription, "1,024 characters", 1024, nil, Advised, "getsentry/sentry-mcp#106; OpenAI itself takes more since run-llama/llama_index#18784", "2025-05"},
	{ClaudeApp, RuleDescription, "2,048 characters", 2048, nil, Cut, "anthropics/claude-code#87650, version 2.1.234", "2026-08"},
	{ClaudeApp, RuleInstructions, "2,048 characters", 2048, nil, Cut, "anthropics/claude-code#81268, version 2.1.220", "2026-07"},

	{Anthropic, RuleDeferral, "one tool is not deferred", 0, nil, Refused, "eclipse-theia/theia#17254; the search tool may be it", "2026-08"},
	{Anthropic, RuleCache, "no cache_control beside defer_loading", 0, nil, Refused, "router-for-me/CLIProxyAPI#4561, Wei-Shaw/sub2api#4990", "2026-07"},
}

// Limits returns the table.
func Limits() []Limit {
	out := slices.Clone(limits[:2])
	for _, r := range model.NameRules {
		row := Limit{Who: r.Provider, Rule: RuleName, Bound: r.String(), Most: r.Longest, Effect: Refused, Source: r.Source, Date: "2026-11"}
		if r.Advice {
			row.Effect = Advised
		}
		out = append(out, row)
	}
	return append(out, limits[2:]...)
}

// Most returns the number of a rule of who has it, 0 for none.
func Most(who string, about Rule) int {
	for _, r := range limits {
		if r.Who == who && r.Rule == about {
			return r.Most
		}
	}
	return 0
}
