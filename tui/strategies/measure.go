package strategies

import (
	"context"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/selection"
	"caliper/tui/screen"
	"caliper/tui/ui"
)

// measureAtOnce is the most questions, messages times tools, that a view
// measures as soon as it is shown. What asks more begins when it is asked for.
const measureAtOnce = 50_000_000

// sample is the data that a job measures the strategies on.
type sample struct {
	selector *selection.Selector
	turns    string // of the conversation, a line each; empty for the labelled queries
}

// measured is the results of the jobs.
type measured struct {
	rows    []selection.Row // of all labelled queries
	points  []selection.Point
	threads []selection.Thread
}

// measures reports whether the view shows what a job of its own measures.
func (v view) measures() bool { return v == viewLabelled || v == viewPareto || v == viewConversation }

// verb names the work of a view's job.
func (v view) verb() string {
	return [viewCount]string{viewLabelled: "measuring", viewPareto: "measuring every K", viewConversation: "selecting"}[v]
}

// sampleSize returns how many messages the view measures.
func (s *Screen) sampleSize() int {
	if s.view() == viewConversation {
		return len(s.messages)
	}
	return len(s.state.Queries)
}

// isMeasured reports whether a view shows what was measured with the settings as they are.
func (s *Screen) isMeasured(v view) bool {
	j := &s.measuring[v]
	return j.Begun && j.Of.selector == s.selector && !j.Running && !j.Waits()
}

// measure begins the job of the view once the index is made, unless it is done or begun. The table
// of the strategies shows the recall of the labelled queries, unless measuring that takes long.
func (s *Screen) measure() tea.Cmd {
	v := s.view()
	if v == viewComparison && !s.takesLong() {
		v = viewLabelled
	}
	j := &s.measuring[v]
	if !v.measures() || s.indexing.Running || s.selecting.Of != s.state || s.sampleSize() == 0 || j.Begun && j.Of == s.sample() {
		return nil
	}
	return s.beginMeasuring(v, false)
}

// takesLong reports whether measuring begins when it is asked for.
func (s *Screen) takesLong() bool {
	return len(s.selector.Candidates())*s.sampleSize() > measureAtOnce
}

// sample returns what the job of the view is to measure on.
func (s *Screen) sample() sample {
	x := sample{selector: s.selector}
	if s.view() == viewConversation {
		x.turns = strings.Join(s.messages, "\n")
	}
	return x
}

// beginMeasuring begins the job of a view, unless that takes long and nobody has asked.
func (s *Screen) beginMeasuring(v view, asked bool) tea.Cmd {
	j, of := &s.measuring[v], s.sample()
	if !asked && s.takesLong() {
		j.Hold(of)
		return nil
	}
	queries := s.state.Queries
	return j.Start(s.host.Context(), of, func(ctx context.Context, progress ui.Progress) (found measured, err error) {
		switch v {
		case viewLabelled:
			found.rows, err = of.selector.Compare(ctx, queries, progress)
		case viewPareto:
			found.points, err = of.selector.Pareto(ctx, queries, progress)
		case viewConversation:
			found.threads, err = of.selector.Converse(ctx, strings.Split(of.turns, "\n"), progress)
		}
		return found, err
	})
}

// progress tells how far the work is, empty when it is done.
func (s *Screen) progress() string {
	narrow := s.W < 60
	switch {
	case s.isSilent():
		return "no answer yet"
	case s.waking:
		return s.wakingText()
	case s.indexing.Running:
		return screen.Progress(s.indexing.Status, "indexing", narrow)
	case s.sampleSize() == 0:
		return ""
	}
	return screen.Progress(s.measuring[s.view()].Status, s.view().verb(), narrow)
}
