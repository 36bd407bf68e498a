// Package activity is the screen of past events, newest first: reloads with
// their changes, errors, and dry runs.
//
// Invariants:
//   - it keeps a bounded number of events, so that a thousand reloads take no
//     more memory than the last hundred;
//   - every text in it is safe for a terminal.
package activity

import (
	"slices"
	"strconv"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/model/safetext"
	"caliper/tui/desk"
	"caliper/tui/report"
	"caliper/tui/report/changes"
	"caliper/tui/screen"
	"caliper/tui/ui"
)

// Screen is the screen Activity.
type Screen struct {
	screen.Base
	host      desk.Desk
	events    []pastEvent // oldest first
	next      int         // number of the next event
	replaced  int         // events that one with a higher count took the place of
	open      map[string]bool
	cursor    ui.Cursor
	filter    string
	w         int                                  // width of the last picture
	shown     func() []pastEvent                   // the rows, newest first, where these are not the events
	attaching func(t *ui.Theme, w, h int) []string // draws below the events how an agent is attached; nil for nothing
	none      func() []string                      // why nothing is listed; nil, or a nil list, for the reason of the events
}

// pastEvent is one event.
type pastEvent struct {
	number  int
	clock   string
	title   report.Line
	details []report.Line
	about   subject
}

// id names the event in a list.
func (e pastEvent) id() string { return strconv.Itoa(e.number) }

// OpenAll is the action that opens all events, or closes them.
const OpenAll ui.Action = "open all events"

var _ screen.Framed = (*Screen)(nil)

// New returns a screen without events.
func New(h desk.Desk) *Screen {
	s := &Screen{Base: screen.Base{Label: "Activity"}, host: h, open: map[string]bool{}}
	keys := &ui.Group{Title: "Activity", Bindings: []ui.Binding{
		ui.Bind(ui.Open, "enter", "open or close", "", "enter").Runs(s.toggle).Unless(func() string {
			for _, e := range s.rows() {
				if e.id() == s.cursor.ID {
					return s.noMoreOf(&e)
				}
			}
			return s.noEvents()
		}),
		ui.Bind(OpenAll, "*", "open or close all", "Open or close every event", "*").Runs(s.toggleAll).Unless(s.noEvents),
		ui.Bind(ui.Find, "/", "filter", "", "/").Runs(func() { h.Find("") }),
	}}
	s.attaching = s.howToServe
	copies := &ui.Group{Title: "Copying, after y", After: "y", Bindings: []ui.Binding{
		ui.Bind(CopyEntry, "u", "the command line that serves an agent", "Attach an agent: copy the command line that serves it", "u").Does(func() tea.Cmd {
			return h.Clip.Copy("command line that serves an agent", desk.CopyLine, s.commandLine())
		}),
	}}
	s.All = []*ui.Group{keys, copies}
	s.Keys = &ui.Layer{Groups: []*ui.Group{keys}, Hints: ui.Hints(ui.Down.After(ui.Up, "rows"), ui.Open,
		OpenAll.As("open all"), ui.Find, ui.Session, ui.Palette, ui.Help, ui.Quit)}
	return s
}

// keptEvents, keptDetails and keptText limit the memory.
const (
	keptEvents  = 300
	keptDetails = 200
	keptText    = 600 // cells of one line
)

// Record adds an event of now.
func (s *Screen) Record(title report.Line, details ...report.Line) {
	s.add(pastEvent{clock: s.clock(s.host.Now()), title: title, details: details})
}

// clock returns a time as it is shown, in the zone of the explorer.
func (s *Screen) clock(t time.Time) string { return t.In(s.host.Now().Location()).Format("15:04:05") }

// add adds an event and returns its number.
func (s *Screen) add(e pastEvent) (number int) {
	e.title, e.details = bounded(e.title, e.details)
	e.number = s.next
	s.events = append(s.events, e)
	if len(s.events) > keptEvents {
		delete(s.open, s.events[0].id())
		s.events = slices.Delete(s.events, 0, 1)
	}
	if n := len(s.events); s.shown == nil && (n == 1 || s.cursor.First() && s.cursor.ID == s.events[n-2].id()) {
		s.cursor.ID = e.id()
	}
	s.next++
	return e.number
}

// happened returns how many events there were.
func (s *Screen) happened() int { return s.next - s.replaced }

// bounded returns the lines of an event, at most keptDetails of them, each cut.
func bounded(title report.Line, details []report.Line) (report.Line, []report.Line) {
	if extra := len(details) - keptDetails; extra > 0 {
		details = append(details[:keptDetails:keptDetails], report.Line{Text: "… " + ui.Count(extra, "line") + " more"})
	}
	details = slices.Clone(details)
	for i := range details {
		details[i].Text = boundedText(details[i].Text)
	}
	title.Text = boundedText(title.Text)
	return title, details
}

// boundedText returns the text of a line, cut. It is a copy: a part of a tool's
// name would keep all of the file that it was read from.
func boundedText(text string) string { return strings.Clone(ui.Truncate(text, keptText)) }

