package engine

import (
	"fmt"
	"slices"

	"caliper/config"
	"caliper/engine/glob"
	"caliper/model"
)

// policyVerdict returns the action that the rules demand for a tool, with the
// rule that demands it; ok is false when no rule matches. Rules see the real
// name, never a bridge's, and where two definitions bear that name its
// qualified form too. A rule that denies wins over one that asks for approval,
// and that over one that observes, wherever they stand.
func policyVerdict(rules []config.Rule, t *model.Tool) (rule config.Rule, ok bool) {
	for _, r := range rules {
		match, _ := ruleMatcher(r)
		if !match(t) {
			continue
		}
		if r.Action == config.Deny {
			return r, true
		}
		if !ok || rule.Action == config.Observe {
			rule, ok = r, true
		}
	}
	return rule, ok
}

// ruleMatcher returns a function that reports whether a rule is for a tool, and
// what is wrong with the rule's glob.
//
// SECURITY: a rule whose glob is malformed is for everything it could have been
// meant for, which is every tool: a policy fails closed.
func ruleMatcher(r config.Rule) (match func(*model.Tool) bool, err error) {
	g, err := glob.Compile(r.Match)
	if err != nil {
		return func(*model.Tool) bool { return true }, err
	}
	return func(t *model.Tool) bool {
		return g.Match(t.Name) || t.Qualified != t.Name && g.Match(t.Qualified)
	}, nil
}

// RuleFault is a rule of the policy that cannot do what it was written for.
type RuleFault struct {
	Index     int // in the policy
	Rule      config.Rule
	Malformed error // what is wrong with the glob; nil: no tool matches it
}

// Malformed globs and globs without a tool have codes of their own.
const (
	codeMalformedGlob = "malformed_glob"
	codeIdleRule      = "idle_rule"
)

// Code returns the stable code of the fault.
func (f RuleFault) Code() string {
	if f.Malformed != nil {
		return codeMalformedGlob
	}
	return codeIdleRule
}

// Message returns one line that is safe for a terminal.
func (f RuleFault) Message() string {
	if f.Malformed != nil {
		return fmt.Sprintf("%s: %v; the rule is for every tool (%s)", model.Sanitize(f.Rule.Match), f.Malformed, f.Rule.Action)
	}
	return fmt.Sprintf("%s matches no tool, so that the rule does nothing (%s)", model.Sanitize(f.Rule.Match), f.Rule.Action)
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
