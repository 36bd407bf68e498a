package tui

import (
	"fmt"
	"image"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"caliper/tui/screen"
	"caliper/tui/ui"
)

// View draws the terminal, once after each message. In ASCII mode only the data itself may contain
// other characters.
func (a *App) View() string {
	if a.picture != "" {
		return a.picture
	}
	if a.shown = a.fresh; a.shown == "" {
		a.shown = a.draw()
	}
	a.picture = a.shown
	if a.layout.Message == "" && !a.layout.Whole.Empty() {
		if notice := a.drawNotice(); notice != nil {
			a.picture = strings.Join(ui.Overlay(strings.Split(a.picture, "\n"), notice, 0, a.layout.Body.Max.Y-len(notice)), "\n")
		}
	}
	a.picture = inASCII(a.theme, a.picture)
	return a.picture
}

// inASCII returns a picture as a theme writes it: in ASCII mode without the signs
// of texts and numbers that are not ASCII.
func inASCII(t *ui.Theme, picture string) string {
	if t.Look.ASCII {
		return plainSigns.Replace(picture)
	}
	return picture
}

// plainSigns replaces signs in texts and numbers by ASCII characters of the
// same width. The glyphs of a theme are not among them.
var plainSigns = strings.NewReplacer("…", "~", "·", "-", "×", "x", "→", ">", "−", "-", "▾", "v")

// draw draws the blocks that cover the terminal, then the box over them. The notice is not
// among them.
func (a *App) draw() string {
	if a.layout.Whole.Empty() {
		return ""
	}
	w, h := a.layout.Whole.Dx(), a.layout.Whole.Dy()
	if a.layout.Message != "" {
		text := a.layout.Message
		if a.opt.Demo != "" { // which is never left out
			text = "DEMO " + text
		}
		return strings.Join(ui.Centered(a.theme, w, h, text), "\n")
	}
	front := len(a.over) == 0
	var blocks []ui.Block
	if s, framed := a.screen().(screen.Framed); framed {
		box := a.box()
		content := s.Draw(a.theme, box.Inner.Dx(), box.Inner.Dy(), front)
		blocks = []ui.Block{{At: a.layout.Body, Lines: frameOf(s, front).Draw(a.theme, box, content)}} // after Draw, because some titles depend on the layout
	} else {
		blocks = a.explore.Blocks(a.theme, a.layout.Body.Dx(), a.layout.Body.Dy(), front)
		for i := range blocks {
			blocks[i].At = blocks[i].At.Add(a.layout.Body.Min)
		}
	}
	blocks = append(blocks,
		ui.Block{At: a.layout.Header, Lines: a.header.Draw(a.theme, w, a.layout.Header.Dy())},
		ui.Block{At: a.layout.Footer, Lines: []string{a.drawFooter(w)}})
	if !a.layout.Tabs.Empty() {
		blocks = append(blocks, ui.Block{At: a.layout.Tabs, Lines: []string{a.tabs().Line(a.theme, w)}})
	}
	if !a.layout.Tour.Empty() {
		blocks = append(blocks, ui.Block{At: a.layout.Tour, Lines: a.drawTour(w, a.layout.Tour.Dy())})
	}
	view := ui.Compose(h, blocks)
	if front {
		return view
	}
	lines := strings.Split(view, "\n")
	if a.comparing() && len(a.over) > 1 { // below the box that has the keyboard is one that fills the screen
		box, x, y := a.drawOver(a.sides)
		lines = ui.Overlay(lines, box, x, y)
	}
	box, x, y := a.drawOver(a.top())
	return strings.Join(ui.Overlay(lines, box, x, y), "\n")
}

// drawOver draws a box over the screen, and returns the cell of its top left corner.
func (a *App) drawOver(o screen.Overlay) (box []string, x, y int) {
	if a.fills(o) {
		body := a.layout.Body
		return o.Draw(a.theme, body.Dx(), body.Dy()), body.Min.X, body.Min.Y
	}
	box = o.Draw(a.theme, a.layout.Whole.Dx(), a.layout.Whole.Dy())
	return box, max(0, (a.layout.Whole.Dx()-ansi.StringWidth(box[0]))/2), max(0, (a.layout.Whole.Dy()-len(box))/2)
}

// frameOf returns the frame of a screen with its title, or the tabs of its views.
func frameOf(s screen.Framed, front bool) ui.Frame {
	f := s.Frame()
	f.Focused = front
	for i, text := range f.Beyond {
		f.Beyond[i] = "list: " + text
	}
	if names, at := s.Views(); len(names) > 0 {
		f.Title, f.Detail, f.Yield = "", f.Title, true
		f.Tabs = ui.Tabs{Labels: names, Active: at}
	}
	return f
}

// box returns the frame around a screen.
func (a *App) box() ui.Box { return ui.NewBox(a.layout.Body, false, true) }

// tabs returns the tabs of the screens, each with its number, which is its key, or with alt
// where text is typed; without where a box has to be answered.
func (a *App) tabs() ui.Tabs {
	t := ui.Tabs{Active: a.current}
	l := a.layer()
	for i, s := range a.screens {
		t.Labels = append(t.Labels, s.Name())
		if n := strconv.Itoa(i + 1); l.Bound("alt+" + n) {
			t.Keys = append(t.Keys, n)
		}
	}
	return t
}

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
