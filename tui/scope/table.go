package scope

import (
	"cmp"
	"slices"
	"strings"

	"caliper/engine"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/tui/ui"
)

// found is the result of the screen's job.
type found struct {
	audit engine.Audit
	table *table
}

// table is the matrix of tools and sessions without its cells, which are asked for
// one by one when they are drawn. It never changes.
//
// Invariants:
//   - every tool of the registry is in one group, once;
//   - tools with a violation are in the first group, even those that the registry does
//     not have; the other groups are toolsets in the order of their names;
//   - sessions with a violation come first, the others as in the configuration.
type table struct {
	groups   []group
	sessions []int // of the audit, in the order of the columns
	word     int   // cells of the widest word of a cell
	session  int   // cells of the widest name of a session
	name     int   // cells of the widest name of a tool or toolset, leastName at least
	tools    int
}

// group is a toolset, or the tools with violations.
type group struct {
	name     string // of the toolset, as the registry has it; empty for the violations
	low      string // in lower case, as filters compare it
	violates bool
	items    []item // in the order of their names
	reached  []int  // tools that a session can call, by the session of the audit
}

// item is a tool of a group.
type item struct {
	name string // qualified
	low  string
	tool *model.Tool // nil when the registry does not have it
}

// newTable returns the matrix of an audit, from every tool and every denial.
func newTable(r *model.Registry, a engine.Audit) *table {
	t := &table{word: ui.Width(wordDirect), name: leastName, tools: len(r.Tools)}
	var names []string
	for _, s := range a.Sessions {
		for _, v := range s.Violations {
			names = append(names, v.Tool)
		}
	}
	slices.Sort(names)
	bad := slices.Compact(names)
	var wrong []item
	for _, name := range bad {
		wrong = append(wrong, item{name, lower(name), r.Named(name)})
	}
	items := make([]item, 0, len(r.Tools))
	for _, tool := range r.Tools {
		if !holds(bad, tool.Qualified) {
			items = append(items, item{tool.Qualified, lower(tool.Qualified), tool})
		}
	}
	if len(wrong) > 0 {
		t.groups = append(t.groups, group{violates: true, low: strings.ToLower(wordViolation), items: wrong})
		t.word = ui.Width(wordViolation)
	}
	slices.SortFunc(items, func(a, b item) int {
		return cmp.Or(strings.Compare(a.tool.Toolset, b.tool.Toolset), strings.Compare(a.name, b.name), cmp.Compare(a.tool.Index, b.tool.Index))
	})
	for rest := items; len(rest) > 0; {
		name, n := rest[0].tool.Toolset, 1
		for n < len(rest) && rest[n].tool.Toolset == name {
			n++
		}
		t.groups = append(t.groups, group{name: name, low: lower(name), items: rest[:n:n]})
		rest = rest[n:]
	}
	groupOf := make(map[string]int, t.tools)
	reached := make([]int, len(t.groups)*len(a.Sessions))
	for g := range t.groups {
		t.name = max(t.name, ui.Width(toolsetName(t.groups[g].name)))
		for _, it := range t.groups[g].items {
			t.name = max(t.name, ui.Width(it.low))
			groupOf[it.name] = g
		}
		t.groups[g].reached, reached = reached[:len(a.Sessions):len(a.Sessions)], reached[len(a.Sessions):]
	}
	for i, s := range a.Sessions {
		for g := range t.groups {
			t.groups[g].reached[i] = len(t.groups[g].items)
		}
		t.session = max(t.session, ui.Width(safetext.Line(s.Name)))
		for _, d := range s.Denied {
			if g, known := groupOf[d.Tool]; known && d.Final {
				t.groups[g].reached[i]--
			}
		}
		for name := range groupOf {
			if t.word < len(wordNone) && reachOf(&a.Sessions[i], name).access == accessNone {
				t.word = len(wordNone)
			}
		}
	}
	for i := range a.Sessions {
		t.sessions = append(t.sessions, i)
	}
	slices.SortStableFunc(t.sessions, func(i, j int) int {
		return cmp.Compare(min(len(a.Sessions[j].Violations), 1), min(len(a.Sessions[i].Violations), 1))
	})
	return t
}

// lower returns a foreign name as filters compare it.
func lower(name string) string { return strings.ToLower(safetext.Line(name)) }
