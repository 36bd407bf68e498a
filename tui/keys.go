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
	navigation *keymap.Group // keys that lead to other lists and screens
	browse     *keymap.Group // outside text fields
	move       *keymap.Group
	program    *keymap.Group // keys that work everywhere
	tried      *keymap.Group // undo, reset and write for everything that is tried
	edit       *keymap.Group // inside text fields, which handle them
	find       *keymap.Group // the search line of a list
	copy       *keymap.Group // the copy menu; screens have more of their own
	menu       *keymap.Group // palette and pickers
	reader     *keymap.Group // help and notices
	confirm    *keymap.Group
	trial      *keymap.Group
	more       *keymap.Group // only in the palette
}

// bind declares the keys of the app.
func (a *App) bind(g ui.Glyphs) {
	bind := keymap.Bind
	k := &a.keys
	k.program = &keymap.Group{Title: "Everywhere", Bindings: []keymap.Binding{
		bind(keymap.Interrupt, "ctrl-c", "quit at once", "Quit at once", "ctrl+c").Does(func() tea.Cmd { return a.end(tea.Interrupt) }),
		bind(keymap.Suspend, "ctrl-z", "suspend to the shell", "Suspend to the shell", "ctrl+z").Does(a.suspend),
		bind(keymap.Redraw, "ctrl-l", "draw the screen anew", "Draw the screen anew", "ctrl+l").Does(func() tea.Cmd { return tea.ClearScreen }),
	}}
	k.navigation = &keymap.Group{Title: "Going places", Bindings: []keymap.Binding{
		bind(keymap.Next, "tab", "pane", "Go to the next pane", "tab").Runs(func() { a.screen().Next(1) }).Says(a.beside).Unless(a.noneBeside),
		bind(keymap.Prev, "shift-tab", "pane before", "Go to the pane before", "shift+tab").Runs(func() { a.screen().Next(-1) }).Unless(a.noneBeside),
		bind(keymap.Help, "F1", "help", "Show help", "f1").Runs(a.help),
		bind(keymap.Palette, "ctrl-k", "commands", "", "ctrl+k").Runs(a.palette),
	}}
	for i, s := range a.screens {
		n := strconv.Itoa(i + 1)
		k.navigation.Bindings = append(k.navigation.Bindings,
			bind(keymap.Action(strings.ToLower(s.Name())), "alt-"+n, s.Name(), "Go to "+s.Name(), "alt+"+n).Runs(func() { a.goTo(i) }))
	}
	k.browse = &keymap.Group{Title: "Outside text", Bindings: []keymap.Binding{
		bind(keymap.Back, "esc", "one level back", "", "esc").Runs(a.back),
		bind(keymap.Quit, "q", "quit", "Quit", "q").Does(func() tea.Cmd { return a.end(tea.Quit) }),
		bind(keymap.Help, "?", "help", "", "?").Runs(a.help),
		bind(keymap.Commands, ":", "commands", "", ":").Runs(a.palette),
		bind(keymap.Copy, "y", "copy", "Copy", "y").Does(a.pickCopy),
		bind(keymap.OpenFile, "E", "open the file at the tool or error", "Open the file in the editor", "E").Does(a.openFile),
		bind(keymap.Session, "s", "session", "Switch session", "s").Runs(a.pickSession),
		bind(keymap.Reload, "R", "reload", "Reload the files", "R").Does(a.reload),
		bind(keymap.Pause, "space", "pause watching", "Pause or resume watching", " ").Does(a.pause),
		bind(keymap.Notice, "!", "notice and warnings in full", "Show the last notice and all warnings", "!").Does(a.readNotices),
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
	}}
	k.tried = &keymap.Group{Title: "What if", Bindings: []keymap.Binding{
		bind(keymap.Undo, "u", "undo the last turn", "Undo the last turn of a knob, or trial", "u").Does(a.undo).Unless(a.noUndo),
		bind(keymap.Reset, "0", "put all knobs back", "Reset every knob and trial", "0").Does(a.reset),
		bind(keymap.Save, "S", "write to the config file", "Write the knobs to the config file", "S").Does(a.save),
		bind(keymap.Unwrite, "U", "take back what was written", "Take back the last change of the config file", "U").Does(a.unwrite).Unless(a.noneWritten),
	}}
	k.edit = editKeys(g)
	k.find = &keymap.Group{Title: "Filter and search line", Bindings: []keymap.Binding{
		bind(keymap.Open, "enter", "keep", "", "enter").Runs(func() { a.find = nil }),
		bind(keymap.Back, "esc", "clear", "", "esc").Runs(a.clearFind),
		bind(keymap.Up, g.Up, "match above", "", "up", "ctrl+p").Runs(func() { a.moveBy(-1) }),
		bind(keymap.Down, g.Down, "match below", "", "down", "ctrl+n").Runs(func() { a.moveBy(1) }),
	}}
	k.copy = a.bindCopy()
	k.menu = &keymap.Group{Title: "Palette and pickers", Bindings: []keymap.Binding{
		bind(keymap.Up, g.Up+" ctrl-p", "up", "", "up", "ctrl+p", "shift+tab").Runs(func() { a.moveBy(-1) }),
		bind(keymap.Down, g.Down+" ctrl-n", "down", "", "down", "ctrl+n", "tab").Runs(func() { a.moveBy(1) }),
		bind(keymap.PageUp, "pgup", "page up", "", "pgup").Runs(func() { a.moveBy(-a.page()) }),
		bind(keymap.PageDown, "pgdn", "page down", "", "pgdown").Runs(func() { a.moveBy(a.page()) }),
		bind(keymap.Open, "enter", "choose", "", "enter").Does(a.chooseTop),
		bind(keymap.Back, "esc", "close", "", "esc").Runs(a.closeTop),
	}}
	k.reader = &keymap.Group{Title: "Help and notices", Bindings: []keymap.Binding{
		bind(keymap.Back, "esc q", "close", "", "esc", "q", "?", "!", "f1", "enter").Runs(a.closeTop),
	}}
	k.confirm = a.bindConfirm(g)
	k.trial = a.bindTrial()
	k.more = &keymap.Group{Title: "Only in the palette", Bindings: []keymap.Binding{
		bind(keymap.Tokenizer, "", "count tokens by another method", "Switch tokenizer").Runs(a.pickTokenizer),
	}}
	a.readerLayer = &keymap.Layer{Groups: []*keymap.Group{k.reader, k.move}, Hints: keymap.Hints(keymap.Down.After(keymap.Up, "scroll"), keymap.Back)}
	a.questionLayer = &keymap.Layer{Groups: []*keymap.Group{k.confirm}, Hints: keymap.Hints(Yes, keymap.Back, keymap.Down.After(keymap.Up, "scroll"))}
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
		m.DeleteCharacterBackward, m.DeleteCharacterForward, m.DeleteWordBackward, m.DeleteWordForward, m.DeleteBeforeCursor,
	} {
		edit.Bindings = append(edit.Bindings, keymap.Binding{Binding: b})
	}
	return edit
}

// everyGroup returns every group of keys, the most general first.
func (a *App) everyGroup() []*keymap.Group {
	k := &a.keys
	all := []*keymap.Group{k.navigation, k.browse}
	for _, s := range a.screens {
		all = append(all, s.Groups()...)
	}
	return append(all, k.tried, k.move, k.program, k.edit, k.find, k.trial, k.copy, k.menu, k.reader, k.confirm, k.more)
}

// layer returns the keys that work now, including those that work everywhere.
func (a *App) layer() *keymap.Layer {
	k, own := &a.keys, a.screen().Layer()
	more := []*keymap.Group{k.browse, k.move, k.tried, k.navigation, k.program}
	switch top := a.top(); {
	case top != nil:
		own, more = top.Layer(), []*keymap.Group{k.program}
	case a.find != nil:
		own, more = a.find.layer, []*keymap.Group{k.navigation, k.edit, k.program}
	case own.Type != nil:
		more = []*keymap.Group{k.navigation, k.edit, k.program}
	}
	l := a.layers[own]
	if l == nil {
		l = own.With(more...)
		a.layers[own] = l
	}
	return l
}
