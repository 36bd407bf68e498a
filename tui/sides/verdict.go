package sides

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/diff"
	"caliper/tui/ui"
)

// judgeAtOnce is the most tools of both states whose change is judged when its view is
// looked at; more are judged when the user asks.
const judgeAtOnce = 10_000

// The verdict on the change is caliper gate's: on the change from the state on the left to the other.

// decide judges the change when its view is looked at; asked starts work of any size.
func (s *Screen) decide(asked bool) tea.Cmd {
	if s.two == nil || s.two.Gate != nil || s.view != verdictView || s.judge.Running() || s.judge.Waits() && !asked {
		return nil
	}
	before, after := s.two.states[0], s.two.states[1]
	tools := len(before.Snapshot.Registry.Tools) + len(after.Snapshot.Registry.Tools)
	if !asked && (tools > judgeAtOnce || s.two.questions() > auditAtOnce) {
		s.judge.Hold(s.choice)
		return nil
	}
	bench, queries := s.host.Bench, before.Queries
	return s.judge.Start(s.host.Context(), s.choice, func(ctx context.Context, progress ui.Progress) (diff.GateResult, error) {
		return bench.JudgeChange(ctx, before, after, queries, diff.GateOptions{Progress: progress})
	})
}
