package reach

import (
	"cmp"
	"slices"
	"strings"

	"caliper/engine"
	"caliper/engine/hosts"
	"caliper/engine/live"
	"caliper/model"
)

// Name is the name of a step.
type Name string

// The steps, in their order.
const (
	Configured Name = "configured"
	Listed     Name = "listed"
	Kept       Name = "kept"
	Named      Name = "named"
	Granted    Name = "granted"
	Exposed    Name = "exposed"
	Searchable Name = "searchable"
	Found      Name = "found"
	Described  Name = "described"
	Authorized Name = "authorized"
)

// Verdict is the outcome of a step.
type Verdict string

// The verdicts.
const (
	Pass    Verdict = "pass"
	Fail    Verdict = "fail"
	Unknown Verdict = "unknown"
	Skip    Verdict = "skip"
)

// Step is one step of a chain. Names and texts are as foreign as their source.
type Step struct {
	Name         Name
	Verdict      Verdict
	Code         Code
	live.Setting          // that decides, or would change it; the zero value for none
	Names        []string // what the code says
	Rank, Limit  int
	Text         string
}

// Chain is how far one tool comes in one agent.
type Chain struct {
	Tool    *model.Tool // nil: the registry does not have it
	Asked   string      // the name that was asked about
	Session string
	Host    *hosts.Host
	Posture Posture // the known state of its search; the zero value for the reference agent
	Steps   []Step  // all ten
	Remedy  *Remedy
}

// Broken returns the step at which the chain breaks; ok is false where none does.
func (c Chain) Broken() (s Step, ok bool) {
	i := slices.IndexFunc(c.Steps, func(s Step) bool { return s.Verdict == Fail })
	if i < 0 {
		return Step{}, false
	}
	return c.Steps[i], true
}

// Question is one tool, and all that is known of the agent that is to call it.
type Question struct {
	Tool     string           // its name, raw or qualified, or as an agent calls it
	Snapshot *engine.Snapshot // of the host's generation, for the reference agent
	Config   string           // the file of the snapshot's configuration; empty for none
	Host     *hosts.Host
	Files
	Failed map[string]string // servers that were asked for their tools and gave none, with the reason
}

// chain is a Chain in the making.
type chain struct {
	Question
	searcher      Searcher
	tool          *model.Tool
	called        string
	server, local string // the tool's MCP server, empty for none, and its name there
	entry         *live.Server
	file          *live.ClientFile // of the entry
	deferred      bool             // the model finds it by a search
}

// steps are the names of the steps, and asks what answers each of them.
var (
	steps = []Name{Configured, Listed, Kept, Named, Granted, Exposed, Searchable, Found, Described, Authorized}
	asks  = []func(*chain) Step{(*chain).configured, (*chain).listed, (*chain).kept, (*chain).named, (*chain).granted,
		(*chain).exposed, (*chain).searchable, (*chain).found, (*chain).described, (*chain).authorized}
)

// Find returns the chain of a tool. The index of the snapshot should be prepared.
func Find(q Question) Chain {
	c := &chain{Question: q, searcher: Of(q.Host, q.Snapshot)}
	c.look()
	out := Chain{Tool: c.tool, Asked: q.Tool, Session: q.Snapshot.Session.Name, Host: q.Host}
	c.Posture = q.Files.Session(out.Session).Posture
	out.Posture = c.Posture
	broken := false
	for i, name := range steps {
		step := Step{Verdict: Skip, Code: NotReached}
		if !broken {
			step = asks[i](c)
		}
		step.Name = name
		broken = broken || step.Verdict == Fail
		out.Steps = append(out.Steps, step)
	}
	if s, ok := out.Broken(); ok {
		out.Remedy = c.remedy(s)
	}
	return out
}

// look finds the tool and its server. Of several tools of a name the first that the session
// is granted counts. A name that no tool has may begin with a server's, as agents make names.
func (c *chain) look() {
	registry := c.Snapshot.Registry
	bearers := registry.Called(c.Tool)
	for _, t := range bearers {
		if c.tool == nil || !c.Snapshot.Granted(c.tool) && c.Snapshot.Granted(t) {
			c.tool = t
		}
	}
	if c.tool == nil {
		names := c.Host.Names(registry.Tools)
		if i := slices.Index(names, c.Tool); i >= 0 {
			c.tool = registry.Tools[i]
		}
	}
	if c.tool != nil {
		c.called, c.server, c.local = c.Host.FullName(c.tool), c.tool.Server, cmp.Or(c.tool.OriginalName, c.tool.AtServer())
		c.entry, c.file = c.Files.entry(c.server)
		return
	}
	var servers []string
	for _, f := range c.Clients {
		for _, s := range f.Config.Servers {
			servers = append(servers, s.EntryName())
		}
	}
	for _, s := range c.Snapshot.Config.Agent.Servers {
		servers = append(servers, s.Name)
	}
	for _, ts := range registry.Toolsets {
		servers = append(servers, ts.Server)
	}
	for _, server := range servers {
		for _, prefix := range append(model.ServerPrefixes(server), server+"-") {
			if local, ok := strings.CutPrefix(c.Tool, prefix); ok && server != "" && len(server) > len(c.server) {
				c.server, c.local = server, local
			}
		}
	}
	c.entry, c.file = c.Files.entry(c.server)
}

// in returns a setting of the entry with its file.
func (c *chain) in(s live.Setting) live.Setting {
	if s.Key != "" && s.File == "" {
		s.File = c.file.Path
	}
	return s
}

// reference reports whether the host is the reference agent, whose rules the snapshot has.
func (c *chain) reference() bool { return c.Host.Generation != "" }
