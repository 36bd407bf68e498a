package tui

import (
	"image"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/tui/screen"
	"caliper/tui/ui"
)

// wheelLines is the number of lines that one turn of the wheel scrolls.
const wheelLines = 3

// inScreen converts a cell of the terminal to the coordinates of the screen:
// relative to the inside of its frame, or to the corner of its panes.
func (a *App) inScreen(at image.Point) image.Point {
	if _, framed := a.screen().(screen.Framed); framed {
		return at.Sub(a.box().Inner.Min)
	}
	return at.Sub(a.layout.Body.Min)
}

// click handles a click on a cell.
func (a *App) click(at image.Point) tea.Cmd {
	switch {
	case at.In(a.layout.Footer):
		for _, h := range a.hints {
			if at.X >= h.From && at.X < h.To {
				return a.do(h.Binding)
			}
		}
	case len(a.over) > 0:
		top := a.over[len(a.over)-1]
		box, x, y := a.drawOver(top)
		switch inside := at.In(image.Rect(x, y, x+ui.Width(box[0]), y+len(box))); {
		case inside && a.fills(top):
			return a.sides.Press(at.X-x, at.Y-y)
		case inside:
			return top.Click(at.Y - y)
		case !a.fills(top):
			return top.Click(-1)
		}
	case at.In(a.layout.Tour):
		return a.do(a.keys.first.Binding(ui.Tour))
	case at.In(a.layout.Tabs):
		if i, ok := a.tabs().At(at.X, a.layout.Tabs.Dx()); ok {
			a.goTo(i)
		}
		return nil
	case at.In(a.layout.Header):
		session, tokenizer := a.header.Right(a.theme, a.layout.Header.Dx())
		from := a.layout.Header.Max.X - ui.Width(session+tokenizer)
		switch {
		case a.state == nil || at.Y != 0 || at.X < from || a.layout.Header.Dy() < 2:
		case at.X-from < ui.Width(session) || tokenizer == "":
			a.pickSession()
		default:
			a.pickTokenizer()
		}
	case at.In(a.layout.Body):
		if s, framed := a.screen().(screen.Framed); framed {
			if i, ok := frameOf(s, true).TabAt(a.box(), at); ok {
				s.ShowView(i)
				return nil
			}
		}
		at = a.inScreen(at)
		a.screen().Click(at.X, at.Y)
	}
	return nil
}
