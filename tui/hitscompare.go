package tui

import (
	"slices"
	"strconv"
	"strings"

	"caliper/config"
	"caliper/engine"
	"caliper/model"
	"caliper/tui/cells"
	"caliper/tui/workbench"
)

// rival is another ranker, that the one in force is compared with.
type rival struct {
	snapshot *engine.Snapshot
	ranks    map[*model.Tool]int // of rows that were drawn; 0 for none
	cut      string              // why it finds nothing; empty when it finds something
	others   []string            // the tools that only it has within the limit, best first
}

// Rows of hits with fewer lines or cells have no room for what the rivals have
// to say beside their ranks.
const (
	comparedLines = 10
	comparedCells = 44
)

// compare asks the rivals of a state the query that was just searched.
func (p *hits) compare(st *workbench.State) {
	p.rivals = nil
	if p.browsing {
		return
	}
	for _, s := range rivalsOf(st, st.Rivals) {
		r := rival{snapshot: s, ranks: map[*model.Tool]int{}}
		found := s.Search(p.results.Query, 0, p.results.Limit)
		if found.Scored == 0 {
			r.cut = s.Cut(p.results.Query)
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

// rank returns the place that a rival gives a tool, 0 for none. The tool is of
// the registry that all of them rank.
func (r *rival) rank(query string, t *model.Tool) int {
	rank, known := r.ranks[t]
	if !known {
		rank, _, _ = r.snapshot.Rank(query, t)
		r.ranks[t] = rank
	}
	return rank
}

// remarks returns what the rivals have to say in w cells and h lines: that one
// finds nothing, and which tools only it finds.
func (p *hits) remarks(t *Theme, w, h int) []string {
	if h < comparedLines {
		return nil
	}
	var lines []string
	for _, r := range p.rivals {
		switch {
		case r.cut != "":
			lines = append(lines, flow(w, 1, []phrase{{t.Warn, r.name() + " finds nothing: " + r.cut}})...)
		case len(r.others) > 0:
			var l cells.Line
			l.Start(w)
			l.Gap(1)
			l.Text(t.Added, r.name()+" also")
			l.Gap(2)
			l.Text(t.Faint, cells.Truncate(strings.Join(r.others, ", "), l.Room()))
			lines = append(lines, l.End())
		}
	}
	return lines
}

// name is what the rival is called in its column.
func (r *rival) name() string { return shortRanker(r.snapshot.Config.ToolSearch.Ranker) }

// narrowRankers name the rankers in narrow columns.
var narrowRankers = map[string]string{config.RankerFielded: "fld", config.RankerGated: "gtd"}

// heading is what the rival is called above a column of some width.
func (r *rival) heading(cell int) string {
	name := r.name()
	if short, ok := narrowRankers[r.snapshot.Config.ToolSearch.Ranker]; ok && cells.Width(name) >= cell {
		return short
	}
	return name
}

// rivalCell is how wide the ranks under one rival are in w cells.
func rivalCell(w int) int {
	if w < comparedCells {
		return 5
	}
	return 9
}

// drawHeads draws the lines above the rows: what the columns are, and what the
// rivals have to say.
func (p *hits) drawHeads(t *Theme, w, h, rankWidth int) []string {
	if len(p.rivals) == 0 || p.count() == 0 {
		return nil
	}
	var l cells.Line
	l.Start(w)
	l.Gap(1)
	l.CellRight(t.Faint, "#", rankWidth)
	l.Gap(1)
	if p.onDisk != nil {
		l.Gap(changeCells + 1)
	}
	for i := range p.rivals {
		l.Cell(t.Faint, p.rivals[i].heading(rivalCell(w)), rivalCell(w))
	}
	l.Right(t.Faint, " "+shortRanker(p.snapshot.Config.ToolSearch.Ranker))
	return append([]string{l.End()}, p.remarks(t, w, h)...)
}

// drawRivals draws the ranks that the rivals give a hit, and how they differ
// from the one it has.
func (p *hits) drawRivals(l *cells.Line, t *Theme, w int, hit engine.Hit) {
	cell := rivalCell(w)
	for i := range p.rivals {
		rank := p.rivals[i].rank(p.results.Query, hit.Tool)
		end := l.At() + cell
		if rank == 0 {
			l.Text(t.Removed, noRank)
			l.To(end)
			continue
		}
		number, arrow := strconv.Itoa(rank), t.Risen
		if rank > hit.Rank {
			arrow = t.Fallen
		}
		style, change := moved(t, hit.Rank, rank)
		switch {
		case rank == hit.Rank:
			change = ""
		case cells.Width(number)+1+cells.Width(change) < cell:
			change = " " + change
		default:
			change = arrow
		}
		l.Text(t.Faint, number)
		l.Text(style, change)
		l.To(end)
	}
}

// elsewhere returns what the rivals find where the ranker in force finds
// nothing.
func (p *hits) elsewhere() []string {
	var words []string
	for _, r := range p.rivals {
		if len(r.others) > 0 {
			words = append(words, r.name()+" finds "+strings.Join(r.others, ", "))
		}
	}
	return words
}

// headed is how many lines stood above the rows when they were last drawn.
func (p *hits) headed() int { return p.heads }
