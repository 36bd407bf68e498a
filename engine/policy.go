package engine

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"caliper/config"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/model/words"
)

// policyVerdict returns the action that the rules demand for a tool, with the
// rule that demands it; ok is false when no rule matches. Rules see the real
// name, never a bridge's, and where two definitions bear that name its
// qualified form too. A rule that denies wins over one that asks for approval,
// and that over one that observes, wherever they stand.
func policyVerdict(rules []compiledRule, t *model.Tool) (rule config.Rule, ok bool) {
	for _, c := range rules {
		if !c.match(t) {
			continue
		}
		r := c.Rule
		if r.Action == config.Deny {
			return r, true
		}
		if !ok || rule.Action == config.Observe {
			rule, ok = r, true
		}
	}
	return rule, ok
}

// compiledRule is a rule with the function that reports whether it is for a tool.
type compiledRule struct {
	config.Rule
	match func(*model.Tool) bool
}

// rulesOf returns the rules of one stage, compiled, in their order.
func rulesOf(policy []config.Rule, stage config.Stage) []compiledRule {
	var out []compiledRule
	for _, r := range policy {
		if r.Stage == stage {
			match, _ := ruleMatcher(r)
			out = append(out, compiledRule{r, match})
		}
	}
	return out
}

// ruleMatcher returns a function that reports whether a rule is for a tool, and
// the fault of the rule's glob.
//
// SECURITY: a rule for tools of MCP servers is for every name that an agent gives them,
// so that an upgrade opens nothing. A rule whose glob is malformed is for everything it could have been
// meant for, which is every tool: a policy fails closed.
func ruleMatcher(r config.Rule) (match func(*model.Tool) bool, err error) {
	g, err := words.CompileGlob(r.Match)
	if err != nil {
		return func(*model.Tool) bool { return true }, err
	}
	ofServers := strings.HasPrefix(r.Match, "mcp_")
	return func(t *model.Tool) bool {
		return g.Match(t.Name) || t.Qualified != t.Name && g.Match(t.Qualified) || ofServers && slices.ContainsFunc(t.Aliases(), g.Match)
	}, nil
}

// RuleFault is a rule of the policy that cannot do what it was written for.
type RuleFault struct {
	Index     int // in the policy
	Rule      config.Rule
	Malformed error // the fault of the glob; nil: no tool matches it
}

// Message returns one line that is safe for a terminal.
func (f RuleFault) Message() string {
	if f.Malformed != nil {
		return words.Message(fmt.Sprintf("%s: %v; the rule is for every tool (%s)", safetext.Line(f.Rule.Match), f.Malformed, f.Rule.Action))
	}
	return words.Message(fmt.Sprintf("%s matches no tool, so that the rule does nothing (%s)", safetext.Line(f.Rule.Match), f.Rule.Action))
}

// RuleFaults returns the rules of the policy whose glob is malformed or matches
// no tool of the registry, in the order of the policy. A registry without tools
// is not what a policy was written for: no rule is idle there.
func (s *Snapshot) RuleFaults() []RuleFault {
	var out []RuleFault
	for i, r := range s.Config.Policy {
		match, err := ruleMatcher(r)
		idle := len(s.Registry.Tools) > 0 && !slices.ContainsFunc(s.Registry.Tools, match)
		if err != nil || idle {
			out = append(out, RuleFault{Index: i, Rule: r, Malformed: err})
		}
	}
	return out
}

// The gates of the hooks, which follow the contract's. They stand in
// the agent's order and see the real name of the tool.
const (
	GatePreCall   = "pre_call"
	GateGuardrail = "guardrail"
	GateApproval  = "approval"
	GatePostCall  = "post_call"
)

// hookGates are the gates at which the agent asks its hooks. What these would
// say is not known here, since none is run: rules of the policy that name a
// stage stand for them.
var hookGates = []gate{
	{GatePreCall, hookGate(config.StagePre, "no rule; a hook of the agent may block the call here")},
	{GateGuardrail, hookGate(config.StageGuardrail, "no rule; the agent's guardrail counts repeated calls, and here is only one")},
	{GateApproval, hookGate(config.StageApproval, "no rule; a tool may ask for approval itself")},
	{GatePostCall, hookGate(config.StagePost, "no rule; the result would be seen here")},
}

