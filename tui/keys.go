package tui

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"caliper/tui/desk"
	"caliper/tui/picture"
	"caliper/tui/report"
	"caliper/tui/screen"
	"caliper/tui/sides"
	"caliper/tui/ui"
)

// bindings are the key groups of the app itself. Each screen declares its own.
type bindings struct {
	panes      *ui.Group // keys that lead to other panes
	first      *ui.Group // the tour
	navigation *ui.Group // keys that lead to screens, palette and help
	walk       *ui.Group // keys that lead to screens outside text
	browse     *ui.Group // the other keys outside text fields
	views      *ui.Group // keys that lead to the views of a screen
	move       *ui.Group
	program    *ui.Group // keys that work everywhere
	tried      *ui.Group // undo, reset and write for everything that is tried
	edit       *ui.Group // inside text fields, which handle them
	find       *ui.Group // the search line of a list
	copy       *ui.Group // the copy menu; screens have more of their own
	menu       *ui.Group // palette and pickers
	reader     *ui.Group // notices
	chain      *ui.Group // the chain of a tool
	help       *ui.Group
	helpFilter *ui.Group // the filter of the help while it is typed
	confirm    *ui.Group // the question whether a file is written
	value      *ui.Group // the box in which the value of a knob is typed
	text       *ui.Group // the box in which a line of text is typed
	leaving    *ui.Group // the question before trials are left
	asked      *ui.Group // works in every question
	more       *ui.Group // only in the palette
}

