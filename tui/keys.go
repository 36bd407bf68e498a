package tui

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/bubbles/key"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/tui/keymap"
	"caliper/tui/screen"
	"caliper/tui/ui"
)

// bindings are the key groups of the app itself. Each screen declares its own.
type bindings struct {
	panes      *keymap.Group // keys that lead to other panes
	first      *keymap.Group // the tour
	navigation *keymap.Group // keys that lead to screens, palette and help
	digits     *keymap.Group // keys that lead to screens outside text
	walk       *keymap.Group // keys that lead to the screens beside this one
	browse     *keymap.Group // the other keys outside text fields
	views      *keymap.Group // keys that lead to the views of a screen
	move       *keymap.Group
	program    *keymap.Group // keys that work everywhere
	tried      *keymap.Group // undo, reset and write for everything that is tried
	edit       *keymap.Group // inside text fields, which handle them
	find       *keymap.Group // the search line of a list
	copy       *keymap.Group // the copy menu; screens have more of their own
	menu       *keymap.Group // palette and pickers
	reader     *keymap.Group // notices
	help       *keymap.Group
	helpFilter *keymap.Group // the filter of the help while it is typed
	confirm    *keymap.Group // the question whether a file is written
	value      *keymap.Group // the box in which the value of a knob is typed
	text       *keymap.Group // the box in which a line of text is typed
	leaving    *keymap.Group // the question before trials are left
	asked      *keymap.Group // works in every question
	more       *keymap.Group // only in the palette
}

