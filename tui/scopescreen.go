package tui

import (
	"context"
	"reflect"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine"
	"caliper/model"
	"caliper/tui/workbench"
)

// scopeScreen shows what every session reaches, as the audit found it by
// asking. Below the sessions it shows what the one under the cursor and the
// one in force do not share, or who can call the tool selected in Explore.
type scopeScreen struct {
	app     *App
	state   *workbench.State
	changes uint64

	gen     int // of the newest audit
	cancel  context.CancelFunc
	audit   engine.Audit
	done    bool // audit is of this state
	steps   [2]int
	toobig  bool   // the audit waits to be asked for
	rows    []int  // sessions in the order they are drawn, violations first
	session string // under the cursor, by name
	part    scopePart
	needle  string // filter of the sessions
	list    window
	below   window
}

// scopePart is what stands below the sessions.
type scopePart int

const (
	scopeCompare scopePart = iota
	scopeWho
	scopeParts
)

// auditAtOnce is up to how many questions an audit asks unasked: sessions
// times tools. Beyond, it takes seconds, and is started by a key.
const auditAtOnce = 200_000

// auditedMsg tells how an audit ended.
type auditedMsg struct {
	gen   int
	audit engine.Audit
	err   error
}

// auditStepMsg tells how far an audit is.
type auditStepMsg struct {
	gen         int
	done, total int
	more        <-chan [2]int
}

// show takes in a new state. The audit of the one before holds only for the
// same registry and configuration; it covers every session anyway.
func (s *scopeScreen) show(before, state *workbench.State) {
	s.done = s.done && before != nil && before.Snapshot.Registry == state.Snapshot.Registry &&
		before.Snapshot.Tokenizer == state.Snapshot.Tokenizer &&
		reflect.DeepEqual(before.Snapshot.Config, state.Snapshot.Config)
	s.state = state
	s.changes++
	s.order()
}

// begin starts the audit of the state, in the background, unless there is one
// already or it takes too long to start unasked.
func (s *scopeScreen) begin(asked bool) tea.Cmd {
	if s.done {
		return nil
	}
	if s.cancel != nil {
		s.cancel()
		s.cancel = nil
	}
	s.changes++
	questions := len(s.state.Snapshot.Registry.Tools) * len(s.state.Snapshot.Config.Sessions)
	if s.toobig = questions > auditAtOnce && !asked; s.toobig {
		return nil
	}
	s.gen++
	ctx, cancel := context.WithCancel(s.app.ctx)
	s.cancel, s.steps = cancel, [2]int{}
	gen, state, bench := s.gen, *s.state, s.app.loader.bench
	steps := make(chan [2]int, 1)
	run := func() tea.Msg {
		defer close(steps)
		audit, err := bench.Audit(ctx, state, func(done, total int) {
			select {
			case <-steps:
			default:
			}
			steps <- [2]int{done, total}
		})
		return auditedMsg{gen, audit, err}
	}
	return tea.Batch(run, awaitStep(gen, steps))
}

// awaitStep returns a command that waits for the next step of an audit.
func awaitStep(gen int, steps <-chan [2]int) tea.Cmd {
	return func() tea.Msg {
		step, ok := <-steps
		if !ok {
			return nil
		}
		return auditStepMsg{gen, step[0], step[1], steps}
	}
}

// stepped takes in how far the audit is.
func (s *scopeScreen) stepped(msg auditStepMsg) tea.Cmd {
	if msg.gen == s.gen {
		s.steps = [2]int{msg.done, msg.total}
		s.changes++
	}
	return awaitStep(msg.gen, msg.more)
}

// audited takes in the outcome of the newest audit.
func (s *scopeScreen) audited(msg auditedMsg) {
	if msg.gen != s.gen || msg.err != nil {
		return
	}
	s.cancel, s.audit, s.done = nil, msg.audit, true
	s.changes++
	s.order()
	s.app.header.violations = msg.audit.Violations()
}

