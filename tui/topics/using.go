package topics

import (
	"strings"

	"caliper/engine/serve"
	"caliper/model/words"
	"caliper/tui/report"
)

// explorerPage explains the explorer: what it opens on, its keys and what it keeps.
func explorerPage(r *report.Report) {
	say(r, "caliper alone reads the configurations of Claude Code, Claude Desktop, Codex, Cursor, VS Code, Zed and Hermes, and lists their servers with the command that each would start. Nothing is started before you check it with space (* checks all); enter asks the checked ones for their tools. Logs of agents that are found are offered for replay. esc opens the demo, and so does a start that finds nothing; the header then says DEMO. The demo's files may be edited. Leaving prints the line that opens an edited demo, the tools of your servers, or the files that were named, again.")
	say(r, "Named files are watched: a registry dump, captured requests, folders of them, the agent's configuration. Save one, and the screen follows. A broken, deleted or renamed file leaves the last good state, and the header says STALE and why.")
	section(r, "Screens")
	r.Table(report.Listed(
		[]string{"1 Explore", "what tool_search finds, ranked as the agent ranks; the model does not see what is below the cut line. Beside the hits: schema, score word by word, and a dry run through every gate, whose arguments e edits. a labels the query with the hit, w asks why the expected tool is not found, t edits a description in memory, and S writes it into descriptions.yaml beside the registry"},
		[]string{"2 Budget", "what every toolset and tool costs, and where the decision turns over. Settings re-decide and re-rank at once; S writes them into the configuration, after a look at the diff"},
		[]string{"3 Scope", "tools × sessions, with the gate that denies a call in the cell, found by asking the bridge for every tool. A violation would be red, first, and on every screen"},
		[]string{"4 Strategies", "six ways of choosing schemas before the model is called: tokens, round trips, recall, prompt cache"},
		[]string{"5 Queries", "labelled queries under each ranker, misses first, with what would help; unfindable tools; findings; a map of the tools that are confused"},
		[]string{"6 Results", "an oversized result, what the model sees in its place, and every slice with its cost: e asks as the model would, with grep ERROR for one"},
		[]string{"7 Activity", "what each reload changed, and whether the prompt cache is lost; and, where an agent is served, what it does"},
		[]string{"8 Replay", "the logs of your own sessions; see caliper help logs"},
	))
	section(r, "Keys")
	say(r, "? lists the keys that work where you are, and what each label means; a letter means the same on every screen. ctrl-p finds actions, tools, sessions, views, labelled queries, settings and these pages. Digits change the screen (where text is typed, F2 to F9 are screens 1 to 8), v the view, tab the pane; c puts two states side by side, y r copies a Markdown repro, y p the screen as a picture.")
	say(r, "Trials (WHAT IF) are kept for the next start unless --no-state is given. It works from 40×10 up, on light and other backgrounds, without colour (NO_COLOR, --theme plain), with the mouse or without.")
	commands(r, "caliper --registry tools.json --config config.yaml", "caliper --registry tools/ --config config.yaml --session forge-dev   # a folder of dumps, one named scope",
		"caliper --registry tools.json --queries queries.jsonl  # labelled queries; a file of this name is found unasked, as is descriptions.yaml", "caliper --registry tools.json --result big.log  # with a result that may be too big")
}

// logsPage explains what replay reads, keeps and counts by.
func logsPage(r *report.Report) {
	say(r, "Replay reads the logs of your own sessions, with a catalog: would each tool have been found, where did the agent loop, what each strategy would have cost, and what is worth sending with every request. It recomputes cost and rank, never behaviour.")
	say(r, "Logs are only read: nothing is written beside them, nothing leaves the machine, and reports have no prompt without --texts. Logs of Claude Code (~/.claude/projects, and what --output-format stream-json prints), Codex (~/.codex), Copilot CLI (~/.copilot/session-state), Hermes (~/.hermes), requests to OpenAI and Anthropic, and caliper's own records are known by their content. Without --registry the tools are those that the logs define: requests do, Claude Code of today those that it sent, and Codex those that its searches found; of tools that were deferred and never found the former logs the name alone.")
	say(r, "A second run reads only what is new: the cache folder (~/.cache/caliper on Linux, for you alone) keeps sizes, names, usage and your own words and queries of what was read, and no other text. A log of which that is more than 12 MB, such as 100 MB of short sessions in one file, is read from its beginning each time. --no-cache keeps nothing, and the folder can be removed at any time.")
	section(r, "What it counts by")
	r.Table(report.Listed(
		[]string{"--prices FILE", "your prices, in place of those that come with caliper"},
		[]string{"--tokenizer calibrated", "tokenizers that are fitted to the logged usage, with their error; T on the screen"},
		[]string{"--tokenizer calibrated:MODEL", "that of one model for all sessions"},
		[]string{"--since 30d", "leaves out what ended before; B on the screen"},
		[]string{"--agent A", "says who wrote the logs; W on the screen"},
	))
	commands(r, "caliper replay sessions --demo")
}

