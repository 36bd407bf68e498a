package explore

import (
	"caliper/model/safetext"
	"caliper/model/shapes"
	"caliper/tui/cells"
	"caliper/tui/ui"
)

// arriving is the list of the tools of a registry while the first load reads it,
// in the order of the files. Nothing is known of a tool but what its definition
// says of itself. The first state replaces it.
type arriving struct {
	sources [][]shapes.Heading // by file
	total   int
	cursor  int
	list    ui.Window
	asked   bool // there is a query, which needs the whole registry
}

// take sets what has arrived.
func (p *arriving) take(sources [][]shapes.Heading) {
	p.sources, p.total = sources, 0
	for _, tools := range sources {
		p.total += len(tools)
	}
	p.move(0) // a file that is read anew has no tools for a while
}

// move moves the selection by rows.
func (p *arriving) move(by int) { p.cursor = max(0, min(p.cursor+by, p.total-1)) }

// at returns the tool of a row.
func (p *arriving) at(row int) shapes.Heading {
	for _, tools := range p.sources {
		if row < len(tools) {
			return tools[row]
		}
		row -= len(tools)
	}
	return shapes.Heading{}
}

// chosen returns the tool under the cursor; ok is false when the user has not
// moved it.
func (p *arriving) chosen() (tool shapes.Heading, ok bool) { return p.at(p.cursor), p.cursor > 0 }

// title returns the heading of the pane and the note on its right.
func (p *arriving) title() (heading, note string) {
	heading = "tools  " + ui.Thousands(p.total) + " so far"
	if p.asked {
		note = "ranked when all are read"
	}
	return heading, note
}

// draw returns exactly h lines of w cells.
func (p *arriving) draw(t *ui.Theme, w, h int, focused bool) []string {
	p.list.Follow(p.cursor, h, p.total)
	lines := make([]string, 0, h)
	var l cells.Line
	for row := p.list.Top; len(lines) < h; row++ {
		l.Start(w)
		if row < p.total {
			ui.DrawGutter(&l, t, row == p.cursor, focused)
			l.Text(t.Text, ui.FitName(safetext.Line(p.at(row).Name), l.Room()-1))
		}
		lines = append(lines, l.End())
	}
	return lines
}
