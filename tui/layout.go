package tui

import (
	"fmt"
	"image"
)

// The smallest terminals: for any drawing at all, for tabs and a header of two
// lines, and for a header of three lines.
const (
	smallWidth, smallHeight   = 40, 10
	mediumWidth, mediumHeight = 80, 24
	largeWidth, largeHeight   = 120, 30
)

// Layout is the position of everything on the terminal. The rectangles cover
// the terminal and do not overlap.
type Layout struct {
	Whole   image.Rectangle
	Header  image.Rectangle // three rows, two, or one
	Tabs    image.Rectangle // names of the screens; empty on small terminals
	Body    image.Rectangle // the screen, with its frame
	Tour    image.Rectangle // what the tour says; empty without one
	Footer  image.Rectangle
	Message string // text that replaces everything when the terminal is too small
}

// Arrange returns the layout for a terminal of w×h cells. A size class needs
// both its width and its height.
func Arrange(w, h int) Layout {
	l := Layout{Whole: image.Rect(0, 0, max(w, 0), max(h, 0))}
	header, tabs := 1, 0
	switch {
	case w < smallWidth || h < smallHeight:
		l.Message = fmt.Sprintf("terminal %d×%d, need %d×%d", w, h, smallWidth, smallHeight)
		return l
	case w >= largeWidth && h >= largeHeight:
		header, tabs = 3, 1
	case w >= mediumWidth && h >= mediumHeight:
		header, tabs = 2, 1
	}
	rows := func(from, to int) image.Rectangle { return image.Rect(0, from, w, to) }
	l.Header, l.Tabs = rows(0, header), rows(header, header+tabs)
	l.Body, l.Footer = rows(header+tabs, h-1), rows(h-1, h)
	return l
}

// withTour returns the layout with some lines between body and footer.
func (l Layout) withTour(lines int) Layout {
	if l.Message == "" && lines > 0 {
		l.Body.Max.Y -= lines
		l.Tour = image.Rect(0, l.Body.Max.Y, l.Whole.Max.X, l.Footer.Min.Y)
	}
	return l
}
