package budget

import (
	"cmp"
	"slices"
	"strings"

	"caliper/engine"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// costList is the toolsets and tools by cost; cursor and folding are kept by name.
type costList struct {
	of     *workbench.State // that the rows show; nil: they must be made
	groups []costGroup      // before the filter
	rows   []costRow
	open   map[string]bool // toolsets that show their tools; biggestTen is one
	filter string          // lower-cased text that rows must hold
	cursor ui.Cursor
	shown  struct{ tools, tokens int } // of the rows that pass the filter
	widest int                         // tokens of the largest toolset
}

// costGroup is a toolset with its tools, the dearest first.
type costGroup struct {
	name   string // of the toolset; biggestTen is none
	tokens int
	tools  []*model.Tool
}

// costRow is a toolset, or a tool in it.
type costRow struct {
	set     string
	tool    *model.Tool // nil: the toolset itself
	tools   int
	tokens  int
	running int    // tokens of all rows so far, -1 where they are counted elsewhere
	name    string // of a tool, without what the row of its toolset says already
}

// biggestTen is the group of the dearest tools of all. No toolset has an empty
// name.
const (
	biggestTen = ""
	biggest    = 10
)

// listCosts makes the rows, unless those of the state are there.
func (s *Screen) listCosts() {
	p := &s.list
	if p.of == s.state || s.state == nil {
		return
	}
	snap := s.state.Snapshot
	var all []*model.Tool
	bySet := map[string][]*model.Tool{}
	for _, t := range snap.Registry.Tools {
		if snap.Granted(t) && snap.Class(t) != engine.Dropped {
			all = append(all, t)
		}
	}
	slices.SortStableFunc(all, func(a, b *model.Tool) int {
		return cmp.Compare(snap.ToolTokens(b), snap.ToolTokens(a))
	})
	for _, t := range all {
		bySet[t.Toolset] = append(bySet[t.Toolset], t)
	}
	groups := make([]costGroup, 0, len(s.state.Budget.Toolsets)+1)
	for _, set := range s.state.Budget.Toolsets {
		groups = append(groups, costGroup{name: set.Name, tokens: set.Tokens, tools: bySet[set.Name]})
	}
	model.Sort(groups, func(a, b costGroup) int { return cmp.Compare(b.tokens, a.tokens) })
	p.groups = append([]costGroup{{name: biggestTen, tools: all}}, groups...)
	p.of = s.state
	p.makeRows()
}

// makeRows makes the rows of what passes the filter and is open.
//
// Every count is rounded on its own, so that tools may add up to some tokens
// more than their toolset, and toolsets to more than everything. Running totals
// are therefore scaled to end where the whole does.
func (p *costList) makeRows() {
	st := p.of
	if st == nil {
		return
	}
	defer func() { p.cursor.Move(p.listed(), 0) }() // which stays on its row
	p.rows = p.rows[:0]
	p.shown.tools, p.shown.tokens, p.widest = 0, 0, 0
	all := 0 // of the toolsets, each as it is counted
	for _, g := range p.groups {
		if g.name == biggestTen {
			continue
		}
		tools, tokens, _ := p.matching(st, g)
		p.shown.tools += len(tools)
		p.widest = max(p.widest, tokens)
		all += tokens
	}
	p.shown.tokens = min(all, st.Budget.EagerTokens)
	if p.filter == "" {
		p.shown.tokens = st.Budget.EagerTokens
	}
	counted, before := 0, 0
	for _, g := range p.groups {
		tools, tokens, forced := p.matching(st, g)
		if len(tools) == 0 {
			continue
		}
		row := costRow{set: g.name, tools: len(tools), tokens: tokens, running: -1}
		if g.name != biggestTen {
			counted += tokens
			row.running = scaled(counted, p.shown.tokens, all)
		}
		p.rows = append(p.rows, row)
		if forced || p.open[g.name] {
			all, counted := sumTokens(st.Snapshot, tools), 0
			for _, t := range tools {
				under := costRow{set: row.set, tool: t, tokens: st.Snapshot.ToolTokens(t), running: -1, name: t.ShownName}
				if row.set != biggestTen {
					counted += under.tokens
					under.running = before + scaled(counted, row.running-before, all)
					under.name = nameInToolset(t)
				}
				p.rows = append(p.rows, under)
			}
		}
		before = max(before, row.running)
	}
}

// scaled returns part/all of another whole, rounded and never more than it.
func scaled(part, whole, all int) int {
	if all == 0 {
		return whole
	}
	return int((2*int64(part)*int64(whole) + int64(all)) / (2 * int64(all)))
}

// nameInToolset returns the name of a tool without the server that its toolset names.
func nameInToolset(t *model.Tool) string {
	server := strings.Map(func(r rune) rune {
		if r == '-' || r == '.' || r == ' ' {
			return '_'
		}
		return r
	}, t.ShownToolset()) + "_"
	if rest, ok := strings.CutPrefix(t.ShownName, server); ok && rest != "" && strings.HasPrefix(server, "mcp_") {
		return rest
	}
	return t.ShownName
}

// matching returns the tools of a group that pass the filter and their
// tokens; forced is true when the filter found single tools of the group, which
// are shown though it is closed.
func (p *costList) matching(st *workbench.State, g costGroup) (tools []*model.Tool, tokens int, forced bool) {
	s := st.Snapshot
	tools, tokens = g.tools, g.tokens
	if p.filter != "" && (g.name == biggestTen || !p.holds(safetext.Line(g.name))) {
		tools = nil
		for _, t := range g.tools {
			if p.holds(t.ShownName) || g.name == biggestTen && p.holds(t.ShownToolset()) {
				tools = append(tools, t)
			}
		}
		tokens, forced = min(sumTokens(s, tools), tokens), g.name != biggestTen
	}
	if g.name == biggestTen {
		tools = tools[:min(len(tools), biggest)]
		tokens = min(sumTokens(s, tools), st.Budget.EagerTokens)
	}
	return tools, tokens, forced
}

// holds reports whether a text passes the filter.
func (p *costList) holds(text string) bool {
	return strings.Contains(strings.ToLower(text), p.filter)
}

// sumTokens returns what tools cost together.
func sumTokens(s *engine.Snapshot, tools []*model.Tool) int {
	n := 0
	for _, t := range tools {
		n += s.ToolTokens(t)
	}
	return n
}

// listed returns the rows; from a tool that is gone the cursor goes to its toolset.
func (p *costList) listed() ui.Rows {
	find := func(id string) int { return slices.IndexFunc(p.rows, func(r costRow) bool { return r.id() == id }) }
	return ui.Rows{N: len(p.rows), ID: func(i int) string { return p.rows[i].id() }, Lost: func() int {
		set, _, _ := strings.Cut(p.cursor.ID, "\x00")
		return max(0, find(set+"\x00"))
	}}
}

// id returns the toolset and the tool of a row, by which the cursor stays on it.
func (r costRow) id() string {
	if r.tool == nil {
		return r.set + "\x00"
	}
	return r.set + "\x00" + r.tool.Qualified
}

// at returns the row under the cursor; ok is false in an empty list.
func (p *costList) at() (row costRow, ok bool) {
	if len(p.rows) == 0 {
		return costRow{}, false
	}
	return p.rows[p.cursor.At(p.listed())], true
}

// fold opens or closes the toolset under the cursor.
func (s *Screen) fold() {
	row, _ := s.list.at()
	s.foldTo(!s.list.open[row.set])
}

// foldTo opens the toolset under the cursor, or closes it.
func (s *Screen) foldTo(open bool) {
	s.listCosts()
	p := &s.list
	if s.view != viewCosts || len(p.rows) == 0 {
		return
	}
	row, _ := p.at()
	if p.open == nil {
		p.open = map[string]bool{}
	}
	p.open[strings.Clone(row.set)] = open // not a part of the registry file, which it would keep
	p.makeRows()
}