// bind declares the keys of the app.
func (a *App) bind(g ui.Glyphs) {
	bind := keymap.Bind
	k := &a.keys
	k.program = &keymap.Group{Title: "Everywhere", Bindings: []keymap.Binding{
		bind(keymap.Interrupt, "ctrl-c", "quit at once", "Quit at once", "ctrl+c").Does(func() tea.Cmd { return a.end(tea.Interrupt) }),
		bind(keymap.Suspend, "ctrl-z", "suspend to the shell", "Suspend to the shell", "ctrl+z").Does(a.suspend),
		bind(keymap.Redraw, "ctrl-l", "redraw the screen", "Redraw the screen", "ctrl+l").Does(func() tea.Cmd { return tea.ClearScreen }),
	}}
	tour := bind(keymap.Tour, "ctrl-t", "the tour: five steps on the demo", "Take the tour", "ctrl+t").Does(a.tourKey).Unless(a.noTour)
	k.panes = &keymap.Group{Title: "Moving around", Bindings: []keymap.Binding{
		bind(keymap.Next, "tab", "pane", "Go to the next pane", "tab").Runs(func() { a.screen().Next(1) }).Says(a.beside).Unless(a.noneBeside),
		bind(keymap.Prev, "shift-tab", "previous pane", "Go to the previous pane", "shift+tab").Runs(func() { a.screen().Next(-1) }).Unless(a.noneBeside),
	}}
	k.first = &keymap.Group{Title: "First steps", Bindings: []keymap.Binding{tour}}
	k.navigation = &keymap.Group{Title: "Screens; F keys in boxes too", Bindings: []keymap.Binding{
		bind(keymap.Help, "F1", "help", "Show help: keys, and the glossary of this screen", "f1").Runs(a.help),
		bind(keymap.Palette, "ctrl-p", "commands", "", "ctrl+p").Runs(a.palette),
	}}
	digits := make([]keymap.Binding, len(a.screens))
	for i, s := range a.screens {
		n, f := strconv.Itoa(i+1), "f"+strconv.Itoa(i+2)
		screen, goThere := keymap.Action(strings.ToLower(s.Name())), func() tea.Cmd { return a.goByKey(i) }
		k.navigation.Bindings = append(k.navigation.Bindings,
			bind(screen, n+" alt-"+n+" "+strings.ToUpper(f), s.Name(), "Go to "+s.Name(), "alt+"+n, f).Does(goThere))
		digits[i] = bind(screen, n, "", "", n).Does(func() tea.Cmd { return a.goByDigit(i) })
	}
	k.digits = &keymap.Group{Title: "Outside text", Bindings: digits}
	k.walk = &keymap.Group{Title: "Outside text", Bindings: []keymap.Binding{
		bind(keymap.PrevScreen, "[", "previous screen", "Go to the previous screen", "[").Runs(func() { a.walk(-1) }),
		bind(keymap.NextScreen, "]", "next screen", "Go to the next screen", "]").Runs(func() { a.walk(1) }),
	}}
	k.views = &keymap.Group{Title: "Views of a screen", Bindings: []keymap.Binding{
		bind(keymap.View, "v", "next view, as }", "Go to the next view of the screen", "v", "}").Runs(func() { a.walkViews(1) }).Unless(a.noViews),
		bind(keymap.PrevView, "{", "previous view", "Go to the previous view of the screen", "{").Runs(func() { a.walkViews(-1) }).Unless(a.noViews),
	}}
	k.browse = &keymap.Group{Title: "Outside text", Bindings: []keymap.Binding{
		bind(keymap.Back, "esc", "one level back", "", "esc").Does(a.back),
		bind(keymap.Quit, "q", "quit", "Quit", "q").Does(a.leave),
		bind(keymap.Help, "?", "help", "", "?").Runs(a.help),
		bind(keymap.Commands, ": ctrl-k", "commands", "", ":", "ctrl+k").Runs(a.palette),
		bind(keymap.Query, "i", "query of Explore", "Edit the query of Explore", "i").Runs(a.editQuery),
		bind(keymap.Expect, "w", "the expected tool: why it is not found", "", "w").Does(a.whyNot).Unless(a.noWhyNot),
		bind(keymap.Zoom, "z", "zoom the pane", "", "z").Unless(a.noZoom),
		bind(keymap.CompareStates, "c", "compare two states", "Compare two states: what is on disk with WHAT IF, another session or file", "c").Does(a.pickState),
		bind(keymap.Copy, "y", "copy", "Copy", "y").Does(a.pickCopy),
		bind(keymap.OpenFile, "ctrl-o", "open the file in the editor, at the tool or error", "Open the file in the editor", "ctrl+o").Does(a.openFile),
		bind(keymap.Session, "s", "session", "Switch session", "s").Runs(a.pickSession),
		bind(keymap.Reload, "R", "reload", "Reload the files", "R").Does(a.reload),
		bind(keymap.Pause, "space", "pause watching", "Pause or resume watching", " ").Does(a.pause),
		bind(keymap.Notice, "!", "notices and warnings in full", "Show the last notices and all warnings", "!").Does(a.readNotices),
	}}
	k.move = &keymap.Group{Title: "Moving", Bindings: []keymap.Binding{
		bind(keymap.Up, g.Up+" k", "up", "", "up", "k").Runs(func() { a.moveBy(-1) }),
		bind(keymap.Down, g.Down+" j", "down", "", "down", "j").Runs(func() { a.moveBy(1) }),
		bind(keymap.PageUp, "pgup", "page up", "", "pgup").Runs(func() { a.moveBy(-a.page()) }),
		bind(keymap.PageDown, "pgdn", "page down", "", "pgdown").Runs(func() { a.moveBy(a.page()) }),
		bind(keymap.HalfUp, "ctrl-u", "half a page up", "", "ctrl+u").Runs(func() { a.moveBy(-max(1, a.page()/2)) }),
		bind(keymap.HalfDown, "ctrl-d", "half a page down", "", "ctrl+d").Runs(func() { a.moveBy(max(1, a.page()/2)) }),
		bind(keymap.Top, "g", "first", "", "g", "home").Runs(func() { a.moveBy(-screen.End) }),
		bind(keymap.Bottom, "G", "last", "", "G", "end").Runs(func() { a.moveBy(screen.End) }),
		bind(keymap.NextMatch, "n", "next match, or row", "Go to the next match, or row", "n").Runs(func() { a.moveBy(1) }),
		bind(keymap.PrevMatch, "N", "previous match, or row", "Go to the previous match, or row", "N").Runs(func() { a.moveBy(-1) }),
	}}
	k.tried = &keymap.Group{Title: "What if", Bindings: []keymap.Binding{
		bind(keymap.Undo, "u", "undo the last turn", "Undo the last turn of a knob, or trial", "u").Does(a.undo).Unless(a.noUndo),
		bind(keymap.Reset, "0", "reset all knobs", "Reset every knob and trial", "0").Does(a.reset),
		bind(keymap.Save, "S", "write settings to the config file, descriptions to theirs", "Save the trials: write settings to the config file, descriptions to their file", "S").Does(a.save),
		bind(keymap.NextRanker, "r", "try the next ranker", "Try the next ranker", "r").Does(a.nextRanker).Unless(a.noState),
		bind(keymap.Unwrite, "U", "undo the last save, after its diff", "Undo the last saved change of a file", "U").Does(a.unwrite).Unless(a.noneWritten),
	}}
	k.edit = editKeys(g)
	k.find = &keymap.Group{Title: "Filter and search line", Where: "while a filter or search is typed", Bindings: []keymap.Binding{
		bind(keymap.Open, "enter", "keep", "", "enter").Runs(func() { a.find = nil }),
		bind(keymap.Back, "esc", "clear", "", "esc").Runs(a.clearFind),
		bind(keymap.Up, g.Up, "match above", "", "up").Runs(func() { a.moveBy(-1) }),
		bind(keymap.Down, g.Down, "match below", "", "down").Runs(func() { a.moveBy(1) }),
	}}
	k.copy = a.bindCopy()
	k.menu = &keymap.Group{Title: "Palette and pickers", Where: "in the palette and in pickers", Bindings: []keymap.Binding{
		bind(keymap.Up, g.Up, "up", "", "up", "shift+tab").Runs(func() { a.moveBy(-1) }),
		bind(keymap.Down, g.Down, "down", "", "down", "tab").Runs(func() { a.moveBy(1) }),
		bind(keymap.PageUp, "pgup", "page up", "", "pgup").Runs(func() { a.moveBy(-a.page()) }),
		bind(keymap.PageDown, "pgdn", "page down", "", "pgdown").Runs(func() { a.moveBy(a.page()) }),
		bind(keymap.Open, "enter", "choose", "", "enter").Does(a.chooseTop),
		bind(keymap.Back, "esc", "close", "", "esc").Runs(a.closeTop),
	}}
	k.reader = &keymap.Group{Title: "Notices", Where: "in the notices", Bindings: []keymap.Binding{
		bind(keymap.Find, "/", "find and run a command", "", "/", ":", "ctrl+k").Runs(a.palette),
		bind(keymap.Back, "esc q", "close", "", "esc", "q", "?", "!", "enter").Runs(a.closeTop),
		tour,
	}}
	k.help, k.helpFilter = a.bindManual(g)
	k.confirm = a.bindQuestion(g)
	k.leaving = a.bindLeaving()
	k.value = a.bindValue()
	k.text = a.bindText()
	k.asked = &keymap.Group{Title: "In a question", Where: "in a question", Bindings: []keymap.Binding{
		bind(keymap.Help, "?", "what each answer does", "", "?", "f1").Runs(a.help),
		bind(keymap.Tour, "ctrl-t", "the tour, once the question is answered", "", "ctrl+t").Unless(func() string { return "answer the question first, or leave it with esc" }),
	}}
	k.more = &keymap.Group{Title: "Only in the palette", Bindings: []keymap.Binding{
		bind(keymap.Tokenizer, "", "count tokens by another method", "Switch tokenizer").Runs(a.pickTokenizer),
	}}
	a.readerLayer = &keymap.Layer{Groups: []*keymap.Group{k.reader, k.move}, Hints: keymap.Hints(keymap.Down.After(keymap.Up, "scroll"), keymap.Back, keymap.Find)}
	a.questionLayer = &keymap.Layer{Groups: []*keymap.Group{k.confirm}, Hints: keymap.Hints(Yes, keymap.Back, keymap.Help.As("help"), keymap.Down.After(keymap.Up, "scroll"))}
	for _, g := range a.everyGroup() {
		for i := range g.Bindings {
			for _, name := range g.Bindings[i].Keys() {
				a.named[name] = true
			}
		}
	}
}

