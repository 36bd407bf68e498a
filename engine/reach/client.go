package reach

import (
	"cmp"
	"slices"
	"strings"

	"caliper/engine/export"
	"caliper/engine/live"
	"caliper/model"
)

// The steps of a client: it has a server, the server lists a tool, filters keep it.

// configured asks whether a configuration of the client has the server.
func (c *chain) configured() Step {
	switch s, agents := c.Snapshot.Config.Agent.Server(c.server); {
	case c.server == "" && c.tool == nil:
		return Step{Verdict: Fail, Code: NoTool, Names: c.Snapshot.Unasked().Suggest(c.Tool)}
	case c.server == "":
		return c.ofNoServer()
	case c.entry != nil && !c.entry.Enabled:
		return Step{Verdict: Fail, Code: SwitchedOff, Setting: c.in(c.entry.OffBy), Names: []string{c.server}, Text: c.entry.Off}
	case c.entry != nil && c.entry.Problem != "":
		return Step{Verdict: Fail, Code: BadEntry, Setting: c.in(live.Setting{Key: c.entry.At}), Names: []string{c.server}, Text: c.entry.Problem}
	case c.entry != nil:
		return Step{Verdict: Pass, Code: HasEntry, Setting: c.in(live.Setting{Key: c.entry.At}), Names: []string{c.server}}
	case len(c.Clients) > 0:
		return Step{Verdict: Fail, Code: NoEntry, Setting: live.Setting{Key: "", File: c.Clients[0].Path}, Names: []string{c.server}}
	case c.reference() && agents && s.Off:
		return Step{Verdict: Fail, Code: SwitchedOff, Setting: live.Setting{Key: "mcp_servers." + c.server + ".enabled", File: c.Config}, Names: []string{c.server}}
	case c.reference() && agents:
		return Step{Verdict: Pass, Code: HasEntry, Setting: live.Setting{Key: "mcp_servers." + c.server, File: c.Config}, Names: []string{c.server}}
	}
	return Step{Verdict: c.dumped(), Code: DumpOnly, Names: []string{c.server}}
}

// ofNoServer tells of a tool without a server: that the agent has it is known of the reference agent,
// whose own tools are dumped.
func (c *chain) ofNoServer() Step {
	if c.reference() {
		return Step{Verdict: Pass, Code: OwnTool}
	}
	return Step{Verdict: Unknown, Code: NoServer}
}

// dumped returns the verdict of a dump about a configuration that was not read. A dump of the
// reference agent is what that agent registered; another agent need not be the one that was
// dumped.
func (c *chain) dumped() Verdict {
	if c.reference() && c.tool != nil {
		return Pass
	}
	return Unknown
}

// listed asks whether the server lists the tool, and the client takes the list.
func (c *chain) listed() Step {
	registry := c.Snapshot.Registry
	why, failed := c.Failed[c.server]
	switch {
	case c.server == "" && c.tool != nil && c.tool.Available:
		return c.ofNoServer()
	case failed:
		return Step{Verdict: Fail, Code: NotStarted, Names: []string{c.server}, Text: why}
	case c.tool != nil && !c.tool.Available:
		return Step{Verdict: Fail, Code: Unavailable}
	case c.tool != nil:
		if c.server != "" && slices.Contains(c.searcher.Refused(), c.server) {
			for _, t := range registry.Tools {
				if t.Server == c.server && c.Host.Refuses(t) { // for it the client refuses the whole list
					return Step{Verdict: Fail, Code: ListRefused, Names: []string{c.server, t.Qualified}}
				}
			}
		}
		return Step{Verdict: Pass, Code: InDump}
	case c.leavesOut() != (live.Setting{}):
		return Step{Verdict: Unknown, Code: NotAsked, Names: []string{c.server}} // a dump holds what the filters keep
	}
	var others []string
	for _, t := range registry.Tools {
		if t.Server == c.server {
			others = append(others, t.Qualified)
		}
	}
	if len(others) == 0 {
		return Step{Verdict: Unknown, Code: NotAsked, Names: []string{c.server}}
	}
	return Step{Verdict: Fail, Code: NotListed, Names: others}
}

// leavesOut returns the setting whose filter leaves the tool out; the zero value for none.
func (c *chain) leavesOut() live.Setting {
	if c.entry != nil {
		if by, out := c.entry.LeftOut(c.local); out {
			return c.in(by)
		}
		return live.Setting{}
	}
	s, ok := c.Snapshot.Config.Agent.Server(c.server)
	if !ok || !c.reference() || c.local == "" || s.Registers(c.local, true) {
		return live.Setting{}
	}
	by := live.Setting{Key: "mcp_servers." + c.server + ".tools.exclude", File: c.Config}
	if s.Include != nil {
		by.Key = "mcp_servers." + c.server + ".tools.include"
	}
	return by
}

