package results

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/tui/ui"
)

// The actions of Results alone.
const (
	Request    ui.Action = "type a request"
	Continue   ui.Action = "go on with a request"
	Clear      ui.Action = "clear the requests"
	NextGap    ui.Action = "go to what was left out"
	PrevGap    ui.Action = "go to what was left out before"
	OpenFile   ui.Action = "open a result"
	Source     ui.Action = "choose a result"
	SourceTool ui.Action = "choose the tool of a result"
	Paste      ui.Action = "paste a result"
	Keep       ui.Action = "keep the result in the store"
	AnswerUp   ui.Action = "scroll the answer up"
	AnswerDown ui.Action = "scroll the answer down"
)

// reloadKey is the key by which the explorer reads files again, the store among them.
const reloadKey = "R"

// bind declares the keys.
func (s *Screen) bind(g ui.Glyphs) {
	bind := ui.Bind
	turnsNothing := ui.When(func() bool { return s.turns() == "" }, "nothing to turn: the keys are not in the knobs, and there is no other result")
	own := &ui.Group{Title: "Results", Bindings: []ui.Binding{
		bind(ui.Open, "enter", "request, go on, or choose the tool", "", "enter").Does(s.open),
		bind(ui.Find, "/", "filter", "", "/").Runs(func() { s.host.Find(s.filter) }),
		bind(ui.Less, g.Left+" h", "result before, or turn the knob down", "Turn the knob down", "left", "h").
			Does(func() tea.Cmd { return s.turn(-1) }).Unless(turnsNothing),
		bind(ui.More, g.Right+" l", "next result, or turn the knob up", "Turn the knob up", "right", "l").
			Does(func() tea.Cmd { return s.turn(1) }).Says(s.turns).Unless(turnsNothing),
		bind(Request, "e", "type a request for a slice", "Type a request for a slice of the result", "e").Does(s.startRequest),
		bind(Continue, "m", "go on where the answer ended", "Go on where the answer ended", "m").Does(s.goOn).Unless(s.noNext),
		bind(Clear, "d", "delete the requests", "Delete the requests for slices", "d").Runs(func() {
			s.fetching.Abandon()
			s.requests = nil
			*s.Tabs[viewSlices].Cursor = ui.Cursor{}
			s.Below.Top = 0
		}).Unless(ui.When(func() bool { return len(s.requests) == 0 }, "there are no requests to delete")).Asks(func() string {
			return s.KeyOf(Clear) + " again deletes " + ui.Count(len(s.requests), "request")
		}),
		bind(OpenFile, "f", "open a file by its path", "Open a file as a result, by its path", "f").Does(s.askPath),
		bind(Source, "F", "choose the result", "Choose the result to look at", "F").Does(s.pick),
		bind(SourceTool, "o", "choose the tool it is of", "Choose the tool that the result is of", "o").Does(s.pickTool),
		bind(Paste, "p", "paste a result", "Paste a result", "p").Runs(func() { s.typing = typingPaste }),
		bind(Keep, "K", "keep it in the store", "Put the result into the store for the session", "K").Does(s.keep).Unless(s.notKept),
	}}
	noGaps := ui.When(func() bool { return s.source() == nil || !s.verdict.Rescue || len(s.verdict.Preview.Left) == 0 }, "nothing is left out")
	gaps := &ui.Group{Title: "What the model sees", Where: "in what the model sees", Bindings: []ui.Binding{
		bind(NextGap, ")", "next gap", "Go to the next place where something was left out", ")").Does(func() tea.Cmd { return s.showGap(1) }).Unless(noGaps),
		bind(PrevGap, "(", "previous gap", "Go to the place before where something was left out", "(").Does(func() tea.Cmd { return s.showGap(-1) }).Unless(noGaps),
	}}
	for _, g := range []*ui.Group{own, gaps} {
		for i, b := range g.Bindings {
			g.Bindings[i] = b.Unless(func() string {
				if s.state == nil {
					return "nothing is loaded yet"
				}
				return b.Disabled()
			})
		}
	}
	request := &ui.Group{Title: "Request for a slice", Where: "in the request for a slice", Bindings: []ui.Binding{
		bind(ui.Open, "enter", "ask; with no text, go on", "", "enter").Does(s.send),
		bind(ui.Up, g.Up, "request above", "", "up").Runs(func() { s.Move(-1) }),
		bind(ui.Down, g.Down, "request below", "", "down").Runs(func() { s.Move(1) }),
		bind(AnswerUp, "pgup", "page of the answer up", "", "pgup").Runs(func() { s.MoveIn(ui.AreaBelow, 1-s.BelowRoom) }),
		bind(AnswerDown, "pgdn", "page of the answer down", "", "pgdown").Runs(func() { s.MoveIn(ui.AreaBelow, s.BelowRoom-1) }),
		bind(ui.Back, "esc", "leave", "", "esc").Does(s.host.Back),
	}}
	paste := &ui.Group{Title: "Pasting a result", Where: "while a result is pasted", Bindings: []ui.Binding{
		bind(ui.Open, "enter", "use it", "", "enter").Does(s.usePaste),
		bind(ui.Back, "esc", "leave", "", "esc").Does(s.host.Back),
	}}
	copies := &ui.Group{Title: "Copying, after y", After: "y", Bindings: []ui.Binding{
		bind(ui.CopyModel, "m", "what the model sees", "Copy what the model sees", "m").Does(s.copySeen).Unless(s.noneSeen),
	}}

	hints := ui.Hints(
		ui.Down.After(ui.Up, "rows"), ui.Next.As("below"), Request.As("grep, range…"), NextGap.As("next gap"), ui.View.As("view"), Continue.As("go on"),
		ui.More.After(ui.Less, "value"), OpenFile.As("open file"), Source.As("results"), SourceTool.As("tool"), Paste.As("paste"),
		Keep.As("keep"), Clear.As("delete requests"),
		ui.Palette, ui.Help, ui.Find, ui.Reset.As("reset all"), ui.Quit)
	withoutGap := slices.DeleteFunc(slices.Clone(hints), func(h ui.Hint) bool { return h.Action == NextGap })
	s.All = []*ui.Group{own, gaps, request, paste, copies}
	seen := &ui.Layer{Groups: []*ui.Group{gaps, own}, Hints: hints, Paste: s.pasteUnasked}
	lists := &ui.Layer{Groups: []*ui.Group{gaps, own}, Hints: withoutGap, Paste: s.pasteUnasked}
	typing := &ui.Layer{Groups: []*ui.Group{request},
		Type: func(k tea.KeyMsg) tea.Cmd {
			s.field.Key(k)
			return nil
		},
		Hints: ui.Hints(ui.Open.As("ask"), ui.Back, AnswerDown.As("answer"), ui.Down.After(ui.Up, "requests"), ui.Palette, ui.Help)}
	pasting := &ui.Layer{Groups: []*ui.Group{paste}, Type: s.typePaste,
		Hints: ui.Hints(ui.Open, ui.Back, ui.Palette, ui.Help)}
	s.Pick = func() *ui.Layer {
		switch {
		case s.typing == typingRequest:
			return typing
		case s.typing == typingPaste:
			return pasting
		case s.view() == viewSeen:
			return seen
		}
		return lists
	}
}
