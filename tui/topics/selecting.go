package topics

import (
	"caliper/config"
	"caliper/engine/evaluation"
	"caliper/engine/rescue/fetch"
	"caliper/tui/report"
	"fmt"
	"strconv"
	"strings"
)

// strategies has the meaning of each strategy.
var strategies = map[string]string{
	config.SelectEager:      "Every granted tool. Nothing is chosen; tool search then decides what is hidden. The default.",
	config.SelectLazy:       "Names alone, in the description of tool_search. The model asks for the schema of a tool before it calls it.",
	config.SelectToolSearch: "Core tools and the bridge. The model searches for everything else.",
	config.SelectKeyword:    "The K tools that the ranker puts first for the message.",
	config.SelectSemantic:   "The K tools that the embedder finds most similar to the message.",
	config.SelectHybrid:     "The K best of both lists, by the sum of weighted scores: the keyword score as a share of the best, or of the idf of all words if that is more, and the similarity. With tools.rag_rrf_k above 0 by ranks: the sum of weight / (k + rank).",
}

// selectionPage explains pre-selection.
func selectionPage(r *report.Report) {
	say(r, "Selection chooses the tools that a message is sent with, before the model is called. What is not selected stays reachable through the bridge, core tools too. The setting is "+config.KeySelection+".")
	section(r, "Strategies")
	meanings(r, config.Strategies, strategies)
	say(r, "Always sent are the tools of "+config.KeyRAGCore+", which K does not count, and a tool that the message names. With sticky, what was selected once stays for the session, so that the prompt cache lasts longer.")
	say(r, "Two embedders are built in, without a model: builtin, the default, compares the meanings of words by a table in the binary, and fuzzy letters, word forms and typing errors. model2vec:DIR reads a folder; ollama:MODEL and openai:MODEL are asked over HTTP, with the key of CALIPER_EMBED_API_KEY. A message never waits for them longer than tools.rag_embed_timeout_ms ("+fallback("tools.rag_embed_timeout_ms")+" milliseconds): without an answer keywords decide, and a line says so. A model that is not loaded takes longer, and Ollama gives the load up when the client leaves; so the message is sent once more beside that, without the limit. The explorer says waking and selects again when the model is there; a command prints its answer, and then stays up to 30 s for the next one to find it. What is above the embedder's floor is ranked by it. The floors of fuzzy and model2vec are fixed, 0.12 and "+floorOfFolders()+". Models of a server put unrelated texts at cosines of their own, near 0.1 or above 0.7, so that their floor follows from the cosines of all tools for the message: the median, and tools.rag_floor times the height above it that the best of as many unrelated tools has by chance. caliper select shows each cosine, --json the floor too, and a note says when nothing is above it. Vectors are kept in the cache folder of the user, and only changed tools are embedded again.")
	say(r, "--message gives budget, assembly, search, bridge, call and scope the message that is selected for. Without it they are about a message that selects nothing.")
	commands(r, `caliper select "refund the charge for booking 7" --strategy hybrid`, "caliper compare --queries queries.jsonl --pareto", "caliper help configuration")
}

// modes has the meaning of each mode of a fetch.
var modes = map[string]string{
	fetch.Stat:    "What the result is: type, size, lines, where an outline begins.",
	fetch.Range:   "Lines or characters from a start on.",
	fetch.Grep:    "Lines that match an RE2 expression, whatever the case of letters unless it begins with (?-i).",
	fetch.Search:  "The passages that fit a question best, by BM25.",
	fetch.Outline: "The structure: headings, or the members of JSON.",
	fetch.Pointer: "One place in JSON, by a JSON pointer such as /items/0/name.",
	fetch.Full:    "The whole result, unless it is longer than the largest full read.",
}

// rescuePage explains the rescue of results.
func rescuePage(r *report.Report) {
	say(r, fmt.Sprintf("A result longer than toolaria.max_result_chars (%s characters by default) is kept out of the conversation. The model gets a handle instead: what it is, its first and last lines or items, what was left out, and how to ask for more. Every line of content has its number in front, so that no content can pass for a header.", fallback("toolaria.max_result_chars")))
	say(r, "Rescued are results of MCP tools and of the web tools. Others stay, because they bound their own output, read files by parts or work on the agent itself; caliper rescue put names the rule. A tool whose _meta says anthropic/maxResultSizeChars passes whole up to so many characters, as in Claude Code, at most 500,000. A block of a result that is not text is named in its place, with its bytes, and no figure has its tokens, neither by its base64 nor an estimate: it costs by what it shows, so that they are tokens of text alone, and the report says so (out_of in JSON): to Claude an image of w × h pixels is ⌈w/28⌉ · ⌈h/28⌉ tokens (platform.claude.com, vision, 2026-11).")
	section(r, "Modes of a fetch")
	meanings(r, fetch.Modes, modes)
	say(r, "An answer has a budget, ends with a whole line, and says how to go on. Blobs are named by their SHA-256 and checked on every read. A session reads what was put for it and nothing else. What is too old, or used least when the store is full, goes and leaves its name: the model is then told which tool to run again. What is too old goes at the next put or fetch and when a served connection ends; caliper rescue sweep does it at once. toolaria.tombstone_ttl_hours says how long names stay: with 0 none does, and a result that went is one that was never there.")
	say(r, "A store that other users own or can write to is refused, and so is a blob that is not a regular file.")
	commands(r, "caliper rescue put build.log --tool mcp_ci_log --config config.yaml", `caliper rescue fetch "$ID" --mode grep --pattern 'error|panic'`, "caliper rescue --help")
}

