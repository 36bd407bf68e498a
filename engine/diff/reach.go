package diff

import (
	"cmp"
	"strings"

	"caliper/engine"
	"caliper/model"
)

// Reach is how a session reaches one tool, as an audit found it. The zero value is
// a tool's that the audit does not know, because its registry does not have it.
type Reach struct {
	Known                                              bool
	Granted, Direct, Searchable, Describable, Callable bool
	Gate, Code                                         string // of the denial, as engine.Denial has them; empty when a call reaches the tool
}

// Reached reports whether a call of the tool reaches it.
func (r Reach) Reached() bool { return r.Known && r.Gate == "" }

// ReachChange is a tool that two sessions, or one session in two states, do not reach
// in the same way.
type ReachChange struct {
	Tool     string // qualified name
	Old, New Reach
}

// Lost reports whether a call reached the tool and no longer does.
func (c ReachChange) Lost() bool { return c.Old.Reached() && !c.New.Reached() }

// Gained reports whether a call reaches the tool and did not.
func (c ReachChange) Gained() bool { return c.New.Reached() && !c.Old.Reached() }

// Reaches returns the tools whose reach is not the same in two audits of a session:
// lost ones first, then gained ones, then those that are reached or denied in another
// way, each sorted by name. It costs a pass over the lists of both.
func Reaches(old, new engine.SessionAudit) []ReachChange {
	was, is := reachOf(old), reachOf(new)
	var all []ReachChange
	for tool, r := range was {
		if r != is[tool] {
			all = append(all, ReachChange{tool, r, is[tool]})
		}
	}
	for tool, r := range is {
		if _, both := was[tool]; !both {
			all = append(all, ReachChange{tool, Reach{}, r})
		}
	}
	kind := func(c ReachChange) int {
		switch {
		case c.Lost():
			return 0
		case c.Gained():
			return 1
		}
		return 2
	}
	model.Sort(all, func(a, b ReachChange) int {
		return cmp.Or(cmp.Compare(kind(a), kind(b)), strings.Compare(a.Tool, b.Tool))
	})
	return all
}

// reachOf returns the reach of every tool that an audit knows: each tool of its
// registry is granted, reached or denied.
func reachOf(a engine.SessionAudit) map[string]Reach {
	all := make(map[string]Reach, len(a.Granted)+len(a.Denied))
	mark := func(tools []string, set func(*Reach)) {
		for _, name := range tools {
			r := all[name]
			r.Known = true
			set(&r)
			all[name] = r
		}
	}
	mark(a.Granted, func(r *Reach) { r.Granted = true })
	mark(a.Direct, func(r *Reach) { r.Direct = true })
	mark(a.Searchable, func(r *Reach) { r.Searchable = true })
	mark(a.Describable, func(r *Reach) { r.Describable = true })
	mark(a.Callable, func(r *Reach) { r.Callable = true })
	for _, d := range a.Denied {
		r := all[d.Tool]
		r.Known, r.Gate, r.Code = true, d.Gate, d.Code
		all[d.Tool] = r
	}
	return all
}
