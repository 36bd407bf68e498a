package explore

import (
	"slices"

	"caliper/tui/screen"
	"caliper/tui/ui"
)

// heights is the heights that the panes one below the other asked for when they were drawn last.
type heights struct {
	asks  [paneCount]ui.Ask
	width int
	rows  []int // of the panes, as they were divided last in this width; nil: not yet
	of    [3]Pane
	by    screen.Question // they were divided for
}

// leastRows are the rows with which a pane still says something, borders included.
var leastRows = [paneCount]ui.Ask{PaneSchema: {Least: 6, Rows: 6}, PaneWhy: {Least: 5, Rows: 5}, PaneDryRun: {Least: 7, Rows: 7}}

// leastMove is how many rows must be blank in one pane and lacking in another before
// the borders between them move while hits are gone through, so that they do not with
// every hit.
const leastMove = 3

// divide returns the rows of panes in a column of h rows. What nobody needs goes to the
// dry run, where each gate then has its line; to the schema while the dry run is quiet. While the hits of a query are
// gone through, the rows of the hit before stay as long as every pane has its least and
// less than leastMove could be put to better use. For the hit that they were divided for
// they depend on nothing that was drawn before, so that the same screen looks the same
// however fast somebody typed.
func (g *heights) divide(h int, panes [3]Pane, now screen.Question, browsed, quiet bool) []int {
	keep := browsed && now.Query == g.by.Query && now.Tool != g.by.Tool
	asks := []ui.Ask{g.asks[panes[0]], g.asks[panes[1]], g.asks[panes[2]]}
	have, lacking, blank, enough := 0, 0, 0, true
	for i, rows := range g.rows {
		have += rows
		enough = enough && rows >= min(asks[i].Least, asks[i].Rows)
		lacking += max(0, asks[i].Rows-rows)
		blank += max(0, rows-asks[i].Rows)
	}
	if !keep || g.of != panes || have != h || !enough || min(lacking, blank) >= leastMove {
		spare := PaneDryRun
		if quiet {
			spare = PaneSchema
		}
		g.rows, g.of, g.by = ui.Share(h, slices.Index(panes[:], spare), asks...), panes, now
	}
	return g.rows
}

// whyHeight returns the lines that the why pane takes in w cells.
func (s *Screen) whyHeight(t *ui.Theme, w int) int {
	pinned := s.pinBlock(t, w)
	if s.showsOverview() {
		return len(pinned) + len(s.drawOverview(t, w, screen.End, false))
	}
	lines := len(pinned)
	reason, explained := s.why.reason()
	if !explained {
		for _, text := range reason {
			lines += len(ui.Wrap(text, max(1, w-4))) // as it is drawn in the middle
		}
		return lines
	}
	rows, detail := s.why.lines(t, w)
	return lines + len(rows) + 1 + len(detail) + len(s.why.learnedBlock(t, w))
}
