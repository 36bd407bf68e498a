package explore

import (
	"fmt"
	"slices"
	"strconv"

	"caliper/tui/ui"
)

// abstains reports whether the model gets none of the hits, for want of confidence. What
// a draft finds is always shown as hits.
func (p *hits) abstains() bool { return p.sure.Abstains && !p.drafted }

// cut returns the row above which the cut line is drawn; ok is false when there
// is no cut line.
func (p *hits) cut() (row int, ok bool) {
	if p.abstains() {
		return 0, p.count() > 0
	}
	if p.browsing || p.results.Fallback && p.results.Scored <= p.results.Limit {
		return 0, false
	}
	if p.rows != nil {
		row, _ = slices.BinarySearch(p.rows, p.results.Limit)
	} else {
		row = p.results.Limit
	}
	return row, row < p.count()
}

// lineOf returns the line that a row is drawn on, counting the cut line.
func (p *hits) lineOf(row int) int {
	if cut, ok := p.cut(); ok && row >= cut {
		return row + 1
	}
	return row
}

// rowOf returns the row drawn on a line; ok is false for the cut line and
// below the last row.
func (p *hits) rowOf(line int) (row int, ok bool) {
	cut, drawn := p.cut()
	switch {
	case drawn && line == cut:
		return 0, false
	case drawn && line > cut:
		line--
	}
	return line, line >= 0 && line < p.count()
}

// cutLabel returns what the cut line says in w cells.
func (p *hits) cutLabel(w int) string {
	least := p.snapshot.Config.ToolSearch.MinConfidence
	switch {
	case len(p.results.Own) > 0 && !p.drafted: // their ranks are none of a row
		own := len(p.results.Own)
		limit := "limit " + strconv.Itoa(p.results.Limit+own)
		return ui.Longest(w-2, fmt.Sprintf("%s, %d taken by the agent's own tools, which have ranks too", limit, own),
			fmt.Sprintf("%s, %d the agent's own", limit, own), limit)
	case least == 0 || p.drafted:
		return "limit " + strconv.Itoa(p.results.Limit)
	case !p.abstains():
		return fmt.Sprintf("limit %d, confidence %.2f", p.results.Limit, p.sure.Value)
	}
	if long := fmt.Sprintf("confidence %.2f is below %.2f: the model gets none", p.sure.Value, least); len(long)+2 <= w {
		return long
	}
	return fmt.Sprintf("confidence %.2f: the model gets none", p.sure.Value)
}
