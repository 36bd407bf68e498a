package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"caliper/tui/cells"
)

// View draws the screen, on terminals that have nothing else in ASCII but for
// what the data itself holds.
func (a *App) View() string {
	if a.theme.Look.ASCII {
		return plainSigns.Replace(a.draw())
	}
	return a.draw()
}

// plainSigns are signs of words and numbers, and what stands for them in
// ASCII, cell for cell. The glyphs of a theme are not among them.
var plainSigns = strings.NewReplacer("…", "~", "·", "-", "×", "x", "→", ">", "−", "-", "▾", "v")

// draw draws blocks of lines that cover the screen, then what lies over them.
// Panes that have not changed are not drawn again.
func (a *App) draw() string {
	if a.layout.Whole.Empty() {
		return ""
	}
	w, h := a.layout.Whole.Dx(), a.layout.Whole.Dy()
	if a.layout.Message != "" {
		return a.viewTooSmall(w, h)
	}
	blocks := []placed{
		{a.layout.Header, a.header.draw(a.theme, w, a.layout.Header.Dy())},
		{a.layout.Footer, []string{a.drawFooter(w)}},
	}
	if !a.layout.Tabs.Empty() {
		blocks = append(blocks, placed{a.layout.Tabs, []string{screenTabs(a.mode.Screen).line(a.theme, w)}})
	}
	for pane := range paneCount {
		if a.layout.Visible(pane) {
			blocks = append(blocks, placed{a.layout.Boxes[pane].Rect, a.drawPane(pane)})
		}
	}
	view := compose(h, blocks)
	switch {
	case a.confirm != nil:
		return a.over(view, a.confirm.draw(a.theme, w, h))
	case a.reader != nil:
		return a.over(view, a.reader.draw(a.theme, w, h))
	case a.top != nil:
		return a.over(view, a.top.draw(a.theme, w, h))
	case a.trial != nil:
		return a.over(view, a.trial.draw(a.theme, w, h))
	}
	return view
}

// over draws a box in the middle of the screen.
func (a *App) over(view string, box []string) string {
	x, y := a.boxOrigin(box)
	return strings.Join(overlay(strings.Split(view, "\n"), box, x, y), "\n")
}

// boxOrigin returns the cell of the top left corner of a box in the middle of
// the screen.
func (a *App) boxOrigin(box []string) (x, y int) {
	return max(0, (a.layout.Whole.Dx()-ansi.StringWidth(box[0]))/2), max(0, (a.layout.Whole.Dy()-len(box))/2)
}

// viewTooSmall is the screen of a terminal that is too small for any pane.
func (a *App) viewTooSmall(w, h int) string {
	lines := message(a.theme, w, h, a.layout.Message)
	return strings.Join(lines, "\n")
}

// drawPane returns the lines of a pane with its frame, from the last time
// when nothing that it shows has changed.
func (a *App) drawPane(pane Pane) []string {
	box := a.layout.Boxes[pane]
	key := drawnKey{theme: a.theme, box: box, focused: a.focused(pane), above: a.focusAbove(pane), shown: a.layout.Shown, version: a.version(pane), loads: a.gen, state: a.state}
	if cached := &a.screen[pane]; cached.key == key && pane != PaneQuery {
		return cached.lines
	}
	w, h := box.Inner.Dx(), box.Inner.Dy()
	var content []string
	switch pane {
	case PaneQuery:
		content = []string{a.drawQuery(w)}
	case PaneHits:
		content = a.hits.draw(a.theme, w, h, key.focused)
	case PaneSchema:
		content = a.schema.draw(a.theme, w, h, key.focused)
	case PaneWhy:
		content = a.why.draw(a.theme, a.pin.lines(a.theme, w), w, h)
	case PaneDryRun:
		content = a.drawDryRun(w, h)
	case PaneBody:
		content = a.body().draw(a.theme, w, h)
	}
	lines := a.frame(pane).draw(a.theme, box, content)
	a.screen[pane] = drawn{key, lines}
	return lines
}

// drawnKey is everything that a pane's picture depends on.
type drawnKey struct {
	theme   *Theme
	box     Box
	focused bool
	above   bool
	shown   Pane
	version uint64
	loads   int
	state   any
}

