package ui

import (
	"image"
	"strings"
)

// Frame is the border of a pane with its title. Panes of one column share
// borders: each draws its upper border, and the last one also the lower border.
type Frame struct {
	Title   string // on the left of the upper border
	Detail  string // faint text after the title; behind tabs left out where it does not fit, unless Whole
	Note    string // on the right of the upper border; left out first when it does not fit
	Short   string // what the note says where it does not fit beside tabs of views; empty for its first words
	Tabs    Tabs   // replaces the title when several panes or views share one box
	Whole   bool   // the detail comes before the note, and the beginning of it before the third tab
	Yield   bool   // the tabs are of views: note and detail give way to them
	Focused bool
	Above   bool     // the box above has the focus, and shares the upper border
	Beyond  []string // how many rows are hidden, the longest text first; on the right of the lower border
}

// Draw returns the lines of a box with its content. It returns exactly as many
// lines as the box is high, each exactly as wide as the box; missing lines of
// content are blank, and excess lines are dropped.
func (f Frame) Draw(t *Theme, b Box, content []string) []string {
	lines := make([]string, 0, b.Rect.Dy())
	lines = append(lines, f.head(t, b))
	edge, border := t.Border, t.Thin
	if f.Focused {
		edge, border = t.Accent, t.Heavy
	}
	side := string(edge) + border.Vertical
	if edge != "" {
		side += "\x1b[0m"
	}
	for y := range b.Inner.Dy() {
		inside := ""
		if y < len(content) {
			inside = content[y]
		}
		lines = append(lines, side+Fit(inside, b.Inner.Dx())+side)
	}
	if b.Last {
		l := StartLine(b.Rect.Dx(), 0)
		l.Text(edge, border.Bottom[0])
		beyond := ""
		if room := l.Room() - 5; len(f.Beyond) > 0 {
			beyond = Longest(room, f.Beyond...)
		}
		if beyond != "" {
			beyond = " " + beyond + " "
			l.Repeat(edge, border.Horizontal, l.Room()-2-Width(beyond))
			l.Text(t.Faint, beyond)
		}
		l.Repeat(edge, border.Horizontal, l.Room()-1)
		l.Text(edge, border.Bottom[1])
		lines = append(lines, l.End())
	}
	return lines
}

// head draws the upper border with the title.
func (f Frame) head(t *Theme, b Box) string {
	edge, title, glyph := t.Border, t.Faint, " "
	if f.Focused || f.Above {
		edge = t.Accent
	}
	if f.Focused {
		title, glyph = t.TitleFocus, t.Focus
	}
	border := t.Thin
	if f.Focused || f.Above { // for a shared border, the pane above
		border = t.Heavy
	}
	ends := border.Top
	switch {
	case f.Above && !f.Focused:
		ends = border.Above
	case b.Join:
		ends = border.Below
	}
	l := StartLine(b.Rect.Dx(), 0)
	l.Text(edge, ends[0])
	l.Text(edge, glyph)
	note, room, tabs := f.fitting(b)
	from := l.At()
	if len(f.Tabs.Labels) > 0 {
		f.Tabs.draw(&l, t, tabs)
	} else {
		l.Text(title, Truncate(f.Title, room))
	}
	if rest := room - (l.At() - from) - detailGap; f.Detail != "" && rest > leastDetail && (rest >= Width(f.Detail) || f.Whole || !f.Yield) {
		l.Text(t.Faint, Spaces(detailGap)+Truncate(f.Detail, rest))
	}
	if f.titleWidth() > 0 {
		l.Gap(1)
	}
	l.Repeat(edge, border.Horizontal, l.Room()-Width(note)-1)
	l.Text(t.Faint, note)
	l.Text(edge, ends[1])
	return l.End()
}

// titleWidth returns the width of the title, or of the tabs that replace it.
func (f Frame) titleWidth() int {
	if len(f.Tabs.Labels) > 0 {
		return widthOf(f.Tabs.Labels)
	}
	return Width(f.Title)
}

const (
	detailGap   = 2 // before the detail
	leastDetail = 3 // a detail of fewer cells is not drawn
	leastShort  = 8 // cells of the detail that tabs of views leave free
	leastWords  = 6 // first words of a note that take fewer cells are not drawn
)