// Update records what loads changed, and what else is an event.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case desk.Loaded:
		for _, d := range msg.After.Errors {
			if msg.Before == nil || !slices.Contains(msg.Before.Errors, d) {
				s.Record(report.Line{Level: report.Bad, Text: "error " + safetext.Line(d.Brief())})
			}
		}
		if msg.Before == nil {
			var warnings []report.Line
			for _, w := range msg.After.OnDisk().Warnings {
				warnings = append(warnings, report.Line{Level: report.Warn, Text: "warning " + report.Warning(w)})
			}
			r := msg.After.Snapshot.Registry
			s.Record(report.Line{Text: "loaded " + ui.Count(len(r.Tools), "tool") + " in " + ui.Count(len(r.Toolsets), "toolset")}, warnings...)
		}
		if msg.Reload != nil {
			r := changes.Reload{Reload: msg.Reload}
			s.Record(r.Title(), r.Lines()...)
		}
	case desk.Record:
		s.Record(msg.Title, msg.Details...)
	case report.Case:
		rows := s.rows()
		if slices.ContainsFunc(rows, func(e pastEvent) bool { return !s.open[e.id()] }) {
			at := max(0, slices.IndexFunc(rows, func(e pastEvent) bool { return e.id() == s.cursor.ID }))
			rows = rows[:min(len(rows), at+1)]
			rows = rows[max(0, len(rows)-1):]
		}
		if len(rows) == 0 {
			return s.host.Notify(ui.LevelInfo, "nothing to copy: no event is shown")
		}
		var events []report.Event
		for _, e := range rows {
			out := report.Event{Clock: e.clock, Title: e.title.Text}
			for _, d := range e.details {
				out.Details = append(out.Details, d.Text)
			}
			events = append(events, out)
		}
		what := "repro of Activity"
		if len(events) > 1 {
			what += ", " + ui.Count(len(events), "event")
		}
		return s.host.Clip.CopyReport(what, msg.Activity(events, s.happened()))
	}
	return nil
}

// rows returns the rows that pass the filter, newest first.
func (s *Screen) rows() []pastEvent {
	all := slices.Backward(s.events)
	if s.shown != nil {
		all = slices.All(s.shown())
	}
	var out []pastEvent
	for _, e := range all {
		if strings.Contains(strings.ToLower(e.title.Text), s.filter) ||
			slices.ContainsFunc(e.details, func(d report.Line) bool { return strings.Contains(strings.ToLower(d.Text), s.filter) }) {
			out = append(out, e)
		}
	}
	return out
}

// selected returns the event under the cursor, nil for none.
func (s *Screen) selected() *pastEvent {
	lines := s.lines(s.w)
	if len(lines) == 0 {
		return nil
	}
	return &lines[s.cursor.At(s.listed())].event
}

// Frame returns the frame.
func (s *Screen) Frame() ui.Frame {
	note, heading := "", "activity  "+ui.Count(s.happened(), "event")
	if s.filter != "" {
		heading += "  /" + safetext.Line(s.filter)
	}
	if forgotten := s.happened() - len(s.events); forgotten > 0 {
		note = "the last " + ui.Thousands(len(s.events))
	}
	return ui.Frame{Title: heading, Note: note, Whole: s.filter != "", Beyond: ui.Beyond(s.cursor.Hidden())}
}

// toggle opens or closes the selected event.
func (s *Screen) toggle() {
	if id := s.cursor.ID; s.open[id] {
		delete(s.open, id)
	} else {
		s.open[id] = true
	}
}

// Back closes the event under the cursor, which enter has opened.
func (s *Screen) Back() bool {
	if s.filter != "" || !s.open[s.cursor.ID] {
		return false
	}
	s.toggle()
	return true
}

// toggleAll opens all events, or closes them when one is open.
func (s *Screen) toggleAll() {
	all := len(s.open) == 0
	clear(s.open)
	if all {
		for _, e := range s.rows() {
			s.open[e.id()] = true
		}
	}
}

// noMoreOf returns why an event does not open.
func (s *Screen) noMoreOf(e *pastEvent) string {
	if !s.opens(e) {
		return "the row says all that is known of it"
	}
	return ""
}

// opens reports whether an event has more than its row shows: details, or a title that is cut.
func (s *Screen) opens(e *pastEvent) bool {
	return len(e.details) > 0 || ui.Width(e.title.Text) > s.w-indentsIn(s.w).title
}

// noEvents returns why there is nothing to open.
func (s *Screen) noEvents() string {
	if len(s.events) == 0 {
		return "nothing has happened yet"
	}
	return ""
}

// listed returns the lines as the cursor goes through them, so that an open event of any
// length can be read.
func (s *Screen) listed() ui.Rows {
	lines := s.lines(s.w)
	return ui.Rows{N: len(lines), ID: func(i int) string { return lines[i].event.id() }}
}

// Move moves the cursor by lines.
func (s *Screen) Move(by int) {
	s.cursor.Move(s.listed(), by)
}

// Click selects a line, and opens or closes the event whose first line is selected already.
func (s *Screen) Click(_, y int) {
	was := s.cursor.ID
	if _, ok := s.cursor.Press(s.listed(), y); ok && s.cursor.First() && s.cursor.ID == was {
		s.toggle()
	}
}

// Filter shows the events that contain the text.
func (s *Screen) Filter(text string) bool {
	had := s.filter != ""
	s.filter = strings.ToLower(strings.TrimSpace(text))
	return had || text != ""
}

// Page returns the lines of a page.
func (s *Screen) Page() int { return s.cursor.Page() }

// Wheel moves the cursor.
func (s *Screen) Wheel(_, _, rows int) { s.Move(rows) }

// glossed are the words of the glossary that the events print.
var glossed = []string{"registry", "shape", "qualified name", "toolset", "regression", "active", "generation", "host", "threshold", "labelled query", "dry run", "WHAT IF"}

// Words returns the labels of the events.
func (s *Screen) Words() (here, pane []string) { return nil, glossed }

// Words returns the labels of the events, agents' first.
func (s *Served) Words() (here, pane []string) {
	return nil, append([]string{"connection", "loop", "eager", "limit", "gate", "score", "session"}, glossed...)
}
