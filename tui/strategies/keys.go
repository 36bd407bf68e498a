package strategies

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/model/safetext"
	"caliper/tui/keymap"
	"caliper/tui/ui"
)

// The actions of the screen alone.
const (
	Message  keymap.Action = "type the message"
	AddTurn  keymap.Action = "add the message as a turn"
	DropTurn keymap.Action = "delete the last turn"
	Core     keymap.Action = "choose the always-sent tools"
)

// keys are the keys of the screen, and the layers they work in.
type keys struct {
	browsing, message *keymap.Group
	browse            *keymap.Layer
	tuning            *keymap.Layer // while the knobs have the keys: the same, and hints of knobs only
	typing            *keymap.Layer // while the message is typed
}

// bind declares the keys.
func (s *Screen) bind(g ui.Glyphs) {
	changes := func(do func() tea.Cmd) func() tea.Cmd {
		return func() tea.Cmd {
			s.changes++
			return do()
		}
	}
	k := &s.keys
	k.browsing = &keymap.Group{Title: "Strategies", Bindings: []keymap.Binding{
		keymap.Bind(keymap.Open, "enter", "bytes, and back", "", "enter").Does(changes(s.open)).Says(s.opens).Unless(s.nothingToOpen),
		keymap.Bind(Message, "e", "type the message; a cursor key keeps the last one", "Type the message of the strategies", "e").Runs(s.typeMessage).Unless(s.notLoaded),
		keymap.Bind(AddTurn, "+", "add the message to the conversation", "Add the message to the conversation", "+").Does(changes(s.addTurn)).Unless(s.notLoaded),
		keymap.Bind(DropTurn, "d", "delete the last turn", "Delete the last turn of the conversation", "d").Does(changes(s.dropTurn)).Unless(s.noTurns).Asks(s.dropAsks),
		keymap.Bind(Core, "A", "choose the always-sent tools", "Choose the tools that are always sent", "A").Does(changes(s.pickCore)).Unless(s.notLoaded),
		keymap.Bind(keymap.Less, g.Left+" h", "turn the knob down, or the strategy before", "Turn the knob down", "left", "h").Does(changes(func() tea.Cmd { return s.turn(-1) })).Unless(s.nothingToTurn),
		keymap.Bind(keymap.More, g.Right+" l", "turn the knob up, or the next strategy", "Turn the knob up", "right", "l").Does(changes(func() tea.Cmd { return s.turn(1) })).Says(s.turns).Unless(s.nothingToTurn),
		keymap.Bind(keymap.Find, "/", "filter", "", "/").Runs(func() { s.host.Find(s.filter) }).Unless(s.noFilter),
	}}
	k.message = &keymap.Group{Title: "Message of the strategies", Where: "in the message", Bindings: []keymap.Binding{
		keymap.Bind(keymap.Open, "enter", "keep", "", "enter").Runs(s.leaveMessage),
		keymap.Bind(keymap.Back, "esc", "leave", "", "esc").Runs(s.host.Back),
	}}
	hints := keymap.Hints(
		keymap.Down.After(keymap.Up, "rows"), keymap.Next, keymap.Open.As("bytes"), Message.As("message"), keymap.View.As("view"), keymap.Expect.As("expected tool"),
		keymap.More.After(keymap.Less, "value"), keymap.Save.As("save"), AddTurn.As("add turn"), DropTurn.As("delete turn"), Core.As("always sent"),
		keymap.Undo.As("undo"), keymap.Palette, keymap.Help, keymap.Find, keymap.Reset.As("reset all"), keymap.Session, keymap.Quit)
	ofKnobs := slices.DeleteFunc(slices.Clone(hints), func(h keymap.Hint) bool { return h.Action == AddTurn || h.Action == DropTurn })
	k.browse = &keymap.Layer{Groups: []*keymap.Group{k.browsing}, Hints: hints}
	k.tuning = &keymap.Layer{Groups: []*keymap.Group{k.browsing}, Hints: ofKnobs}
	k.typing = &keymap.Layer{Groups: []*keymap.Group{k.message}, Hints: keymap.Hints(keymap.Open, keymap.Back, keymap.Next, keymap.Palette, keymap.Help),
		Type: func(key tea.KeyMsg) tea.Cmd {
			s.changes++
			if _, changed := s.field.Key(key); changed && s.filter != "" {
				filter := s.filter
				s.filter = ""
				return s.host.Notify(ui.LevelInfo, "the new message drops the filter /"+safetext.Line(filter))
			}
			return nil
		}}
}

// Layer returns the keys of what has the keyboard.
func (s *Screen) Layer() *keymap.Layer {
	switch {
	case s.editing:
		return s.keys.typing
	case s.state != nil && s.Focused() == ui.AreaKnobs:
		return s.keys.tuning
	}
	return s.keys.browse
}

// Groups returns the keys for help and palette.
func (s *Screen) Groups() []*keymap.Group { return []*keymap.Group{s.keys.browsing, s.keys.message} }

// notLoaded says why nothing can be done yet.
func (s *Screen) notLoaded() string {
	if s.state == nil {
		return "nothing is loaded yet"
	}
	return ""
}

// nothingToOpen says why open would do nothing.
func (s *Screen) nothingToOpen() string {
	if s.opens() == "" {
		return "nothing to open here"
	}
	return ""
}

// noTurns says why no turn can be deleted.
func (s *Screen) noTurns() string {
	if len(s.messages) == 0 {
		return "the conversation has no turns"
	}
	return ""
}

// nothingToTurn says why turn would do nothing.
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
	if !slices.Contains(s.ViewAreas(), ui.AreaKnobs) && !s.Wide() {
		return "v goes to the knobs"
	}
	return "tab goes to the knobs"
}

// key returns the key of an action as help writes it.
func (s *Screen) key(a keymap.Action) string { return s.keys.browsing.Binding(a).Help().Key }