// bind declares the keys of the app.
func (a *App) bind(g ui.Glyphs) {
	bind := ui.Bind
	k := &a.keys
	k.program = &ui.Group{Title: "Everywhere", Bindings: []ui.Binding{
		bind(ui.Interrupt, "ctrl-c", "quit at once", "Quit at once", "ctrl+c").Does(func() tea.Cmd { return a.end(tea.Interrupt) }),
		bind(ui.Suspend, "ctrl-z", "suspend to the shell", "Suspend to the shell", "ctrl+z").Does(a.suspend),
		bind(ui.Redraw, "ctrl-l", "redraw the screen", "Redraw the screen", "ctrl+l").Does(func() tea.Cmd { return tea.ClearScreen }),
	}}
	tour := bind(ui.Tour, "ctrl-t", "the tour: six steps on the demo", "Take the tour", "ctrl+t").Does(a.tourKey).Unless(a.noTour)
	beside := func() string { return a.screen().Beside() }
	noneBeside := ui.When(func() bool { return beside() == "" }, "there is no other list")
	k.panes = &ui.Group{Title: "Moving around", Bindings: []ui.Binding{
		bind(ui.Next, "tab", "pane", "Go to the next pane", "tab").Runs(func() { a.screen().Next(1) }).Says(beside).Unless(noneBeside),
		bind(ui.Prev, "shift-tab", "previous pane", "Go to the previous pane", "shift+tab").Runs(func() { a.screen().Next(-1) }).Unless(noneBeside),
	}}
	k.first = &ui.Group{Title: "First steps", Bindings: []ui.Binding{tour}}
	k.navigation = &ui.Group{Title: "Screens; alt in text and boxes", Bindings: []ui.Binding{
		bind(ui.Help, "F1", "help", "Show help: keys, and the glossary of this screen", "f1").Runs(a.help),
		bind(ui.Palette, "ctrl-p", "commands", "", "ctrl+p").Runs(a.palette),
	}}
	digits := make([]ui.Binding, len(a.screens))
	for i, s := range a.screens {
		n := strconv.Itoa(i + 1)
		screen, goThere := ui.Action(strings.ToLower(s.Name())), func() tea.Cmd {
			shown := i == a.current && len(a.over) == 0
			var back tea.Cmd
			if i != 0 && a.visited() && a.visitor.query == nil { // who leaves the dry run that a screen has shown, leaves its session, too
				back = a.endVisit()
			}
			if a.goTo(i); shown {
				return a.Notify(ui.LevelInfo, "this is "+a.screen().Name())
			}
			return back
		}
		k.navigation.Bindings = append(k.navigation.Bindings,
			bind(screen, n+" alt-"+n, s.Name(), "Go to "+s.Name(), "alt+"+n).Does(goThere))
		digits[i] = bind(screen, n, "", "", n).Does(goThere)
	}
	k.walk = &ui.Group{Title: "Outside text", Bindings: append(digits,
		bind(ui.PrevScreen, "[", "previous screen", "Go to the previous screen", "[").Runs(func() { a.walk(-1) }),
		bind(ui.NextScreen, "]", "next screen", "Go to the next screen", "]").Runs(func() { a.walk(1) }))}
	k.views = &ui.Group{Title: "Views of a screen", Bindings: []ui.Binding{
		bind(ui.View, "v", "next view, as }", "Go to the next view of the screen", "v", "}").Runs(func() { a.walkViews(1) }).Unless(a.noViews),
		bind(ui.PrevView, "{", "previous view", "Go to the previous view of the screen", "{").Runs(func() { a.walkViews(-1) }).Unless(a.noViews),
	}}
	k.browse = &ui.Group{Title: "Outside text", Bindings: []ui.Binding{
		bind(ui.Back, "esc", "one level back", "", "esc").Does(a.back),
		bind(ui.Quit, "q", "quit", "Quit", "q").Does(a.leave),
		bind(ui.Help, "?", "help", "", "?").Runs(a.help),
		bind(ui.Commands, ": ctrl-k", "commands", "", ":", "ctrl+k").Runs(a.palette),
		bind(ui.Query, "i", "query of Explore", "Edit the query of Explore", "i").Runs(func() { a.goTo(0); a.explore.FocusQuery() }),
		bind(ui.Expect, "w", "the expected tool: why it is not found", "", "w").Does(a.whyNot).Unless(a.noWhyNot),
		bind(ui.Reach, "C", "chain: from the configuration to a call of the tool", "Follow the tool from the configuration to a call: reach", "C").Does(func() tea.Cmd { return a.follow(a.question(), true) }).Unless(a.noChain),
		bind(ui.Zoom, "z", "zoom the pane", "", "z").Unless(func() string { return a.screen().Name() + " has one pane: z zooms those of Explore" }), // which binds it itself
		bind(ui.CompareStates, "c", "compare two states", "Compare two states side by side: session, agent, files, WHAT IF", "c").Does(a.pickState),
		bind(ui.Copy, "y", "copy", "Copy", "y").Does(a.pickCopy),
		bind(ui.OpenFile, "ctrl-o", "open the file in the editor, at the tool or error", "Open the file in the editor", "ctrl+o").Does(a.openFile),
		bind(ui.Session, "s", "session", "Switch session", "s").Runs(a.pickSession),
		bind(ui.Reload, "R", "reload", "Reload the files", "R").Does(a.reload),
		bind(ui.Pause, "space", "pause watching", "Pause or resume watching", " ").Does(a.pause),
		bind(ui.Notice, "!", "notices and warnings in full", "Show the last notices and all warnings", "!").Does(a.readNotices),
	}}
	k.move = &ui.Group{Title: "Moving", Bindings: []ui.Binding{
		bind(ui.Up, g.Up+" k", "up", "", "up", "k").Runs(func() { a.moveBy(-1) }),
		bind(ui.Down, g.Down+" j", "down", "", "down", "j").Runs(func() { a.moveBy(1) }),
		bind(ui.PageUp, "pgup", "page up", "", "pgup").Runs(func() { a.moveBy(-a.page()) }),
		bind(ui.PageDown, "pgdn", "page down", "", "pgdown").Runs(func() { a.moveBy(a.page()) }),
		bind(ui.HalfUp, "ctrl-u", "half a page up", "", "ctrl+u").Runs(func() { a.moveBy(-max(1, a.page()/2)) }),
		bind(ui.HalfDown, "ctrl-d", "half a page down", "", "ctrl+d").Runs(func() { a.moveBy(max(1, a.page()/2)) }),
		bind(ui.Top, "g", "first", "", "g", "home").Runs(func() { a.moveBy(-screen.End) }),
		bind(ui.Bottom, "G", "last", "", "G", "end").Runs(func() { a.moveBy(screen.End) }),
		bind(ui.NextMatch, "n", "next match, or row", "Go to the next match, or row", "n").Runs(func() { a.moveBy(1) }),
		bind(ui.PrevMatch, "N", "previous match, or row", "Go to the previous match, or row", "N").Runs(func() { a.moveBy(-1) }),
	}}
	k.tried = &ui.Group{Title: "What if", Bindings: []ui.Binding{
		bind(ui.Undo, "u", "undo the last turn", "Undo the last turn of a knob, or trial", "u").Does(a.undo).Unless(a.noUndo),
		bind(ui.Reset, "0", "reset all knobs", "Reset every knob and trial", "0").Does(a.reset).Unless(ui.When(func() bool { return a.state == nil || !a.knobs.Resets() }, "no knob is changed")),
		bind(ui.Save, "S", "write settings to the config file, descriptions to theirs", "Save the trials: write settings to the config file, descriptions to their file", "S").Does(a.save).Unless(a.noneToSave),
		bind(ui.NextRanker, "r", "try the next ranker", "Try the next ranker", "r").Does(a.nextRanker).Unless(a.noState),
		bind(ui.Unwrite, "U", "undo the last save, after its diff", "Undo the last saved change of a file", "U").Does(a.unwrite).Unless(ui.When(func() bool { return len(a.written) == 0 }, "nothing was saved that could be undone")),
	}}
	k.edit = &ui.Group{Title: "Typing"} // for the help: the fields themselves handle them
	m := ui.FieldKeys(g)
	for _, b := range []key.Binding{
		m.CharacterBackward, m.CharacterForward, m.WordBackward, m.WordForward, m.LineStart, m.LineEnd,
		m.DeleteCharacterBackward, m.DeleteCharacterForward, m.DeleteWordBackward, m.DeleteWordForward, m.DeleteBeforeCursor, m.DeleteAfterCursor,
	} {
		k.edit.Bindings = append(k.edit.Bindings, ui.Binding{Binding: b})
	}
	k.find = &ui.Group{Title: "Filter and search line", Where: "while a filter or search is typed", Bindings: []ui.Binding{
		bind(ui.Open, "enter", "keep", "", "enter").Runs(func() { a.find = nil }),
		bind(ui.Back, "esc", "clear", "", "esc").Runs(func() { a.find = nil; a.filter("") }),
		bind(ui.Up, g.Up, "match above", "", "up").Runs(func() { a.moveBy(-1) }),
		bind(ui.Down, g.Down, "match below", "", "down").Runs(func() { a.moveBy(1) }),
	}}
	a.bindBoxes(g)
	k.more = &ui.Group{Title: "Only in the palette", Bindings: []ui.Binding{
		bind(ui.Tokenizer, "", "count tokens by another method", "Switch tokenizer").Runs(a.pickTokenizer),
	}}
	for _, g := range a.everyGroup() {
		for i := range g.Bindings {
			for _, name := range g.Bindings[i].Keys() {
				a.named[name] = true
			}
		}
	}
}

