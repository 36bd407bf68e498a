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

// later returns the defaults of a setting in september-2026, and with another embedder
// than fuzzy, where they are others.
func later(spec config.Spec) string {
	text := ""
	if spec.Later != nil {
		text = fmt.Sprintf(", in %s %v", config.September2026, spec.Later)
	}
	if spec.Modelled != nil {
		text += fmt.Sprintf(" for builtin, %v for fuzzy, %v for an embedder with a model", spec.Fuzzy, spec.Modelled)
	}
	return text
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
