package strategies

import (
	"slices"
	"strings"

	"caliper/engine/selection"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/tui/ui"
)

// conversationColumns returns the columns of the strategies over the turns.
func (s *Screen) conversationColumns(t *ui.Theme, w int) []ui.Column {
	of := func(style ui.Style, text func(x *selection.Thread) string) func(int) (ui.Style, string) {
		return func(row int) (ui.Style, string) { return style, text(&s.measured.threads[row]) }
	}
	name := ui.Column{Head: "  strategy", Width: 14, Left: true, Cell: func(row int) (ui.Style, string) {
		x := &s.measured.threads[row]
		if x.Strategy.Ranks() && x.Sticky != s.state.Config.PreSelection.Sticky {
			return t.Text, "  " + s.strategyName(x.Strategy)
		}
		return s.strategyCell(t, x.Strategy)
	}}
	sticky := ui.Column{Head: "picks", Width: 8, Cell: of(t.Text, func(x *selection.Thread) string {
		switch {
		case !x.Strategy.Ranks():
			return t.Same
		case x.Sticky:
			return "yes"
		}
		return "no"
	})}
	tokens := ui.Column{Head: "tokens", Width: 9, Cell: of(t.Number, func(x *selection.Thread) string { return ui.Thousands(x.SchemaTokens) })}
	lost := ui.Column{Head: "lost", Width: 8, Cell: func(row int) (ui.Style, string) {
		if n := s.measured.threads[row].LostTokens; n > 0 {
			return t.Warn, ui.Thousands(n)
		}
		return t.Ok, "0"
	}}
	if w < 44 {
		name.Width, sticky.Width, sticky.Head = 12, 7, "picks"
		return ui.FitColumns(w, 14, []ui.Column{name, sticky, tokens, lost})
	}
	return ui.FitColumns(w, 18, []ui.Column{name, sticky, tokens, lost,
		{Head: "picks", Width: 8, Cell: of(t.Text, func(x *selection.Thread) string { return ui.Percent(100 * x.Kept) })},
		{Head: "last", Width: 11, Cell: of(t.Text, func(x *selection.Thread) string {
			return ui.Count(len(x.Turns[len(x.Turns)-1].Selection.Tools), "tool")
		})},
	})
}

// conversationBelow returns what each turn adds and drops, and what of the cache it loses.
func (s *Screen) conversationBelow(t *ui.Theme, w int) ui.Lines {
	row, _ := s.Row(int(viewConversation))
	x := &s.measured.threads[row]
	heading := s.strategyName(x.Strategy)
	if x.Strategy.Ranks() {
		heading += map[bool]string{true: ", picks kept", false: ", picks not kept"}[x.Sticky]
	}
	lines := make([]string, 0, 3*len(x.Turns))
	for i, turn := range x.Turns {
		sel := &turn.Selection
		lost := ui.Phrase{Style: t.Faint, Text: "nothing cached is lost"}
		if turn.LostTokens > 0 {
			lost = ui.Phrase{Style: t.Warn, Text: ui.Thousands(turn.LostTokens) + " cached tok lost"}
		}
		if i == 0 {
			lost = ui.Phrase{}
		}
		head := []ui.Phrase{{Style: t.Name, Text: ui.Thousands(i+1) + " " + safetext.Line(sel.Message)}, {Style: t.Number, Text: sentText(sel)}}
		if lost.Text != "" {
			head = append(head, lost)
		}
		lines = append(lines, ui.Flow(w, 1, head)...)
		moved := func(style ui.Style, sign string, tools []*model.Tool) {
			if len(tools) == 0 || !x.Strategy.Ranks() {
				return
			}
			const most = 8
			var names []string
			for _, tool := range tools[:min(len(tools), most)] {
				names = append(names, tool.ShownName)
			}
			list := strings.Join(names, ", ")
			if more := len(tools) - most; more > 0 {
				list += " and " + ui.Thousands(more) + " more"
			}
			lines = append(lines, ui.Flow(w, 3, []ui.Phrase{{Style: style, Text: sign + ui.Thousands(len(tools)) + " " + list}})...)
		}
		moved(t.Added, "+", turn.Added)
		moved(t.Removed, "-", turn.Dropped)
		for _, n := range sel.Notes {
			if i > 0 && slices.Contains(x.Turns[i-1].Selection.Notes, n) {
				continue // it goes on
			}
			lines = append(lines, ui.Flow(w, 3, []ui.Phrase{{Style: t.Warn, Text: n.Text}})...)
		}
	}
	return ui.DrawnLines(heading, ui.Count(len(x.Turns), "turn"), lines)
}
