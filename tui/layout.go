package tui

import (
	"fmt"
	"image"
)

// Screen is one of the screens. Their numbers are those that alt takes one to.
type Screen int

// The screens.
const (
	ScreenExplore    Screen = 1
	ScreenBudget     Screen = 2
	ScreenScope      Screen = 3
	ScreenStrategies Screen = 4
	ScreenQueries    Screen = 5
	ScreenResults    Screen = 6
	ScreenActivity   Screen = 7
)

// screens are all screens in the order of their tabs.
var screens = []Screen{ScreenExplore, ScreenBudget, ScreenScope, ScreenStrategies, ScreenQueries, ScreenResults, ScreenActivity}

// String returns the name that the screen has in its tab.
func (s Screen) String() string {
	return map[Screen]string{ScreenExplore: "Explore", ScreenBudget: "Budget", ScreenScope: "Scope", ScreenStrategies: "Strategies", ScreenQueries: "Queries", ScreenResults: "Results", ScreenActivity: "Activity"}[s]
}

// Pane is one of the boxes on a screen. PaneBody is all there is between
// header and footer on every screen but Explore.
type Pane int

const (
	PaneQuery Pane = iota
	PaneHits
	PaneSchema
	PaneWhy
	PaneDryRun
	PaneBody
	paneCount
)

var paneNames = [paneCount]string{"query", "hits", "schema", "why", "dry run", "body"}

// String returns the name that the pane has in its title.
func (p Pane) String() string { return paneNames[p] }

// Size is a class of terminal sizes.
type Size int

const (
	SizeNone   Size = iota // too small for anything
	SizeSmall              // one pane at a time
	SizeMedium             // hits and one more
	SizeLarge              // all at once
)

// The least terminal of each size.
const (
	smallWidth, smallHeight   = 40, 10
	mediumWidth, mediumHeight = 80, 24
	largeWidth, largeHeight   = 120, 30
)

const (
	queryHeight = 2 // a border and the line that is typed in
	minHits     = 50
	maxHits     = 84 // wider does a list no good
)

// Mode is what a layout depends on besides the size of the terminal.
type Mode struct {
	Screen Screen // ScreenExplore if zero
	Shown  Pane   // the pane to show where not all fit: the last one that had focus
	Zoom   bool   // show that pane alone, whatever the size
}

// Layout says where everything is. The rectangles of what is visible do not
// overlap and cover the terminal; what is not visible has an empty rectangle.
type Layout struct {
	Size    Size
	Whole   image.Rectangle
	Header  image.Rectangle // three rows, two, or one
	Tabs    image.Rectangle // the names of the screens; empty on small terminals
	Body    image.Rectangle // between tabs and footer: what the boxes share
	Footer  image.Rectangle
	Boxes   [paneCount]Box
	Tabbed  []Pane // panes that share the box of Shown, by tabs in its title; nil if none do
	Shown   Pane   // which of them is visible
	Message string // what to say instead, if the terminal is too small
}

// Box is the place of a pane with its border.
type Box struct {
	Rect  image.Rectangle // with the border above, and with the one below if Bottom
	Inner image.Rectangle // without borders
	Join  bool            // the border above is shared with the box above
	Last  bool            // the border below is drawn; else the next box draws it
}

// Empty reports whether the box is not visible.
func (b Box) Empty() bool { return b.Rect.Empty() }

// Arrange places everything in a terminal of w×h cells.
func Arrange(w, h int, m Mode) Layout {
	l := Layout{Size: sizeOf(w, h), Whole: image.Rect(0, 0, max(w, 0), max(h, 0)), Shown: m.Shown}
	header, tabs := 1, 0
	switch l.Size {
	case SizeNone:
		l.Message = fmt.Sprintf("terminal %d×%d, need %d×%d", w, h, smallWidth, smallHeight)
		return l
	case SizeMedium:
		header, tabs = 2, 1
	case SizeLarge:
		header, tabs = 3, 1
	}
	rest := l.Whole
	l.Header, rest = above(rest, header)
	l.Tabs, rest = above(rest, tabs)
	l.Body, l.Footer = above(rest, rest.Dy()-1)
	if m.Screen > ScreenExplore {
		l.Shown = PaneBody
		l.stack(l.Body, part{PaneBody, l.Body.Dy()})
		return l
	}
	switch {
	case m.Zoom || l.Size == SizeSmall:
		l.single()
	case l.Size == SizeMedium:
		l.medium()
	default:
		l.large()
	}
	return l
}

