package reach

import (
	"slices"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/live"
	"caliper/model"
	"caliper/model/words"
	"caliper/model/yamltext"
)

// The step of a scope: the session is given the tool.

// granted asks whether the session is granted the tool.
func (c *chain) granted() Step {
	if c.tool == nil {
		return c.unlisted()
	}
	s := c.Snapshot
	if !s.Granted(c.tool) {
		return c.scope().denied()
	}
	if s.Class(c.tool) == engine.Dropped && c.reference() {
		return Step{Verdict: Fail, Code: Replaced, Text: c.tool.Name}
	}
	return Step{Verdict: Pass, Code: IsGranted, Setting: c.scope().list(true), Names: []string{c.tool.Toolset}}
}

// scope is a session of a configuration and one tool.
type scope struct {
	snapshot *engine.Snapshot
	session  config.Session
	tool     *model.Tool
	file     string // of the configuration
}

// scope returns the scope of the session and the tool of a chain.
func (c *chain) scope() scope { return scope{c.Snapshot, c.Snapshot.Session, c.tool, c.Config} }

// Grant returns the change of one list in the file of a snapshot's configuration with which a
// session has a tool; ok is false where it has the tool, or no list alone gives it.
func Grant(s *engine.Snapshot, session config.Session, t *model.Tool, file string) (r Remedy, ok bool) {
	c := scope{s, session, t, file}
	if c.has(session) || !t.Available {
		return Remedy{}, false
	}
	step := c.denied()
	r = Remedy{File: file, Key: step.Key, Value: c.grant(step)}
	return r, r.Key != "" && r.Value != nil
}

// has reports whether a session has the tool.
func (c scope) has(s config.Session) bool { return c.snapshot.Grant(s)[c.tool.Index] }

// list returns the setting of the list of the session that enables toolsets, or of the one that
// disables them.
func (c scope) list(enables bool) live.Setting {
	switch s := c.session; {
	case s.Line == 0:
		return live.Setting{}
	case s.Platform:
		return live.Setting{Key: yamltext.Join("platform_toolsets", s.Name), File: c.file}
	case enables:
		return live.Setting{Key: yamltext.Join("sessions", s.Name) + ".enabled_toolsets", File: c.file}
	}
	return live.Setting{Key: yamltext.Join("sessions", c.session.Name) + ".disabled_toolsets", File: c.file}
}

// denied returns which list keeps the tool from the session.
func (c scope) denied() Step {
	for _, w := range c.session.Withheld {
		switch by := (live.Setting{Key: w.Key, File: w.File}); {
		case w.Tool != c.tool.Qualified:
		case w.Key != "tools" && w.Key != "disallowedTools": // of no subagent
			return Step{Verdict: Fail, Code: FilteredOut, Setting: by}
		default:
			return Step{Verdict: Fail, Code: NotListedFor, Setting: by, Names: []string{c.session.Name}, Text: c.snapshot.Host().FullName(c.tool)}
		}
	}
	toolset := []string{c.tool.Toolset}
	if c.tool.Toolset == "" || c.tool.Toolset == model.NoToolset {
		toolset = nil
	}
	switch {
	case c.has(c.session): // a session of another configuration
		return Step{Verdict: Fail, Code: NotEnabled, Names: toolset}
	case !c.has(config.Session{}):
		return Step{Verdict: Fail, Code: Disabled, Setting: live.Setting{Key: agentDisabled, File: c.file}, Names: []string{c.tool.Toolset}}
	}
	without := c.session
	if without.Disabled = nil; c.has(without) {
		// The names of the list that stand for the tool.
		names := slices.DeleteFunc(slices.Clone(c.session.Disabled), func(name string) bool { return !c.has(config.Session{Enabled: []string{name}}) })
		return Step{Verdict: Fail, Code: Disabled, Setting: c.list(false), Names: names}
	}
	step := Step{Verdict: Fail, Code: NotEnabled, Setting: c.list(true), Names: toolset}
	for _, name := range c.session.Enabled {
		near := words.Nearest(name, []string{c.tool.Toolset, c.tool.Server}) != "" && c.tool.Toolset != ""
		if _, known := c.snapshot.Registry.Toolset(name); near && !known && !c.has(config.Session{Enabled: []string{name}}) {
			step.Code, step.Names = NoToolset, []string{name, c.tool.Toolset}
		}
	}
	return step
}

// agentDisabled is the list of the toolsets that no session has.
const agentDisabled = "agent.disabled_toolsets"

// grant returns the list of a setting that denies the tool, as it is with which the session
// has it; nil where the list alone does not do.
func (c scope) grant(s Step) any {
	without := func(list []string, names ...string) []string {
		return slices.DeleteFunc(slices.Clone(list), func(name string) bool { return slices.Contains(names, name) })
	}
	with := c.session
	switch {
	case s.Key == agentDisabled:
		return without(c.snapshot.Config.Agent.Disabled, s.Names...)
	case s.Code == Disabled:
		if with.Disabled = without(with.Disabled, s.Names...); c.has(with) {
			return with.Disabled
		}
		return nil
	}
	name := c.tool.Toolset
	if with.Platform && c.tool.Server != "" {
		name = c.tool.Server
	}
	with.Enabled = without(with.Enabled, config.NoServers)
	if s.Code == NoToolset && slices.Contains(with.Enabled, s.Names[0]) {
		with.Enabled[slices.Index(with.Enabled, s.Names[0])] = name
	} else {
		with.Enabled = append(with.Enabled, name)
	}
	if c.has(with) {
		return with.Enabled
	}
	return nil
}
