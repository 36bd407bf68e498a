package config

import (
	"slices"
	"strconv"
	"strings"
)

// everyTool is the glob of a rule whose own cannot be read.
const everyTool = "*"

// policy reads the rules that are asked before a call.
//
// SECURITY: a rule that cannot be read denies what it may have meant: an
// unusable action is deny, an unusable match is every tool, and a policy that
// is no list is one rule that denies everything.
func (p *parser) policy(e entry) {
	p.policies = Setting{Key: policyKey, Origin: OriginDefault}
	v := p.value(e.val)
	if v.kind == null {
		return
	}
	p.policies.Origin, p.policies.File = OriginFile, p.doc.file
	p.policies.Line, p.policies.Col = p.doc.position(e.place())
	if v.kind != list {
		p.warn(e.place(), policyKey, "unusable_policy", v.source()+" is not a list of rules; every call is denied")
		p.policies.Given, p.policies.Note = v.source(), "not a list of rules, so every call is denied"
		p.rules = []Rule{{Match: everyTool, Action: Deny, Line: p.policies.Line, Col: p.policies.Col}}
		return
	}
	for i, item := range v.elements() {
		p.rules = append(p.rules, p.rule(policyKey+"["+strconv.Itoa(i)+"]", item))
	}
}

func (p *parser) rule(path string, item value) Rule {
	line, col := p.doc.position(item.node)
	r := Rule{Match: everyTool, Action: Deny, Line: line, Col: col}
	if item.kind != mapping {
		if item.kind == text && item.text != "" {
			r.Match = item.text
		}
		p.warn(item.node, path, "unusable_rule", item.source()+" is not a rule with match and action; "+r.effect())
		return r
	}
	row, _ := rowOf(policyKey)
	var match, action, stage *entry
	for _, m := range entries(item.node) {
		switch {
		case !m.isText || !slices.Contains(row.members, m.name):
			p.unknown(m, path, row.members)
			continue
		case m.name == row.members[0]:
			match = &m
		case m.name == row.members[1]:
			action = &m
		default:
			stage = &m
		}
		p.duplicate(m, path+"."+m.name)
	}
	p.match(&r, path+"."+row.members[0], item, match)
	p.action(&r, path+"."+row.members[1], item, action)
	p.stage(&r, path+"."+row.members[2], stage)
	return r
}

func (p *parser) match(r *Rule, path string, item value, e *entry) {
	if e == nil {
		p.warn(item.node, path, "unusable_match", "missing; the rule is for every tool")
		return
	}
	v := p.value(e.val)
	names, items := (&value{items: []value{v}}).names()
	for _, w := range items {
		if w.code == unnamed {
			p.warn(e.place(), path, "unusable_match", v.source()+" is not a glob; the rule is for every tool")
			return
		}
		if w.code == unsetVariable {
			p.warn(e.place(), path, "unusable_match", w.note+"; the rule is for every tool")
			return
		}
		p.warn(e.place(), path, w.code, w.note)
	}
	if strings.TrimSpace(names[0]) == "" {
		p.warn(e.place(), path, "unusable_match", "blank; the rule is for every tool")
		return
	}
	r.Match = names[0]
}

func (p *parser) action(r *Rule, path string, item value, e *entry) {
	if e == nil {
		p.warn(item.node, path, "unusable_action", "missing; "+r.effect())
		return
	}
	known := []string{string(Deny), string(Approve), string(Observe)}
	v := p.value(e.val)
	if v.kind == text && slices.Contains(known, v.text) {
		r.Action = Action(v.text)
		return
	}
	p.warn(e.place(), path, "unusable_action", v.source()+" is none of deny, approve and observe; "+r.effect()+didYouMean(v.text, known))
}

// stage reads where a call meets a rule; a rule without one is asked by the
// policy, before every hook.
//
// SECURITY: a rule whose stage is unusable is asked by the policy, which is
// earlier than any stage, and so is one that would stop a call that has run.
func (p *parser) stage(r *Rule, path string, e *entry) {
	if e == nil {
		return
	}
	const instead = "the policy asks the rule, before every stage"
	v := p.value(e.val)
	switch at := Stage(v.text); {
	case v.kind != text || !slices.Contains(Stages, at):
		var known []string
		for _, s := range Stages {
			known = append(known, string(s))
		}
		p.warn(e.place(), path, "unusable_stage", v.source()+" is none of "+strings.Join(known, ", ")+"; "+instead+didYouMean(v.text, known))
	case at == StagePost && r.Action != Observe:
		p.warn(e.place(), path, "unusable_stage", "after the call nothing can stop it; "+instead)
	default:
		r.Stage = at
	}
}

// effect says what a rule does that was not read as written.
func (r Rule) effect() string {
	if r.Match == everyTool {
		return "every call is denied"
	}
	return printable(r.Match) + " is denied"
}