// OwnData are the commands that refuse the demo unless it is asked for with --demo: an
// answer about invented data must not be taken for one about the user's. A test of the
// commands keeps it true. It must not be changed.
var OwnData = []string{"scope", "check", "lint", "eval", "tune", "replay", "serve", "report"}

// commandsPage lists a command for each question.
func commandsPage(r *report.Report) {
	say(r, "Everything on screen is also a command. Each takes --json: one value, the same bytes for the same input. Exit codes: 0 yes, 1 no (denied, no hit, a violation), 2 bad usage or input, 130 interrupted. Without --registry and --config commands are about the demo, which they say on standard error; "+words.And(OwnData)+" refuse it unless --demo is given. caliper man DIR writes manual pages, caliper completion SHELL completes commands and values. A test runs every example.")
	commands(r,
		`caliper search "open a change" --explain  # also --ranker bm25,fielded: ranks side by side`,
		`caliper search "undo a deployment" --why-not mcp_rollout_rollback_release`,
		`caliper call mcp_wiki_read_page '{"page": "ops/runbooks"}'  # every gate; nothing is executed`,
		"caliper budget --tools  # caliper assembly: the tools array the model gets",
		"caliper eval queries.jsonl --demo --min recall@5=0.7  # recall, MRR, nDCG and misses; gates a CI",
		"caliper eval queries.jsonl --demo --ranker fielded,learned --learn queries.jsonl  # what your labels teach; no query is asked with what it taught",
		"caliper tune --demo --objective ndcg@10  # the settings that your labelled queries prove to be better, or that it cannot tell",
		"caliper try --tool mcp_maps_plan_route --description @new.txt  # ranks, recall, who is hurt; without a text the doctor proposes one, if several labelled tasks need the tool",
		`caliper select "bill the customer" --strategy hybrid  # the schemas that would be sent, and why these`,
		"caliper compare --queries queries.jsonl --pareto  # six strategies, every K",
		"caliper rescue put big.log --tool mcp_logs_tail  # stored; prints what the model sees instead",
		"caliper export --shape anthropic --assembly  # as a provider takes it; losses are listed",
		"caliper lint --demo  # what cannot be found; caliper scope audits sessions",
		"caliper map  # tools that answer each other's queries, servers that do the same",
		"caliper config set tools.tool_search.threshold_pct 12 --config config.yaml --dry-run",
		"caliper diff old.json new.json --queries queries.jsonl  # exit 1 when a query loses its tool",
		"caliper gate --base old.json --head new.json --queries queries.jsonl  # pass or fail, for a pull request: --markdown",
		"caliper replay sessions --demo  # own logs: ~/.claude/projects, ~/.codex, ~/.hermes, or requests",
		"caliper serve --demo --stdio  # an MCP server over the session's assembly, for a real agent",
		"caliper --demo --listen 127.0.0.1:7337  # the explorer serves, and shows what agents do (screen 7)")
}

