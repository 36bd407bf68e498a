package rescue

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/safetext"
	"caliper/model/words"
)

// Decision says whether a result is rescued, and what that follows from.
type Decision struct {
	Rescue bool
	Rule   string // the stable code of the rule that decided, one of Rules

	Tool    string // raw name of the tool whose result it is
	Toolset string // raw name of the toolset that the rule went by; empty: none
	Setting string // that switches rescue off; empty: none
	Sized   bool   // the size was asked for, and Chars is set
	Chars   int    // of the result
	Most    int    // characters that pass whole
	Asked   bool   // Most is the wish of the tool's server, more than the limit
}

// The codes of the rules, in the order in which they are asked. The first that
// applies decides.
const (
	RuleOff      = "plugin_off"    // the agent does not load the plugin; nothing is rescued
	RuleInternal = "internal"      // works on the agent itself; never rescued
	RuleExcluded = "excluded"      // in exclude_tools; never rescued
	RuleWithin   = "within_limit"  // would be rescued, but is short enough
	RuleWeb      = "web_tool"      // rescued
	RuleMCP      = "mcp_toolset"   // rescued
	RuleMCPName  = "mcp_name"      // in no registry, named like an MCP tool; rescued
	RuleFile     = "file_tool"     // reads files by parts already
	RuleTerminal = "terminal"      // bounds its own output
	RuleOther    = "other_toolset" // neither MCP nor a tool of the web
	RuleUnknown  = "no_toolset"    // the toolset cannot be determined
)

// Tools that are never rescued, whatever toolset they are in, tools of the web
// that always are when they are long, and those that have reasons of their own
// beside their toolset. A handle that came from rescuer_fetch would send the
// model round in circles; what memory or a delegate returns was made for the
// context.
var (
	internalTools = []string{
		"rescuer_fetch", "delegate_task", "session_search", "cronjob", "memory", "clarify",
		"skill_view", "skill_manage", "skill_request", "kanban_create", "open_kanban",
	}
	webTools = []string{
		"web_extract", "web_search", "browser_navigate", "browser_snapshot", "browser_console", "browser_get_images",
	}
	fileTools     = []string{"read_file", "write_file", "patch", "search_files"}
	terminalTools = []string{"terminal", "process"}
)

// Rule is one line of the list that explains decisions: a code, and whom it concerns in a sentence.
type Rule struct{ Code, Text string }

// Rules returns the rules in the order in which they are asked, with the
// limits in their sentences.
func Rules(l Limits) []Rule {
	return []Rule{
		{RuleOff, "never: anything, while plugins.enabled lacks toolaria or plugins.disabled has it"},
		{RuleInternal, "never: " + strings.Join(internalTools, ", ")},
		{RuleExcluded, fmt.Sprintf("never: the %s of exclude_tools", words.Count(len(l.ExcludeTools), "name"))},
		{RuleWithin, fmt.Sprintf("the next three need more than %s, or what the tool's server asks for", words.Count(l.MaxResultChars, "character"))},
		{RuleWeb, "results of " + strings.Join(webTools, ", ")},
		{RuleMCP, "results of tools in a toolset that begins with mcp-"},
		{RuleMCPName, "results of tools in no registry whose name begins with mcp_"},
		{RuleFile, "they read by parts: " + strings.Join(fileTools, ", ")},
		{RuleTerminal, "they bound their own output: " + strings.Join(terminalTools, ", ")},
		{RuleOther, "every other toolset"},
		{RuleUnknown, "tools whose toolset cannot be determined"},
	}
}

// Decide returns whether a result of chars code points is rescued, by the
// tool's name, its toolset in the registry and the limits. The registry may be
// nil. A name that several tools bear counts as MCP only when all of them are.
func Decide(r *model.Registry, l Limits, tool string, chars int) Decision {
	d := Subject(r, l, tool)
	if !d.Rescue {
		return d
	}
	d.Sized, d.Chars = true, chars
	if chars <= d.Most {
		d.Rescue, d.Rule = false, RuleWithin
	}
	return d
}