// sizeOf returns the class of a terminal. Both axes count.
func sizeOf(w, h int) Size {
	switch {
	case w >= largeWidth && h >= largeHeight:
		return SizeLarge
	case w >= mediumWidth && h >= mediumHeight:
		return SizeMedium
	case w >= smallWidth && h >= smallHeight:
		return SizeSmall
	}
	return SizeNone
}

// single shows one pane under the query.
//
//	query
//	shown
func (l *Layout) single() {
	l.share(PaneHits, PaneSchema, PaneWhy, PaneDryRun)
	l.stack(l.Body, part{PaneQuery, queryHeight}, part{l.Shown, l.Body.Dy() - queryHeight})
}

// medium shows the hits and one of the others.
//
//	query │ shown
//	hits  │
func (l *Layout) medium() {
	l.share(PaneSchema, PaneWhy, PaneDryRun)
	left, right := besides(l.Body, l.Body.Dx()/2)
	l.stack(left, part{PaneQuery, queryHeight}, part{PaneHits, left.Dy() - queryHeight})
	l.stack(right, part{l.Shown, right.Dy()})
}

// large shows all panes.
//
//	query │ schema
//	hits  │ why
//	      │ dry run
func (l *Layout) large() {
	left, right := besides(l.Body, min(max(l.Body.Dx()*9/20, minHits), maxHits))
	l.stack(left, part{PaneQuery, queryHeight}, part{PaneHits, left.Dy() - queryHeight})
	// The schema gets what the others cannot use: a query has few words, and
	// few gates decide a call.
	h := right.Dy()
	why := min(max(h/4, 6), 12)
	dryRun := min(max(h/3, 8), 18)
	l.stack(right, part{PaneSchema, h - why - dryRun}, part{PaneWhy, why}, part{PaneDryRun, dryRun})
}

// share makes the panes take turns in one box.
func (l *Layout) share(panes ...Pane) {
	l.Tabbed = panes
	for _, p := range panes {
		if p == l.Shown {
			return
		}
	}
	l.Shown = panes[0]
}

// part is a pane of a column and the rows it takes, borders included.
type part struct {
	pane   Pane
	height int
}

// stack places boxes one below the other. Neighbours share a border, which
// belongs to the lower one.
func (l *Layout) stack(column image.Rectangle, parts ...part) {
	for i, p := range parts {
		var b Box
		b.Join, b.Last = i > 0, i == len(parts)-1
		b.Rect, column = above(column, p.height)
		b.Inner = b.Rect
		b.Inner.Min = b.Inner.Min.Add(image.Pt(1, 1))
		b.Inner.Max.X--
		if b.Last {
			b.Inner.Max.Y--
		}
		l.Boxes[p.pane] = b
	}
}

// above cuts rows from the top of r.
func above(r image.Rectangle, rows int) (top, rest image.Rectangle) {
	top, rest = r, r
	top.Max.Y = min(r.Min.Y+rows, r.Max.Y)
	rest.Min.Y = top.Max.Y
	return top, rest
}

// besides cuts columns from the left of r.
func besides(r image.Rectangle, columns int) (left, rest image.Rectangle) {
	left, rest = r, r
	left.Max.X = min(r.Min.X+columns, r.Max.X)
	rest.Min.X = left.Max.X
	return left, rest
}

// At returns the visible pane under a point.
func (l *Layout) At(p image.Point) (Pane, bool) {
	for pane, b := range l.Boxes {
		if p.In(b.Rect) {
			return Pane(pane), true
		}
	}
	return 0, false
}

// Visible reports whether a pane is drawn.
func (l *Layout) Visible(p Pane) bool { return !l.Boxes[p].Empty() }

// Next returns the pane that focus goes to from p: by +1 the next, by -1 the
// one before, in reading order and round and round. Panes behind a tab are
// reached too; the caller shows them.
func (l *Layout) Next(p Pane, by int) Pane {
	if l.Visible(PaneBody) {
		return PaneBody
	}
	order := []Pane{PaneQuery, PaneHits, PaneSchema, PaneWhy, PaneDryRun}
	for i, o := range order {
		if o == p {
			return order[(i+by+len(order))%len(order)]
		}
	}
	return PaneQuery
}
