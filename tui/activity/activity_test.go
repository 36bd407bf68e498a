package activity

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"caliper/tui/desk"
	"caliper/tui/report"
	"caliper/tui/screen"
	"caliper/tui/ui"
)

// host is an explorer with a clock, on which no / is open.
type host struct{ screen.Host }

func (host) Now() time.Time          { return time.Date(2026, 11, 2, 14, 3, 41, 0, time.UTC) }
func (host) Finding() (string, bool) { return "", false }

// Memory is bounded, however much happens.
func TestBounds(t *testing.T) {
	t.Parallel()
	s := New(desk.Desk{Host: host{}})
	long := strings.Repeat("long ", keptText)
	for i := range 1000 {
		s.Record(report.Line{Text: fmt.Sprintf("event %d %s", i, long)}, make([]report.Line, 2*keptDetails)...)
		s.toggle()
	}
	first := s.events[0]
	if len(s.events) != keptEvents || len(s.open) > keptEvents || len(first.details) > keptDetails+1 || len(first.title.Text) > keptText+len("…") {
		t.Errorf("keeps %d events, %d open, %d details, a title of %d bytes", len(s.events), len(s.open), len(first.details), len(first.title.Text))
	}
	if last := first.details[keptDetails].Text; last != "… 200 lines more" {
		t.Errorf("the details end with %q", last)
	}
	frame := s.Frame()
	if frame.Title != "activity  1,000 events" || frame.Note != "the last 300" {
		t.Errorf("%q, %q", frame.Title, frame.Note)
	}
	if lines := s.Draw(ui.NewTheme(ui.Look{Plain: true}), 60, 20, true); !strings.Contains(strings.Join(lines, "\n"), "event 999") {
		t.Errorf("the newest event is out of sight:\n%s", strings.Join(lines, "\n"))
	}
}

// TestNothingMore: a row that shows all is not opened, and tells why.
func TestNothingMore(t *testing.T) {
	for _, tt := range []struct {
		name string
		e    pastEvent
		says bool
	}{
		{"with details", pastEvent{details: []report.Line{{Text: "a"}}}, false},
		{"a row alone", pastEvent{}, true},
		{"a row that is cut", pastEvent{title: report.Line{Text: strings.Repeat("long ", 20)}}, false},
	} {
		if got := (&Screen{w: 60}).noMoreOf(&tt.e); (got != "") != tt.says {
			t.Errorf("%s: %q", tt.name, got)
		}
	}
}
