package reach

import (
	"caliper/engine"
	"caliper/engine/live"
	"caliper/model/jsontree"
)

// The steps of a call: its arguments are visible, and every gate lets it through.

// described asks whether the model reads the parameters.
func (c *chain) described() Step {
	if c.tool == nil {
		return c.unlisted()
	}
	if c.reference() && c.deferred {
		if describable, _ := c.Snapshot.Paths(c.tool); !describable {
			return Step{Verdict: Fail, Code: NotDescribed, Text: engine.ToolDescribe}
		}
	}
	given := false
	jsontree.Members(c.tool.Function, func(name string, value []byte) {
		given = given || name == "parameters" && string(value) != "null"
	})
	names := c.tool.PropertyNames()
	switch {
	case given && c.tool.Parameters == nil:
		return Step{Verdict: Fail, Code: NoSchema}
	case len(names) == 0:
		return Step{Verdict: Pass, Code: NoArguments}
	}
	return Step{Verdict: Pass, Code: Arguments, Names: names}
}

// authorized asks whether a call with arguments that fit passes every gate.
func (c *chain) authorized() Step {
	if c.tool == nil {
		return c.unlisted()
	}
	if !c.reference() {
		return c.allowed()
	}
	_, d := c.Snapshot.Paths(c.tool)
	policy := live.Setting{Key: "policy", File: c.Config}
	switch {
	case d.Gate != "" && !d.Final:
		return Step{Verdict: Pass, Code: Approval, Text: d.Gate, Setting: policy}
	case d.Gate != "":
		s := Step{Verdict: Fail, Code: GateRefuses, Text: d.Gate, Names: []string{d.Code}}
		if d.Code == engine.CodeDenied {
			s.Setting = policy
		}
		return s
	case c.tool.TaskOnly:
		return Step{Verdict: Fail, Code: TaskOnly}
	}
	return Step{Verdict: Pass, Code: PassesGates}
}

// allowed is authorized of an agent whose rules are its permissions.
func (c *chain) allowed() Step {
	if c.tool.TaskOnly {
		return Step{Verdict: Fail, Code: TaskOnly}
	}
	return Step{Verdict: Unknown, Code: NoRules}
}
