package reach

import (
	"slices"

	"caliper/config"
)

// Remedy is a change of one setting of a file that mends a step.
type Remedy struct {
	File  string
	Key   string
	Value any // a text, a number or a list of texts
}

// remedy returns the change that mends a step which fails; nil where no setting does, or
// nothing may be written.
func (c *chain) remedy(s Step) *Remedy {
	if s.File == "" || s.Key == "" {
		return nil
	}
	r := &Remedy{File: s.File, Key: s.Key}
	switch s.Code {
	case NotEnabled, NoToolset, Disabled:
		r.Value = c.grant(s)
	case NoSearch:
		if s.Key != config.KeyMode {
			return nil
		}
		r.Value = string(config.On)
	case BelowLimit:
		if s.Rank > c.Snapshot.Config.ToolSearch.MaxLimit {
			return nil
		}
		r.Value = s.Rank
	}
	if r.Value == nil {
		return nil
	}
	return r
}

// grant returns the list of a setting that denies the tool, as it is with which the session
// has it; nil where the list alone does not do.
func (c *chain) grant(s Step) any {
	session, t := c.Snapshot.Session, c.tool
	without := func(list []string, names ...string) []string {
		return slices.DeleteFunc(slices.Clone(list), func(name string) bool { return slices.Contains(names, name) })
	}
	if s.Code == Disabled && s.Key == "agent.disabled_toolsets" {
		return without(c.Snapshot.Config.Agent.Disabled, s.Names...)
	}
	with := session
	if s.Code == Disabled {
		with.Disabled = without(session.Disabled, s.Names...)
		if c.Snapshot.Grant(with)[t.Index] {
			return with.Disabled
		}
		return nil
	}
	name := t.Toolset
	if session.Platform && t.Server != "" {
		name = t.Server
	}
	with.Enabled = without(session.Enabled, config.NoServers)
	if i := slices.Index(with.Enabled, s.Names[0]); s.Code == NoToolset && i >= 0 {
		with.Enabled[i] = name
	} else {
		with.Enabled = append(with.Enabled, name)
	}
	if c.Snapshot.Grant(with)[t.Index] {
		return with.Enabled
	}
	return nil
}