// servingPage explains what a served agent can do, and what is reached and recorded.
func servingPage(r *report.Report) {
	say(r, "caliper --mcp-config .mcp.json --all --listen 127.0.0.1:7337 --execute opens the explorer, keeps the servers of a client's configuration running, and puts each session's tools before agents: the bridge, its search, and every gate. On screen 7 y u copies the entry that the agent's own configuration needs. Each request is then an event there: a search with its ranks and the cut, which enter opens in Explore as the agent saw it; a call with its gates, price and time; an alarm at the third search without a call, or a call repeated after the same refusal. v has the agents, with what all tools at once would have cost each by now. caliper serve does the same without a screen, over --http or --stdio; caliper --events FILE shows what it records.")
	section(r, "Which clients can connect")
	say(r, "Served are the revisions of MCP "+strings.Join(serve.Revisions(), ", ")+", over standard input and output and over HTTP. A client begins with initialize, or from 2026-07-28 on with server/discover. Over HTTP that revision has no connections: a client is who sends the session's token and calls itself by one name and version, and approvals, rescued results and the rows of Activity belong to it. What is to be asked of such a client is the answer to its call, and waits 10 minutes until it comes back. Where a tool is listed with headers that repeat its arguments (x-mcp-header), a call whose headers say something else is refused, as that revision wants it.")
	say(r, "A tool that is listed as itself, where tool search is off or does not hide it, is listed with what its server says of it: title, icons, annotations, execution, outputSchema and _meta. Other members are not passed on, nor an outputSchema without --execute, as no results are of it. Behind the bridge a tool has its name, description and parameters alone. The instructions of the servers whose tools the session has are passed on under each server's name.")
	say(r, "TypeScript clients refuse a whole list of tools over one schema that is not an object, has another type than object, properties that are not an object, a property that is true or false, or a required that is not a list. Such a schema is listed as the nearest object that they take, and what a member or an outputSchema has that they refuse or cannot compile is left out: the start of serve, check, import and lint (client_schema, an error) say of which tools. What providers refuse of a tool that is listed as itself (caliper help formats has the table) is said there too. Structured content that is not an object is left out for clients before 2026-07-28. A tool that runs only as a task (execution.taskSupport: required) is listed as such; a plain call of it is not sent, and gates and lint (task_only) warn.")
	say(r, "These clients were tried over both transports in 2026-11, with tools in each form that they refuse:")
	clients := report.Columns("client of npm", "version", "revision")
	for _, c := range [][3]string{
		{"@modelcontextprotocol/sdk", "1.32.2", "2025-11-25"},
		{"@modelcontextprotocol/client", "2.4.0", "2025-11-25, 2026-07-28"},
		{"@ai-sdk/mcp", "2.0.99", "2026-07-28"},
		{"@langchain/mcp-adapters", "1.1.4", "2025-11-25"},
		{"@openai/agents-core", "0.20.0", "2026-07-28"},
		{"@modelcontextprotocol/inspector", "2.12.0", "2025-11-25"},
	} {
		clients.Row(c[0], c[1], c[2])
	}
	r.Table(clients)
	section(r, "What is executed, reached and recorded")
	say(r, "Nothing is executed without --execute, and then only what passed every gate. What a rule denies never runs. What needs approval waits for a person: in the explorer for enter and y, where a key of the first second does not count; without one the client's user is asked. No answer in 45 s (--approve-timeout) is a no.")
	say(r, "The server listens on this machine alone unless --public is given. Each session has a path and a token of its own, of at least 16 characters, and pages of a browser are refused.")
	say(r, "Nothing is recorded without --record FILE, which has queries, names, ranks, gates and sizes, and no arguments or results without --record-texts; caliper replay reads it. The file is for its owner alone, also if others could read it before; one that is removed or renamed meanwhile is said, and another goes on in its place. Results over the size limit go to the store of rescued results, where only their connection reads them.")
	say(r, "--otlp URL sends each request as an OpenTelemetry span over HTTP, https unless the URL says http://: names of tools, ranks, gates, tokens and times, never queries, arguments or results. The parent is the client's span, if it sends traceparent. A collector that is down or slow costs spans, never a call, and their number is said at the end. Of the environment OTEL_EXPORTER_OTLP_HEADERS counts, for a collector that wants a token, and OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES, which are sent; no other OTEL_ variable does.")
	say(r, "A server that asks its client for the user's answer, for the model or for folders is refused, by name. --offer elicitation, --offer sampling and --offer roots let it ask the client whose call it runs, if the client answers that and no other client's call is running there. A question to the user begins with the server's name.")
	say(r, "When a client over standard input ends it, what it asked before is answered; after 2.5 s a call that still runs is withdrawn, and that is its answer. When caliper ends, the servers that it started end too; after a kill a supervisor sees to it on Linux, and on macOS a process that left its group may survive.")
	commands(r, "caliper serve --demo --stdio", "caliper --demo --listen 127.0.0.1:7337")
}
