package topics

import (
	"caliper/engine/export"
	"caliper/engine/limits"
	"caliper/tui/report"
)

// clients are the configurations of MCP clients that import reads.
var clients = []struct{ name, where, note string }{
	{"Hermes", "~/.hermes/config.yaml", "or everything that the running agent has, with the script of caliper import --hermes-script; or without a start: caliper import ~/.hermes/cache/mcp_schema_cache.json. Secrets of ~/.hermes/.env must be in the environment: set -a; . ~/.hermes/.env"},
	{"Claude Code", "~/.claude.json, and .mcp.json of a project", "those are on that Claude Code has in the working folder: its settings and those of the project switch servers off (disabledMcpjsonServers, disabledMcpServers, deniedMcpServers) and deny tools (permissions.deny); disabled and enabled of an entry do not; .mcp.json of the folders above counts too, and local entries are under the root of the repository; add --naming double"},
	{"Codex", "~/.codex/config.toml", "enabled_tools, bearer_token_env_var and the like are used"},
	{"Cursor", "~/.cursor/mcp.json, and .cursor/mcp.json of a project", "${workspaceFolder} is the folder above .cursor"},
	{"VS Code", ".vscode/mcp.json", "also mcp.servers of its settings, of a .code-workspace and of a devcontainer.json; what VS Code would ask for under an id is taken from CALIPER_INPUT_ and the id in capitals, my-key from CALIPER_INPUT_MY_KEY; an envFile is read"},
	{"Zed", "settings.json", ""},
	{"Claude Desktop", "claude_desktop_config.json", ""},
	{"OpenCode", "~/.config/opencode/opencode.json, and opencode.json of a project", "also opencode.jsonc; an entry with enabled alone switches the server of another file; {env:NAME} is replaced, {file:PATH} is not read; tools and permission leave tools out, the last rule that fits decides; those of single agents are named and not used"},
	{"Crush", "~/.config/crush/crush.json, and crush.json of a project", "$NAME is replaced, a command in $(...) is not run"},
	{"Goose", "~/.config/goose/config.yaml", "the extensions that are servers; available_tools is used"},
	{"Gemini CLI", "~/.gemini/settings.json", "includeTools, excludeTools, tools.exclude, mcp.allowed and mcp.excluded are used; disabled and enabled of an entry are not, as there; tools.core is named and not used"},
	{"Continue", "~/.continue/config.yaml or config.json", ""},
	{"Amp", "~/.config/amp/settings.json", "includeTools and amp.tools.disable are used"},
	{"Qwen Code", "~/.qwen/settings.json", "as Gemini CLI"},
	{"Copilot CLI", "~/.copilot/mcp-config.json", "tools is used"},
	{"Cline, Roo, Kiro, Windsurf", "their settings, such as .roo/mcp.json", "disabledTools is used, but not for Cline; alwaysAllow and autoApprove leave every tool in"},
	{"mcpproxy", "~/.mcpproxy/mcp_config.json", "enabled_tools and disabled_tools are used; a quarantined server is off"},
	{"Open WebUI", "its tool server connections, a list or TOOL_SERVER_CONNECTIONS", "those of type mcp; function_name_filter_list and a bearer key are used"},
	{"MCP registry", "a server.json", "each package and each remote is a server, by npx, uvx, dnx or docker; what the user would be asked for is named"},
	{"LiteLLM", "the config.yaml of its proxy", "allowed_tools, disallowed_tools, os.environ/NAME and tokens as auth_value are used"},
}

// shapes has what each shape of export is.
var shapes = map[export.Shape]string{
	export.OpenAI:    "tools of a Chat Completions request",
	export.Anthropic: "tools of a Messages request",
	export.Gemini:    "functionDeclarations with JSON Schema: parametersJsonSchema, responseJsonSchema",
	export.Bedrock:   "toolConfig of a Converse request",
	export.MCP:       "the result of tools/list",
	export.Hermes:    "a registry dump with toolsets, which is what import writes",
}

