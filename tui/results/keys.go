package results

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/tui/keymap"
	"caliper/tui/ui"
)

// The actions of Results alone.
const (
	Request    keymap.Action = "type a request"
	Continue   keymap.Action = "go on with a request"
	Clear      keymap.Action = "clear the requests"
	NextGap    keymap.Action = "go to what was left out"
	PrevGap    keymap.Action = "go to what was left out before"
	OpenFile   keymap.Action = "open a result"
	Source     keymap.Action = "choose a result"
	SourceTool keymap.Action = "choose the tool of a result"
	Paste      keymap.Action = "paste a result"
	Keep       keymap.Action = "keep the result in the store"
	AnswerUp   keymap.Action = "scroll the answer up"
	AnswerDown keymap.Action = "scroll the answer down"
)

// reloadKey is the key by which the explorer reads files again, the store among
// them.
const reloadKey = "R"

// keys are the keys of Results, and the layers they work in.
type keys struct {
	own    *keymap.Group
	groups []*keymap.Group

	seen    *keymap.Layer // of what the model sees
	lists   *keymap.Layer // of the other views
	request *keymap.Layer
	paste   *keymap.Layer
}

// bind declares the keys.
func (s *Screen) bind(g ui.Glyphs) {
	bind := keymap.Bind
	own := &keymap.Group{Title: "Results", Bindings: []keymap.Binding{
		bind(keymap.Open, "enter", "request, go on, or choose the tool", "", "enter").Does(s.open),
		bind(keymap.Find, "/", "filter", "", "/").Runs(func() { s.host.Find(s.filter) }),
		bind(keymap.Less, g.Left+" h", "result before, or turn the knob down", "Turn the knob down", "left", "h").
			Does(func() tea.Cmd { return s.turn(-1) }).Unless(s.turnsNothing),
		bind(keymap.More, g.Right+" l", "next result, or turn the knob up", "Turn the knob up", "right", "l").
			Does(func() tea.Cmd { return s.turn(1) }).Says(s.turns).Unless(s.turnsNothing),
		bind(Request, "e", "type a request for a slice", "Type a request for a slice of the result", "e").Does(s.startRequest),
		bind(Continue, "m", "go on where the answer ended", "Go on where the answer ended", "m").Does(s.goOn).Unless(s.noNext),
		bind(Clear, "d", "delete the requests", "Delete the requests for slices", "d").Runs(s.clearRequests).Unless(s.noRequests).Asks(s.clearsAsk),
		bind(OpenFile, "f", "open a file by its path", "Open a file as a result, by its path", "f").Does(s.askPath),
		bind(Source, "F", "choose the result", "Choose the result to look at", "F").Does(s.pick),
		bind(SourceTool, "o", "choose the tool it is of", "Choose the tool that the result is of", "o").Does(s.pickTool),
		bind(Paste, "p", "paste a result", "Paste a result", "p").Runs(s.startPaste),
		bind(Keep, "K", "keep it in the store", "Put the result into the store for the session", "K").Does(s.keep).Unless(s.notKept),
	}}
	gaps := &keymap.Group{Title: "What the model sees", Where: "in what the model sees", Bindings: []keymap.Binding{
		bind(NextGap, ")", "next gap", "Go to the next place where something was left out", ")").Does(func() tea.Cmd { return s.showGap(1) }).Unless(s.noGaps),
		bind(PrevGap, "(", "previous gap", "Go to the place before where something was left out", "(").Does(func() tea.Cmd { return s.showGap(-1) }).Unless(s.noGaps),
	}}
	for _, g := range []*keymap.Group{own, gaps} {
		for i, b := range g.Bindings {
			g.Bindings[i] = b.Unless(func() string {
				if s.state == nil {
					return "nothing is loaded yet"
				}
				return b.Disabled()
			})
		}
	}
	request := &keymap.Group{Title: "Request for a slice", Where: "in the request for a slice", Bindings: []keymap.Binding{
		bind(keymap.Open, "enter", "ask; with no text, go on", "", "enter").Does(s.send),
		bind(keymap.Up, g.Up, "request above", "", "up").Runs(func() { s.Move(-1) }),
		bind(keymap.Down, g.Down, "request below", "", "down").Runs(func() { s.Move(1) }),
		bind(AnswerUp, "pgup", "page of the answer up", "", "pgup").Runs(func() { s.MoveIn(ui.AreaBelow, 1-s.BelowRoom) }),
		bind(AnswerDown, "pgdn", "page of the answer down", "", "pgdown").Runs(func() { s.MoveIn(ui.AreaBelow, s.BelowRoom-1) }),
		bind(keymap.Back, "esc", "leave", "", "esc").Runs(s.host.Back),
	}}
	paste := &keymap.Group{Title: "Pasting a result", Where: "while a result is pasted", Bindings: []keymap.Binding{
		bind(keymap.Open, "enter", "use it", "", "enter").Does(s.usePaste),
		bind(keymap.Back, "esc", "leave", "", "esc").Runs(s.host.Back),
	}}
	copies := &keymap.Group{Title: "Copying, after y", After: "y", Bindings: []keymap.Binding{
		bind(keymap.CopyModel, "m", "what the model sees", "Copy what the model sees", "m").Does(s.copySeen).Unless(s.noneSeen),
	}}

	hints := keymap.Hints(
		keymap.Down.After(keymap.Up, "rows"), keymap.Next.As("below"), Request.As("grep, range…"), NextGap.As("next gap"), keymap.View.As("view"), Continue.As("go on"),
		keymap.More.After(keymap.Less, "value"), OpenFile.As("open file"), Source.As("results"), SourceTool.As("tool"), Paste.As("paste"),
		Keep.As("keep"), keymap.Save.As("save"), keymap.Undo.As("undo"), Clear.As("delete requests"),
		keymap.Palette, keymap.Help, keymap.Find, keymap.Reset.As("reset all"), keymap.Quit)
	withoutGap := slices.DeleteFunc(slices.Clone(hints), func(h keymap.Hint) bool { return h.Action == NextGap })
	s.keys = keys{
		own: own, groups: []*keymap.Group{own, gaps, request, paste, copies},
		seen:  &keymap.Layer{Groups: []*keymap.Group{gaps, own}, Hints: hints, Paste: s.pasteUnasked},
		lists: &keymap.Layer{Groups: []*keymap.Group{gaps, own}, Hints: withoutGap, Paste: s.pasteUnasked},
		request: &keymap.Layer{Groups: []*keymap.Group{request}, Type: s.typeRequest,
			Hints: keymap.Hints(keymap.Open.As("ask"), keymap.Back, AnswerDown.As("answer"), keymap.Down.After(keymap.Up, "requests"), keymap.Palette, keymap.Help)},
		paste: &keymap.Layer{Groups: []*keymap.Group{paste}, Type: s.typePaste,
			Hints: keymap.Hints(keymap.Open, keymap.Back, keymap.Palette, keymap.Help)},
	}
}

// Groups returns the keys for help, palette and the menu of what can be copied.
func (s *Screen) Groups() []*keymap.Group { return s.keys.groups }

// Layer returns the keys of what is typed into, else those of the view.
func (s *Screen) Layer() *keymap.Layer {
	switch {
	case s.typing == typingRequest:
		return s.keys.request
	case s.typing == typingPaste:
		return s.keys.paste
	case s.view == viewSeen:
		return s.keys.seen
	}
	return s.keys.lists
}

// key returns the key of an action as texts name it.
func (s *Screen) key(a keymap.Action) string { return s.keys.own.Binding(a).Help().Key }

// turnsNothing returns why the keys that turn change nothing.
func (s *Screen) turnsNothing() string {
	if s.turns() == "" {
		return "nothing to turn: the keys are not in the knobs, and there is no other result"
	}
	return ""
}

// typeRequest edits the request that is typed.
func (s *Screen) typeRequest(k tea.KeyMsg) tea.Cmd {
	s.changes++
	s.field.Key(k)
	return nil
}
