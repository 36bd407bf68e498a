package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"caliper/tui/screen"
	"caliper/tui/ui"
)

// View draws the terminal. In ASCII mode only the data itself may contain other
// characters.
func (a *App) View() string {
	if a.theme.Look.ASCII {
		return plainSigns.Replace(a.draw())
	}
	return a.draw()
}

// plainSigns replaces signs in texts and numbers by ASCII characters of the
// same width. The glyphs of a theme are not among them.
var plainSigns = strings.NewReplacer("…", "~", "·", "-", "×", "x", "→", ">", "−", "-", "▾", "v")

// draw draws the blocks that cover the terminal, then the box over them.
func (a *App) draw() string {
	if a.layout.Whole.Empty() {
		return ""
	}
	w, h := a.layout.Whole.Dx(), a.layout.Whole.Dy()
	if a.layout.Message != "" {
		return strings.Join(ui.Centered(a.theme, w, h, a.layout.Message), "\n")
	}
	blocks := append(a.drawScreen(),
		ui.Block{At: a.layout.Header, Lines: a.header.draw(a.theme, w, a.layout.Header.Dy())},
		ui.Block{At: a.layout.Footer, Lines: []string{a.drawFooter(w)}})
	if !a.layout.Tabs.Empty() {
		blocks = append(blocks, ui.Block{At: a.layout.Tabs, Lines: []string{a.tabs().Line(a.theme, w)}})
	}
	view := ui.Compose(h, blocks)
	if top := a.top(); top != nil {
		box := top.Draw(a.theme, w, h)
		x, y := a.boxOrigin(box)
		return strings.Join(ui.Overlay(strings.Split(view, "\n"), box, x, y), "\n")
	}
	return view
}

// boxOrigin returns the cell of the top left corner of a box in the middle of
// the terminal.
func (a *App) boxOrigin(box []string) (x, y int) {
	return max(0, (a.layout.Whole.Dx()-ansi.StringWidth(box[0]))/2), max(0, (a.layout.Whole.Dy()-len(box))/2)
}

// drawn is the last picture of a screen with everything that it depended on.
type drawn struct {
	key   drawnKey
	lines []string
}

type drawnKey struct {
	theme         *ui.Theme
	w, h, current int
	front         bool
	version, find uint64
	loads         int
}

// drawScreen returns the area between tabs and footer: the panes of a screen,
// or the screen in its frame. It returns the previous picture when nothing in
// it has changed.
func (a *App) drawScreen() []ui.Block {
	front := len(a.over) == 0
	if s, ok := a.screen().(screen.Paned); ok {
		blocks := s.Blocks(a.theme, a.layout.Body.Dx(), a.layout.Body.Dy(), front)
		for i := range blocks {
			blocks[i].At = blocks[i].At.Add(a.layout.Body.Min)
		}
		return blocks
	}
	s, box := a.screen().(screen.Framed), a.box()
	key := drawnKey{theme: a.theme, w: box.Inner.Dx(), h: box.Inner.Dy(), current: a.current, front: front, version: s.Version(), loads: a.gen}
	if a.find != nil {
		key.find = a.find.version + 1
	}
	if a.drawn.lines == nil || a.drawn.key != key {
		content := s.Draw(a.theme, key.w, key.h, front)
		heading, note := s.Title() // after Draw, because some titles depend on the layout
		a.drawn = drawn{key, ui.Frame{Title: heading, Note: note, Focused: front}.Draw(a.theme, box, content)}
	}
	return []ui.Block{{At: a.layout.Body, Lines: a.drawn.lines}}
}

// box returns the frame around a screen.
func (a *App) box() ui.Box { return ui.NewBox(a.layout.Body, false, true) }

// tabs returns the tabs of the screens, each with the number that alt selects
// it by.
func (a *App) tabs() ui.Tabs {
	t := ui.Tabs{Active: a.current}
	for i, s := range a.screens {
		t.Labels = append(t.Labels, string('1'+rune(i))+" "+s.Name())
	}
	return t
}