// formatsPage explains what can be read and written.
func formatsPage(r *report.Report) {
	section(r, "What --registry and import read")
	r.Table(report.Listed(
		[]string{"a registry dump", "toolsets and tools, or one definition a line"},
		[]string{"a request", "the tools of a request to OpenAI, Anthropic, Gemini or Bedrock, also in a batch or a log, where each that is sent again counts once"},
		[]string{"MCP", "tools/list results: one, its pages, a log, an event stream, or one for each server"},
		[]string{"an API", "OpenAPI 3.0 to 3.2, Swagger 2, discovery documents of Google: a tool for each operation, its first tag as toolset, with the schemas that it refers to"},
		[]string{"a catalogue", "that of Docker (a folder for each server), LangChain, Semantic Kernel, manifests of plugins"},
		[]string{"LiteLLM", "the tools of its own under mcp_tools"},
		[]string{"a data set", "BFCL, xLAM, glaive, ToolBench, Seal-Tools, LiveMCPBench, MetaTool, UltraTool; import --queries-out writes their labelled queries, and all of their tools are searched: none is a core tool"},
		[]string{"a conversation", "whose text has <tools>"},
		[]string{"YAML", "in place of JSON, any of these"},
		[]string{"a folder", "its *.json, *.jsonc, *.jsonl and *.txt in the order of their names; each that names no toolset is one of its own, named after the file, or after the folder if the file is called tools.json; one that cannot be read is named, with exit code 1, and takes nothing from the others; YAML without tools is named and skipped; import --recursive reads the folders in it too"},
	))
	say(r, "caliper recognizes what a file is by its content, and refuses one without definitions with what to do instead. Later files add tools. A tool that names no toolset, as in a captured request, gets the one that mcp_SERVER_ or mcp__SERVER__ in its name says: the longest name of a server that the configuration or the registry has, else the first word. Two tools of one name are both kept, as toolset/name. Property order and the spelling of numbers are kept. All text is treated as hostile: no control sequence, bidi override or invisible character of a registry reaches your terminal.")
	section(r, "Clients whose MCP servers import can ask (import FILE or --mcp-config FILE)")
	for _, c := range clients {
		r.Line("  ", report.Strong("%s", c.name), "  "+c.where)
		if c.note != "" {
			r.Indented(4, "%s", c.note)
		}
	}
	say(r, "import lists the servers and starts nothing until --server NAME or --all is given; --all leaves out what is off. A server is sent initialize and tools/list, and nothing else; one that refuses the first because it knows MCP 2026-07-28 alone is started again and sent server/discover in its place. The dump has the revision as protocol_version: some servers list other schemas to newer clients. It gets what it takes to run from the environment, and otherwise what its configuration or --env names; no such value and no header is ever printed. A variable that is not set is an error, but in a file of Claude Code: it stays as it is written, with a warning, as there.")
	say(r, "A server that fails is named with the reason; the others are in the dump, and the exit code is 1. The time-out is --timeout, else the client's own setting, else a minute. What was started is ended, with all that it started in turn, even when caliper is killed; outside Linux what left its process group may survive, and on Windows whatever the server started. The dump is for its owner alone, also if others could read the file before. A secret that a server was given and repeats in what it lists, such as its token, is there as [withheld], with a warning. A server over HTTP that asks for a sign-in is signed in to with --sign-in browser, or --sign-in device for a code to type on any other device (OAuth 2.1, as MCP has it). What that gave is kept in the keyring of the system, or in a file that only you can read, and used by serve and the explorer too; --sign-in forget deletes it. A server that registers no clients by itself needs --client-id. --capabilities tells servers what a client can answer, because some list more then: elicitation, sampling and roots, their parts elicitation.url, sampling.tools, sampling.context and roots.listChanged, and extensions of MCP 2026-07-28 by their names, such as io.modelcontextprotocol/ui; what they ask is refused, and the dump has client_capabilities. --watch keeps the dump fresh for as long as the command runs.")
	say(r, "A tool is called mcp_SERVER_TOOL, or mcp__SERVER__TOOL as in Claude Code with --naming double. The agent cuts names to 64 characters with a hash; Claude Code cuts none, and import, check and lint name those that a provider refuses. Labels, policies and logs may call a tool by any name that a client makes of its server and its name there. Servers of one name in two configurations become s and s-2. Tools of a server with alwaysLoad, and those whose _meta says anthropic/alwaysLoad, are always sent, as those of tools.core are; defer_loading is kept for Anthropic, and budget says that it is not read. A filter of tools that is in a configuration and cannot be used is named in a warning. A setting that only other clients read, such as allowedTools in .mcp.json, is named too and changes nothing, as in the client.")
	section(r, "Shapes that export writes (--shape SHAPE)")
	names, of := []string{}, map[string]string{}
	for _, s := range export.Shapes() {
		names = append(names, string(s))
		of[string(s)] = shapes[s]
	}
	meanings(r, names, of)
	say(r, "What a shape cannot hold and what its provider refuses is listed on standard error.")
	section(r, "What providers and clients take")
	say(r, "One table, which lint, gate, export, import and serve read: what export says is refused is an error of lint, and a new one fails gate; import warns of it, serve says it at its start of what it lists, and serve lists what MCP's TypeScript SDK refuses in a form that it takes. Each row says what happens beyond it, where that was read, and in which month.")
	for _, x := range limits.Rows() {
		r.Indented(2, "%s, %s: %s", x.Who, string(x.Rule), x.Limit)
		r.Indented(4, "%s; %s; %s", string(x.Effect), x.Source, x.Date)
	}
	commands(r, "caliper import request.json tools/ -o registry.json", "caliper import --recursive servers/ -o registry.json", "caliper import BFCL_v4_multiple.json possible_answer/ -o bfcl.json --queries-out q.jsonl", "caliper eval q.jsonl --registry bfcl.json", "caliper import --mcp-config .mcp.json", "caliper import --mcp-config .mcp.json --all -o registry.json --watch",
		`caliper import --stdio "github-mcp-server stdio" --env GITHUB_PERSONAL_ACCESS_TOKEN -o registry.json`,
		`caliper import --http https://example.com/mcp --header "Authorization: Bearer $TOKEN" -o registry.json`, "caliper import --http https://mcp.example.com/mcp --sign-in browser -o registry.json", "caliper export --shape anthropic --assembly")
}