// queriesPage explains labelled queries and metrics.
func queriesPage(r *report.Report) {
	say(r, "A labelled query is a question with its right answers. A file has one JSON object a line:")
	r.Blank()
	r.Line(`  {"id": "q1", "query": "open a change", "relevant": ["mcp_forge_open_change"]}`)
	say(r, "relevant has every right tool. groups, if given, lists the capabilities that are needed, each with the tools that have it; grades says how right each tool is. In the explorer, a adds the current query with the selected tool.")
	section(r, "What is measured")
	t := report.Columns("", "¶")
	cutoffs := make([]string, len(evaluation.Cutoffs))
	for i, k := range evaluation.Cutoffs {
		cutoffs[i] = strconv.Itoa(k)
	}
	t.Row(report.Strong("recall@K"), "The share of the right tools among the first K hits, for K of "+strings.Join(cutoffs, ", ")+".")
	t.Row(report.Strong("mrr@10"), "1 divided by the rank of the first right tool; 0 beyond rank 10.")
	t.Row(report.Strong("ndcg@10"), "How near the order of the first 10 is to the best one: 1 with all right tools first.")
	t.Row(report.Strong("complete@5"), "The share of the queries of which every needed capability has a tool among the first 5.")
	r.Table(t)
	say(r, "Each is the mean over all queries. A miss is a query whose best right tool is beyond the limit: the model would not see it. Ranks are looked at to a fixed depth whatever the limit, so that a miss has a rank.")
	section(r, "Wording")
	say(r, "Where a query repeats a tool's name, the tool is found by its letters, which says nothing of meaning. So eval, compare, the report and the screens Queries and Strategies split every figure by wording: how many words of the expected tool's name the query has, none, some or all, and how many queries each has. Words are compared by their stems; stop words do not count, nor does the name of the server: of mcp_forge_create_issue the words are create and issue. One tool of a need is enough, and all means every need: a query that names one of two expected tools is in some. tune says what a choice gains by wording, and gate what falls; neither decides by it. In Queries / and wording none lists the queries without a word of the name.")
	section(r, "Choosing min_confidence")
	say(r, "caliper eval --confidence asks every query twice: of the catalog, and of the catalog without the tools that answer it. It prints for each value of "+config.KeyConfidence+" the false hits (queries without their tools that still get hits) and the false abstentions (queries with their tools that get none).")
	say(r, "If a search that finds nothing of use costs you as much as a tool that is kept from the model, and as many queries are unanswerable as answerable, take the value with the fewest errors together, which is marked. If most queries have a tool, take a lower one: read down the false abstentions until they are as many as you accept, often 1 or 2%. While it is set, caliper eval and the screen Queries say how many queries get no hit, and how many of them had a right tool within the limit; the metrics stay those of the ranking. Where the false hits hardly fall before the false abstentions rise, leave it off: the labels say that the confidence cannot tell your tools apart.")
	say(r, "Labels are seldom complete. A query whose labelled tools were deleted may have another right answer, so the true false hits are fewer than those that are counted.")
	section(r, "Settings that labels prove")
	say(r, "caliper tune, and the view settings of the screen Queries, search ranker, limit and threshold, under pre-selection K and weights. The best of many settings looks too good on the queries that chose it, so it is chosen on some folds of the queries and measured on the others, those of one task in one fold. Better, worse and cannot tell are read off the 95 % interval of that difference; cannot tell also says how many labels would. Ranker learned is never asked a query that it learned from. A limit of 3 counts 3 hits, in recall@5 too. Tokens are what a turn costs: the definitions that are sent, and where tool search is active the answer of one search with limit hits.")
	section(r, "What is confused")
	say(r, "caliper map searches for every tool by its labelled queries and its own words, and says which other tools come near its score: twins, which answer each other's queries, shadows, which rank above a tool in half of its queries, and servers of which one answers the queries of another, with what dropping that one saves and loses.")
	section(r, "A change")
	say(r, "caliper gate compares the files before a change, the base, with those after it, the head, and says pass or fail. Recall fails a change when it falls by more than chance: the queries are compared one by one, those of one task together, and P says how often chance alone does as much. At a P of at most --alpha (0.05) a loss is significant. Six lost queries of 80 are (P 0.031), five are not (0.062).")
	say(r, "A change also fails when a session reaches what the base does not let it reach, is gone, or has tool search switched on or off, when lint finds a new error, and when a tool that a labelled query expects and found is removed, however few queries expect it; more tokens fail with --max-tokens alone. --accept names what is intended, such as --accept scope,activation.")
	commands(r, "caliper eval queries.jsonl --demo --min recall@5=0.7", "caliper eval queries.jsonl --demo --ranker fielded --confidence", "caliper tune --demo --objective ndcg@10", "caliper map --queries queries.jsonl", "caliper gate --base old.json --head new.json --queries queries.jsonl --config config.yaml")
}
