package explore

import (
	"slices"
	"strconv"
	"strings"

	"caliper/config"
	"caliper/engine"
	"caliper/model"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// rival is another ranker that is compared with the one in force.
type rival struct {
	snapshot *engine.Snapshot
	ranks    map[*model.Tool]int // ranks of the rows that were drawn; 0 for none
	cut      string              // why it finds nothing; empty when it finds a tool
	others   []string            // tools that only this ranker has within the limit, best first
}

// A pane with fewer lines or cells shows only the ranks of the rivals, not
// their remarks.
const (
	comparedLines = 10
	comparedCells = 44
)

// compare runs the current query with the rankers of a state.
func (p *hits) compare(st *workbench.State) {
	p.rivals = nil
	if p.browsing {
		return
	}
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

// rank returns the rank that a rival gives a tool of the common registry, 0 for none.
func (r *rival) rank(query string, t *model.Tool) int {
	rank, known := r.ranks[t]
	if !known {
		rank, _, _ = r.snapshot.Rank(query, t)
		r.ranks[t] = rank
	}
	return rank
}

// name returns the column title of the rival.
func (r *rival) name() string { return ui.Ranker(r.snapshot.Config.ToolSearch.Ranker) }

// narrowRankers are the names of rankers in narrow columns.
var narrowRankers = map[string]string{config.RankerFielded: "fld", config.RankerGated: "gtd", config.RankerSemantic: "sem", config.RankerHybrid: "hyb",
	"ai-sdk": "ai", "claude-code": "cla", "codex": "cdx", "copilot-cli": "cop", "fastmcp": "fmc", "livekit": "lvk", "mastra": "mas"}

// rivalCell returns the width of the column of one rival in w cells. More than two rivals
// have narrow columns unless there is room for the names of tools beside wide ones.
func (p *hits) rivalCell(w int) int {
	if w < comparedCells+max(0, len(p.rivals)-2)*9 {
		return 5
	}
	return 9
}

// drawHeads draws the lines above the rows: the column titles, and where h lines have room which
// rivals find nothing, and what only they find.
func (p *hits) drawHeads(t *ui.Theme, w, h, rankWidth int, scored bool) []string {
	if len(p.rivals) == 0 || p.count() == 0 {
		return nil
	}
	l := ui.StartLine(w, 1)
	l.CellRight(t.Faint, "#", rankWidth)
	l.Gap(1)
	cell := p.rivalCell(w)
	for _, r := range p.rivals {
		name := r.name()
		if short, ok := narrowRankers[r.snapshot.Config.ToolSearch.Ranker]; ok && ui.Width(name) >= cell {
			name = short
		}
		l.Cell(t.Faint, name, cell)
	}
	if scored {
		l.Right(t.Faint, " "+ui.Ranker(p.snapshot.Config.ToolSearch.Ranker))
	}
	lines := []string{l.End()}
	for _, r := range p.rivals {
		switch {
		case h < comparedLines:
		case r.cut != "":
			lines = append(lines, ui.Flow(w, 1, []ui.Phrase{{Style: t.Warn, Text: r.name() + " finds nothing: " + r.cut}})...)
		case len(r.others) > 0:
			l.StartAt(w, 1)
			l.Text(t.Added, r.name()+" also")
			l.Gap(2)
			l.Text(t.Faint, ui.Truncate(strings.Join(r.others, ", "), l.Room()))
			lines = append(lines, l.End())
		}
	}
	return lines
}

// drawRivals draws the ranks that rivals give a hit, and how they differ from its own.
func (p *hits) drawRivals(l *ui.Line, t *ui.Theme, w int, hit engine.Hit) {
	cell := p.rivalCell(w)
	for i := range p.rivals {
		rank := p.rivals[i].rank(p.results.Query, hit.Tool)
		end := l.At() + cell
		if rank == 0 {
			l.Text(t.Removed, ui.NoRank)
			l.To(end)
			continue
		}
		number := strconv.Itoa(rank)
		style, change := ui.RankChange(t, hit.Rank, rank)
		if change = " " + change; rank == hit.Rank || ui.Width(number+change) >= cell {
			change = "" // an arrow without its number says nothing
		}
		l.Text(t.Faint, number)
		l.Text(style, change)
		l.To(end)
	}
}
