package explore

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"caliper/engine"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/tui/desk"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// hits is the pane of search results; with an empty query it lists the whole
// registry. It keeps the selection by name, so that a reload preserves it, and
// ranks only as many hits as the user scrolls to.
type hits struct {
	snapshot *engine.Snapshot    // nil before the first load has ended
	onDisk   *engine.Snapshot    // snapshot without the knobs; nil if no knob is changed
	earlier  *engine.Snapshot    // snapshot of the files before they were saved last, while the query is the same; nil for none
	ranks    map[*model.Tool]int // ranks in compared of the rows that were drawn; 0 for none
	results  engine.Results
	sure     engine.Confidence    // in the results; zero while min_confidence is off
	browsing bool                 // the query is empty: every tool, the granted first, by name
	broken   bool                 // a file has errors, so that its last good content is shown, or nothing
	tools    []*model.Tool        // rows while browsing
	skills   []workbench.SkillHit // that the query finds, or all of them while browsing
	filter   string               // lower-cased text that rows must hold
	rows     []int                // indexes of the rows that pass the filter; nil for all
	cursor   int                  // selected row
	list     ui.Window
	above    int     // rows that are hidden above
	below    int     // rows that are hidden below
	marks    marks   // words of the query, highlighted in names
	pinned   string  // qualified name of the expected tool
	beside   string  // qualified name of the selected tool where that is no row; empty: a row is selected
	rivals   []rival // other rankers, while they are compared
	reranked bool    // trials change ranks, or the last save did
	drafted  bool    // results and ranks come from a draft, and from the state without it
	wanted   string  // qualified name of the tool to select at the next search of the same query; empty for none
	trial    desk.Rerank
	heads    int // lines above the rows in the last picture
	foot     int // line at which the skills begin in the last picture
}

// firstDepth is the number of hits that are ranked before the user scrolls.
const firstDepth = 100

// search ranks the catalog for a query. With keep the selection stays on its
// tool if that is still there; otherwise it moves to the first row.
func (p *hits) search(st *workbench.State, query string, keep bool) {
	selected, beside := p.selected(), p.beside
	p.beside = ""
	s := st.Snapshot
	p.snapshot, p.onDisk, p.ranks, p.drafted = s, nil, map[*model.Tool]int{}, false
	if st.Baseline != nil {
		p.onDisk = st.Baseline.Snapshot
	}
	if !keep {
		p.earlier = nil
	}
	p.browsing, p.broken = strings.TrimSpace(query) == "", len(st.Broken()) > 0
	p.marks, p.sure = marks{}, engine.Confidence{}
	if p.browsing {
		p.tools, p.results = grantedFirst(s), engine.Results{Limit: s.Config.ToolSearch.DefaultLimit, Total: len(s.Catalog())}
	} else {
		p.tools, p.results = nil, s.Search(query, 0, firstDepth)
		p.marks = newMarks(query, s.NearWords(query))
		if s.Config.ToolSearch.MinConfidence > 0 {
			p.sure = s.Confidence(query)
		}
	}
	if p.skills = st.SearchSkills(query, p.results.Limit); p.browsing {
		for _, s := range st.Skills {
			p.skills = append(p.skills, workbench.SkillHit{Skill: s})
		}
	}
	p.rivals = nil
	if !p.browsing {
		for _, s := range st.Others() {
			r := rival{snapshot: s, ranks: map[*model.Tool]int{}}
			found := s.Search(p.results.Query, 0, p.results.Limit)
			if found.Scored == 0 {
				r.cut = s.WhyNone(p.results.Query)
			}
			for _, hit := range found.Hits[:min(len(found.Hits), found.Limit)] {
				within := func(h engine.Hit) bool { return h.Within && h.Tool.Qualified == hit.Tool.Qualified }
				if !slices.ContainsFunc(p.results.Hits, within) {
					r.others = append(r.others, hit.Tool.ShownName)
				}
			}
			p.rivals = append(p.rivals, r)
		}
	}
	p.compareTrial(st)
	p.refilter()
	wanted := p.wanted
	if p.wanted = ""; keep && wanted != "" && p.selectName(wanted) {
		return
	}
	if keep && selected != nil && p.selectName(selected.Qualified) {
		return
	}
	if keep && beside != "" && s.Registry.Named(beside) != nil {
		p.beside = beside
		return
	}
	p.cursor = 0
	p.list.Top = 0
}