// order puts sessions with violations first, the others as in the
// configuration, and leaves out what the filter does.
func (s *scopeScreen) order() {
	s.rows = s.rows[:0]
	var clean []int
	for i, session := range s.sessions() {
		if s.needle != "" && !strings.Contains(strings.ToLower(model.Sanitize(session)), s.needle) {
			continue
		}
		if a, ok := s.auditOf(session); ok && len(a.Violations) > 0 {
			s.rows = append(s.rows, i)
		} else {
			clean = append(clean, i)
		}
	}
	s.rows = append(s.rows, clean...)
	if s.cursor() < 0 && len(s.rows) > 0 {
		s.session = s.sessions()[s.rows[0]]
	}
}

// sessions returns the names of the configuration's sessions.
func (s *scopeScreen) sessions() []string {
	if s.state == nil {
		return nil
	}
	var names []string
	for _, session := range s.state.Snapshot.Config.Sessions {
		names = append(names, session.Name)
	}
	return names
}

// auditOf returns the audit of a session of this state.
func (s *scopeScreen) auditOf(name string) (engine.SessionAudit, bool) {
	if !s.done {
		return engine.SessionAudit{}, false
	}
	i := slices.IndexFunc(s.audit.Sessions, func(a engine.SessionAudit) bool { return a.Name == name })
	if i < 0 {
		return engine.SessionAudit{}, false
	}
	return s.audit.Sessions[i], true
}

// cursor returns the row of the selected session, -1 when it is not shown.
func (s *scopeScreen) cursor() int {
	names := s.sessions()
	return slices.IndexFunc(s.rows, func(i int) bool { return names[i] == s.session })
}

// title returns the heading of the box, and how far the audit is.
func (s *scopeScreen) title() (heading, note string) {
	switch {
	case s.toobig:
		note = "audit: enter starts it"
	case !s.done && s.steps[1] > 0:
		note = "audit " + thousands(s.steps[0]) + " of " + thousands(s.steps[1])
	case !s.done:
		note = "auditing"
	case s.audit.Violations() > 0:
		note = plural(s.audit.Violations(), "violation")
	default:
		note = "audit: no violation"
	}
	heading = "scope  " + plural(len(s.sessions()), "session")
	if s.needle != "" {
		heading += "  /" + model.Sanitize(s.needle)
	}
	return heading, note
}

// version changes whenever the picture may; the tool selected in Explore is
// part of it.
func (s *scopeScreen) version() uint64 { return s.changes + s.app.hits.version<<8 }

// context says which keys work.
func (s *scopeScreen) context() Context { return CtxScope }

// do switches what stands below, or the session in force.
func (s *scopeScreen) do(action Action) tea.Cmd {
	switch {
	case action == ActPart:
		s.part = (s.part + 1) % scopeParts
		s.below.top = 0
		s.changes++
	case action == ActOpen && s.toobig:
		return s.begin(true)
	case action == ActOpen && s.cursor() >= 0:
		s.app.input.Flags.Session = s.session
		return s.app.load()
	}
	return nil
}

// move moves the cursor through the sessions; beyond the last it scrolls what
// stands below.
func (s *scopeScreen) move(by int) {
	s.changes++
	if len(s.rows) == 0 {
		return
	}
	row := max(0, s.cursor()) + by
	if by > 0 && row >= len(s.rows) && s.cursor() == len(s.rows)-1 {
		s.below.top += by
		return
	}
	if by < 0 && s.below.top > 0 {
		s.below.top = max(0, s.below.top+by)
		return
	}
	s.session = s.sessions()[s.rows[max(0, min(row, len(s.rows)-1))]]
}

// click selects the session on a line.
func (s *scopeScreen) click(_, y int) {
	if row := s.list.top + y - 1; y >= 1 && row < len(s.rows) {
		s.session = s.sessions()[s.rows[row]]
		s.changes++
	}
}

// filter shows the sessions whose name holds the text.
func (s *scopeScreen) filter(text string) bool {
	had := s.needle != ""
	s.needle = strings.ToLower(strings.TrimSpace(text))
	s.changes++
	s.order()
	return had || text != ""
}
