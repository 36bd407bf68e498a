package strategies

import (
	"slices"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/model/safetext"
	"caliper/tui/ui"
)

// The actions of the screen alone.
const (
	Message  ui.Action = "type the message"
	AddTurn  ui.Action = "add the message as a turn"
	DropTurn ui.Action = "delete the last turn"
	Core     ui.Action = "choose the always-sent tools"
)

// keys are the keys of the screen, and the layers they work in.
type keys struct {
	browsing, message *ui.Group
	browse            *ui.Layer
	tuning            *ui.Layer // while the knobs have the keys: the same, and hints of knobs only
	typing            *ui.Layer // while the message is typed
}

// bind declares the keys.
func (s *Screen) bind(g ui.Glyphs) {
	changes := func(do func() tea.Cmd) func() tea.Cmd {
		return func() tea.Cmd {
			return do()
		}
	}
	k := &s.keys
	k.browsing = &ui.Group{Title: "Strategies", Bindings: []ui.Binding{
		ui.Bind(ui.Open, "enter", "bytes, and back", "", "enter").Does(changes(s.open)).Says(s.opens).Unless(ui.When(func() bool { return s.opens() == "" }, "nothing to open here")),
		ui.Bind(Message, "e", "type the message; a cursor key keeps the last one", "Type the message of the strategies", "e").Runs(s.typeMessage).Unless(s.notLoaded),
		ui.Bind(AddTurn, "+", "add the message to the conversation", "Add the message to the conversation", "+").Does(changes(s.addTurn)).Unless(s.notLoaded),
		ui.Bind(DropTurn, "d", "delete the last turn", "Delete the last turn of the conversation", "d").Does(changes(s.dropTurn)).Unless(ui.When(func() bool { return len(s.messages) == 0 }, "the conversation has no turns")).Asks(func() string {
			return s.key(DropTurn) + " again deletes turn " + strconv.Itoa(len(s.messages)) + ": " + ui.Truncate(safetext.Line(ui.OneLine(s.messages[len(s.messages)-1])), 40)
		}),
		ui.Bind(Core, "A", "choose the always-sent tools", "Choose the tools that are always sent", "A").Does(changes(s.pickCore)).Unless(s.notLoaded),
		ui.Bind(ui.Less, g.Left+" h", "turn the knob down, or the strategy before", "Turn the knob down", "left", "h").Does(changes(func() tea.Cmd { return s.turn(-1) })).Unless(s.nothingToTurn),
		ui.Bind(ui.More, g.Right+" l", "turn the knob up, or the next strategy", "Turn the knob up", "right", "l").Does(changes(func() tea.Cmd { return s.turn(1) })).Says(s.turns).Unless(s.nothingToTurn),
		ui.Bind(ui.Find, "/", "filter", "", "/").Runs(func() { s.host.Find(s.filter) }).Unless(s.noFilter),
	}}
	k.message = &ui.Group{Title: "Message of the strategies", Where: "in the message", Bindings: []ui.Binding{
		ui.Bind(ui.Open, "enter", "keep", "", "enter").Runs(s.leaveMessage),
		ui.Bind(ui.Back, "esc", "leave", "", "esc").Does(s.host.Back),
	}}
	hints := ui.Hints(
		ui.Down.After(ui.Up, "rows"), ui.Next, ui.Open.As("bytes"), Message.As("message"), ui.View.As("view"), ui.Expect.As("expected tool"),
		ui.More.After(ui.Less, "value"), AddTurn.As("add turn"), DropTurn.As("delete turn"), Core.As("always sent"),
		ui.Palette, ui.Help, ui.Find, ui.Reset.As("reset all"), ui.Session, ui.Quit)
	ofKnobs := slices.DeleteFunc(slices.Clone(hints), func(h ui.Hint) bool { return h.Action == AddTurn || h.Action == DropTurn })
	k.browse = &ui.Layer{Groups: []*ui.Group{k.browsing}, Hints: hints}
	k.tuning = &ui.Layer{Groups: []*ui.Group{k.browsing}, Hints: ofKnobs}
	k.typing = &ui.Layer{Groups: []*ui.Group{k.message}, Hints: ui.Hints(ui.Open, ui.Back, ui.Next, ui.Palette, ui.Help),
		Type: func(key tea.KeyMsg) tea.Cmd {
			if _, changed := s.field.Key(key); changed && s.filter != "" {
				filter := s.filter
				s.filter = ""
				return s.host.Notify(ui.LevelInfo, "the new message drops the filter /"+safetext.Line(filter))
			}
			return nil
		}}
}

// Layer returns the keys of what has the keyboard.
func (s *Screen) Layer() *ui.Layer {
	switch {
	case s.editing:
		return s.keys.typing
	case s.state != nil && s.Focused() == ui.AreaKnobs:
		return s.keys.tuning
	}
	return s.keys.browse
}

// Groups returns the keys for help and palette.
func (s *Screen) Groups() []*ui.Group { return []*ui.Group{s.keys.browsing, s.keys.message} }

// notLoaded tells why nothing can be done yet.
func (s *Screen) notLoaded() string {
	if s.state == nil {
		return "nothing is loaded yet"
	}
	return ""
}

// nothingToTurn tells why turn would do nothing.
func (s *Screen) nothingToTurn() string {
	switch {
	case s.state == nil:
		return s.notLoaded()
	case s.turns() != "":
		return ""
	case s.onCoreKnob():
		return "enter chooses the always-sent tools"
	}
	if s.W == 0 { // it was never drawn: nobody knows which areas it will have
		return "it turns the values of the knobs"
	}
	if s.view() != viewTuning && !s.Wide() {
		return "v goes to the knobs"
	}
	return "tab goes to the knobs"
}

// key returns the key of an action as help writes it.
func (s *Screen) key(a ui.Action) string { return s.keys.browsing.Binding(a).Help().Key }

// glossed are the words of the glossary that the views print.
var glossed = [viewCount][]string{
	viewComparison:   {"strategy", "expected", "recall@5", "selection", "eager", "lazy", "tool search", "keyword", "semantic", "hybrid", "K", "cache stable", "extra round trips", "via search", "sent", "below cutoff"},
	viewTuning:       {"knob", "K", "always-sent tools", "embedder", "fuzzy", "RRF k", "picks", "WHAT IF"},
	viewBytes:        {"sent", "prompt cache", "always-sent tools", "bridge", "token"},
	viewLabelled:     {"labelled query", "recall@5", "wording", "complete@5", "via search", "extra round trips", "expected tool"},
	viewPareto:       {"trade-off", "recall@5", "wording", "K", "token"},
	viewConversation: {"turn 1", "picks", "prompt cache", "cache stable", "mentioned"},
}

// Words returns the setting of the knob under the cursor or the selected strategy,
// and the labels of the view.
func (s *Screen) Words() (here, pane []string) {
	switch {
	case s.state == nil:
	case s.Focused() == ui.AreaKnobs:
		k := selectionKnobs[s.Knob]
		return []string{k.Key, k.Label}, glossed[viewTuning]
	case s.view() == viewComparison && s.Focused() == ui.AreaList:
		here = []string{s.strategyName(s.chosen())}
	}
	return here, glossed[s.view()]
}
