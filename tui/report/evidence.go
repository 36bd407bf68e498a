package report

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"slices"

	"caliper/engine"
	"caliper/engine/reach"
	"caliper/model"
)

// mostDenied is how many denied calls the evidence names one by one. Beyond it only
// their number is written, so that the text stays within what an issue takes.
const mostDenied = 800

// Evidence returns the report of an audit for somebody who must be shown what it found
// and on which files: their names and hashes, what was asked, what every session
// reaches as `caliper scope` counts it, the violations, and every denied call with its
// gate and the reason. It has no time, so that the same files give the same text. It
// reads all bytes of the files once.
func (c Case) Evidence(a engine.Audit) *Report {
	r := c.Begin("caliper scope, evidence of an audit")
	r.Heading(3, "Files")
	files := Columns("file", "SHA-256", ">bytes")
	sources := c.Snapshot.Registry.Sources
	if c.ConfigName != "" {
		sources = append(slices.Clone(sources), model.Source{Name: c.ConfigName, Data: c.ConfigData})
	}
	for _, s := range sources {
		files.Row(Name(filepath.Base(s.Name)), fmt.Sprintf("%x", sha256.Sum256(s.Data)), len(s.Data))
	}
	r.Table(files)
	if c.ConfigName == "" {
		r.Say("There is no config file: the settings above are the defaults and the flags.")
	}

	r.Heading(3, "Verdict")
	tools := c.Snapshot.Registry.Tools
	r.Say("Asked for each of %s in each of %s: does the session's index have it and does its own name find it, with real "+
		"searches for a sample; does `%s` show it; does `%s` call it; does a call by its name reach it. The gates of schema, policy "+
		"and hooks do not count for violations. A tool that a session reaches without being granted it is a violation, and so is one that it finds "+
		"and cannot call.", Count(len(tools), "tool"), Count(len(a.Sessions), "session"), engine.ToolDescribe, engine.ToolCall)
	r.Add(Scope(a, c.Snapshot, c.Posture, false).cut())
	byName := make(map[string]*model.Tool, len(c.Snapshot.Registry.Tools))
	for _, t := range c.Snapshot.Registry.Tools {
		byName[t.Qualified] = t
	}
	var order [][5]string // session, gate, code, toolset with whether the tool is available, and its name where the reason has it
	names, reasons := map[[5]string][]string{}, map[[5]string]Text{}
	all := 0
	for _, s := range a.Sessions {
		for _, d := range s.Denied {
			t := byName[d.Tool]
			k := [5]string{s.Name, d.Gate, d.Code}
			if t != nil {
				k[3] = fmt.Sprint(t.Available, t.Toolset)
			}
			if d.Code == engine.CodeAmbiguousName || d.Code == engine.CodeUnknownTool {
				k[4] = d.Tool
			}
			if names[k] == nil {
				order = append(order, k)
				reasons[k] = ReachDetail(reach.Stopped(c.Snapshot, s.Name, t, d, ""))
			}
			names[k] = append(names[k], d.Tool)
			all++
		}
	}
	r.Heading(3, "Refused calls")
	if all == 0 {
		r.Say("No call is refused: every session can call every tool.")
		return c.again(r, c.Command("scope"))
	}
	r.Say("%s, by the first gate that refuses a call with arguments that fit, as the dry run has it; the policy counts here.", Count(all, "call"))
	t := Columns("session", "refused by", "reason", ">tools", "which")
	left := mostDenied
	for _, k := range order[:min(len(order), mostDenied)] {
		some := names[k][:min(len(names[k]), left)]
		left -= len(some)
		which := Names(some, len(some))
		if more := len(names[k]) - len(some); more > 0 && len(some) > 0 {
			which = append(which, Textf(", %d more", more)...)
		} else if more > 0 {
			which = TextOf("not named here")
		}
		t.Row(Name(k[0]), k[1], reasons[k], len(names[k]), which)
	}
	r.Table(t)
	r.More(len(order) - mostDenied)
	if all > mostDenied {
		r.Say("The first %d calls are named; `caliper scope --names --json` names every tool that a session is granted and reaches.", mostDenied)
	}
	return c.again(r, c.Command("scope"))
}