// bindBoxes declares the keys of the boxes over the screen.
func (a *App) bindBoxes(g ui.Glyphs) {
	bind, k := ui.Bind, &a.keys
	up, down := func() { a.moveBy(-1) }, func() { a.moveBy(1) }
	pageUp, pageDown := func() { a.moveBy(-a.page()) }, func() { a.moveBy(a.page()) }
	k.menu = &ui.Group{Title: "Palette and pickers", Where: "in the palette and in pickers", Bindings: []ui.Binding{
		bind(ui.Up, g.Up, "up", "", "up", "shift+tab").Runs(up),
		bind(ui.Down, g.Down, "down", "", "down", "tab").Runs(down),
		bind(ui.PageUp, "pgup", "page up", "", "pgup").Runs(pageUp),
		bind(ui.PageDown, "pgdn", "page down", "", "pgdown").Runs(pageDown),
		bind(ui.Open, "enter", "choose", "", "enter").Does(func() tea.Cmd { return a.top().(*menu).choose() }).Unless(ui.When(func() bool {
			m, open := a.top().(*menu)
			if !open { // the help asks, too
				return false
			}
			_, found := m.Selected()
			return !found
		}, "nothing matches")),
		bind(ui.Back, "esc", "close", "", "esc").Runs(a.closeTop),
	}}
	k.reader = &ui.Group{Title: "Notices", Where: "in the notices", Bindings: []ui.Binding{
		bind(ui.Find, "/", "find and run a command", "", "/", ":", "ctrl+k").Runs(a.palette),
		bind(ui.Back, "esc q", "close", "", "esc", "q", "?", "!", "enter").Runs(a.closeTop),
		k.first.Bindings[0],
	}}
	run := bind(ui.Open, "enter", "run", "", "enter").Does(func() tea.Cmd { return a.manual().run() })
	k.help = &ui.Group{Title: "Help", Where: "in the help", Bindings: []ui.Binding{
		run,
		bind(ui.Find, "/", "filter", "", "/").Runs(func() { a.manual().typing = true }),
		bind(ui.Back, "esc q", "close", "", "esc", "q", "?").Runs(func() { a.manual().back() }),
		bind(ui.Commands, ": ctrl-k", "commands", "", ":", "ctrl+k").Runs(a.palette),
	}}
	k.helpFilter = &ui.Group{Title: "Filter of the help", Where: "in the filter of the help", Bindings: []ui.Binding{
		run,
		bind(ui.Back, "esc", "clear", "", "esc").Runs(func() { a.manual().back() }),
		bind(ui.Up, g.Up, "row above", "", "up", "shift+tab").Runs(up),
		bind(ui.Down, g.Down, "row below", "", "down", "tab").Runs(down),
		bind(ui.PageUp, "pgup", "page up", "", "pgup").Runs(pageUp),
		bind(ui.PageDown, "pgdn", "page down", "", "pgdown").Runs(pageDown),
	}}
	k.chain = &ui.Group{Title: "Chain of a tool", Where: "in the chain of a tool", Bindings: []ui.Binding{
		bind(ui.Save, "S", "write what mends the chain, after its diff", "", "S").Does(a.mendChain).Unless(a.noMend),
	}}
	k.confirm = &ui.Group{Title: "Questions", Where: "in a question about a file", Bindings: []ui.Binding{
		bind(Yes, "y", "yes, write the file", "", "y").Does(a.answerYes),
		bind(ui.Open, "enter", "answers nothing: y or n", "", "enter").Unless(func() string { return "y writes the file, n does not" }),
		bind(ui.Back, "n esc", "no", "", "n", "esc", "q").Does(a.answerNo),
		bind(ui.Up, g.Up, "up", "", "up", "k").Runs(up),
		bind(ui.Down, g.Down, "down", "", "down", "j").Runs(down),
	}}
	k.leaving = &ui.Group{Title: "Leaving", Where: "in the question before leaving", Bindings: []ui.Binding{
		bind(ui.Quit, "q", "leave", "", "q").Does(func() tea.Cmd { return a.end(tea.Quit) }),
		bind(ui.Save, "S", "save first", "", "S").Does(func() tea.Cmd {
			a.closeTop()
			return a.save()
		}).Unless(a.noneWritable),
		bind(ui.Open, "enter", "answers nothing", "", "enter").Unless(func() string {
			if a.noneWritable() == "" {
				return "S saves, q leaves, esc stays"
			}
			return "q leaves, esc stays"
		}),
		bind(ui.Back, "esc", "stay", "", "esc").Runs(a.closeTop),
	}}
	k.copy = &ui.Group{Title: "Copying, after y", After: "y", Bindings: []ui.Binding{
		bind(CopyName, "n", "name", "Copy the tool's name", "n").Unless(a.noSubject).Does(func() tea.Cmd {
			return a.clip.Copy("name", desk.CopyLine, a.screen().Tool().Qualified)
		}),
		bind(CopySchema, "s", "schema", "Copy the tool's schema", "s").Unless(a.noSubject).Does(func() tea.Cmd {
			return a.clip.Copy("schema", desk.CopyJSON, report.Indented(a.screen().Tool().Function))
		}),
		bind(CopyRepro, "r", "repro of what this screen shows, as Markdown", "Copy a Markdown repro of this screen", "r").Does(func() tea.Cmd {
			if a.comparing() {
				return a.sides.Update(a.reportCase())
			}
			return a.screen().Update(a.reportCase())
		}),
		bind(CopyTried, "d", "draft description", "Copy the draft description", "d").Unless(ui.When(func() bool { return a.tried() == nil }, "no description is tried")).Does(func() tea.Cmd {
			return a.clip.Copy("draft description", desk.CopyText, a.tried().Description)
		}),
		bind(CopySVG, "p", "screen as SVG", "Save the screen as SVG", "p").Does(func() tea.Cmd {
			return a.saveScreen("screen as SVG", "screen.svg", picture.SVG)
		}),
		bind(CopyHTML, "P", "screen as HTML", "Save the screen as HTML", "P").Does(func() tea.Cmd {
			return a.saveScreen("screen as HTML", "screen.html", picture.HTML)
		}),
	}}
	take := func() tea.Cmd { return a.top().(*typedText).take() }
	k.value = &ui.Group{Title: "Typing a value", Where: "while a value is typed", Bindings: []ui.Binding{
		bind(KeepValue, "enter", "try the value", "", "enter").Does(take),
		bind(ui.Back, "esc", "leave it as it is", "", "esc").Runs(a.closeTop),
	}}
	k.text = &ui.Group{Title: "Typing a text", Where: "while a text is typed", Bindings: []ui.Binding{
		bind(TakeText, "enter", "go on with the text", "", "enter").Does(take),
		bind(ui.Back, "esc", "close", "", "esc").Runs(a.closeTop),
	}}
	k.asked = &ui.Group{Title: "In a question", Where: "in a question", Bindings: []ui.Binding{
		bind(ui.Help, "?", "what each answer does", "", "?", "f1").Runs(a.help),
		bind(ui.Tour, "ctrl-t", "the tour, once the question is answered", "", "ctrl+t").Unless(func() string { return "answer the question first, or leave it with esc" }),
	}}
	a.readerLayer = &ui.Layer{Groups: []*ui.Group{k.reader, k.move}, Hints: ui.Hints(ui.Down.After(ui.Up, "scroll"), ui.Back, ui.Find)}
	a.chainLayer = &ui.Layer{Groups: []*ui.Group{k.chain, k.reader, k.move}, Hints: ui.Hints(ui.Save.As("write what mends it"), ui.Down.After(ui.Up, "scroll"), ui.Back)}
	a.questionBox.Keys = &ui.Layer{Groups: []*ui.Group{k.confirm}, Hints: ui.Hints(Yes, ui.Back, ui.Help.As("help"), ui.Down.After(ui.Up, "scroll"))}
}

