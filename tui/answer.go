package tui

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/model/safetext"
	"caliper/tui/screen"
	"caliper/tui/ui"
)

// No key ends in silence: it changes the picture, starts work, or tells why not.

// pressed is a key that began no work and showed no notice.
type pressed struct {
	key     tea.KeyMsg
	binding *ui.Binding // nil for a key that edits text
}

// ends are the answers of keys that move when there is nowhere to move to.
var ends = map[ui.Action]string{
	ui.Up: "this is the first row", ui.PageUp: "this is the first row", ui.HalfUp: "this is the first row",
	ui.Top: "this is the first row", ui.PrevMatch: "no further match or row",
	ui.Down: "this is the last row", ui.PageDown: "this is the last row", ui.HalfDown: "this is the last row",
	ui.Bottom: "this is the last row", ui.NextMatch: "no further match or row",
}

// noEffect tells that a key changed nothing. The binding is nil for a key that
// edits text.
func (a *App) noEffect(b *ui.Binding, k tea.KeyMsg) tea.Cmd {
	switch {
	case b == nil:
		return a.Notify(ui.LevelInfo, keyName(k)+": no text there to move over or to delete")
	case ends[b.Action] != "":
		return a.Notify(ui.LevelInfo, ends[b.Action])
	case b.Action == ui.Back:
		return a.Notify(ui.LevelInfo, "nothing to go back to here; q quits")
	}
	return a.Notify(ui.LevelInfo, keyName(k)+" ("+b.Help().Desc+") changes nothing here")
}

// noBinding tells what a key without a binding in a layer does elsewhere: in
// another pane, on another screen, or nowhere.
func (a *App) noBinding(l *ui.Layer, k tea.KeyMsg) tea.Cmd {
	name := keyName(k)
	if a.top() != nil {
		return a.Notify(ui.LevelInfo, name+" does nothing in this box; esc closes it")
	}
	if l.Type == nil {
		for _, s := range append([]screen.Screen{a.screen()}, a.screens...) {
			for _, g := range s.Groups() {
				for i := range g.Bindings {
					b := &g.Bindings[i]
					switch {
					case g.After != "" || b.Action == "" || !slices.Contains(b.Keys(), k.String()):
						continue
					case s == a.screen():
						return a.Notify(ui.LevelInfo, name+" works "+g.Place()+": "+b.Help().Desc)
					}
					return a.Notify(ui.LevelInfo, name+" works on "+s.Name()+": "+b.Help().Desc)
				}
			}
		}
	}
	if l.Type == nil && k.Type == tea.KeyRunes && a.current == 0 { // perhaps the first letter of a query
		return a.Notify(ui.LevelInfo, name+" does nothing here; "+a.keyOf(ui.Query)+" types a query, F1 lists the keys")
	}
	return a.Notify(ui.LevelInfo, name+" does nothing here; F1 lists the keys")
}

// keyName returns the name of a key as the help writes it.
func keyName(k tea.KeyMsg) string {
	name := safetext.Line(k.String())
	switch {
	case name == " ":
		return "space"
	case k.Type <= tea.KeyF1 && k.Type >= tea.KeyF20:
		return strings.ToUpper(name)
	case len(name) > 1:
		return strings.ReplaceAll(name, "+", "-")
	}
	return name
}
