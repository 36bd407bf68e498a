package engine

import (
	"fmt"
	"regexp"
	"strings"

	"caliper/config"
	"caliper/model"
)

// The gates of the hooks, which follow those of the contract. They stand in
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

// hookGate returns the check of a stage, with what it says when no rule is for
// the tool. Searching and describing run no tool, so no rule sees them.
func hookGate(stage config.Stage, quiet string) func(*attempt) (string, *Fault) {
	return func(a *attempt) (string, *Fault) {
		if a.bridge {
			return "no hook is about the bridge", nil
		}
		return a.askRules(stage, quiet)
	}
}

// askRules asks the rules of one stage. A rule that denies wins over one that
// asks for approval, and both over one that observes.
func (a *attempt) askRules(stage config.Stage, quiet string) (string, *Fault) {
	var asked []config.Rule
	for _, r := range a.snapshot.Config.Policy {
		if r.Stage == stage {
			asked = append(asked, r)
		}
	}
	rule, ok := policyVerdict(asked, a.tool)
	if !ok {
		return quiet, nil
	}
	switch rule.Action {
	case config.Observe:
		return fmt.Sprintf("rule %s observes %s", model.Sanitize(rule.Match), a.shownName()), nil
	case config.Approve:
		return "", fault(CodeNeedsApproval, fmt.Sprintf("%s needs approval before it runs: policy rule %s", a.shownName(), model.Sanitize(rule.Match)))
	}
	return "", fault(CodeDenied, fmt.Sprintf("%s is denied: policy rule %s", a.shownName(), model.Sanitize(rule.Match)))
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
		switch matches, understood := hookMatches(h, a.tool.Name); {
		case !understood:
			sees = fmt.Sprintf("may see, for the matcher %s is not understood here,", model.Sanitize(firstRunes(h.Matcher, maxHookText)))
		case !matches:
			continue
		}
		out = append(out, Step{Gate: "hook " + h.Event, Verdict: Skip,
			Detail: fmt.Sprintf("%s %s; not run: %s", sees, a.shownName(), model.Sanitize(firstRunes(strings.Join(strings.Fields(h.Command), " "), maxHookText)))})
	}
	return out
}

// hookMatches reports whether a hook is for a tool: without a matcher, with one
// that matches the whole name, or with one that is the name. understood is
// false where the agent's regular expressions may read what ours do not.
func hookMatches(h config.Hook, name string) (matches, understood bool) {
	if h.Matcher == "" || h.Matcher == name {
		return true, true
	}
	if _, err := regexp.Compile(h.Matcher); err != nil {
		return false, false
	}
	whole, err := regexp.Compile(`\A(?:` + h.Matcher + `)\z`)
	return err == nil && whole.MatchString(name), err == nil
}

// maxHookText bounds a text of the configuration in a row, in code points.
const maxHookText = 120