// everyGroup returns every group of keys, the most general first.
func (a *App) everyGroup() []*ui.Group {
	k := &a.keys
	all := []*ui.Group{k.first, k.panes, k.views, k.navigation, k.browse, k.walk}
	for _, s := range a.screens {
		all = append(all, s.Groups()...)
	}
	all = append(all, a.sides.Groups()...)
	return append(all, k.tried, k.move, k.program, k.edit, k.find, k.value, k.text, k.copy, k.menu, k.help, k.helpFilter, k.reader, k.chain, k.confirm, k.leaving, k.asked, k.more)
}

// layer returns the keys that work now, including those that work everywhere.
func (a *App) layer() *ui.Layer {
	k, own := &a.keys, a.screen().Layer()
	more := []*ui.Group{k.browse, k.walk, k.views, k.move, k.tried, k.panes, k.first, k.navigation, k.program}
	switch top := a.top().(type) {
	case *sides.Screen:
		own, more = top.Layer(), []*ui.Group{k.browse, k.walk, k.move, k.tried, k.navigation, k.program}
	case nil:
		if own.Type != nil {
			more = []*ui.Group{k.panes, k.first, k.navigation, k.edit, k.program}
		}
	case *menu:
		own, more = top.Layer(), []*ui.Group{k.first, k.navigation, k.program}
	case *manual:
		own, more = top.Layer(), []*ui.Group{k.walk, k.first, k.navigation, k.program}
		if top.typing {
			more = more[1:]
		}
	case *text:
		own, more = top.Layer(), []*ui.Group{k.walk, k.first, k.navigation, k.program}
	default: // a question stays until it is answered, below its help; a typed text stays below help and palette
		own, more = top.Layer(), []*ui.Group{k.asked, k.program}
		if own.Type != nil {
			more = []*ui.Group{k.first, k.navigation, k.edit, k.program}
		}
	}
	if a.find != nil && (len(a.over) == 0 || a.fills(a.top())) {
		own, more = a.findLayer, []*ui.Group{k.panes, k.first, k.navigation, k.edit, k.program}
	}
	l := a.layers[own]
	if l == nil {
		l = own.With(more...)
		a.layers[own] = l
	}
	return l
}
