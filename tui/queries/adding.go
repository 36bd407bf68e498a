package queries

import (
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/labels"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/model/words"
	"caliper/tui/screen"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

const (
	longestQuery = 4 << 10 // characters that can be typed
	offered      = 20      // tools that are offered for a query before a name is typed
	named        = 12      // tools that are offered for a typed name
)

// label asks for a query, beginning with the selected row's, and for the tool that answers it.
func (s *Screen) label() tea.Cmd {
	if s.state == nil {
		return s.host.Notify(ui.LevelInfo, "the tools are still being read")
	}
	asked, _ := s.Asked()
	query := asked.Query
	if query == "" {
		query = s.host.Case().Query
	}
	var closed func()
	closed = s.host.AskText(screen.TextQuestion{
		Title: "label a query", Empty: "what would a user ask for?", Text: ui.OneLine(query), Longest: longestQuery, Note: s.becomes,
		Take: func(text string) tea.Cmd {
			query := ui.OneLine(text)
			if query == "" {
				return s.host.Notify(ui.LevelInfo, "type the query first: what would a user ask for?")
			}
			known := workbench.FindLabel(s.state.Queries, query)
			byName := s.state.Snapshot.ByName()
			var choices []ui.Choice
			has := func(t *model.Tool) bool {
				return slices.ContainsFunc(choices, func(c ui.Choice) bool { return c.ID == t.Qualified })
			}
			for i, h := range s.state.Snapshot.Unasked().Search(query, 0, offered).Hits {
				choices = append(choices, choiceOf(h.Tool, known, "rank "+strconv.Itoa(i+1)))
			}
			for _, t := range byName {
				if len(choices) >= offered {
					break
				}
				if !has(t) {
					choices = append(choices, choiceOf(t, known, "no hit"))
				}
			}
			list := s.host.Choose("which tool answers "+workbench.ShownQuery(query)+"?", choices, false, func(name string) tea.Cmd {
				closed()
				t := s.state.Snapshot.Registry.Named(name)
				if t == nil { // the registry was read again
					return s.host.Notify(ui.LevelInfo, "the tool is gone")
				}
				s.sought = query
				return s.host.Send(screen.Label{Query: query, Tool: t})
			})
			list.More = func(typed string) (more []ui.Choice) {
				parts := strings.Fields(strings.ToLower(typed))
				for _, t := range byName {
					name := strings.ToLower(t.Qualified)
					lacks := slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(name, part) })
					if len(parts) > 0 && len(more) < named && !lacks && !has(t) {
						more = append(more, choiceOf(t, known, ""))
					}
				}
				return more
			}
			return nil
		},
	})
	return nil
}

// becomes tells what labelling a query changes in the file.
func (s *Screen) becomes(query string) string {
	if ui.OneLine(query) == "" {
		return "enter goes on to the tool that answers it"
	}
	if q := workbench.FindLabel(s.state.Queries, query); q != nil {
		shown := make([]string, len(q.Relevant))
		for i, name := range q.Relevant {
			shown[i] = safetext.Line(name)
		}
		return "adds a tool to " + safetext.Line(q.ID) + ", which has " + words.And(shown) + "; enter goes on to the tool"
	}
	return "new query; enter goes on to the tool that answers it"
}

// choiceOf returns the row of a tool, marked where the known query has it; known may be nil.
func choiceOf(t *model.Tool, known *labels.Query, note string) ui.Choice {
	has := known != nil && (slices.Contains(known.Relevant, t.Name) || slices.Contains(known.Relevant, t.Qualified))
	if has {
		note = strings.TrimSpace("labelled " + note)
	}
	return ui.Choice{ID: t.Qualified, Label: t.ShownName, Note: note, Current: has}
}
