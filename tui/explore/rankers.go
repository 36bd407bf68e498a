package explore

import (
	"strings"

	"caliper/config"
	"caliper/engine"
	"caliper/model"
	"caliper/tui/ui"
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