// grantedFirst returns the tools by name, those that the session is granted before the others.
func grantedFirst(s *engine.Snapshot) []*model.Tool {
	tools := s.ByName()
	refused := func(t *model.Tool) bool { return !s.Granted(t) }
	if !slices.ContainsFunc(tools, refused) {
		return tools
	}
	out := make([]*model.Tool, 0, len(tools))
	for _, t := range tools {
		if s.Granted(t) {
			out = append(out, t)
		}
	}
	for _, t := range tools {
		if refused(t) {
			out = append(out, t)
		}
	}
	return out
}

// setFilter shows only the rows whose name or toolset contains the text.
func (p *hits) setFilter(text string) {
	selected := p.selected()
	p.filter = strings.ToLower(strings.TrimSpace(text))
	p.refilter()
	if selected == nil || !p.selectName(selected.Qualified) {
		p.cursor, p.list.Top = 0, 0
	}
}

// refilter computes the rows that pass the filter.
func (p *hits) refilter() {
	p.rows = nil
	if p.filter == "" {
		return
	}
	p.deepen(p.results.Scored)
	p.rows = []int{}
	passing := map[string]bool{} // toolsets: many tools share one
	for i := range p.total() {
		t := p.tool(i)
		passes, known := passing[t.Toolset]
		if !known {
			passes = strings.Contains(strings.ToLower(t.ShownToolset()), p.filter)
			passing[t.Toolset] = passes
		}
		if passes || strings.Contains(strings.ToLower(t.ShownName), p.filter) {
			p.rows = append(p.rows, i)
		}
	}
}

// total returns the number of rows before the filter.
func (p *hits) total() int {
	if p.browsing {
		return len(p.tools)
	}
	return len(p.results.Hits)
}

// count returns the number of rows.
func (p *hits) count() int {
	if p.rows != nil {
		return len(p.rows)
	}
	return p.total()
}

// at returns the index of a row before the filter.
func (p *hits) at(row int) int {
	if p.rows != nil {
		return p.rows[row]
	}
	return row
}

// tool returns the tool at an index before the filter.
func (p *hits) tool(i int) *model.Tool {
	if p.browsing {
		return p.tools[i]
	}
	return p.results.Hits[i].Tool
}

// selected returns the selected tool, nil when there is none.
func (p *hits) selected() *model.Tool {
	if p.beside != "" {
		return p.snapshot.Registry.Named(p.beside)
	}
	if p.cursor >= p.count() {
		return nil
	}
	return p.tool(p.at(p.cursor))
}

// selectName selects the tool with a qualified name, which may be below the hits ranked so far.
func (p *hits) selectName(name string) bool {
	for row := range p.count() {
		if p.tool(p.at(row)).Qualified == name {
			p.moveTo(row)
			return true
		}
	}
	if p.browsing || p.drafted || len(p.results.Hits) == p.results.Scored || p.snapshot == nil {
		return false
	}
	for _, t := range p.snapshot.Registry.Lookup(name) {
		rank, _, ok := p.snapshot.Rank(p.results.Query, t)
		if ok && t.Qualified == name {
			p.deepen(rank + firstDepth)
			p.moveTo(slices.IndexFunc(p.results.Hits, func(h engine.Hit) bool { return h.Tool == t })) // ranks count the agent's own tools too
			return true
		}
	}
	return false
}

// deepen ranks at least depth hits.
func (p *hits) deepen(depth int) {
	if p.browsing || p.drafted || depth <= len(p.results.Hits) || len(p.results.Hits) >= p.results.Scored {
		return
	}
	p.results = p.snapshot.Search(p.results.Query, 0, min(max(depth, 4*len(p.results.Hits)), p.results.Scored))
}