// Subject is Decide without the size: Most is set where its Rescue is true, which says whether a result that is
// long enough would be rescued.
func Subject(r *model.Registry, l Limits, tool string) Decision {
	d := Decision{Tool: tool}
	var bearers []*model.Tool
	if r != nil {
		bearers = r.Lookup(tool)
	}
	switch {
	case l.Off != "":
		d.Rule, d.Setting = RuleOff, string(l.Off)
	case slices.Contains(internalTools, tool):
		d.Rule = RuleInternal
	case slices.Contains(l.ExcludeTools, tool):
		d.Rule = RuleExcluded
	case slices.Contains(webTools, tool):
		d.Rule, d.Rescue = RuleWeb, true
	case len(bearers) == 0 && strings.HasPrefix(tool, "mcp_"):
		d.Rule, d.Rescue = RuleMCPName, true
	default:
		d.Rule = RuleUnknown
		if i := slices.IndexFunc(bearers, func(t *model.Tool) bool { return !strings.HasPrefix(t.Toolset, "mcp-") }); i >= 0 {
			d.Rule, d.Toolset = RuleOther, bearers[i].Toolset
			if d.Toolset == model.NoToolset || d.Toolset == "" {
				d.Rule, d.Toolset = RuleUnknown, model.NoToolset
			}
		} else if len(bearers) > 0 {
			d.Rule, d.Rescue, d.Toolset = RuleMCP, true, bearers[0].Toolset
			break
		}
		switch {
		case slices.Contains(fileTools, tool):
			d.Rule = RuleFile
		case slices.Contains(terminalTools, tool):
			d.Rule = RuleTerminal
		}
	}
	if d.Rescue {
		d.Most = max(0, l.MaxResultChars)
		if asked := askedOf(r, bearers); asked > d.Most {
			d.Most, d.Asked = asked, true
		}
	}
	return d
}

// mostAsked is the most that Claude Code grants for anthropic/maxResultSizeChars (its
// documentation of MCP, 2026-11).
const mostAsked = 500_000

// askedOf returns up to how many characters the server of a tool asks for its results to
// stay whole, 0 for none; of several that bear the name the least.
func askedOf(r *model.Registry, bearers []*model.Tool) int {
	if len(bearers) == 0 {
		return 0
	}
	least := mostAsked
	for _, t := range bearers {
		asked := 0.0
		jsontree.Members(jsontree.Mend(r.Entry(t)), func(name string, meta []byte) {
			if name != "_meta" {
				return
			}
			jsontree.Members(meta, func(name string, value []byte) {
				if n, err := strconv.ParseFloat(string(value), 64); name == "anthropic/maxResultSizeChars" && err == nil {
					asked = n
				}
			})
		})
		least = int(max(0, min(float64(least), asked)))
	}
	return least
}

// Never reports whether no result of the tool is rescued, however long.
func (d Decision) Never() bool { return d.Rule == RuleInternal || d.Rule == RuleExcluded }

// Verdict returns what becomes of the result, in two words at most.
func (d Decision) Verdict() string {
	verdict := "not rescued"
	switch {
	case d.Rescue:
		verdict = "rescued"
	case d.Never():
		verdict = "never rescued"
	}
	return words.Message(verdict)
}

// Size returns how many characters the result has against how many pass whole,
// as a clause; empty when the size was not asked for.
func (d Decision) Size() string {
	if !d.Sized {
		return ""
	}
	than := "more than"
	if d.Rule == RuleWithin {
		than = "not more than"
	}
	asked := ""
	if d.Asked {
		asked = ", which its server asks for"
	}
	return words.Message(fmt.Sprintf("%s %s %d%s", words.CountOf(d.Chars, "character is", "characters are"), than, d.Most, asked))
}

// Because returns what the rule says of the tool, as a clause with a subject
// for the tool; empty for RuleWithin, which is about the size. It is safe for a
// terminal if the subject is.
func (d Decision) Because(subject string) string {
	clause := map[string]string{
		RuleInternal: subject + " works on the agent itself",
		RuleExcluded: subject + " is in exclude_tools",
		RuleWeb:      subject + " reads the web",
		RuleMCPName:  subject + " is in no registry and is named like an MCP tool",
		RuleFile:     subject + " reads by parts",
		RuleTerminal: subject + " bounds its own output",
	}[d.Rule]
	switch d.Rule {
	case RuleOff:
		clause = safetext.Line(words.First(d.Setting, longestNameSeen)) + " switches rescue off"
	case RuleUnknown:
		clause = "the toolset of " + subject + " cannot be determined"
		if d.Toolset == "" {
			clause = subject + " is in no registry"
		}
	case RuleMCP, RuleOther:
		clause = subject + " is of the toolset " + shownName(d.Toolset)
	}
	return words.Message(clause)
}

// Why returns why the result is rescued or not, as a clause that is safe for a
// terminal.
func (d Decision) Why() string {
	size, because := d.Size(), d.Because(shownName(d.Tool))
	if size != "" && because != "" {
		return size + ", and " + because
	}
	return size + because
}

// String returns "verdict: why", safe for a terminal.
func (d Decision) String() string { return d.Verdict() + ": " + d.Why() }
