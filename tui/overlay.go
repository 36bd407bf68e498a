package tui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/reach"
	"caliper/tui/screen"
	"caliper/tui/ui"
)

// top returns the topmost box over the screen, nil for none.
func (a *App) top() screen.Overlay {
	if n := len(a.over); n > 0 {
		return a.over[n-1]
	}
	return nil
}

// closeTop closes the topmost box.
func (a *App) closeTop() {
	if n := len(a.over); n > 0 {
		a.over = a.over[:n-1]
	}
}

// lay opens the help or the palette over what has the keyboard, which gets it back when
// they are closed; only one of the two is open.
func (a *App) lay(o screen.Overlay) {
	a.over = slices.DeleteFunc(a.over, func(o screen.Overlay) bool {
		_, help := o.(*manual)
		m, list := o.(*menu)
		return help || list && m.palette
	})
	a.Open(o)
}

// doThere does what was chosen in the help or the palette, which is closed: where it
// lay, if the binding works there, else on the screen with an index, -1 for the visible
// one, without the boxes over it.
func (a *App) doThere(b *ui.Binding, screen int) tea.Cmd {
	if l := a.layer(); l.Binding(b.Action) != b {
		a.over, a.find = nil, nil
		if screen >= 0 && screen != a.current {
			a.goTo(screen)
		}
	}
	return a.do(b)
}

// menu is a list over the screen from which the user chooses: the palette, the
// pickers and the copy menu.
type menu struct {
	*ui.Chooser
	app   *App
	layer *ui.Layer
	quick *ui.Layer // adds keys that work while nothing is typed; nil for none
	take  func(id string) tea.Cmd
	stays bool // the menu stays open when a row is chosen

	palette bool
}

// newMenu returns a menu that calls take with the ID of the chosen row.
func (a *App) newMenu(title string, choices []ui.Choice, take func(id string) tea.Cmd) *menu {
	m := &menu{Chooser: ui.NewChooser(title, choices), app: a, take: take}
	m.layer = &ui.Layer{Groups: []*ui.Group{a.keys.menu, a.keys.edit}, Hints: ui.Hints(ui.Open, ui.Back, ui.Down.After(ui.Up, "move"), ui.Help), Type: func(k tea.KeyMsg) tea.Cmd {
		m.Key(k)
		return nil
	}}
	return m
}

// Layer returns the keys of the menu.
func (m *menu) Layer() *ui.Layer {
	if m.quick != nil && m.Typed() == "" {
		return m.quick
	}
	return m.layer
}

// Page returns the rows of a page.
func (m *menu) Page() int {
	_, rows := m.Size(m.app.layout.Whole.Dx(), m.app.layout.Whole.Dy())
	return max(1, rows-1)
}

// choose chooses the selected row.
func (m *menu) choose() tea.Cmd {
	chosen, ok := m.Selected()
	if !ok {
		return nil
	}
	if !m.stays {
		m.app.closeTop()
	}
	return m.take(chosen.ID)
}

// Click chooses the row on a line; a click outside the box closes it.
func (m *menu) Click(line int) tea.Cmd {
	if line < 0 {
		m.app.closeTop()
		return nil
	}
	i, ok := m.RowAt(line)
	if !ok {
		return nil
	}
	m.Cursor = i
	return m.choose()
}

// text is a box that is only read: the notices, a page of the help, or the chain of a tool, which is
// how far it comes in the agent, from a configuration to a call, as caliper reach says it.
type text struct {
	*ui.Reader
	app    *App
	chain  screen.Question // the chain of its tool is shown; without a tool, no chain
	remedy *reach.Remedy   // of the chain; nil for none
}

// Layer returns the keys of the text.
func (t *text) Layer() *ui.Layer {
	if t.chain.Tool != nil {
		return t.app.chainLayer
	}
	return t.app.readerLayer
}

// Move scrolls.
func (t *text) Move(rows int) { t.Scroll(rows) }

// Click closes the box.
func (t *text) Click(int) tea.Cmd {
	t.app.closeTop()
	return nil
}

// openAlone opens a box in place of those that are open.
func (a *App) openAlone(o screen.Overlay) {
	if a.comparing() { // the text is about it
		a.over = a.over[:1]
	} else {
		a.over = nil
	}
	a.Open(o)
}
