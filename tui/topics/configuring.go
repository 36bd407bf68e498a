package topics

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"caliper/config"
	"caliper/model/words"
	"caliper/tui/glossary"
	"caliper/tui/report"
)

// configurationPage lists every setting.
func configurationPage(r *report.Report) {
	say(r, "--config names the agent's own config.yaml. caliper reads the settings below, and the sections sessions, policy and hooks; it leaves the rest alone. caliper config show prints every value with where it is from, and caliper config set changes one and leaves every other byte as it is.")
	for _, s := range sections {
		section(r, s.title)
		var pairs [][]string
		for _, key := range config.Settable() {
			if sectionOf(key) != s.prefix {
				continue
			}
			spec, _ := config.SpecOf(key)
			takes := " Takes " + spec.Takes() + "; by default " + fallback(key) + later(spec) + "."
			pairs = append(pairs, []string{strings.TrimPrefix(key, s.prefix), cmp.Or(glossary.Setting(key), undescribed) + takes})
		}
		r.Table(report.Listed(pairs...))
	}
	section(r, "An example")
	r.Blank()
	for line := range strings.Lines(exampleConfig) {
		r.Line("  " + strings.TrimSuffix(line, "\n"))
	}
	section(r, "Sessions")
	say(r, "sessions.NAME.enabled_toolsets and disabled_toolsets: what a session is granted. Without enabled_toolsets it is granted every toolset; disabled ones are taken off.")
	say(r, "Each entry of the agent's platform_toolsets is a session, too. A bundle such as hermes-cli has the toolsets with core tools. A list that names no MCP server grants them all, one that names some grants those, and "+config.NoServers+" grants none. agent.disabled_toolsets takes toolsets from every session, and so do enabled, tools.include and tools.exclude of an mcp_servers entry with tools of that server. caliper check lists every key of the file as read or not read.")
	section(r, "Policy")
	stages := make([]string, len(config.Stages))
	for i, s := range config.Stages {
		stages[i] = string(s)
	}
	say(r, "policy is a list of rules {match, action, stage}. match is a glob on the real name of the tool: *, ?, [a-z], [!abc], {one,other}. action is deny, approve or observe. stage is "+words.Or(stages)+"; a rule without one is asked before every hook. The stages are those at which the agent asks its hooks, in this order. After the call nothing can be stopped, so a rule at post only observes. A rule whose glob cannot be read holds for every tool; one that matches no tool is a warning.")
	say(r, "hooks (pre_tool_call, post_tool_call) are shown in a dry run where they would see the call. They are never run.")
	say(r, "${NAME} in a value becomes that variable of the environment, but not under toolaria. One that is not set stays, and closes the scope or the rule that it is in. A value out of range is clamped, an unknown word falls back to the default, and each is a warning with line and column: caliper check.")
	commands(r, "caliper config show --config config.yaml", "caliper config set tools.tool_search.threshold_pct 12 --config config.yaml --dry-run", "caliper check --config config.yaml")
}

// exampleConfig has one entry of each kind. A test reads it.
const exampleConfig = `model:
  default: anthropic/claude-sonnet-4.5  # its context is looked up
tools:
  tool_search:
    enabled: auto  # auto | on | off
    threshold_pct: 10  # of the context
    ranker: bm25
  core: [terminal, read_file]  # always sent in full
  selection: hybrid
  rag_top_k: 8
toolaria:
  max_result_chars: 12000  # a longer result is rescued
sessions:
  default: {}
  worker: {enabled_toolsets: [mcp-github], disabled_toolsets: []}
policy:
  - {match: "mcp_github_[!rl]*", action: deny}
  - {match: "mcp_mail_*", action: approve, stage: guardrail}
  - {match: "*", action: observe, stage: post}
`

// sections are the sections of the configuration that hold single values. A
// setting belongs to the first whose prefix its key has.
var sections = []struct{ title, prefix string }{
	{"Model (model.)", "model."},
	{"Tool search (tools.tool_search.)", "tools.tool_search."},
	{"Tools (tools.)", "tools."},
	{"Rescue of oversized results (toolaria.)", "toolaria."},
	{"Plugins (plugins.)", "plugins."},
}

// sectionOf returns the prefix of the section of a setting; empty for none.
func sectionOf(key string) string {
	for _, s := range sections {
		if strings.HasPrefix(key, s.prefix) {
			return s.prefix
		}
	}
	return ""
}

// later returns the default of a setting in september-2026 where it is another.
func later(spec config.Spec) string {
	if spec.Later == nil {
		return ""
	}
	return fmt.Sprintf(", in %s %v", config.September2026, spec.Later)
}

// fallback returns the default of a setting in words.
func fallback(key string) string {
	spec, _ := config.SpecOf(key)
	switch v := spec.Default.(type) {
	case nil:
		return "unknown"
	case int:
		return words.Thousands(v)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case bool:
		return strconv.FormatBool(v)
	case []string:
		switch {
		case v == nil:
			return "not set"
		case len(v) == 0:
			return "none"
		}
		return words.CountThousands(len(v), "name")
	case string:
		if v == "" {
			return "not set"
		}
		return v
	}
	return fmt.Sprint(spec.Default)
}

// differences are where caliper differs from the reference agent on purpose.
var differences = []struct{ where, caliper, reference string }{
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

// referencePage lists the differences from the reference agent.
func referencePage(r *report.Report) {
	say(r, "caliper answers as the reference agent does in every case of its conformance vectors: configuration, scope, ranking, bridge, dry run, rescue. Where it differs, it does so on purpose:")
	for _, d := range differences {
		r.Blank()
		r.Line(report.Strong("%s", d.where))
		t := report.Columns("", "¶")
		t.Row("caliper", d.caliper)
		t.Row("the reference", d.reference)
		r.Table(t)
	}
}
