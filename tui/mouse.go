package tui

import (
	"image"

	tea "github.com/charmbracelet/bubbletea"
)

// wheelLines is how far one step of the wheel goes.
const wheelLines = 3

// mouse handles a click. Turns of the wheel come as wheelMsg, several at once.
func (a *App) mouse(msg tea.MouseMsg) tea.Cmd {
	at := image.Pt(msg.X, msg.Y)
	if msg.Button == tea.MouseButtonLeft && msg.Action == tea.MouseActionPress {
		return a.click(at)
	}
	return nil
}

// wheel scrolls what is under the pointer.
func (a *App) wheel(at image.Point, by int) {
	switch {
	case a.confirm != nil, a.reader != nil, a.top != nil, a.trial != nil:
		a.moveBy(by)
		return
	}
	pane, ok := a.layout.At(at)
	switch {
	case !ok:
	case pane == PaneBody && a.mode.Screen == ScreenScope:
		a.scope.wheel(at.Y-a.layout.Boxes[pane].Inner.Min.Y, by)
	case pane == PaneBody && a.mode.Screen == ScreenStrategies:
		inner := a.layout.Boxes[pane].Inner.Min
		a.strategies.wheel(at.X-inner.X, at.Y-inner.Y, by)
	case pane == PaneBody && a.mode.Screen == ScreenResults:
		inner := a.layout.Boxes[pane].Inner.Min
		a.results.wheel(at.X-inner.X, at.Y-inner.Y, by)
	case pane == PaneBody && a.mode.Screen == ScreenQueries:
		a.queries.wheel(at.Y-a.layout.Boxes[pane].Inner.Min.Y, by)
	default:
		a.movePane(pane, by)
	}
}

// click focuses and selects what is under the pointer.
func (a *App) click(at image.Point) tea.Cmd {
	switch {
	case a.top != nil:
		return a.clickChooser(at)
	case a.reader != nil:
		a.reader = nil
		return nil
	case a.trial != nil && !at.In(a.layout.Footer):
		return nil
	}
	if at.In(a.layout.Footer) {
		return a.clickHint(at.X)
	}
	if at.In(a.layout.Tabs) {
		if i, ok := screenTabs(a.mode.Screen).at(at.X, a.layout.Tabs.Dx()); ok {
			a.goTo(screens[i])
			return a.budget.measure()
		}
		return nil
	}
	if at.In(a.layout.Header) {
		return a.clickHeader(at)
	}
	pane, ok := a.layout.At(at)
	if !ok {
		return nil
	}
	box := a.layout.Boxes[pane]
	if pane == a.layout.Shown && len(a.layout.Tabbed) > 0 {
		if i, ok := a.frame(pane).tabAt(box, at); ok {
			a.setFocus(a.layout.Tabbed[i])
			return nil
		}
	}
	if pane == PaneBody {
		a.body().click(at.X-box.Inner.Min.X, at.Y-box.Inner.Min.Y)
		return nil
	}
	a.setFocus(pane)
	if at.In(box.Inner) {
		a.clickLine(pane, at.Y-box.Inner.Min.Y)
	}
	return nil
}

// clickLine selects what is on a line of a pane.
func (a *App) clickLine(pane Pane, line int) {
	switch pane {
	case PaneHits:
		if row, ok := a.hits.rowOf(a.hits.list.top + line - a.hits.headed()); ok && line >= a.hits.headed() {
			a.hits.moveTo(row)
			a.reselect()
		}
	case PaneSchema:
		if row, ok := a.schema.rowAt(line); ok {
			again := a.schema.cursor == row
			a.schema.move(row - a.schema.cursor)
			if node := a.schema.rows[row]; again || node.detail == "" {
				a.schema.toggle()
			}
		}
	case PaneDryRun:
		a.editing = line == 0 && a.dry.tool != nil
		a.dry.version++
	}
}

// clickHeader opens the picker of what stands on the right of the header.
func (a *App) clickHeader(at image.Point) tea.Cmd {
	right := a.header.right(a.theme)
	from := a.layout.Header.Max.X - len([]rune(right))
	if a.state == nil || at.Y != 0 || at.X < from || a.layout.Header.Dy() < 2 {
		return nil
	}
	if at.X-from < len([]rune(right))-len(a.state.Snapshot.Tokenizer)-2 {
		return a.do(ActSession)
	}
	return a.do(ActTokenizer)
}

// clickChooser chooses the row under the pointer; beside the box it closes.
func (a *App) clickChooser(at image.Point) tea.Cmd {
	box := a.top.draw(a.theme, a.layout.Whole.Dx(), a.layout.Whole.Dy())
	x, y := a.boxOrigin(box)
	width, _ := a.top.size(a.layout.Whole.Dx(), a.layout.Whole.Dy())
	if at.X < x || at.X >= x+width || at.Y < y || at.Y >= y+len(box) {
		a.top = nil
		return nil
	}
	if i, ok := a.top.rowAt(at.Y - y); ok {
		a.top.cursor = i
		return a.choose()
	}
	return nil
}
