package tui

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/selection"
	"caliper/model"
	"caliper/tui/cells"
)

// mostTurns bounds how many turns a conversation has here.
const mostTurns = 100

// addTurn makes the message the last turn of the conversation.
func (s *strategiesScreen) addTurn() tea.Cmd {
	a := s.app
	message := folded(s.message())
	switch {
	case message == "":
		return a.notices.show(levelInfo, "no message to add: "+a.keys.Strategies.Message.Help().Key+" types one")
	case len(s.messages) == mostTurns:
		return a.notices.show(levelWarn, "a conversation has at most "+plural(mostTurns, "turn")+" here")
	}
	s.messages = append(slices.Clip(s.messages), message)
	return a.notices.show(levelInfo, plural(len(s.messages), "turn")+" in the conversation")
}

// dropTurn takes the last turn away.
func (s *strategiesScreen) dropTurn() tea.Cmd {
	if len(s.messages) == 0 {
		return s.app.notices.show(levelInfo, "the conversation has no turns")
	}
	s.messages = slices.Clip(s.messages[:len(s.messages)-1])
	if len(s.messages) == 0 {
		s.jobs[workConversation].abandon()
		s.jobs[workConversation], s.threads = strategiesJob{}, nil
	}
	return s.app.notices.show(levelInfo, plural(len(s.messages), "turn")+" left in the conversation")
}

// conversationColumns are the columns of the strategies over the turns.
func (s *strategiesScreen) conversationColumns(t *Theme, w int) []column {
	of := func(style cells.Style, text func(x *selection.Thread) string) func(int) (cells.Style, string) {
		return func(row int) (cells.Style, string) { return style, text(&s.threads[row]) }
	}
	name := column{head: "  strategy", width: 14, left: true, cell: func(row int) (cells.Style, string) {
		x := &s.threads[row]
		if x.Strategy.Ranks() && x.Sticky != s.state.Config.PreSelection.Sticky {
			return t.Text, "  " + string(x.Strategy)
		}
		return s.strategyCell(t, x.Strategy)
	}}
	sticky := column{head: "sticky", width: 8, cell: of(t.Text, func(x *selection.Thread) string {
		switch {
		case !x.Strategy.Ranks():
			return t.Same
		case x.Sticky:
			return "yes"
		}
		return "no"
	})}
	tokens := column{head: "tokens", width: 9, cell: of(t.Number, func(x *selection.Thread) string { return thousands(x.SchemaTokens) })}
	lost := column{head: "lost", width: 8, cell: func(row int) (cells.Style, string) {
		if n := s.threads[row].LostTokens; n > 0 {
			return t.Warn, thousands(n)
		}
		return t.Ok, "0"
	}}
	if w < 44 {
		name.width, sticky.width, sticky.head = 12, 7, "sticky"
		return fitting(w, 14, []column{name, sticky, tokens, lost})
	}
	return fitting(w, 18, []column{name, sticky, tokens, lost,
		{head: "kept", width: 8, cell: of(t.Text, func(x *selection.Thread) string { return percent(100 * x.Kept) })},
		{head: "last", width: 11, cell: of(t.Text, func(x *selection.Thread) string {
			return plural(len(x.Turns[len(x.Turns)-1].Selection.Tools), "tool")
		})},
	})
}

// conversationBelow tells the turns under the selected strategy: what each
// adds and drops, and what of the prompt cache it throws away.
func (s *strategiesScreen) conversationBelow(t *Theme, w int) belowLines {
	if len(s.threads) == 0 {
		return linesOf("", "", nil)
	}
	x := &s.threads[max(0, min(s.lists[partConversation].cursor, len(s.threads)-1))]
	heading := string(x.Strategy)
	if x.Strategy.Ranks() {
		heading += map[bool]string{true: ", sticky", false: ", not sticky"}[x.Sticky]
	}
	lines := make([]string, 0, 3*len(x.Turns))
	for i, turn := range x.Turns {
		sel := &turn.Selection
		lost := phrase{t.Faint, "nothing cached is lost"}
		if turn.LostTokens > 0 {
			lost = phrase{t.Warn, thousands(turn.LostTokens) + " cached tok lost"}
		}
		if i == 0 {
			lost = phrase{}
		}
		head := []phrase{{t.Name, thousands(i+1) + " " + model.Sanitize(sel.Message)}, {t.Number, s.sentWords(sel)}}
		if lost.text != "" {
			head = append(head, lost)
		}
		lines = append(lines, flow(w, 1, head)...)
		for _, c := range []struct {
			style cells.Style
			sign  string
			tools []*model.Tool
		}{{t.Added, "+", turn.Added}, {t.Removed, "-", turn.Dropped}} {
			if len(c.tools) > 0 && x.Strategy.Ranks() {
				lines = append(lines, flow(w, 3, []phrase{{c.style, c.sign + thousands(len(c.tools)) + " " + toolList(c.tools)}})...)
			}
		}
		for _, n := range sel.Notes {
			if i > 0 && slices.Contains(x.Turns[i-1].Selection.Notes, n) {
				continue // it goes on
			}
			lines = append(lines, flow(w, 3, []phrase{{t.Warn, n.Text}})...)
		}
	}
	return linesOf(heading, plural(len(x.Turns), "turn"), lines)
}

// toolList names tools, the first ones.
func toolList(tools []*model.Tool) string {
	const most = 8
	var names []string
	for _, tool := range tools[:min(len(tools), most)] {
		names = append(names, tool.ShownName)
	}
	list := strings.Join(names, ", ")
	if more := len(tools) - most; more > 0 {
		list += " and " + thousands(more) + " more"
	}
	return list
}
