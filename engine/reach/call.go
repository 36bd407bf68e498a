package reach

import (
	"slices"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/live"
	"caliper/model"
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
		if c.tool.TaskOnly {
			return Step{Verdict: Fail, Code: TaskOnly}
		}
		return Step{Verdict: Unknown, Code: NoRules}
	}
	_, d := c.Snapshot.Paths(c.tool)
	switch {
	case d.Gate != "":
		return Stopped(c.Snapshot, c.Snapshot.Session.Name, c.tool, d, c.Config)
	case c.tool.TaskOnly:
		return Step{Verdict: Fail, Code: TaskOnly}
	}
	return Step{Verdict: Pass, Code: PassesGates}
}

// Stopped returns the step at which a call breaks that a gate refuses, in a session of the
// reference agent. File is that of the configuration; t is nil for a tool that nothing has.
func Stopped(s *engine.Snapshot, session string, t *model.Tool, d engine.Denial, file string) Step {
	of := s.Session
	if i := slices.IndexFunc(s.Config.Sessions, func(o config.Session) bool { return o.Name == session }); i >= 0 && of.Name != session {
		of = s.Config.Sessions[i]
	}
	switch {
	case t == nil:
		return Step{Name: Configured, Verdict: Fail, Code: NoTool, Names: s.Unasked().Suggest(d.Tool)}
	case d.Code == engine.CodeOutOfScope && !t.Available:
		return Step{Name: Listed, Verdict: Fail, Code: Unavailable}
	case d.Code == engine.CodeOutOfScope:
		step := scope{s, of, t, file}.denied()
		step.Name = Granted
		return step
	case d.Code == engine.CodeAmbiguousName:
		var others []string
		for _, o := range s.Registry.Lookup(t.Name) {
			if o != t {
				others = append(others, o.Qualified)
			}
		}
		return Step{Name: Named, Verdict: Fail, Code: SharedName, Names: others, Text: t.Name}
	case d.Code == engine.CodeUnknownTool && engine.IsBridge(t.Name):
		return Step{Name: Granted, Verdict: Fail, Code: Replaced, Text: t.Name}
	case d.Code == engine.CodeUnknownTool:
		return unsent(s, file)
	}
	step := Step{Name: Authorized, Verdict: Fail, Code: GateRefuses, Text: d.Gate, Names: []string{d.Code}}
	if !d.Final {
		step.Verdict, step.Code = Pass, Approval
	}
	if d.Code == engine.CodeDenied {
		step.Code = RuleDenies
	}
	if d.Code == engine.CodeDenied || !d.Final {
		step.Setting = live.Setting{Key: "policy", File: file}
	}
	return step
}
