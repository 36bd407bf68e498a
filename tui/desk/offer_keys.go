package desk

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/tui/ui"
)

// The actions that only the offer has.
const (
	Check    ui.Action = "check"
	CheckAll ui.Action = "check all"
	OpenDemo ui.Action = "demo"
	InFull   ui.Action = "in full"
)

// longestFilter is the longest text of the filter, in characters.
const longestFilter = 200

// longestText is more lines than a text of this screen has.
const longestText = 1 << 20

// enterHint returns what enter does now.
func (s *Offer) enterHint() string {
	switch n := len(s.chosen()); {
	case s.asking.Running:
		return "go on with those listed"
	case n == 0 && s.row().kind == demoRow:
		return "open the demo"
	case n == 0 && s.row().kind == logsRow:
		return "replay the logs"
	case n == 0 && s.row().kind == lastRow:
		return "open these files"
	case s.answer != nil && s.answer.Registry != "":
		return "open " + ui.Count(s.answer.Tools, "tool")
	case n > 0:
		return "ask " + ui.Count(n, "server")
	}
	return "open"
}

// openHelp shows what this screen is for, and its keys.
func (s *Offer) openHelp() {
	s.read("help", func() []string {
		lines := []string{
			"These configurations were found on this machine. They were read, and nothing was started.",
			"Check the servers whose tools you want to see. Enter starts them, one after the other or a few at once, asks them for their tools and for nothing else, and ends them. " +
				"What they list is written to a registry in caliper's own folder, not into your project, and opened.",
			"The files of earlier runs are opened again as they are now; what was tried on them is tried again.",
			"Logs of agents are offered where there are some: replay reads them, and nothing else.",
			"The demo is the registry of an invented boat hire: it starts nothing.", "",
		}
		for _, g := range s.layer.Groups {
			for i := range g.Bindings {
				b := &g.Bindings[i]
				lines = append(lines, ui.Pad(b.Help().Key, helpKey)+b.Help().Desc)
			}
		}
		return lines
	})
}

// helpKey is the width of a key in the help.
const helpKey = 10

// read opens a box with lines that are wrapped to its width.
func (s *Offer) read(title string, text func() []string) {
	s.filter, s.filtering, s.title = ui.NewField(longestFilter, ""), false, title
	s.help = &ui.Reader{Title: title, Text: func(t *ui.Theme, w int) ([]string, int) {
		inner := min(w, longestLine)
		var lines []string
		var l ui.Line
		for _, paragraph := range text() {
			line := strings.ToLower(paragraph)
			if slices.ContainsFunc(strings.Fields(strings.ToLower(s.filter.Value())), func(word string) bool { return !strings.Contains(line, word) }) {
				continue
			}
			wrapped := ui.Wrap(paragraph, inner)
			if len(wrapped) == 0 {
				wrapped = []string{""}
			}
			for _, line := range wrapped {
				l.Start(inner)
				l.Text(t.Text, line)
				lines = append(lines, l.End())
			}
		}
		if len(lines) == 0 {
			l.Start(inner)
			l.Text(t.Faint, "no line has these words")
			lines = append(lines, l.End())
		}
		return lines, inner
	}}
}

// longestLine is the widest that texts are wrapped.
const longestLine = 92

// click runs the hint at a cell, or checks the server of the row at it.
func (s *Offer) click(x, y int) tea.Cmd {
	if s.help != nil {
		s.help = nil
		return nil
	}
	if y == s.footer {
		for _, h := range s.hints {
			if x >= h.From && x < h.To {
				return s.run(h.Binding)
			}
		}
		return nil
	}
	before := s.cursor
	again, ok := s.cursor.Press(s.listed(), y-s.list)
	switch r := s.row(); {
	case !ok:
	case r.kind == fileRow:
		s.cursor = before
	case r.kind == serverRow:
		return s.run(s.layer.Binding(Check))
	case again:
		s.decided = r.decides()
	}
	return nil
}

// Layer returns the keys that work now.
func (s *Offer) Layer() *ui.Layer {
	switch {
	case s.help != nil && s.filtering:
		return s.filterLayer
	case s.help != nil:
		return s.reading
	}
	return s.layer
}