// stageOf returns the stage of a hook's gate; ok is false for any other gate.
func stageOf(gate string) (stage config.Stage, ok bool) {
	switch gate {
	case GatePreCall:
		return config.StagePre, true
	case GateGuardrail:
		return config.StageGuardrail, true
	case GateApproval:
		return config.StageApproval, true
	case GatePostCall:
		return config.StagePost, true
	}
	return "", false
}

// refusals returns, by Tool.Index, the first gate of policy and hooks that refuses each
// tool, without its name, the zero value for none; nil when there are no rules. A rule that
// denies makes the refusal final at whatever gate it stands. It does not depend on a session.
func refusals(policy []config.Rule, tools []*model.Tool) []Denial {
	if len(policy) == 0 {
		return nil
	}
	out := make([]Denial, len(tools))
	for _, g := range slices.Concat([]gate{{name: "policy"}}, hookGates) {
		stage, _ := stageOf(g.name)
		rules := rulesOf(policy, stage)
		for i, t := range tools {
			rule, ok := policyVerdict(rules, t)
			switch {
			case !ok || rule.Action == config.Observe:
			case out[i] != (Denial{}): // the first gate refuses, and a later one may deny
				out[i].Final = out[i].Final || rule.Action == config.Deny
			case rule.Action == config.Approve:
				out[i] = Denial{Gate: g.name, Code: CodeNeedsApproval}
			default:
				out[i] = Denial{Gate: g.name, Code: CodeDenied, Final: true}
			}
		}
	}
	return out
}

// hookGate returns the check of a stage, with what it says when no rule is for
// the tool.
func hookGate(stage config.Stage, quiet string) func(*attempt) (string, *Fault) {
	return unlessBridge("no hook is about the bridge", func(a *attempt) (string, *Fault) { return a.askRules(stage, quiet) })
}

// askRules asks the rules of one stage. A rule that denies wins over one that
// asks for approval, and both over one that observes.
func (a *attempt) askRules(stage config.Stage, quiet string) (string, *Fault) {
	rule, ok := policyVerdict(rulesOf(a.snapshot.Config.Policy, stage), a.tool)
	if !ok {
		return quiet, nil
	}
	switch rule.Action {
	case config.Observe:
		return fmt.Sprintf("rule %s observes %s", safetext.Line(rule.Match), a.shownName()), nil
	case config.Approve:
		if a.approved == a.tool.Qualified {
			return fmt.Sprintf("%s was approved; asked by rule %s", a.shownName(), safetext.Line(rule.Match)), nil
		}
		return "", fault(CodeNeedsApproval, fmt.Sprintf("%s needs approval before it runs: policy rule %s", a.shownName(), safetext.Line(rule.Match)))
	}
	return "", fault(CodeDenied, fmt.Sprintf("%s is denied: policy rule %s", a.shownName(), safetext.Line(rule.Match)))
}

// hookSteps returns a row for each of the agent's own hooks that would see the
// call at a gate. They are never run, so that their rows are skipped ones.
func (a *attempt) hookSteps(gate string) []Step {
	stage, ok := stageOf(gate)
	if !ok || a.tool == nil {
		return nil
	}
	var out []Step
	for _, h := range a.snapshot.Config.Hooks {
		if config.HookEvents[h.Event] != stage {
			continue
		}
		sees := "would see"
		if h.Matcher != "" && h.Matcher != a.tool.Name { // neither every tool's nor this one's: a pattern of the whole name
			_, err := regexp.Compile(h.Matcher)
			whole, wholeErr := regexp.Compile(`\A(?:` + h.Matcher + `)\z`)
			switch {
			case err != nil || wholeErr != nil: // which the agent's regular expressions may read
				sees = fmt.Sprintf("may see, for the matcher %s is not understood here,", safetext.Line(words.First(h.Matcher, maxHookText)))
			case !whole.MatchString(a.tool.Name):
				continue
			}
		}
		out = append(out, Step{Gate: "hook " + h.Event, Verdict: Skip,
			Detail: words.Message(fmt.Sprintf("%s %s; not run: %s", sees, a.shownName(), safetext.Line(words.First(strings.Join(strings.Fields(h.Command), " "), maxHookText))))})
	}
	return out
}

// maxHookText bounds a text of the configuration in a row, in code points.
const maxHookText = 120