// moveTo moves the selection to a row, or to the nearest existing one.
func (p *hits) moveTo(row int) {
	p.beside = ""
	if p.rows == nil {
		p.deepen(row + firstDepth/2)
	}
	p.cursor = max(0, min(row, p.count()-1))
}

// title returns the heading of the pane and the note on its right.
func (p *hits) title() (heading, note string) {
	switch {
	case p.snapshot == nil:
		return "hits", ""
	case p.browsing && p.filter != "":
		return "tools  " + ui.Thousands(p.count()) + " of " + ui.Thousands(p.total()) + "  /" + safetext.Line(p.filter), ""
	case p.browsing:
		return "tools  " + ui.Thousands(p.count()), ""
	case p.results.Fallback:
		heading = "hits  " + ui.Thousands(p.results.Scored) + " by name only"
	default:
		shown := min(p.results.Limit, p.results.Scored)
		heading = "hits  " + ui.Thousands(shown) + " of " + ui.Thousands(p.results.Scored) + " scored"
	}
	if p.results.Untold {
		heading += ", order not known"
	}
	if gets, of := p.results.Tied(); of > 0 {
		heading += ", " + ui.Thousands(gets) + " of " + ui.Thousands(of) + " tied"
	}
	if p.drafted {
		heading = "draft " + heading
	}
	if p.filter != "" {
		heading += "  /" + safetext.Line(p.filter)
	}
	note = p.snapshot.Config.ToolSearch.Ranker
	if p.snapshot.Config.ToolSearch.MinConfidence > 0 && !p.drafted {
		note = fmt.Sprintf("confidence %.2f  %s", p.sure.Value, note)
	}
	return heading, note
}

// draw returns exactly h lines of w cells: the tools, and at the foot the skills, which no row
// selects, the last of them with how many there are besides.
func (p *hits) draw(t *ui.Theme, w, h int, focused bool) []string {
	room := h / 3
	if p.count() == 0 {
		room = h - h/3
	}
	var foot []string
	var l ui.Line
	for i, s := range p.skills[:min(len(p.skills), room)] {
		l.Start(w)
		l.Text(t.Number, " skill ")
		if left := len(p.skills) - i; left > 1 && i == room-1 {
			l.Text(t.Faint, ui.Thousands(left)+" more")
		} else {
			p.marks.draw(&l, t.Text, t.Match, t.Near, ui.FitName(s.ShownName(), l.Room()))
			if about := l.Room() - 2; about >= leastAbout {
				l.Gap(2)
				p.marks.draw(&l, t.Faint, t.Match, t.Near, ui.FirstWords(safetext.Line(s.Description), about))
			}
		}
		foot = append(foot, l.End())
	}
	p.foot = h - len(foot)
	return append(p.drawTools(t, w, p.foot, focused), foot...)
}

