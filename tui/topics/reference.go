package topics

import (
	"strconv"

	"caliper/config"
	"caliper/engine/embed"
	"caliper/tui/report"
)

// difference is a place where caliper differs from what it follows.
type difference struct{ where, caliper, other string }

// differences are where caliper differs from the reference agent on purpose.
var differences = []difference{
	{"model.context_length without a model", "is taken, with a warning; beside a model the model's own context counts, in both", "is not read"},
	{"a configuration that cannot be loaded", "is refused, with its place; what was read before stays", "takes its defaults for every setting; one that is too large, or expands without bound, it reads"},
	{"plugins.toolaria", "is read where there is no toolaria at the top level", "is not read"},
	{"no list plugins.enabled", "rescue is on", "the plugin is not loaded"},
	{"a number of toolaria out of its range, null or no number", "the nearest, or the default, with a warning", "is taken as it is"},
	{"a session in which the bridge is not active", "the bridge refuses: bridge_inactive", "answers"},
	{"threshold_tokens of budget", "the tokens at which auto activates: 20,000 when the context is unknown", "0 then"},
	{"two tools of one name in one session", "both are kept; the bridge asks for toolset/name, and a session that is granted one of them calls it by its own name", "the later registration replaces the earlier"},
	{"alwaysLoad of an MCP server, anthropic/alwaysLoad of a tool", "always sent, unless tools.tool_search.defer lists the tool", "are not read"},
	{"the scope audit", "leaves out the policy, which refuses what is in scope on purpose", "has none"},
	{"rescue: positions", "lines count from 1, and 0 is the beginning; a range past the end is the last lines in both", "from 0"},
	{"rescue: grep", "RE2: no lookaround, which is refused by name, and no time-outs that look like no match; i does not match İ", "Python's regex, with time-outs"},
	{"rescue: long lines", "searched to their end and shown around the hit; grep_max_line_len says from where on", "searched in their first grep_max_line_len characters"},
	{"rescue: answers", "end with a whole line, and say what they hold and how to go on; a grep needs fetch_max_chars of 200", "cut at fetch_max_chars without a word"},
	{"rescue: an empty answer", "is from 1 to 0", "from start to -1"},
	{"rescue: ids", "16 to 64 digits of the SHA-256, in either case", "12"},
	{"rescue: whose results", "a name in no registry is an MCP tool's when it begins with mcp_; without a registry nothing else but the web tools'", "left, with a registry; all, without one"},
	{"rescue: excerpts", "a hard budget; error words that tell \"0 errors\" from an error, or the texts of error_line_patterns in their place", "no bound; every line with a text of error_line_patterns"},
	{"rescue: types", "beside json, html, code and text also JSON lines, XML, diff and binary", "those four; the others are text to it"},
	{"rescue: bytes that are not UTF-8", "kept, shown as U+FFFD, or as digits when most of it is not text (binary)", "not seen"},
	{"rescue: anthropic/maxResultSizeChars of a tool", "its results pass whole up to so many characters, at most 500,000", "is not read"},
	{"rescue: what is too old", "goes when a store is opened, at a put, a fetch and the end of a served connection; status counts what expired", "its vectors have no expiry"},
	{"rescue: tombstone_ttl_hours 0", "no name is kept: a result that went is one that was never there", "its vectors have the default alone, 720"},
	{"a direct call whose arguments are not an object", "refused: arguments_not_object", "reads {} and calls"},
	{"NaN and infinities in arguments", "accepted as there; shown as one string, so that every parser reads the answer", "bare words in its JSON"},
	{"texts of the bridge", "sentences, codes of refusals, next_call and the descriptions of the three bridge tools are caliper's own", "its own sentences, and no next_call"},
	{"a call that is refused", "next_call is the call to send instead, with every value that was written and no other; where no such call exists, the description to read", "the refusal alone"},
	{"stems of bm25-gated", "those of Snowball 2.2", "those of the Snowball that is installed; 3.1 stems a few words otherwise"},
	{"suggestions for an unknown name", "near names too, and only of tools that the session can reach", "those of all registered tools, also out of the session's scope (september-2026)"},
	{"half of a surrogate pair", "kept as written in arguments; U+FFFD in texts that are shown, counted or sliced", "kept in Python's str"},
	{"a text that is not an object, given to tool_call", "is refused: bad_arguments_json or arguments_not_object", "reads {}, and misses the name"},
	{"call --strict", "null fits where the schema says nullable, as the conversion has it; a duration may have a fraction (PT1.5S)", "checks nothing"},
	{"a number of a schema beyond a float64", "its keyword is left out and the verdict says partial", "checks nothing"},
}

// proposed are where caliper differs from the proposal of pre-selection.
var proposed = []difference{
	{"ranks", "count from 1: the best of a ranking adds weight / (k + 1)", "count from 0 in its sketch"},
	{"a tool that a ranking does not list", "adds 0 there", "all tools have a rank, those of score 0 in registry order, which then decides for \"hello\""},
	{"what a ranking lists", "keywords: tools of a score above 0; the embedder: those above its floor, 0.15 for builtin, 0.12 for fuzzy, " + floorOfFolders() + " for model2vec, and for ollama and openai one that follows from the message's own cosines (rag_floor)", "every tool"},
	{"nothing is ranked", "the always-sent tools alone, with a note", "registration order decides"},
	{"rag_rrf_k", fusionDefaults("tools.rag_rrf_k"), "60"},
	{"rag_weights.semantic", fusionDefaults("tools.rag_weights.semantic"), "1"},
	{"rag_embed_model: auxiliary", "is builtin, with a warning; it is built in, and has no model", "the agent's own provider"},
	{"rag_sticky", "true by default: what a turn selected stays for the session, so that the prompt cache lasts", "has no such setting"},
}

// floorOfFolders returns the floor of model2vec in words.
func floorOfFolders() string { return strconv.FormatFloat(embed.FloorStatic, 'g', -1, 64) }

// fusionDefaults returns both defaults of a setting that follows the embedder.
func fusionDefaults(key string) string {
	spec, _ := config.SpecOf(key)
	return fallback(key) + later(spec)
}

// referencePage lists the differences from the reference agent, and from the proposal of
// pre-selection.
func referencePage(r *report.Report) {
	say(r, "caliper answers as the reference agent does in every case of its conformance vectors: configuration, scope, ranking, bridge, dry run, rescue. Where it differs, it does so on purpose:")
	listed(r, "the reference", differences)
	say(r, "What providers and clients refuse and cut, such as a union at the top of the parameters, is a table of caliper help formats.")
	section(r, "Pre-selection")
	say(r, "The reference agent has no pre-selection; caliper follows the proposal for it. The keys are those of tools.")
	listed(r, "the proposal", proposed)
}

// listed adds differences from something.
func listed(r *report.Report, from string, list []difference) {
	for _, d := range list {
		r.Blank()
		r.Line(report.Strong("%s", d.where))
		t := report.Columns("", "¶")
		t.Row("caliper", d.caliper)
		t.Row(from, d.other)
		r.Table(t)
	}
}
