package tui

import (
	"image"
	"strings"

	"caliper/tui/cells"
)

// frame is the border of a pane and what stands in it. Panes of one column
// share a border: each draws the one above itself, the last one also the one
// below.
type frame struct {
	title   string // left in the border above
	detail  string // faint, behind the title
	note    string // right in the border above; the first to go where room is short
	tabs    tabs   // instead of a title, where panes share one box
	focused bool
	above   bool // the box above has the focus: the shared border is its too
}

// draw returns the lines of a box with its content: exactly as many as the
// box is high, each exactly as wide. Lines of content that are missing are
// blank, those too many are dropped.
func (f frame) draw(t *Theme, b Box, content []string) []string {
	lines := make([]string, 0, b.Rect.Dy())
	lines = append(lines, f.head(t, b))
	edge := t.Border
	if f.focused {
		edge = t.BorderFocus
	}
	side := string(edge) + t.Vertical
	if edge != "" {
		side += "\x1b[0m"
	}
	for y := range b.Inner.Dy() {
		inside := ""
		if y < len(content) {
			inside = content[y]
		}
		lines = append(lines, side+cells.Fit(inside, b.Inner.Dx())+side)
	}
	if b.Last {
		var l cells.Line
		l.Start(b.Rect.Dx())
		l.Text(edge, t.BottomLeft)
		l.Repeat(edge, t.Horizontal, l.Room()-1)
		l.Text(edge, t.BottomRight)
		lines = append(lines, l.End())
	}
	return lines
}

// head draws the border above, with the title in it.
func (f frame) head(t *Theme, b Box) string {
	edge, title, glyph := t.Border, t.Title, " "
	if f.focused || f.above {
		edge = t.BorderFocus
	}
	if f.focused {
		title, glyph = t.TitleFocus, t.Focus
	}
	left, right := t.TopLeft, t.TopRight
	if b.Join {
		left, right = t.TeeLeft, t.TeeRight
	}
	var l cells.Line
	l.Start(b.Rect.Dx())
	l.Text(edge, left)
	l.Text(edge, glyph)
	note := f.noteText()
	used := f.titleWidth()
	if used > f.titleRoom(b, note) {
		note = ""
	}
	room := f.titleRoom(b, note)
	if len(f.tabs.labels) > 0 {
		f.tabs.draw(&l, t, room)
	} else {
		l.Text(title, cells.Truncate(f.title, room))
		if rest := room - cells.Width(f.title) - 2; f.detail != "" && rest > 3 {
			l.Text(t.Faint, "  "+cells.Truncate(f.detail, rest))
		}
	}
	if used > 0 {
		l.Gap(1)
	}
	l.Repeat(edge, t.Horizontal, l.Room()-cells.Width(note)-1)
	l.Text(t.Faint, note)
	l.Text(edge, right)
	return l.End()
}

func (f frame) noteText() string {
	if f.note == "" {
		return ""
	}
	return " " + f.note + " "
}

// titleWidth returns the cells that the title, or the tabs in its place, need.
func (f frame) titleWidth() int {
	if len(f.tabs.labels) > 0 {
		return f.tabs.width()
	}
	return cells.Width(f.title)
}

// titleRoom returns the cells that a box has for its title beside a note: all
// but the corners, the glyph of focus, and a rule between.
func (f frame) titleRoom(b Box, note string) int {
	return max(b.Rect.Dx()-6-cells.Width(note), 0)
}

// tabAt returns which tab of a box is under a point of the screen.
func (f frame) tabAt(b Box, p image.Point) (int, bool) {
	if p.Y != b.Rect.Min.Y {
		return 0, false
	}
	room := f.titleRoom(b, f.noteText())
	if f.titleWidth() > room {
		room = f.titleRoom(b, "")
	}
	return f.tabs.at(p.X-b.Rect.Min.X-2, room)
}

// placed is a block of lines and where its first cell is on the screen.
type placed struct {
	at    image.Rectangle
	lines []string
}

// compose joins blocks to a screen of exactly h lines. The blocks must cover
// the screen without overlapping, and each of their lines must be exactly as
// wide as its block; then so is every line of the screen.
func compose(h int, blocks []placed) string {
	size := h
	for _, b := range blocks {
		for _, line := range b.lines {
			size += len(line)
		}
	}
	var screen strings.Builder
	screen.Grow(size)
	for y := range h {
		if y > 0 {
			screen.WriteByte('\n')
		}
		for x, again := 0, true; again; {
			again = false
			for _, b := range blocks {
				if b.at.Min.X == x && y >= b.at.Min.Y && y < b.at.Max.Y && b.at.Dx() > 0 {
					screen.WriteString(b.lines[y-b.at.Min.Y])
					x, again = b.at.Max.X, true
					break
				}
			}
		}
	}
	return screen.String()
}