// drawn is the picture of a pane.
type drawn struct {
	key   drawnKey
	lines []string
}

// screenCache holds the last picture of every pane.
type screenCache [paneCount]drawn

// focused reports whether a pane has the focus and nothing lies over it.
func (a *App) focused(pane Pane) bool {
	return (a.focus == pane || pane == PaneBody) && a.top == nil && a.reader == nil
}

// focusAbove reports whether the box that shares its lower border with this
// pane has the focus.
func (a *App) focusAbove(pane Pane) bool {
	box := a.layout.Boxes[pane]
	if !box.Join {
		return false
	}
	for p, b := range a.layout.Boxes {
		if !b.Empty() && b.Rect.Max.Y == box.Rect.Min.Y && b.Rect.Min.X == box.Rect.Min.X {
			return a.focused(Pane(p))
		}
	}
	return false
}

// version changes whenever a pane's picture may.
func (a *App) version(pane Pane) uint64 {
	find := uint64(0)
	if a.find != nil && a.find.pane == pane {
		find = a.find.version + 1
	}
	switch pane {
	case PaneHits:
		return a.hits.version<<20 + find
	case PaneSchema:
		return a.schema.version<<20 + find
	case PaneWhy:
		return a.why.version<<20 + a.pin.version
	case PaneDryRun:
		return a.dry.version
	case PaneBody:
		return a.body().version()<<20 + uint64(a.mode.Screen)<<10 + find
	}
	return 0
}

// frame returns the border of a pane.
func (a *App) frame(pane Pane) frame {
	f := frame{focused: a.focused(pane), above: a.focusAbove(pane)}
	switch pane {
	case PaneQuery:
		f.title = "query"
	case PaneHits:
		f.title, f.note = a.hits.title()
	case PaneSchema:
		f.title, f.note = "schema", ""
		if t := a.schema.tool; t != nil {
			f.title, f.note = t.ShownName, "schema"
		}
	case PaneWhy:
		f.title = a.why.title()
	case PaneBody:
		f.title, f.note = a.body().title()
	case PaneDryRun:
		if a.state != nil {
			f.title, f.note = a.dry.title(a.state.Snapshot)
		} else {
			f.title = "dry run"
		}
	}
	if len(a.layout.Tabbed) > 0 && pane == a.layout.Shown {
		f.note = ""
		f.tabs = a.paneTabs()
	}
	finding := a.find != nil && a.find.pane == pane
	switch {
	case finding && pane == PaneSchema:
		f.title, f.note = "schema", a.find.words()+"  "+a.schema.matches()
	case finding && a.mode.Screen == ScreenScope: // its heading says what is typed
	case finding:
		f.note = a.find.words()
	case pane == PaneSchema && a.schema.find != "":
		f.note = a.schema.matches()
	}
	if finding { // what is typed is worth more than where else one could go
		f.tabs = tabs{}
	}
	return f
}

// paneTabs are the panes that share one box.
func (a *App) paneTabs() tabs {
	var s tabs
	for i, p := range a.layout.Tabbed {
		s.labels = append(s.labels, p.String())
		if p == a.layout.Shown {
			s.active = i
		}
	}
	return s
}

// drawQuery draws the query box.
func (a *App) drawQuery(w int) string {
	var l cells.Line
	l.Start(w)
	l.Gap(1)
	l.Text(a.theme.Accent, a.theme.Prompt+" ")
	a.query.draw(&l, a.theme, l.Room(), a.focused(PaneQuery))
	return l.End()
}

// drawDryRun draws the arguments above the trace.
func (a *App) drawDryRun(w, h int) []string {
	if a.dry.tool == nil {
		return a.dry.draw(a.theme, w, h)
	}
	var l cells.Line
	l.Start(w)
	l.Gap(1)
	a.args.draw(&l, a.theme, l.Room(), a.focused(PaneDryRun) && a.editing)
	lines := []string{l.End()}
	for _, line := range a.dry.draw(a.theme, w-1, h-1) {
		lines = append(lines, " "+line)
	}
	return lines
}
