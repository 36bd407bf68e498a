package tui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/tui/screen"
	"caliper/tui/ui"
)

// key handles a key: it runs its binding, or passes the key as text to what has
// the keyboard.
func (a *App) key(k tea.KeyMsg) tea.Cmd {
	l := a.layer()
	if len(k.Runes) > 1 && !k.Paste && !k.Alt && (l.Type == nil || a.named[k.String()]) {
		// bubbletea joins letters that it reads at once into one key, whose text
		// can even be the name of another key: delete, up, end.
		first, rest := k, k
		first.Runes, rest.Runes = k.Runes[:1], k.Runes[1:]
		return tea.Batch(a.key(first), a.key(rest))
	}
	if a.layout.Message != "" && a.width > 0 { // the terminal is too small to show anything
		switch k.String() {
		case "ctrl+c":
			return a.end(tea.Interrupt)
		case "q":
			return a.end(tea.Quit)
		}
		return nil
	}
	if a.notices.Level == ui.LevelInfo || a.notices.Level == ui.LevelWarn && a.answered == a.notices.Gen {
		a.notices.Showing = false // the user has read it by now, and needs the hints
	}
	b, gen, showing := l.Find(k), a.notices.Gen, a.notices.Showing
	cmd := a.press(l, b, k)
	if a.notices.Gen != gen {
		a.answered = a.notices.Gen
	}
	if cmd == nil && a.notices.Gen == gen && a.notices.Showing == showing { // else it put a notice away
		a.pressed = &pressed{k, b}
	}
	return cmd
}

// press runs the binding of a key in a layer; without one the key is text, or
// means nothing there.
func (a *App) press(l *ui.Layer, b *ui.Binding, k tea.KeyMsg) tea.Cmd {
	goesOn := false // by enter, with the tour; every other key ends that enter does so
	if a.tour != nil {
		goesOn = a.tour.fresh && k.Type == tea.KeyEnter && !k.Alt && len(a.over) == 0 && a.find == nil
		a.tour.fresh = goesOn
	}
	switch {
	case goesOn:
		return a.do(a.keys.first.Binding(ui.Tour))
	case a.tour != nil && k.Type == tea.KeyEsc && !k.Alt && len(a.over) == 0 && a.find == nil:
		a.endTour()
		return a.Notify(ui.LevelInfo, "the tour has ended; "+a.keyOf(ui.Tour)+" begins it again")
	case b != nil:
		return a.do(b)
	}
	a.asked = nil
	switch {
	case l.Type != nil && ui.Edits(k):
		return l.Type(k)
	case k.Paste && l.Paste != nil:
		return l.Paste(k)
	case k.Paste:
		return a.Notify(ui.LevelInfo, "text can be pasted into a text field only")
	}
	return a.noBinding(l, k)
}

// do runs a binding, or shows why it is disabled. A binding that asks first is run
// when its key is pressed again.
func (a *App) do(b *ui.Binding) tea.Cmd {
	asked := a.asked
	a.asked = nil
	if reason := b.Disabled(); reason != "" {
		return a.Notify(ui.LevelInfo, reason)
	}
	if question := b.Question(); question != "" && asked != b {
		a.asked = b
		return a.Notify(ui.LevelInfo, question)
	}
	return b.Do()
}

// back goes one level back. It never quits.
func (a *App) back() tea.Cmd {
	if a.fills(a.top()) {
		if !a.notices.PutAway() && !a.sides.Filter("") {
			a.closeTop()
		}
		return nil
	}
	switch {
	case a.notices.PutAway():
	case a.visited():
		return a.endVisit()
	case a.screen().Back(), a.screen().Filter(""):
	case a.current != 0: // a screen is left by its key, so that one esc too many does not leave it
		return a.Notify(ui.LevelInfo, "nothing to go back to here; 1 is Explore")
	}
	return nil
}

// goTo shows the screen with an index. No way leads back to where a query was asked for once
// another screen was shown.
func (a *App) goTo(i int) {
	if i != a.current && a.visitor != nil && a.visitor.asks {
		a.visitor = nil
	}
	a.find, a.over, a.current = nil, nil, i
	a.arrange()
}

// walk shows the screen by steps after the current one; after the last comes the
// first.
func (a *App) walk(by int) {
	n := len(a.screens)
	a.goTo((a.current + by + n) % n)
}

// walkViews shows the view of the screen by steps after the current one; after the
// last comes the first.
func (a *App) walkViews(by int) {
	a.draw() // keys that come at once: a screen that was never drawn does not know which views its size has
	names, at := a.screen().Views()
	a.screen().ShowView((at + by + len(names)) % len(names))
}

// shows shows a view of a screen; with an empty view, the screen as it is.
func (a *App) shows(v screen.Show) {
	a.goTo(slices.IndexFunc(a.screens, nameIs(v.Screen)))
	a.draw() // a screen that was never drawn does not know which views its size has
	names, _ := a.screen().Views()
	if i := slices.Index(names, v.View); i >= 0 {
		a.screen().ShowView(i)
	}
}

// noViews returns why the screen has no views to go to.
func (a *App) noViews() string {
	if names, _ := a.screen().Views(); len(names) > 0 {
		return ""
	}
	return a.screen().Name() + " has one view"
}

// moveBy moves by rows in the box or screen that has the keyboard.
func (a *App) moveBy(rows int) {
	if n := len(a.over); n > 0 {
		a.over[n-1].Move(rows)
		return
	}
	a.screen().Move(rows)
}

// page returns the rows of a page in the box or screen that has the keyboard.
func (a *App) page() int {
	if n := len(a.over); n > 0 {
		return a.over[n-1].Page()
	}
	return a.screen().Page()
}

// longestFind is the longest text of the search line, in characters.
const longestFind = 200

// clearFind closes the search line and clears its filter.
func (a *App) clearFind() {
	a.find = nil
	a.filter("")
}

// filter filters the rows of the comparison where it is open, else of the screen.
func (a *App) filter(text string) {
	if a.fills(a.top()) {
		a.sides.Filter(text)
	} else {
		a.screen().Filter(text)
	}
}

// place is the place that the keys of the footer are about: a screen, its view, and the box over it.
type place struct {
	screen, view int
	over         screen.Overlay // nil for none
}

// place returns the place that is looked at.
func (a *App) place() place {
	p := place{screen: a.current, over: a.top()}
	if a.state != nil {
		_, p.view = a.screen().Views()
	}
	return p
}

// entering handles a key or a click. A notice from before it goes when it leads to another
// screen, view or box, whose keys are then unknown to the user. A box that closes leads back to
// known ones. A warning that stays is dismissed by its own key only.
func (a *App) entering(handle func() tea.Cmd) tea.Cmd {
	before, gen := a.place(), a.notices.Gen
	cmd := handle()
	now := a.place()
	entered := now.screen != before.screen || now.view != before.view || now.over != nil && now.over != before.over
	if entered && a.notices.Gen == gen && a.notices.Level != ui.LevelFlip {
		a.notices.Showing = false
	}
	return cmd
}
