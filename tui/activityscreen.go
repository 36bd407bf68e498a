package tui

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine"
	"caliper/model"
	"caliper/tui/workbench"
)

// activityScreen shows what happened, newest first: reloads with what they
// changed, errors, and dry runs. It forgets what is long ago, so that a
// thousand reloads take no more memory than the last hundred.
type activityScreen struct {
	app     *App
	state   *workbench.State
	diff    *engine.Diff // of the last load; see diffOf
	events  []event      // oldest first
	next    int          // number of the next event
	open    map[int]bool
	cursor  int // number of the selected event
	needle  string
	list    window
	changes uint64
}

// event is one thing that happened. Its text is safe for a terminal.
type event struct {
	number  int
	clock   string
	level   level
	title   string
	details []string
}

// keptEvents and keptDetails bound what is remembered.
const (
	keptEvents  = 300
	keptDetails = 200
)

// record adds an event.
func (s *activityScreen) record(l level, title string, details ...string) {
	if extra := len(details) - keptDetails; extra > 0 {
		details = append(details[:keptDetails:keptDetails], "… "+plural(extra, "line")+" more")
	}
	s.events = append(s.events, event{s.next, s.app.opt.Now().Format("15:04:05"), l, title, details})
	if len(s.events) > keptEvents {
		delete(s.open, s.events[0].number)
		s.events = slices.Delete(s.events, 0, 1)
	}
	if s.cursor == s.next-1 || s.next == 0 {
		s.cursor = s.next
	}
	s.next++
	s.changes++
}

// show records what a load changed.
func (s *activityScreen) show(before, state *workbench.State) {
	s.state = state
	s.changes++
	if state.Baseline != nil || before != nil && before.Baseline != nil {
		return // knobs are no reload
	}
	s.recordLoad(before, state)
}

// recordRun records a dry run, under the real name of the tool.
func (s *activityScreen) recordRun(t engine.Trace) {
	name := string(t.RealName)
	if name == "" {
		name = t.Name
	}
	verdict, l := "ALLOWED", levelOk
	if !t.Authorized {
		verdict, l = "DENIED "+t.Code+" at gate "+string(t.Gate), levelBad
	}
	var details []string
	for _, step := range t.Steps {
		if step.Verdict != engine.Skip {
			details = append(details, string(step.Verdict)+" "+step.Gate+": "+step.Detail)
		}
	}
	s.record(l, "dry run "+model.Sanitize(name)+"  "+verdict, details...)
}

// rows returns the events that the filter lets through, newest first.
func (s *activityScreen) rows() []event {
	var out []event
	for _, e := range slices.Backward(s.events) {
		if s.needle == "" || strings.Contains(strings.ToLower(e.title+"\n"+strings.Join(e.details, "\n")), s.needle) {
			out = append(out, e)
		}
	}
	return out
}

// title returns the heading of the box.
func (s *activityScreen) title() (heading, note string) {
	heading = "activity  " + plural(s.next, "event")
	if s.needle != "" {
		heading += "  /" + model.Sanitize(s.needle)
	}
	if forgotten := s.next - len(s.events); forgotten > 0 {
		note = "the last " + thousands(len(s.events))
	}
	return heading, note
}

// version changes whenever the picture may.
func (s *activityScreen) version() uint64 { return s.changes }

// context says which keys work.
func (s *activityScreen) context() Context { return CtxActivity }

// do opens or closes the selected event, or all of them.
func (s *activityScreen) do(action Action) tea.Cmd {
	s.changes++
	if s.open == nil {
		s.open = map[int]bool{}
	}
	switch action {
	case ActOpen:
		s.open[s.cursor] = !s.open[s.cursor]
	case ActPart:
		all := len(s.open) == 0
		clear(s.open)
		for _, e := range s.events {
			if all {
				s.open[e.number] = true
			}
		}
	}
	return nil
}

// move moves the cursor through the events.
func (s *activityScreen) move(by int) {
	rows := s.rows()
	at := slices.IndexFunc(rows, func(e event) bool { return e.number == s.cursor })
	if len(rows) == 0 {
		return
	}
	s.cursor = rows[max(0, min(max(at, 0)+by, len(rows)-1))].number
	s.changes++
}

// click selects the event on a line, and opens or closes the selected one.
func (s *activityScreen) click(_, y int) {
	for i, line := range s.lines() {
		if i == s.list.top+y && line.detail == "" {
			if s.cursor == line.event.number {
				s.do(ActOpen)
			}
			s.cursor = line.event.number
			s.changes++
		}
	}
}

// filter shows the events that hold the text.
func (s *activityScreen) filter(text string) bool {
	had := s.needle != ""
	s.needle = strings.ToLower(strings.TrimSpace(text))
	s.changes++
	return had || text != ""
}
