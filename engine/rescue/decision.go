package rescue

import (
	"fmt"
	"slices"
	"strings"

	"caliper/model"
)

// Decision says whether a result is rescued, and why.
type Decision struct {
	Rescue bool
	// Rule is the stable code of the rule that decided, one of Rules.
	Rule string
	// Text says the same in a sentence, safe for a terminal.
	Text string
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

// How the toolsets of MCP servers and the names of their tools begin.
const (
	mcpToolset = "mcp-"
	mcpName    = "mcp_"
)

// Tools that are never rescued, whatever toolset they are in, those of the web
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

// Rule is one line of the list that explains decisions.
type Rule struct {
	Code string
	// Rescues says what the rule decides.
	Rescues bool
	// Text says in a sentence whom it concerns.
	Text string
}

// Rules returns the rules in the order in which they are asked, with the
// limits in their sentences.
func Rules(l Limits) []Rule {
	return []Rule{
		{RuleOff, false, "never: anything, while plugins.enabled lacks toolaria or plugins.disabled has it"},
		{RuleInternal, false, "never: " + strings.Join(internalTools, ", ")},
		{RuleExcluded, false, fmt.Sprintf("never: the %s of exclude_tools", counted(len(l.Exclude), "name"))},
		{RuleWithin, false, fmt.Sprintf("the next three need more than %s", counted(l.MaxResultChars, "character"))},
		{RuleWeb, true, "results of " + strings.Join(webTools, ", ")},
		{RuleMCP, true, "results of tools in a toolset that begins with mcp-"},
		{RuleMCPName, true, "results of tools in no registry whose name begins with mcp_"},
		{RuleFile, false, "they read by parts: " + strings.Join(fileTools, ", ")},
		{RuleTerminal, false, "they bound their own output: " + strings.Join(terminalTools, ", ")},
		{RuleOther, false, "every other toolset"},
		{RuleUnknown, false, "tools whose toolset cannot be determined"},
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
	if chars <= max(0, l.MaxResultChars) {
		return Decision{false, RuleWithin,
			fmt.Sprintf("not rescued: %s not more than %d", are(chars), max(0, l.MaxResultChars))}
	}
	d.Text = fmt.Sprintf("rescued: %s more than %d, and %s", are(chars), max(0, l.MaxResultChars), d.Text)
	return d
}

// Subject is Decide without the size: its Rescue says whether a result that is
// long enough would be rescued.
func Subject(r *model.Registry, l Limits, tool string) Decision {
	shown := shownName(tool)
	switch {
	case l.Off != "":
		return Decision{false, RuleOff, "not rescued: " + shownText(l.Off) + " switches rescue off"}
	case slices.Contains(internalTools, tool):
		return Decision{false, RuleInternal, "never rescued: " + shown + " works on the agent itself"}
	case slices.Contains(l.Exclude, tool):
		return Decision{false, RuleExcluded, "never rescued: " + shown + " is in exclude_tools"}
	case slices.Contains(webTools, tool):
		return Decision{true, RuleWeb, shown + " reads the web"}
	}
	d := byToolset(r, tool, shown)
	switch {
	case d.Rescue:
	case slices.Contains(fileTools, tool):
		return Decision{false, RuleFile, "not rescued: " + shown + " reads by parts"}
	case slices.Contains(terminalTools, tool):
		return Decision{false, RuleTerminal, "not rescued: " + shown + " bounds its own output"}
	}
	return d
}

// byToolset decides about a name that no list holds.
func byToolset(r *model.Registry, tool, shown string) Decision {
	var bearers []*model.Tool
	if r != nil {
		bearers = r.Lookup(tool)
	}
	if len(bearers) == 0 {
		if strings.HasPrefix(tool, mcpName) {
			return Decision{true, RuleMCPName, shown + " is in no registry and is named like an MCP tool"}
		}
		return Decision{false, RuleUnknown, "not rescued: " + shown + " is in no registry"}
	}
	for _, t := range bearers {
		set := shownName(t.Toolset)
		switch {
		case t.Toolset == model.NoToolset || t.Toolset == "":
			return Decision{false, RuleUnknown, "not rescued: the toolset of " + shown + " cannot be determined"}
		case !strings.HasPrefix(t.Toolset, mcpToolset):
			return Decision{false, RuleOther, "not rescued: " + shown + " is of the toolset " + set}
		}
	}
	return Decision{true, RuleMCP, shown + " is of the toolset " + shownName(bearers[0].Toolset)}
}

// are returns a number of characters with its verb.
func are(chars int) string {
	if chars == 1 {
		return "1 character is"
	}
	return fmt.Sprintf("%d characters are", chars)
}
