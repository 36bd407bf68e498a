package tui

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/model/safetext"
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
	if a.layout.Message != "" && a.layout.Whole.Dx() > 0 { // the terminal is too small to show anything
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
		a.pressed, a.pressedBinding = &k, b
	}
	return cmd
}

// press runs the binding of a key in a layer; without one the key is text, or means nothing there.
// No key ends in silence: it changes the picture, starts work, or tells why not.
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
	// A key without a binding: what it does in another pane or on another screen, if anything.
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

// ends are the answers of keys that move when there is nowhere to move to.
var ends = map[ui.Action]string{
	ui.Up: "this is the first row", ui.PageUp: "this is the first row", ui.HalfUp: "this is the first row",
	ui.Top: "this is the first row", ui.PrevMatch: "no further match or row",
	ui.Down: "this is the last row", ui.PageDown: "this is the last row", ui.HalfDown: "this is the last row",
	ui.Bottom: "this is the last row", ui.NextMatch: "no further match or row",
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
	if i != a.current && a.visitor != nil && a.visitor.query != nil {
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

// filter filters the rows of the comparison where it is open, else of the screen.
func (a *App) filter(text string) {
	if a.fills(a.top()) {
		a.sides.Filter(text)
	} else {
		a.screen().Filter(text)
	}
}

// entering handles a key or a click. A notice from before it goes when it leads to another
// screen, view or box, whose keys are then unknown to the user. A box that closes leads back to
// known ones. A warning that stays is dismissed by its own key only.
func (a *App) entering(handle func() tea.Cmd) tea.Cmd {
	view := func() (at int) {
		if a.state != nil {
			_, at = a.screen().Views()
		}
		return at
	}
	shown, at, over, gen := a.current, view(), a.top(), a.notices.Gen
	cmd := handle()
	entered := a.current != shown || view() != at || a.top() != nil && a.top() != over
	if entered && a.notices.Gen == gen && a.notices.Level != ui.LevelFlip {
		a.notices.Showing = false
	}
	return cmd
}
