package replay

import (
	"strings"
	"testing"

	"caliper/tui/ui"
)

// text returns the lines of the view.
func (s *Screen) text() (all string) {
	for _, r := range s.lines(s.w) {
		all += r.text + "\n"
	}
	return all
}

// TestFilter: where the cursor is on no row, a filter moves it to the first row with the text. A
// view says when no row has the text. Views without rows are not filtered.
func TestFilter(t *testing.T) {
	s := replaying(t)
	for _, v := range []view{viewSessions, viewMisses, viewEager} {
		s.ShowView(int(v))
		s.Filter("")
		s.cursors[v] = ui.Cursor{}
		var last row
		for _, r := range s.lines(s.w) {
			if r.key != "" {
				last = r
			}
		}
		word := strings.ToUpper(strings.Fields(last.text)[0])
		s.Filter(word)
		if r := s.selected(); r == nil || !contain([]row{*r}, strings.ToLower(word)) {
			t.Errorf("%s: the cursor is on %+v, want a row with %q", views[v], r, word)
		}
		s.Filter("Nothing has This")
		if text := s.text(); !strings.Contains(text, "no row contains nothing has this") || s.selected() != nil || !s.Frame().Whole {
			t.Errorf("%s:\n%s", views[v], text)
		}
	}
	for _, v := range []view{viewSession, viewRest} {
		s.ShowView(int(v))
		settle(s)
		filtered := s.text()
		if s.Filter(""); s.text() != filtered || s.noFilter() == "" {
			t.Errorf("%s has no rows, and is filtered", views[v])
		}
		if s.Filter("x"); s.Frame().Whole {
			t.Errorf("%s is said to be filtered", views[v])
		}
	}
}