// fitting returns the note that is drawn, empty where it gives way, the cells for
// title and detail, and the cells of them that the tabs have.
func (f Frame) fitting(b Box) (note string, room, tabs int) {
	if f.Note != "" {
		note = " " + f.Note + " "
	}
	room = f.TitleRoom(b, note)
	if !f.Yield {
		if f.titleWidth() > room {
			note, room = "", f.TitleRoom(b, "")
		}
		return note, room, room
	}
	room = f.TitleRoom(b, "")
	tabs = min(f.titleWidth(), room)
	var fewest int
	beside := f.Tabs.Active + 1
	if beside == len(f.Tabs.Labels) {
		beside = f.Tabs.Active - 1
	}
	if beside < 0 {
		fewest = widthOf(f.Tabs.Labels)
	} else {
		fewest = widthOf([]string{f.Tabs.Labels[f.Tabs.Active], f.Tabs.Labels[beside]})
	}
	least := min(fewest, tabs)
	if f.titleWidth() > room { // not all are seen anyway
		tabs = max(least, room-Width(note))
	}
	filter := 0
	if f.Whole && f.Detail != "" {
		filter = detailGap + Width(f.Detail)
		tabs = max(least, min(tabs, room-min(filter, detailGap+leastShort)))
	}
	if left := room - tabs - filter; Width(note) > left {
		note = f.shortNote(left)
	}
	if f.titleWidth() > room { // what the note leaves is for further tabs
		tabs = max(tabs, room-filter-Width(note))
	}
	return note, room - Width(note), tabs
}

// shortNote returns the note in at most w cells, which are too few for all of it: its
// short form, else its first words, else nothing. A part of a word would say little, or
// something else.
func (f Frame) shortNote(w int) string {
	text := f.Short
	if text == "" {
		if text = FirstWords(f.Note, w-2); Width(text) < leastWords {
			return ""
		}
	}
	if Width(text) > w-2 {
		return ""
	}
	return " " + text + " "
}

// TitleRoom returns the cells for the title beside a note: the width without
// the corners, the glyph of focus, and a line between title and note.
func (f Frame) TitleRoom(b Box, note string) int {
	return max(b.Rect.Dx()-6-Width(note), 0)
}

// TabAt returns the index of the tab at a point of the screen.
func (f Frame) TabAt(b Box, p image.Point) (int, bool) {
	if p.Y != b.Rect.Min.Y {
		return 0, false
	}
	_, _, tabs := f.fitting(b)
	return f.Tabs.At(p.X-b.Rect.Min.X-2, tabs)
}

// Block is a rectangle of lines at a position on the screen.
type Block struct {
	At    image.Rectangle
	Lines []string
}

// Compose joins blocks to a screen of exactly h lines. The blocks must cover
// the screen without overlapping, and each of their lines must be exactly as
// wide as its block; then every line of the screen has exactly the same width.
func Compose(h int, blocks []Block) string {
	size := h
	for _, b := range blocks {
		for _, line := range b.Lines {
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
				if b.At.Min.X == x && y >= b.At.Min.Y && y < b.At.Max.Y && b.At.Dx() > 0 {
					screen.WriteString(b.Lines[y-b.At.Min.Y])
					x, again = b.At.Max.X, true
					break
				}
			}
		}
	}
	return screen.String()
}

// Box is the position of a pane with its border.
type Box struct {
	Rect  image.Rectangle // with the upper border, and if Last with the lower one
	Inner image.Rectangle // without borders
	Join  bool            // the upper border is shared with the box above
	Last  bool            // the lower border is drawn; otherwise the next box draws it
}

// NewBox returns the box of a rectangle that includes the borders. Join means
// that the upper border is shared with the box above, last that the lower
// border is drawn.
func NewBox(r image.Rectangle, join, last bool) Box {
	b := Box{Rect: r, Inner: r, Join: join, Last: last}
	b.Inner.Min = b.Inner.Min.Add(image.Pt(1, 1))
	b.Inner.Max.X--
	if last {
		b.Inner.Max.Y--
	}
	return b
}

// Empty reports whether the box is not visible.
func (b Box) Empty() bool { return b.Rect.Empty() }
