package explore

import (
	"fmt"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine"
	"caliper/model/safetext"
	"caliper/tui/desk"
	"caliper/tui/ui"
)

// The most that the why pane shows of what labelled queries taught of a tool.
const (
	shownWords   = 12
	shownLessons = 24
)

// taught returns what labelled queries taught of the selected tool.
func (s *Screen) taught() engine.Taught {
	if s.state == nil || s.Tool() == nil {
		return engine.Taught{}
	}
	taught, _ := s.state.Snapshot.Taught(s.Tool())
	return taught
}

// noForget returns why no labelled query can be forgotten; empty when one can.
func (s *Screen) noForget() string {
	switch {
	case s.state == nil:
		return s.noState()
	case s.Tool() == nil:
		return s.noTool()
	}
	if _, ok := s.state.Snapshot.Taught(s.Tool()); !ok {
		return "the ranker learns nothing; learned does, from labelled queries"
	}
	if len(s.taught().Lessons) == 0 {
		return "no labelled query names this tool"
	}
	return ""
}

// forget deletes a labelled query that taught something of the selected tool.
func (s *Screen) forget() tea.Cmd {
	lessons := s.taught().Lessons
	if len(lessons) == 1 {
		return s.host.Send(desk.Forget(lessons[0]))
	}
	var choices []ui.Choice
	for i, l := range lessons {
		choices = append(choices, ui.Choice{ID: strconv.Itoa(i), Label: safetext.Line(l.Text), Note: safetext.Line(l.ID)})
	}
	s.host.Choose("forget which labelled query?", choices, false, func(id string) tea.Cmd {
		i, _ := strconv.Atoi(id)
		return s.host.Send(desk.Forget(lessons[i]))
	})
	return nil
}

// learnedBlock draws what labelled queries taught of the tool: its words with their
// weights, and the queries. It has no line where they taught nothing.
func (p *whyPane) learnedBlock(t *ui.Theme, w int) []string {
	if len(p.taught.Lessons) == 0 {
		return nil
	}
	lines := ui.Flow(w, 1, []ui.Phrase{
		{Style: t.Strong, Text: "learned"},
		{Style: t.Faint, Text: "from " + ui.LabelledQueries(len(p.taught.Lessons)) + "; d forgets one"},
	})
	lines = append([]string{""}, lines...)
	if p.gated != "" {
		lines = append(lines, ui.Flow(w, 1, []ui.Phrase{{Style: t.Faint, Text: p.gated}})...)
	}
	id := 0
	for _, l := range p.taught.Lessons[:min(len(p.taught.Lessons), shownLessons)] {
		id = max(id, ui.Width(safetext.Line(l.ID)))
	}
	id = min(id, w/4)
	row := func(left, middle, right string) {
		l := ui.StartLine(w, 1)
		l.Cell(t.Match, left, max(3, w/4))
		l.Gap(2)
		l.CellRight(t.Number, middle, 5)
		l.Gap(2)
		l.Text(t.Faint, right)
		lines = append(lines, l.End())
	}
	for i, word := range p.taught.Words {
		if i == shownWords {
			row(fmt.Sprintf("%d more", len(p.taught.Words)-i), "", "")
			break
		}
		from := ""
		for _, at := range word.Lessons {
			from += safetext.Line(p.taught.Lessons[at].ID) + " "
		}
		row(safetext.Line(word.Stem), fmt.Sprintf("%.2f", word.Weight), from)
	}
	for i, lesson := range p.taught.Lessons {
		l := ui.StartLine(w, 1)
		if i == shownLessons {
			l.Text(t.Faint, fmt.Sprintf("%d more", len(p.taught.Lessons)-i))
			lines = append(lines, l.End())
			break
		}
		l.Cell(t.Faint, safetext.Line(lesson.ID), id)
		l.Gap(2)
		l.Text(t.Text, safetext.Line(lesson.Text))
		lines = append(lines, l.End())
	}
	return lines
}
