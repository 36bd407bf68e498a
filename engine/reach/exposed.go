package reach

import (
	"caliper/config"
	"caliper/engine"
	"caliper/engine/export"
	"caliper/engine/live"
)

// The step of an exposure: the model is sent the tool, or a search that leads to it.

// exposed asks whether the model is sent the tool or a search, and whether its provider
// takes the request.
func (c *chain) exposed() Step {
	if c.tool == nil {
		return c.unlisted()
	}
	if c.reference() {
		s := c.Snapshot
		enabled := live.Setting{Key: config.KeyMode, File: c.Config}
		switch s.Status(c.tool) {
		case engine.Sent:
			return c.sent(len(s.Assembly().Tools))
		case engine.Deferred:
			c.deferred = true
			return Step{Verdict: Pass, Code: SearchLeads, Setting: enabled, Names: []string{engine.ToolSearch}}
		}
		return unsent(s, c.Config)
	}
	if !c.defers() {
		return c.sent(len(GrantedTools(c.Snapshot)))
	}
	c.deferred = true
	switch c.Posture.Search {
	case SearchOn:
		return Step{Verdict: Pass, Code: SearchLeads, Setting: c.Posture.By, Text: c.Posture.Value}
	case SearchBySize:
		return Step{Verdict: Unknown, Code: OnSize, Setting: c.Posture.By, Text: c.Posture.Value}
	case SearchInCode:
		c.deferred = false
		return Step{Verdict: Pass, Code: InCode, Setting: c.Posture.By, Text: c.Posture.Value}
	}
	switch {
	case c.Host.Client == "":
		return Step{Verdict: Unknown, Code: OnCode}
	case c.Posture.By.Key != "":
		return Step{Verdict: Fail, Code: NoSearch, Setting: c.Posture.By}
	}
	return Step{Verdict: Unknown, Code: OnModel, Setting: c.Posture.By}
}

// always returns whether the tool is always sent, and the setting of its server that says so. A
// server's counts before what the tool says of itself (measured on Claude Code 2.1.332).
func (c *chain) always() (always bool, by live.Setting) {
	if c.entry != nil && c.entry.AlwaysBy.Key != "" {
		return c.entry.Always, c.in(c.entry.AlwaysBy)
	}
	return c.tool != nil && c.tool.Always, live.Setting{}
}

// defers reports whether the agent, which is not the reference agent, leaves the tool to its
// search, as far as that is known.
func (c *chain) defers() bool {
	always, _ := c.always()
	return !always && c.Posture.Search != SearchOff && c.searcher.Active()
}

// unsent returns the step of a tool that is not sent in full where the model has no search.
func unsent(s *engine.Snapshot, file string) Step {
	step := Step{Name: Exposed, Verdict: Fail, Code: NoSearch, Setting: live.Setting{Key: config.KeyMode, File: file}}
	if engine.PreSelects(s.Assembly().Strategy) {
		step.Code, step.Text = NotSelected, s.Assembly().Strategy
	}
	return step
}

// sent asks whether the provider takes a request with so many tools and this one in full.
func (c *chain) sent(tools int) Step {
	who, by := c.takers(), c.Posture.By
	if always, set := c.always(); always && !c.reference() {
		by = set
	}
	if len(who) == 0 {
		return Step{Verdict: Pass, Code: SentInFull, Setting: by}
	}
	for _, b := range export.RequestBreaches(tools, 0, false, who...) {
		if b.Effect == export.Refused {
			return Step{Verdict: Fail, Code: TooMany, Rank: tools, Limit: b.Most, Text: b.Who, Setting: by}
		}
	}
	d := export.Defined(c.Snapshot.Registry, c.tool)
	d.Deferred = false
	for _, b := range export.Breaches(d, who...) {
		if b.Effect == export.Refused {
			return Step{Verdict: Fail, Code: Refused, Text: b.Who, Names: []string{b.What}}
		}
	}
	return Step{Verdict: Pass, Code: SentInFull, Setting: by}
}
