package strategies

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine"
	"caliper/engine/labels"
	"caliper/engine/selection"
	"caliper/model"
	"caliper/tui/screen"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// longestMessage bounds a message, in characters.
const longestMessage = 4 << 10

// message returns the message that is selected for: the one that is typed, else
// the one that the assembly of every screen is for. While neither is given, this
// screen tries the query of Explore, which changes nothing elsewhere.
func (s *Screen) message() string {
	switch given := s.host.Input.Flags.Message; {
	case s.editing:
		return s.field.Value()
	case given == "" && s.visible:
		return s.host.Case().Query
	default:
		return given
	}
}

// typeMessage gives the message the keyboard. It is selected as a whole: a typed letter
// replaces it, and a key that moves the cursor keeps it.
func (s *Screen) typeMessage() {
	if !s.editing {
		s.field.Prefill(s.message())
		s.editing = true
	}
}

// leaveMessage ends the typing.
func (s *Screen) leaveMessage() {
	if s.editing {
		s.editing, s.typed = false, true
		s.options.Remember(s.field.Value())
	}
}

// mostTurns bounds how many turns a conversation has here.
const mostTurns = 100

// addTurn makes the message the last turn of the conversation.
func (s *Screen) addTurn() tea.Cmd {
	message := ui.OneLine(s.message())
	switch {
	case message == "":
		return s.host.Notify(ui.LevelInfo, "no message to add: "+s.KeyOf(Message)+" types one")
	case len(s.messages) == mostTurns:
		return s.host.Notify(ui.LevelWarn, "a conversation has at most "+ui.Count(mostTurns, "turn")+" here")
	}
	s.messages = append(slices.Clip(s.messages), message)
	return s.host.Notify(ui.LevelInfo, ui.Count(len(s.messages), "turn")+" in the conversation")
}

// turnsBefore returns the turns of the conversation that come before the
// message. When the last turn has the text of the message, it is the message
// itself, which was just added.
func (s *Screen) turnsBefore() []string {
	if n := len(s.messages); n > 0 && s.messages[n-1] == ui.OneLine(s.message()) {
		return s.messages[:n-1]
	}
	return s.messages
}

// needs returns the needs of the message, by groups of names where any one
// will do: the groups of the labelled query that says the same, else the tool
// that is expected of it in Explore; nil when neither is there.
func (s *Screen) needs() [][]string {
	message, c := ui.OneLine(s.message()), s.host.Case()
	if message == "" {
		return nil
	}
	if q := labelledAs(s.state, message); q != nil {
		return q.Needs()
	}
	if c.Expected != "" && ui.OneLine(c.Query) == message {
		return [][]string{{c.Expected}}
	}
	return nil
}

// labelledAs returns the labelled query that says the same as a message of one line, nil for none.
func labelledAs(state *workbench.State, message string) *labels.Query {
	for i := range state.Queries {
		if q := &state.Queries[i]; ui.OneLine(q.Text) == message {
			return q
		}
	}
	return nil
}

// viaSearch stands for an expected tool that the model can only search for.
const viaSearch = "via search"

// met tells whether a selection sends what the message needs, or has it within reach.
func (s *Screen) met(x *selection.Selection, needs [][]string) (text string, in bool) {
	if len(needs) == 0 || x == nil {
		return s.glyphs.Same, false
	}
	sent := map[string]bool{}
	for _, t := range x.Tools {
		sent[t.Tool.Name], sent[t.Tool.Qualified] = true, true
	}
	met, later := 0, 0
	for _, group := range needs {
		switch {
		case slices.ContainsFunc(group, func(name string) bool { return sent[name] }):
			met++
		case (x.Bridge || x.Strategy == selection.Lazy) && slices.ContainsFunc(group, func(name string) bool {
			snapshot := s.answer.state.Snapshot
			return slices.ContainsFunc(snapshot.Registry.Lookup(name), func(t *model.Tool) bool { return granted(snapshot, t) })
		}):
			later++
		}
	}
	switch {
	case met == len(needs):
		return "sent", true
	case len(needs) > 1:
		return ui.Thousands(met) + "/" + ui.Thousands(len(needs)) + " sent", false
	case later > 0:
		return viaSearch, false
	}
	return "not sent", false
}

// granted reports whether the session can be sent a tool.
func granted(snapshot *engine.Snapshot, t *model.Tool) bool {
	status := snapshot.Status(t)
	return status == engine.Sent || status == engine.Deferred
}

// Asked returns the message, and the first tool that it needs. The screen shows itself what
// another tool changes where there is a message, and no labelled query that says the same
// tells what it needs.
func (s *Screen) Asked() (q screen.Question, ok bool) {
	if s.state == nil {
		return q, true
	}
	q.Query, q.Shown = s.message(), s.message() != "" && labelledAs(s.state, ui.OneLine(s.message())) == nil
	if needs := s.needs(); len(needs) > 0 {
		if bearers := s.state.Snapshot.Registry.Lookup(needs[0][0]); len(bearers) > 0 {
			q.Tool = bearers[0]
		}
	}
	return q, true
}
