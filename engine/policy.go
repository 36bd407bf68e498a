package engine

import (
	"path"
	"strings"

	"caliper/config"
	"caliper/model"
)

// policyVerdict returns the action that the rules demand for a tool, with the
// rule that demands it; ok is false when no rule matches. Rules see the real
// name, never a bridge's, and where two definitions bear that name its
// qualified form too. A rule that denies wins over one that asks for approval,
// wherever they stand.
//
// SECURITY: a rule whose glob is malformed matches everything it could have
// meant to, that is every tool: a policy fails closed.
func policyVerdict(rules []config.Rule, t *model.Tool) (rule config.Rule, ok bool) {
	for _, r := range rules {
		if !globMatches(r.Match, t.Name) && !globMatches(r.Match, t.Qualified) {
			continue
		}
		if r.Action == config.Deny {
			return r, true
		}
		if !ok {
			rule, ok = r, true
		}
	}
	return rule, ok
}

// globMatches reports whether a shell-style glob matches a whole name. Unlike
// in a path, an asterisk also crosses a slash.
func globMatches(glob, name string) bool {
	const slash = "\x00"
	matched, err := path.Match(strings.ReplaceAll(glob, "/", slash), strings.ReplaceAll(name, "/", slash))
	return matched || err != nil
}