// kept asks whether the filters of the client let the tool through.
func (c *chain) kept() Step {
	_, agents := c.Snapshot.Config.Agent.Server(c.server)
	switch by := c.leavesOut(); {
	case c.server == "":
		return c.ofNoServer()
	case by != (live.Setting{}):
		return Step{Verdict: Fail, Code: FilteredOut, Setting: by}
	case c.entry == nil && !(c.reference() && agents):
		return Step{Verdict: c.dumped(), Code: NoFile}
	case c.tool == nil:
		return Step{Verdict: Unknown, Code: NotAsked, Names: []string{c.server}}
	case c.entry != nil && len(c.entry.Unread) > 0:
		return Step{Verdict: Unknown, Code: NotRead, Names: c.entry.Unread, Setting: live.Setting{File: c.file.Path}}
	}
	return Step{Verdict: Pass, Code: NoFilter}
}

// named asks whether the name that the model sees is the tool's alone, and one that is
// taken where it is sent.
func (c *chain) named() Step {
	if c.tool == nil {
		return c.unlisted()
	}
	registry := c.Snapshot.Registry
	var tools []*model.Tool
	for i, granted := range c.Snapshot.Grant(c.Snapshot.Session) {
		if t := registry.Tools[i]; granted || t == c.tool {
			tools = append(tools, t)
		}
	}
	names, full := c.Host.Names(tools), c.called
	at := slices.Index(tools, c.tool)
	c.called = names[at]
	var others []string
	for i, name := range names {
		if i != at && name == c.called {
			others = append(others, tools[i].Qualified)
		}
	}
	if len(others) > 0 {
		return Step{Verdict: Fail, Code: SharedName, Names: others, Text: c.called}
	}
	if c.Host.LeavesOut(c.tool) {
		var why []string // the limits of the client that the tool does not keep
		for _, b := range export.Breaches(export.Defined(registry, c.tool), export.ClaudeApp) {
			if b.Effect == export.LeftOut {
				why = append(why, b.What)
			}
		}
		return Step{Verdict: Fail, Code: LeftOut, Names: why}
	}
	for _, who := range c.takers() {
		rule, ok := model.NameRuleOf(who)
		if !ok {
			continue
		}
		if n := len([]rune(c.called)); n > rule.Longest {
			return Step{Verdict: Fail, Code: LongName, Rank: n, Limit: rule.Longest, Text: who}
		}
		_, odd := rule.Odd(c.called)
		if _, bad := rule.BadStart(c.called); odd || bad {
			return Step{Verdict: Fail, Code: BadName, Text: who}
		}
	}
	// A made name of a server's tool that was too long ends in a digest.
	const most, hashed = 64, 9
	long := model.DoubleNaming.ToolName(c.server, c.local) // which is never cut
	cut := c.server != "" && c.local != "" && len(c.called) == most && len(long) > most && !strings.HasSuffix(c.called, long[len(long)-hashed:])
	if c.called != full || c.reference() && cut {
		return Step{Verdict: Pass, Code: CutName, Text: c.called}
	}
	return Step{Verdict: Pass, Code: OwnName, Text: c.called}
}

// unlisted is the step of a tool of which nobody has seen the definition.
func (c *chain) unlisted() Step {
	return Step{Verdict: Unknown, Code: NotAsked, Names: []string{c.server}}
}

// takers returns who takes the names and definitions that the agent sends, as the table of
// limits names them; none where that depends on a model that is not known.
func (c *chain) takers() []string {
	switch {
	case c.Host.Client == "claude-code" && c.defers():
		return []string{export.Anthropic, model.ToolSearch}
	case c.Host.Client == "claude-code":
		return []string{export.Anthropic}
	case c.Host.Client == "codex":
		return []string{export.OpenAI}
	}
	model := strings.ToLower(cmp.Or(c.Posture.Model, c.Snapshot.Config.Model.ID)) // its name need not tell
	for _, family := range [][2]string{{"claude", export.Anthropic}, {"gpt-", export.OpenAI}, {"gemini", export.Gemini}} {
		if strings.Contains(model, family[0]) {
			return []string{family[1]}
		}
	}
	return nil
}
