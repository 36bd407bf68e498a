package lint

import "fmt"

// policy returns the rules of the policy that cannot do what they were written
// for. No change of a tool is a remedy.
func (c *check) policy() []draft {
	var out []draft
	for _, f := range c.s.RuleFaults() {
		code, severity := IdleRule, Warning
		if f.Malformed != nil {
			code, severity = MalformedGlob, Error
		}
		where := fmt.Sprintf("policy[%d]", f.Index)
		if f.Rule.Line > 0 {
			where += fmt.Sprintf(" at %d:%d of the configuration", f.Rule.Line, f.Rule.Col)
		}
		out = append(out, found(code, severity, nil, "%s: %s", where, f.Message()))
	}
	return out
}