// drawTools returns exactly h lines of w cells.
func (p *hits) drawTools(t *ui.Theme, w, h int, focused bool) []string {
	p.heads, p.above, p.below = 0, 0, 0
	if p.count() == 0 {
		return p.drawNothing(t, w, h, focused)
	}
	total := p.count()
	cut, cutDrawn := p.cut()
	if cutDrawn {
		total++
	}
	rankWidth := len(strconv.Itoa(p.at(min(p.count()-1, max(p.list.Top, p.cursor)+h-1)) + 1)) // the cursor may be below the window
	lines := append(p.trialLines(t, w, h), p.drawHeads(t, w, h, rankWidth, p.scored(w, h, rankWidth))...)
	lines = lines[:min(len(lines), h-1)]
	p.heads = len(lines)
	var line int
	if cut, ok := p.cut(); ok && p.cursor >= cut {
		line = p.cursor + 1
	} else {
		line = p.cursor
	}
	p.list.Follow(line, h-p.heads, total)
	p.above, p.below = p.list.Hidden()
	if cutDrawn && cut < p.list.Top {
		p.above-- // the cut line is no hit
	} else if cutDrawn && cut >= total-p.below {
		p.below--
	}
	if p.rows == nil && !p.browsing && !p.drafted {
		p.below += p.results.Scored - len(p.results.Hits) // which are ranked when they are come to
	}
	var l ui.Line
	// The names down to the last row that is drawn, so that the column does not change with every row that is scrolled.
	const looked = 200
	last, nameCell := p.list.Top+h, 0
	for row := max(0, last-looked); row < min(last, p.count()); row++ {
		if n := ui.Width(p.tool(p.at(row)).ShownName); n <= longName {
			nameCell = max(nameCell, n)
		}
	}
	scored := p.scored(w, h, rankWidth)
	for line := p.list.Top; len(lines) < h; line++ {
		l.Start(w)
		row, ok := p.rowOf(line)
		switch {
		case cutDrawn && line == cut:
			var words string
			w := l.Room()
			least := p.snapshot.Config.ToolSearch.MinConfidence
			switch {
			case len(p.results.Own) > 0 && !p.drafted: // their ranks are none of a row
				own := len(p.results.Own)
				limit := "limit " + strconv.Itoa(p.results.Limit+own)
				words = ui.Longest(w-2, fmt.Sprintf("%s, %d taken by the agent's own tools, which have ranks too", limit, own),
					fmt.Sprintf("%s, %d taken by the agent's own tools", limit, own), fmt.Sprintf("%s, %d the agent's own", limit, own), limit)
			case least == 0 || p.drafted:
				words = "limit " + strconv.Itoa(p.results.Limit)
			case !p.abstains():
				words = fmt.Sprintf("limit %d, confidence %.2f", p.results.Limit, p.sure.Value)
			default:
				if long := fmt.Sprintf("confidence %.2f is below %.2f: the model gets none", p.sure.Value, least); len(long)+2 <= w {
					words = long
				} else {
					words = fmt.Sprintf("confidence %.2f: the model gets none", p.sure.Value)
				}
			}
			label := " " + words + " "
			side := max(0, (l.Room()-len(label))/2)
			l.Repeat(t.Warn, t.Cut, side)
			l.Text(t.Warn, label)
			l.Repeat(t.Warn, t.Cut, l.Room())
		case ok:
			p.drawRow(&l, t, w, row, rankWidth, nameCell, scored, focused)
		}
		lines = append(lines, l.End())
	}
	return lines
}

// drawNothing draws why there is no row.
func (p *hits) drawNothing(t *ui.Theme, w, h int, focused bool) []string {
	var words []string
	switch {
	case p.snapshot == nil:
	case p.filter != "":
		words = []string{"no row contains " + safetext.Line(p.filter), "esc clears the filter"}
	case p.broken && len(p.snapshot.Registry.Tools) == 0:
		words = []string{"no tool could be read: the error is at the top", "a file is read again when it is saved"}
	case len(p.snapshot.Registry.Tools) == 0 && len(p.skills) > 0:
		words = []string{"no tools, but skills: they are below", "Budget (2) has how many of them agents list"}
	case len(p.snapshot.Registry.Tools) == 0:
		words = []string{"the registry holds no tools"}
	case len(p.snapshot.Catalog()) == 0:
		words = []string{"nothing to search: session " + safetext.Line(p.snapshot.Session.Name) + " has every tool in its list", "s switches the session, an empty query lists every tool"}
	case len(p.results.Query) == 1 && strings.Contains("12345678", p.results.Query):
		words = []string{"digits are text here: alt-" + p.results.Query + " goes to the screen"}
	case p.snapshot.Active():
		words = []string{p.snapshot.WhyNone(p.results.Query), "the model would get the answer that nothing matches"}
	default:
		words = []string{p.snapshot.WhyNone(p.results.Query), "search is OFF: the model has its tools listed and does not search"}
	}
	if p.snapshot != nil && p.filter == "" {
		var found []string
		for _, r := range p.rivals {
			if len(r.others) > 0 {
				found = append(found, r.name()+" finds "+strings.Join(r.others, ", "))
			}
		}
		words = append(words, found...)
	}
	if p.snapshot != nil && p.filter == "" && !p.browsing && len(p.snapshot.Catalog()) > 0 {
		after := ""
		if !focused {
			after = "after enter, "
		}
		words = append(words, after+"w says why a tool is not found, t tries another description, 5 has all missed queries")
	}
	return ui.Centered(t, w, h, words...)
}
