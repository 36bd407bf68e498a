//go:build unix

package main

// command is one row of the table: the arguments of caliper, which runs in the
// folder of prepare.
type command struct {
	name string
	args []string
	tool bool   // the argument TOOL becomes the name of a tool
	in   string // file for standard input; "" for none
	warm bool   // run once before, so that caches are filled
}

// message is the message that tools are selected for.
const message = "update the status of a record and send a report to the team by message"

// of returns the arguments of a command on the registry and the configuration
// of three sessions.
func of(args ...string) []string {
	return append(args, "--registry", "registry.json", "--config", "config-3.yaml")
}

// commands are all commands that read a registry, in the order of the table.
var commands = []command{
	{name: "summary (no command)", args: of()},
	{name: "check", args: of("check")},
	{name: "config show", args: of("config", "show")},
	{name: "search", args: of("search", message)},
	{name: "search --ranker fielded", args: of("search", message, "--ranker", "fielded")},
	{name: "search --ranker bm25-gated", args: of("search", message, "--ranker", "bm25-gated")},
	{name: "search --ranker, all three", args: of("search", message, "--ranker", "bm25,fielded,bm25-gated")},
	{name: "search --all --explain", args: of("search", message, "--all", "--explain")},
	{name: "search -, 50 queries", args: of("search", "-"), in: "queries.txt"},
	{name: "search --why-not", args: of("search", message, "--why-not", "TOOL"), tool: true},
	{name: "describe", args: of("describe", "TOOL"), tool: true},
	{name: "call", args: of("call", "TOOL", "{}"), tool: true},
	{name: "call --direct", args: of("call", "TOOL", "{}", "--direct"), tool: true},
	{name: "bridge tool_search", args: of("bridge", "tool_search", "@search.json")},
	{name: "assembly", args: of("assembly")},
	{name: "budget", args: of("budget")},
	{name: "budget, exact", args: of("budget", "--tokenizer", "o200k_base")},
	{name: "budget --tools", args: of("budget", "--tools")},
	{name: "select, eager", args: of("select", message, "--strategy", "eager")},
	{name: "select, keyword", args: of("select", message, "--strategy", "keyword")},
	{name: "select, semantic", args: of("select", message, "--strategy", "semantic")},
	{name: "select, hybrid", args: of("select", message, "--strategy", "hybrid")},
	{name: "select, hybrid, again", args: of("select", message, "--strategy", "hybrid"), warm: true},
	{name: "select --turns, 50 messages", args: of("select", "--turns", "-"), in: "queries.txt"},
	{name: "compare", args: of("compare", message)},
	{name: "compare --queries, 50", args: of("compare", "--queries", "queries.jsonl")},
	{name: "compare --queries --pareto", args: of("compare", "--queries", "queries.jsonl", "--pareto")},
	{name: "eval, 50 queries", args: of("eval", "queries.jsonl")},
	{name: "eval, all three rankers", args: of("eval", "queries.jsonl", "--ranker", "bm25,fielded,bm25-gated")},
	{name: "diff", args: []string{"diff", "registry.json", "revised.json", "--config", "config-3.yaml"}},
	{name: "diff --queries, 50", args: []string{"diff", "registry.json", "revised.json", "--config", "config-3.yaml", "--queries", "queries.jsonl"}},
	{name: "gate, 3 sessions, 50 queries", args: []string{"gate", "--base", "registry.json", "--head", "revised.json", "--config", "config-3.yaml", "--queries", "queries.jsonl"}},
	{name: "scope, 3 sessions", args: of("scope")},
	{name: "scope, 10 sessions", args: []string{"scope", "--registry", "registry.json", "--config", "config-10.yaml"}},
	{name: "scope --names", args: of("scope", "--names")},
	{name: "scope --without-gate", args: of("scope", "--without-gate", "scope_catalog")},
	{name: "lint", args: of("lint")},
	{name: "map", args: of("map")},
	{name: "export, openai", args: of("export", "--shape", "openai")},
	{name: "export, anthropic", args: of("export", "--shape", "anthropic")},
	{name: "export, gemini", args: of("export", "--shape", "gemini")},
	{name: "export, bedrock", args: of("export", "--shape", "bedrock")},
	{name: "export, mcp", args: of("export", "--shape", "mcp")},
	{name: "export, hermes", args: of("export", "--shape", "hermes")},
	{name: "export --assembly", args: of("export", "--shape", "openai", "--assembly")},
	{name: "import", args: []string{"import", "registry.json", "-o", "imported.json"}},
	{name: "rescue put", args: of("rescue", "put", "result.log", "--tool", "TOOL"), tool: true},
}
