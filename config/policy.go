package config

import (
	"slices"
	"strconv"
	"strings"

	"caliper/model/words"
	"caliper/model/yamltext"
)

// everyTool is the glob of a rule whose match cannot be read.
const everyTool = "*"

// policy reads the rules that are asked before a call.
//
// SECURITY: a rule that cannot be read denies everything that it may be about.
// An unusable action is deny, an unusable match is every tool, and a policy that
// is no list is one rule that denies every call.
func (p *parser) policy(e yamltext.Entry) {
	p.policies = Setting{Key: policyKey, Origin: OriginDefault}
	v := p.value(e.Val)
	if v.Kind == yamltext.Null {
		return
	}
	p.policies.Origin, p.policies.File = OriginFile, p.doc.File
	p.policies.Line, p.policies.Col = p.doc.Position(e.Place())
	if v.Kind != yamltext.List {
		p.warn(e.Place(), policyKey, "unusable_policy", v.source()+" is not a list of rules; every call is denied")
		p.policies.Given, p.policies.Note = v.source(), "not a list of rules, so every call is denied"
		p.rules = []Rule{{Match: everyTool, Action: Deny, Line: p.policies.Line, Col: p.policies.Col}}
		return
	}
	for i, item := range v.elements() {
		p.rules = append(p.rules, p.rule(policyKey+"["+strconv.Itoa(i)+"]", item))
	}
}

func (p *parser) rule(path string, item value) Rule {
	line, col := p.doc.Position(item.Node)
	r := Rule{Match: everyTool, Action: Deny, Line: line, Col: col}
	if item.Kind != yamltext.Mapping {
		if item.Kind == yamltext.Text && item.Text != "" {
			r.Match = item.Text
		}
		p.warn(item.Node, path, "unusable_rule", item.source()+" is not a rule with match and action; "+r.effect())
		return r
	}
	row, _ := rowOf(policyKey)
	var match, action, stage *yamltext.Entry
	for _, m := range yamltext.Entries(item.Node) {
		switch {
		case !m.IsText || !slices.Contains(row.members, m.Name):
			p.unknown(m, path, row.members)
			continue
		case m.Name == row.members[0]:
			match = &m
		case m.Name == row.members[1]:
			action = &m
		default:
			stage = &m
		}
		p.duplicate(m, path+"."+m.Name)
	}
	p.match(&r, path+"."+row.members[0], item, match)
	known := []string{string(Deny), string(Approve), string(Observe)}
	if at := path + "." + row.members[1]; action == nil {
		p.warn(item.Node, at, "unusable_action", "missing; "+r.effect())
	} else if v := p.value(action.Val); v.Kind == yamltext.Text && slices.Contains(known, v.Text) {
		r.Action = Action(v.Text)
	} else {
		p.warn(action.Place(), at, "unusable_action", v.source()+" is not deny, approve or observe; "+r.effect()+words.DidYouMean(words.Nearest(v.Text, known)))
	}
	p.stage(&r, path+"."+row.members[2], stage)
	return r
}

// match reads the glob of a rule.
func (p *parser) match(r *Rule, path string, item value, e *yamltext.Entry) {
	if e == nil {
		p.warn(item.Node, path, "unusable_match", "missing; the rule is for every tool")
		return
	}
	v := p.value(e.Val)
	names, items := (&value{items: []value{v}}).names()
	for _, w := range items {
		if w.code == unnamed {
			p.warn(e.Place(), path, "unusable_match", v.source()+" is not a glob; the rule is for every tool")
			return
		}
		if w.code == unsetVariable {
			p.warn(e.Place(), path, "unusable_match", w.note+"; the rule is for every tool")
			return
		}
		p.warn(e.Place(), path, w.code, w.note)
	}
	if strings.TrimSpace(names[0]) == "" {
		p.warn(e.Place(), path, "unusable_match", "blank; the rule is for every tool")
		return
	}
	r.Match = names[0]
}

// stage reads at which stage a call meets a rule. A rule without a stage is one
// of the policy, which is asked before every hook.
//
// SECURITY: a rule with an unusable stage is one of the policy, which is earlier
// than every stage. The same holds for a rule that would stop a call that has
// run.
func (p *parser) stage(r *Rule, path string, e *yamltext.Entry) {
	if e == nil {
		return
	}
	const instead = "the policy asks the rule, before every stage"
	v := p.value(e.Val)
	switch at := Stage(v.Text); {
	case v.Kind != yamltext.Text || !slices.Contains(Stages, at):
		var known []string
		for _, s := range Stages {
			known = append(known, string(s))
		}
		p.warn(e.Place(), path, "unusable_stage", v.source()+" is not one of "+strings.Join(known, ", ")+"; "+instead+words.DidYouMean(words.Nearest(v.Text, known)))
	case at == StagePost && r.Action != Observe:
		p.warn(e.Place(), path, "unusable_stage", "after the call nothing can stop it; "+instead)
	default:
		r.Stage = at
	}
}

// effect returns what a rule does that could not be read as it is written.
func (r Rule) effect() string {
	if r.Match == everyTool {
		return "every call is denied"
	}
	return yamltext.Printable(r.Match) + " is denied"
}