// speedPage says what takes long, and what is kept.
func speedPage(r *report.Report) {
	say(r, "Commands that answer one question (search, call, describe, budget) read the registry once and take time in proportion to it; a query itself takes microseconds. caliper help figures has how long, and how that is measured.")
	section(r, "What takes longer")
	r.Table(report.Listed(
		[]string{"lint", "searches for every tool by its own words and tries remedies"},
		[]string{"scope", "asks search, description and call for every tool in every session"},
		[]string{"eval, compare", "one search for each labelled query and ranker; --pareto one for each K too"},
		[]string{"exact tokens", "o200k_base and cl100k_base count every definition, rendered:openai the text that it becomes; chars4 is an estimate that costs nothing"},
		[]string{"embedders", "embed every tool once; a model over HTTP is the slowest"},
		[]string{"import", "as long as the servers take; --timeout bounds each"},
	))
	say(r, "In a terminal a command that takes longer than a second says what it does, how much of how much where that can be counted, and that ctrl-c stops it.")
	section(r, "What is kept for the next time")
	say(r, "The cache folder of the user (~/.cache/caliper on Linux) keeps vectors, exact token counts, the index of fuzzy, what lint found, and of the logs that replay read what it needs of them: sizes, names, usage, and your own words and queries, no other text. An entry is found by the content that it was computed of (of a log: its path, size and time) and the build that computed it, so the answers are the same bytes with the cache or without. At most 256 MB are kept, and nothing that was not used for 90 days; only you can read it; it can be removed at any time. --no-cache keeps and reads nothing.")
}
