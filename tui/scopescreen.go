package tui

import (
	"context"
	"image"
	"reflect"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine"
	"caliper/model"
	"caliper/tui/workbench"
)

// scopeScreen shows what every session reaches, as the audit found it by
// asking. Below the sessions it shows what is wrong with the one under the
// cursor, what it and the one in force do not share, or who can call the tool
// selected in Explore.
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
	moved   bool   // the cursor was; until then it is on the session in force
	needle  string // filter of the sessions
	list    window

	below       bool // the list below the sessions has the keys
	chosenPart  scopePart
	belowNeedle string // its filter
	belowList   window

	w, h       int // that were last drawn in, of which
	tableLines int // are the sessions',
	belowLines int // the rows' of the list below,
	belowRows  int // out of as many
}

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
// same registry, configuration, message and gates; it covers every session
// anyway.
func (s *scopeScreen) show(before, state *workbench.State) {
	s.done = s.done && before != nil && before.Snapshot.Registry == state.Snapshot.Registry &&
		before.Snapshot.Tokenizer == state.Snapshot.Tokenizer &&
		before.Snapshot.Message() == state.Snapshot.Message() &&
		slices.Equal(before.Snapshot.WithoutGates(), state.Snapshot.WithoutGates()) &&
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
	if !s.moved && s.state != nil {
		s.sel(s.state.Snapshot.Session.Name)
	}
	if s.cursor() < 0 && len(s.rows) > 0 {
		s.sel(s.sessions()[s.rows[0]])
	}
}

// sel puts the cursor on a session.
func (s *scopeScreen) sel(session string) {
	if session != s.session {
		s.session, s.belowList.top = session, 0
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

// title returns the heading of the box with the filter, and on its right what
// the audit says. Where there is little room, the heading is cut first: whether
// something is wrong is worth more.
func (s *scopeScreen) title() (heading, note string) {
	note = s.verdict()
	filter := ""
	switch f := s.app.find; {
	case f != nil && f.pane == PaneBody && !s.below:
		filter = "  " + f.words()
	case s.needle != "":
		filter = "  /" + model.Sanitize(s.needle)
	}
	all := plural(len(s.sessions()), "session")
	if s.needle == "" {
		heading = "scope  " + all + filter
		return heading, note
	}
	shown := thousands(len(s.rows)) + " of "
	room := frame{}.titleRoom(Box{Rect: image.Rect(0, 0, s.w+2, 1)}, " "+note+" ")
	return longest(room, "scope  "+shown+all+filter, "scope  "+shown+thousands(len(s.sessions()))+filter, shown+thousands(len(s.sessions()))+filter), note
}

// verdict says what the audit found, or how far it is.
func (s *scopeScreen) verdict() string {
	audit := "audit: "
	if s.w < 60 {
		audit = ""
	}
	switch {
	case s.toobig:
		return audit + "enter starts it"
	case !s.done && s.steps[1] > 0:
		return "audit " + thousands(s.steps[0]) + " of " + thousands(s.steps[1])
	case !s.done:
		return "auditing"
	case s.audit.Violations() > 0:
		return audit + plural(s.audit.Violations(), "violation")
	}
	return audit + "no violation"
}

// version changes whenever the picture may; the tool selected in Explore is
// part of it.
func (s *scopeScreen) version() uint64 { return s.changes + s.app.hits.version<<8 }

// context says which keys work.
func (s *scopeScreen) context() Context { return CtxScope }

// do switches what has the keys, what stands below, or the session in force.
func (s *scopeScreen) do(action Action) tea.Cmd {
	switch {
	case action == ActNextPane, action == ActPrevPane:
		s.below = !s.below && len(s.rows) > 0
		s.changes++
	case action == ActPart:
		s.nextPart()
		s.changes++
	case action == ActGates:
		flags := &s.app.input.Flags
		flags.WithoutGates = nextGates(flags.WithoutGates)
		return s.app.load()
	case action == ActOpen && s.toobig:
		return s.begin(true)
	case action == ActOpen && s.cursor() >= 0:
		s.app.input.Flags.Session = s.session
		return s.app.load()
	}
	return nil
}

// gateTrials are the scope gates that one key after another leaves out of the
// dry run: first each alone, which the other makes up for, then both.
var gateTrials = [][]string{nil, {engine.GateScopeCatalog}, {engine.GateScopeExecutor}, {engine.GateScopeCatalog, engine.GateScopeExecutor}}

// nextGates returns the trial after one.
func nextGates(gates []string) []string {
	at := slices.IndexFunc(gateTrials, func(g []string) bool { return slices.Equal(g, gates) })
	return gateTrials[(at+1)%len(gateTrials)]
}

// move moves the cursor through the sessions, or scrolls the list below.
func (s *scopeScreen) move(by int) { s.moveIn(s.below, by) }

// moveIn moves in the list below or in the sessions.
func (s *scopeScreen) moveIn(below bool, by int) {
	s.changes++
	switch {
	case below:
		s.belowList.scroll(by, s.belowLines, s.belowRows)
	case len(s.rows) > 0:
		s.goToRow(max(0, min(max(0, s.cursor())+by, len(s.rows)-1)))
	}
}

// goToRow puts the cursor on a row of the sessions.
func (s *scopeScreen) goToRow(row int) {
	s.moved = true
	s.sel(s.sessions()[s.rows[row]])
}

// page returns how far a page is in the list that has the keys.
func (s *scopeScreen) page() int {
	if s.below {
		return max(1, s.belowLines-1)
	}
	return max(1, s.tableLines-2)
}

// wheel scrolls the list that holds line y of the box.
func (s *scopeScreen) wheel(y, by int) { s.moveIn(y >= s.tableLines, by) }

// click selects the session on a line, or gives the list below the keys.
func (s *scopeScreen) click(_, y int) {
	s.changes++
	s.below = y >= s.tableLines
	if row := s.list.top + y - 1; !s.below && y >= 1 && row < len(s.rows) {
		s.goToRow(row)
	}
}

// filter shows what holds the text in the list that has the keys: sessions, or
// what stands below them. No text clears the filter of that list, and when it
// has none that of the other.
func (s *scopeScreen) filter(text string) bool {
	mine, other := &s.needle, &s.belowNeedle
	if s.below {
		mine, other = other, mine
	}
	had := *mine != ""
	if text == "" && !had {
		had = *other != ""
		mine = other
	}
	*mine = strings.ToLower(strings.TrimSpace(text))
	s.belowList.top = 0
	s.changes++
	s.order()
	return had || text != ""
}

// paneBeside names the list that tab gives the keys.
func (s *scopeScreen) paneBeside() string {
	if s.below {
		return "sessions"
	}
	return "list below"
}
