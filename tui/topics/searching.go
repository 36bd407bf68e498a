package topics

import (
	"caliper/config"
	"caliper/engine"
	"caliper/model/words"
	"caliper/tui/glossary"
	"caliper/tui/report"
)

// basicsPage explains tool search from the beginning.
func basicsPage(r *report.Report) {
	say(r, "A model is sent the definition of every tool on every turn: name, description, schema. With many MCP servers that is tens of thousands of tokens before the user has said a word.")
	say(r, "Tool search hides most tools and sends three bridge tools in their place. The model calls tool_search with a few words, gets the names and descriptions of the best hits, reads the schema of one with tool_describe, and calls it with tool_call. That saves tokens on every turn and costs extra round trips for each tool that is used.")
	say(r, "Whether it helps is decided by four things, and caliper shows each of them:")
	t := report.Columns("", "", "¶")
	t.Row("activation", "caliper budget", "With mode auto the bridge is sent once the deferrable tools reach the threshold.")
	t.Row("the words", "caliper search, lint", "A tool that shares no word with a query is not found, however well it fits.")
	t.Row("the limit", "caliper search --all", "The model sees the first hits only. What ranks below the cut line does not exist for it.")
	t.Row("the scope", "caliper scope", "A session finds and calls what it is granted, and nothing else.")
	r.Table(t)
	commands(r, "caliper tour", `caliper search "undo a deployment" --why-not mcp_rollout_rollback_release`, "caliper help rankers", "caliper help glossary")
}

// rankers has the meaning of each ranker.
var rankers = map[string]string{
	config.RankerBM25: "What the reference agent uses, score for score: the sum over the words of the query of how rare each is, " +
		"times how often the tool has it, less for long definitions (BM25). It reads names, descriptions and parameter names. A word must occur as it is written.",
	config.RankerFielded: "caliper's own. Names, toolsets, descriptions and parameters weigh differently; plural, tense, camelCase and typing errors " +
		"meet; a lexicon knows that a bill is an invoice; text of any script is searched. The name of a tool, even nearly right, finds it first. It needs no model and no network.",
	config.RankerGated: "What the reference agent uses in its later rules: BM25 in which the rarest word of the query must match. " +
		"Beside the others it shows why an agent gets empty answers.",
	config.RankerLearned: "caliper's own, with what your labelled queries taught: fielded, and one component more for the words of queries that a tool was labelled with. " +
		config.KeyLearn + " or --learn names their file. The labels, ten or more, must earn their weight by answering each other; otherwise it is fielded. " +
		"With " + config.KeyLearnOver + " hybrid it adds to the scores of hybrid. " +
		"caliper eval asks each query without what it taught itself. A tool that no label names, such as one of a new server, gains a share of its score instead, " +
		"so that it is not ranked below the labelled ones: with a fifth of the tools unlabelled, queries for these lost 0.2 and 0.4 points of nDCG@10 on two large sets " +
		"(12.7 and 9.3 without that share), up to 2.4 where labels are few, and 6.7 where each query needs two tools (help figures). So expect a new server to be found about as by fielded until labels name its tools; caliper eval names the tools without labels.",
	config.RankerSemantic: "By meaning alone: how near the words of the query are in meaning to those of the tool, by a table of English words in the binary. " +
		"It needs no model, no folder and no network. --explain prints what each word of the query adds, and the word of the tool that carries it: happi: ≈ satisfaction 0.52. A tool whose name the query has is first, as with fielded.",
	config.RankerHybrid: "fielded, and one component more: how near the tool is in meaning, as a share of the nearest tool, times " + config.KeyMeaning + ". It finds a paraphrase that shares no word with the tool. " +
		"Words that the table does not know, such as those of other languages, change nothing: such a query ranks as by fielded.",
}

// rankersPage explains the rankers.
func rankersPage(r *report.Report) {
	say(r, "The ranker gives every tool of the catalog a score for a query. The setting is "+config.KeyRanker+", and the first one below is the default.")
	section(r, "Rankers")
	meanings(r, config.Rankers, rankers)
	say(r, "Every score is a sum: --explain prints what each word of the query adds. Equal scores are ordered by name. When no tool has a word of the query, bm25 falls back to the tools whose name contains it.")
	say(r, "Which one to take is a question for your own labelled queries: caliper eval prints recall, MRR and nDCG of several rankers side by side, and each by wording, so that you see what is found where the query has no word of the tool's name. caliper help figures has those of five public sets.")
	section(r, "Confidence")
	say(r, "A ranker always finds something. A model that gets five wrong hits searches again, up to hundreds of times. With "+config.KeyConfidence+" above 0, tool_search answers a query of less confidence that nothing fits, and names the nearest sources. It is off by default. The confidence compares words and scores of the first five hits, so it is there with every ranker; a query that is the name of a tool has 1.")
	say(r, "caliper search --confidence shows it for one query, and caliper eval --confidence what every value would do: caliper help queries.")
	commands(r, `caliper search "refund a payment" --explain`, `caliper search "refund a payment" --ranker bm25,fielded`, "caliper eval queries.jsonl --demo --ranker bm25,fielded,bm25-gated", "caliper eval queries.jsonl --demo --ranker fielded,learned --learn queries.jsonl --folds 5")
}

// gates has the meaning of each gate, as the glossary has it.
var gates = func() map[string]string {
	meanings := map[string]string{}
	for _, name := range engine.GateNames() {
		if term, ok := glossary.Lookup(glossary.Gate + name); ok {
			meanings[name] = term.Meaning
		}
	}
	return meanings
}()

// gatesPage explains the gates.
func gatesPage(r *report.Report) {
	say(r, "A dry run takes a call through every gate of the agent, in the agent's order. The first gate that says no is the verdict; those after it are skipped. Nothing is ever executed.")
	section(r, "Gates of a call, in order")
	meanings(r, engine.GateNames(), gates)
	say(r, "A direct call (--direct) names a tool without the bridge: allowed is what is sent in full. It is asked "+words.And(engine.DirectGateNames())+", in this order.")
	section(r, "Verdicts of one gate")
	r.Table(report.Listed(
		[]string{"pass", "ok on screen: the gate lets the call through"},
		[]string{"FAIL", "NO on screen: the gate refuses the call, which is the verdict"},
		[]string{"skip", "-- on screen: a gate before it refused, so it is not asked"},
		[]string{"WARN", "warn on screen: the gate lets the call through, and something does not fit; JSON has pass"},
	))
	commands(r, "caliper call mcp_wiki_read_page '{\"page\": \"ops/runbooks\"}'", "caliper scope --demo", "caliper scope --demo --without-gate scope_executor")
}
