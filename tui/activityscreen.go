package tui

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine"
	"caliper/model"
	"caliper/tui/cells"
	"caliper/tui/workbench"
)

// activityScreen shows what happened, newest first: reloads with what they
// changed, errors, and dry runs. It forgets what is long ago, so that a
// thousand reloads take no more memory than the last hundred.
type activityScreen struct {
	app     *App
	reload  *reload // what the load that is shown next read anew; nil: nothing
	events  []event // oldest first
	next    int     // number of the next event
	open    map[int]bool
	cursor  int // number of the selected event
	line    int // of its lines, from 0, its first one
	needle  string
	w       int // of the last picture
	list    window
	changes uint64
}

// event is one thing that happened. Its text is safe for a terminal.
type event struct {
	number  int
	clock   string
	level   level
	title   string
	details []detail
}

// detail is a line that an event opens into.
type detail struct {
	level level
	text  string
}

// keptEvents, keptDetails and keptText bound what is remembered.
const (
	keptEvents  = 300
	keptDetails = 200
	keptText    = 600 // cells of a line
)

// record adds an event.
func (s *activityScreen) record(l level, title string, details ...detail) {
	if extra := len(details) - keptDetails; extra > 0 {
		details = append(details[:keptDetails:keptDetails], detail{text: "… " + plural(extra, "line") + " more"})
	}
	for i := range details {
		details[i].text = cells.Truncate(details[i].text, keptText)
	}
	title = cells.Truncate(title, keptText)
	s.events = append(s.events, event{s.next, s.app.opt.Now().Format("15:04:05"), l, title, details})
	if len(s.events) > keptEvents {
		delete(s.open, s.events[0].number)
		s.events = slices.Delete(s.events, 0, 1)
	}
	if s.line == 0 && s.cursor == s.next-1 || s.next == 0 {
		s.cursor = s.next
	}
	s.next++
	s.changes++
}

// show records what a load changed: what is wrong now, and what was read anew.
func (s *activityScreen) show(before, state *workbench.State) {
	s.changes++
	for _, d := range state.Errors {
		if before == nil || !slices.Contains(before.Errors, d) {
			s.record(levelBad, "error "+model.Sanitize(brief(d)))
		}
	}
	if before == nil {
		var warnings []detail
		for _, w := range state.OnDisk().Warnings {
			warnings = append(warnings, detail{levelWarn, "warning " + warningWords(w)})
		}
		r := state.Snapshot.Registry
		s.record(levelInfo, "loaded "+plural(len(r.Tools), "tool")+" in "+plural(len(r.Toolsets), "toolset"), warnings...)
	}
	if r := s.reload; r != nil {
		s.reload = nil
		s.record(r.level(), r.headline(), r.details()...)
	}
}

// recordRun records a dry run, under the real name of the tool.
func (s *activityScreen) recordRun(t engine.Trace) {
	name := string(t.RealName)
	if name == "" {
		name = t.Name
	}
	verdict, l := "ALLOWED", levelOk
	switch {
	case !t.Authorized:
		verdict, l = "DENIED "+t.Code+" at gate "+string(t.Gate), levelBad
	case len(t.Warnings) > 0:
		verdict, l = "ALLOWED, would reach the tool: "+warningsOf(t), levelWarn
	case t.Partial:
		verdict += ", checked in part"
	}
	var details []detail
	for _, step := range t.Steps {
		l := levelInfo
		switch step.Verdict {
		case engine.Skip:
			if step.Detail == "" {
				continue
			}
		case engine.Warn:
			l = levelWarn
		case engine.Fail:
			l = levelBad
		}
		details = append(details, detail{l, string(step.Verdict) + " " + step.Gate + ": " + step.Detail})
	}
	s.record(l, "dry run "+model.Sanitize(name)+"  "+verdict, details...)
}

// warningsOf returns the warnings of a dry run in one line.
func warningsOf(t engine.Trace) string {
	words := make([]string, len(t.Warnings))
	for i, w := range t.Warnings {
		words[i] = w.String()
	}
	return strings.Join(words, "; ")
}

// rows returns the events that the filter lets through, newest first.
func (s *activityScreen) rows() []event {
	var out []event
	for _, e := range slices.Backward(s.events) {
		if e.holds(s.needle) {
			out = append(out, e)
		}
	}
	return out
}

// holds reports whether a line of an event holds a text in lower case.
func (e event) holds(needle string) bool {
	return strings.Contains(strings.ToLower(e.title), needle) ||
		slices.ContainsFunc(e.details, func(d detail) bool { return strings.Contains(strings.ToLower(d.text), needle) })
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
		if s.open[s.cursor] {
			delete(s.open, s.cursor)
		} else {
			s.open[s.cursor] = true
		}
		s.line = 0
	case ActPart:
		all := len(s.open) == 0
		s.line = 0
		clear(s.open)
		for _, e := range s.events {
			if all {
				s.open[e.number] = true
			}
		}
	}
	return nil
}

// move moves the cursor through the lines, so that what an event opens into
// can be read however long it is.
func (s *activityScreen) move(by int) {
	lines := s.lines(s.w)
	if len(lines) == 0 {
		return
	}
	s.point(lines[max(0, min(s.at(lines)+by, len(lines)-1))])
}

// point moves the cursor to a line.
func (s *activityScreen) point(line activityLine) {
	s.cursor, s.line = line.event.number, line.number
	s.changes++
}

// at returns the place of the cursor among the lines: where it is, else the
// first line of its event, else 0.
func (s *activityScreen) at(lines []activityLine) int {
	at := 0
	for i, line := range lines {
		if line.event.number == s.cursor && (line.number == 0 || line.number == s.line) {
			at = i
		}
	}
	return at
}

// click selects a line, and opens or closes the event whose first line is
// selected already.
func (s *activityScreen) click(_, y int) {
	lines := s.lines(s.w)
	if y += s.list.top; y < 0 || y >= len(lines) {
		return
	}
	if line := lines[y]; line.number == 0 && line.event.number == s.cursor {
		s.do(ActOpen)
	}
	s.point(lines[y])
}

// filter shows the events that hold the text.
func (s *activityScreen) filter(text string) bool {
	had := s.needle != ""
	s.needle = strings.ToLower(strings.TrimSpace(text))
	s.changes++
	return had || text != ""
}
