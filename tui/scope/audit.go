package scope

import (
	"context"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine"
	"caliper/tui/ui"
)

// sameInputs reports whether two snapshots have the same registry, tokenizer, message and gates.
func sameInputs(a, b *engine.Snapshot) bool {
	return a.Registry == b.Registry && a.Tokenizer == b.Tokenizer && a.Message() == b.Message() &&
		slices.Equal(a.WithoutGates(), b.WithoutGates())
}

// sameAudit reports whether two snapshots have the same audit:
// they differ at most in the threshold and the context, which decide nothing but
// whether sessions search, and the decision is the same for every session.
func sameAudit(ctx context.Context, a, b *engine.Snapshot) bool {
	if a == nil || !sameInputs(a, b) {
		return false
	}
	x, y := a.Config, b.Config
	x.ToolSearch.ThresholdPct, x.ContextLength, x.Model = y.ToolSearch.ThresholdPct, y.ContextLength, y.Model
	if !reflect.DeepEqual(x, y) {
		return false
	}
	flips, err := engine.Flips(ctx, a, b)
	return err == nil && len(flips) == 0
}

// auditAtOnce is the most questions, sessions times tools, of an audit that begins
// by itself. A larger one takes many seconds and begins when it is asked for.
const auditAtOnce = 2_000_000

// Start begins the audit of the state, unless there is one already or it takes too
// long to begin unasked. Another screen may be shown meanwhile, because the header
// shows violations.
func (s *Screen) Start(bool) tea.Cmd {
	if tool := s.host.Case().Tool; tool != s.tool {
		s.tool, s.fromMatrix = tool, false
	}
	if s.state == nil || s.done || s.auditing.Begun && s.auditing.Of == s.state {
		return nil
	}
	if len(s.state.Snapshot.Registry.Tools)*len(s.state.Snapshot.Config.Sessions) > auditAtOnce {
		s.auditing.Hold(s.state)
		return nil
	}
	return s.begin()
}

// begin begins the audit of the state. The result is the last audit where that is
// an audit of this state too. A new one runs on one core, and searches for the tools whose scope has changed since the last audit.
func (s *Screen) begin() tea.Cmd {
	bench, state, last, audited := s.host.Bench, *s.state, s.audit, s.audited
	return s.auditing.Start(s.host.Context(), s.state, func(ctx context.Context, progress ui.Progress) (found, error) {
		if sameAudit(ctx, audited, state.Snapshot) {
			return found{last, newTable(state.Snapshot.Registry, last)}, nil
		}
		audit, err := bench.Audit(ctx, state, engine.Auditing{Earlier: last, Progress: progress, Pause: runtime.Gosched})
		if err != nil {
			return found{}, err
		}
		table := newTable(state.Snapshot.Registry, audit)
		if len(state.Snapshot.Registry.Tools) >= large {
			debug.FreeOSMemory()
		}
		return found{audit, table}, nil
	})
}

// large is how many tools leave so much garbage, by being loaded and audited, that it is given back to the system at
// once: an explorer that waits allocates too little for a collection.
const large = 4096
