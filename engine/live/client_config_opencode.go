package live

import (
	"slices"
	"strings"

	"caliper/model/clientfile"
)

// OpenCode chooses tools by a list of rules: a pattern with * and ?, and a decision. The last
// rule that fits a tool's name decides. The tool is left out if that rule denies it for all
// arguments (disabled in packages/opencode/src/permission). "tools" has the first rules, with
// true or false as the decision, and "permission" has those after them. A key that is in both
// keeps its position in "tools" and takes its decision from "permission". For
//
//	"tools": {"a_*": false, "a_read": true}, "permission": {"a_r*": "deny", "a_read": "ask"}
//
// the rules are a_* deny, a_read ask, a_r* deny. The last one leaves a_read out, as the first
// leaves out all other tools of a.

// ruling is the effect of a rule of OpenCode on the tools that fit it.
type ruling struct {
	pattern string
	deny    bool
	setting string
}

// filterOpenCode heeds the rules about all agents, and names those of single agents and later
// versions.
func (s *Server) filterOpenCode(root clientfile.Value) {
	prefix := openCodeName(s.Name) + "_"
	rules := s.rulesOf("tools", root.Member("tools"), nil)
	rules = s.rulesOf("permission", root.Member("permission"), rules)
	for _, r := range rules {
		if strings.ContainsAny(r.pattern, bracketed) { // which no name of a tool has there
			continue
		}
		for _, p := range behind(r.pattern, prefix) {
			switch {
			case r.deny:
				s.Exclude = append(s.Exclude, p)
			case len(s.Exclude) > 0:
				s.Exclude = append(s.Exclude, again+p)
			}
			s.excluded(Setting{Key: r.setting + "." + r.pattern})
		}
	}
	for _, key := range []string{"agent", "mode"} {
		for _, agent := range root.Member(key).Members {
			for _, member := range []string{"tools", "permission"} {
				if rulesConcern(agent.Member(member), prefix) {
					s.Unread = append(s.Unread, key+"."+agent.Name+"."+member)
				}
			}
		}
	}
	if rulesConcern(root.Member("permissions"), prefix) {
		s.Unread = append(s.Unread, "permissions")
	}
	for _, agent := range root.Member("agents").Members {
		if rulesConcern(agent.Member("permissions"), prefix) {
			s.Unread = append(s.Unread, "agents."+agent.Name+".permissions")
		}
	}
}

// openCodeName returns the name of a server as OpenCode puts it before its tools' names.
func openCodeName(name string) string {
	return strings.Map(func(c rune) rune {
		if c == '_' || c == '-' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' && c < 0x80 {
			return c
		}
		return '_'
	}, name)
}

// rulesOf returns rules with a setting's behind them. An item that is no rule is named.
func (s *Server) rulesOf(name string, v clientfile.Value, rules []ruling) []ruling {
	switch {
	case v.Kind == 0, v.Kind == clientfile.Null:
		return rules
	case v.Kind == clientfile.Text && v.Says("allow", "ask", "deny"):
		v = clientfile.Value{Members: []clientfile.Member{{Name: "*", Value: v}}}
	case v.Kind != clientfile.Object:
		s.Unread = append(s.Unread, name)
		return rules
	}
	for _, m := range v.Members {
		rule := ruling{pattern: m.Name, setting: name}
		last := m.Value
		if m.Kind == clientfile.Object && len(m.Members) > 0 { // by what the tool is called with
			end := m.Members[len(m.Members)-1]
			if last = end.Value; end.Name != "*" && last.Says("deny") {
				last = clientfile.Value{Kind: clientfile.Text, Text: "ask"} // some calls are allowed
			}
		}
		switch {
		case last.Says("false", "deny"):
			rule.deny = true
		case !last.Says("true", "allow", "ask"):
			s.Unread = append(s.Unread, name+"."+m.Name)
			continue
		}
		if i := slices.IndexFunc(rules, func(r ruling) bool { return r.pattern == rule.pattern }); i >= 0 {
			rules[i] = rule
			continue
		}
		rules = append(rules, rule)
	}
	return rules
}

// rulesConcern reports whether a rule of a setting may fit a name that begins with a prefix.
func rulesConcern(v clientfile.Value, prefix string) bool {
	fits := func(pattern string) bool { return len(behind(pattern, prefix)) > 0 }
	return v.Says("deny") || slices.ContainsFunc(v.Members, func(m clientfile.Member) bool { return fits(m.Name) }) ||
		slices.ContainsFunc(v.Items, func(i clientfile.Value) bool {
			return fits(i.Member("action").Text) && !i.Member("effect").Says("allow", "ask")
		})
}
