package replay

import (
	"strings"
	"testing"

	"caliper/engine/replay"
	"caliper/engine/transcript"
	"caliper/model"
	"caliper/tui/ui"
)

// Lines below a row are filtered with it: they stay when any of them has the text, and go
// with the row otherwise. Lines that are no rows stay.
func TestFilterKeepsRowsWhole(t *testing.T) {
	all := []row{{text: "heading"}, {key: "a", text: "forge"}, {text: "searched: merge", below: true}, {key: "b", text: "chat"}, {text: "searched: post", below: true}}
	for text, want := range map[string]string{"merge": "heading,forge,searched: merge", "chat": "heading,chat,searched: post", "none": "heading"} {
		var got []string
		for _, r := range filtered(all, text) {
			got = append(got, r.text)
		}
		if strings.Join(got, ",") != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// A name of a session is as wide as its room, and has both ends of the id and the whole
// agent where there is room for them.
func TestSessionName(t *testing.T) {
	r := newReplayed(&replay.Report{Sessions: []replay.Session{
		{ID: "0199a2c4-7c1e-7d10-9b2a-6f5d1f3c8e42", Agent: transcript.Anthropic, Model: "gpt-5.1-codex"},
		{ID: "x", Agent: transcript.Claude, Model: "\x1b[2Jm"},
	}}, replay.Inputs{})
	for _, room := range []int{26, 30, 43, 56, 80} {
		for _, x := range r.Sessions { // the longest name takes 62
			got := r.sessionCells(room, x.ID, string(x.Agent), x.Model)
			if ui.Width(got) != min(room, 62) || !strings.Contains(got, string(x.Agent)) || strings.Contains(got, "\x1b") {
				t.Errorf("%d cells: %q", room, got)
			}
			if len(x.ID) > 1 && (!strings.HasPrefix(got, "0199a2") || !strings.Contains(got, "c8e42")) {
				t.Errorf("%d cells: %q", room, got)
			}
		}
	}
}

// Where no tool saves what it costs, the eager set says so in place of a line that divides
// nothing, and there is nothing to write.
func TestNothingToKeepEager(t *testing.T) {
	s := &Screen{report: newReplayed(&replay.Report{Eager: replay.EagerSet{Tools: []replay.Eager{{Tool: &model.Tool{Qualified: "a"}}}}}, replay.Inputs{})}
	text := ""
	for _, r := range s.eagerLines(80) {
		text += r.text + "\n"
	}
	if !strings.Contains(text, "No deferred tool saves what it costs") || strings.Contains(text, "below this line") || s.noEager() == "" {
		t.Errorf("%s%q", text, s.noEager())
	}
	s.report.Eager.Keep = 1
	if s.noEager() != "" {
		t.Errorf("%q", s.noEager())
	}
}

// A line below a row acts as the row; a heading acts as nothing.
func TestRowAt(t *testing.T) {
	lines := []row{{text: "heading"}, {key: "a"}, {below: true}, {below: true}, {}, {below: true}}
	for at, want := range []string{"", "a", "a", "a", "", ""} {
		got := ""
		if r := rowAt(lines, at); r != nil {
			got = r.key
		}
		if got != want {
			t.Errorf("line %d is of %q, want %q", at, got, want)
		}
	}
}

// A call to which no query is known to have led is no label, which is said.
func TestNoLabelOfWhatWasNotFound(t *testing.T) {
	call := replay.Call{Query: "boats", Tool: &model.Tool{Qualified: "a"}, Status: replay.Found, Answered: true}
	rep := &replay.Report{Sessions: []replay.Session{{ID: "s"}}}
	for _, call.Led = range []string{"boats", "berths", ""} {
		if got := unlabelled(rep, &call); (got != "") != (call.Led == "") {
			t.Errorf("led by %q: %q", call.Led, got)
		}
	}
}

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