// editKeys returns the keys of text fields for the help. The fields handle
// them.
func editKeys(g ui.Glyphs) *keymap.Group {
	m := ui.FieldKeys(g)
	edit := &keymap.Group{Title: "Typing"}
	for _, b := range []key.Binding{
		m.CharacterBackward, m.CharacterForward, m.WordBackward, m.WordForward, m.LineStart, m.LineEnd,
		m.DeleteCharacterBackward, m.DeleteCharacterForward, m.DeleteWordBackward, m.DeleteWordForward, m.DeleteBeforeCursor, m.DeleteAfterCursor,
	} {
		edit.Bindings = append(edit.Bindings, keymap.Binding{Binding: b})
	}
	return edit
}

// everyGroup returns every group of keys, the most general first.
func (a *App) everyGroup() []*keymap.Group {
	k := &a.keys
	all := []*keymap.Group{k.first, k.panes, k.views, k.navigation, k.browse, k.digits, k.walk}
	for _, s := range a.screens {
		all = append(all, s.Groups()...)
	}
	all = append(all, a.sides.Groups()...)
	return append(all, k.tried, k.move, k.program, k.edit, k.find, k.value, k.text, k.copy, k.menu, k.help, k.helpFilter, k.reader, k.confirm, k.leaving, k.asked, k.more)
}

// layer returns the keys that work now, including those that work everywhere.
func (a *App) layer() *keymap.Layer {
	k, own := &a.keys, a.screen().Layer()
	more := []*keymap.Group{k.browse, k.digits, k.walk, k.views, k.move, k.tried, k.panes, k.first, k.navigation, k.program}
	switch top := a.top().(type) {
	case screen.Filling:
		own, more = top.Layer(), []*keymap.Group{k.browse, k.digits, k.walk, k.move, k.tried, k.navigation, k.program}
	case nil:
		switch {
		case a.find != nil:
			own, more = a.find.layer, []*keymap.Group{k.panes, k.first, k.navigation, k.edit, k.program}
		case own.Type != nil:
			more = []*keymap.Group{k.panes, k.first, k.navigation, k.edit, k.program}
			if own.Blank {
				more = append(more, k.digits, k.walk)
			}
		}
	case *menu:
		own, more = top.Layer(), []*keymap.Group{k.first, k.navigation, k.program}
	case *manual:
		own, more = top.Layer(), []*keymap.Group{k.digits, k.walk, k.first, k.navigation, k.program}
		if top.typing {
			more = more[2:]
		}
	case *text:
		own, more = top.Layer(), []*keymap.Group{k.digits, k.walk, k.first, k.navigation, k.program}
	default: // a question stays until it is answered, below its help; a typed text stays below help and palette
		own, more = top.Layer(), []*keymap.Group{k.asked, k.program}
		if own.Type != nil {
			more = []*keymap.Group{k.first, k.navigation, k.edit, k.program}
		}
	}
	l := a.layers[own]
	if l == nil {
		l = own.With(more...)
		a.layers[own] = l
	}
	return l
}
