package explore

import (
	"caliper/tui/cells"
	"caliper/tui/ui"
)

// heights is what the panes that stand one below the other asked for when they were
// drawn last.
type heights struct {
	asks [paneCount]ui.Ask
	key  heightsKey
}

// heightsKey is what the heights depend on.
type heightsKey struct {
	theme    *ui.Theme
	width    int
	versions [paneCount]uint64
	state    any
}

// leastRows are the rows with which a pane still says something, borders included.
var leastRows = [paneCount]ui.Ask{PaneSchema: {Least: 6, Rows: 6}, PaneWhy: {Least: 5, Rows: 5}, PaneDryRun: {Least: 7, Rows: 7}}

// measure asks the panes of a column of w cells how many rows they need. The boxes need
// one row for a border, and the last one two.
func (s *Screen) measure(t *ui.Theme, w int) {
	key := heightsKey{theme: t, width: w, state: s.state}
	for _, pane := range []Pane{PaneSchema, PaneWhy, PaneDryRun} {
		key.versions[pane] = s.version(pane)
	}
	if key == s.heights.key {
		return
	}
	inner := max(1, w-2)
	s.heights.asks[PaneSchema] = ui.Ask{Least: leastRows[PaneSchema].Least, Rows: stepped(s.schema.height(inner) + 1)}
	s.heights.asks[PaneWhy] = ui.Ask{Least: leastRows[PaneWhy].Least, Rows: stepped(s.why.height(t, s.pin.lines(t, inner), inner) + 1)}
	s.heights.asks[PaneDryRun] = ui.Ask{Least: leastRows[PaneDryRun].Least, Rows: s.dry.height(t, inner-1) + 2}
	s.heights.key = key
}

// step is what the heights of panes are multiples of, so that panes do not move with
// every hit that is selected. They have fewer blank rows than that.
const step = 4

// stepped returns the next multiple of step.
func stepped(rows int) int { return (rows + step - 1) / step * step }

// height returns the lines that status, description and tree take in w cells.
func (p *schemaPane) height(w int) int {
	if p.tool == nil {
		return 1
	}
	p.fit(w)
	return headLines + max(1, len(p.rows))
}

// height returns the lines that the answer about the pinned tool and the explanation
// take in w cells.
func (p *whyPane) height(t *ui.Theme, pinned []string, w int) int {
	lines := len(pinned)
	reason, explained := p.reason()
	if !explained {
		for _, text := range reason {
			lines += len(cells.Wrap(text, max(1, w-4))) // as it is drawn in the middle
		}
		return lines
	}
	if lines > 0 {
		lines++ // a blank one
	}
	rows, _, detail := p.lines(t, w)
	return lines + len(rows) + 1 + len(detail)
}

// height returns the lines that the arguments and the trace take in w cells where the
// gates share their lines.
func (p *dryRun) height(t *ui.Theme, w int) int {
	if p.tool == nil {
		return 1
	}
	return 1 + len(p.lines(t, w, 0))
}
