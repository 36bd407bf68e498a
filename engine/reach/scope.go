package reach

import (
	"slices"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/live"
	"caliper/model/words"
	"caliper/model/yamltext"
)

// The step of a scope: the session or the subagent is given the tool.

// granted asks whether the session is granted the tool, and the subagent given it.
func (c *chain) granted() Step {
	if c.tool == nil {
		return c.unlisted()
	}
	s := c.Snapshot
	if !s.Granted(c.tool) {
		return c.denied()
	}
	if s.Class(c.tool) == engine.Dropped && c.reference() {
		return Step{Verdict: Fail, Code: Replaced, Text: c.tool.Name}
	}
	if c.Agent != nil {
		return c.Agent.gives(c)
	}
	return Step{Verdict: Pass, Code: IsGranted, Setting: c.listOf(s.Session, true), Names: []string{c.tool.Toolset}}
}

// listOf returns the setting of the list of a session that enables toolsets, or of that which
// disables them.
func (c *chain) listOf(s config.Session, enables bool) live.Setting {
	switch {
	case s.Line == 0:
		return live.Setting{}
	case s.Platform:
		return live.Setting{Key: yamltext.Join("platform_toolsets", s.Name), File: c.Config}
	case enables:
		return live.Setting{Key: yamltext.Join("sessions", s.Name) + ".enabled_toolsets", File: c.Config}
	}
	return live.Setting{Key: yamltext.Join("sessions", s.Name) + ".disabled_toolsets", File: c.Config}
}

// denied returns which list keeps a tool from a session.
func (c *chain) denied() Step {
	s := c.Snapshot
	session := s.Session
	has := func(with config.Session) bool { return s.Grant(with)[c.tool.Index] }
	if !has(config.Session{}) {
		return Step{Verdict: Fail, Code: Disabled, Setting: live.Setting{Key: "agent.disabled_toolsets", File: c.Config}, Names: []string{c.tool.Toolset}}
	}
	without := session
	if without.Disabled = nil; has(without) {
		// The names of the list that stand for the tool.
		names := slices.DeleteFunc(slices.Clone(session.Disabled), func(name string) bool { return !has(config.Session{Enabled: []string{name}}) })
		return Step{Verdict: Fail, Code: Disabled, Setting: c.listOf(session, false), Names: names}
	}
	step := Step{Verdict: Fail, Code: NotEnabled, Setting: c.listOf(session, true), Names: []string{c.tool.Toolset}}
	for _, name := range session.Enabled {
		near := words.Nearest(name, []string{c.tool.Toolset, c.tool.Server}) != "" && c.tool.Toolset != ""
		if _, known := s.Registry.Toolset(name); near && !known && !has(config.Session{Enabled: []string{name}}) {
			step.Code, step.Names = NoToolset, []string{name, c.tool.Toolset}
		}
	}
	return step
}
