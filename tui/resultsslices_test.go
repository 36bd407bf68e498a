package tui

import (
	"strings"
	"testing"

	"caliper/engine/rescue/fetch"
)

func TestResultsConsole(t *testing.T) {
	t.Parallel()
	d := onResults(t, 120, 36)
	s := &d.app().results
	d.asking("range 100 50").wants("answer to range 100 50", "lines 100 to", "enter goes on: range")
	first := s.requests[0].answer
	d.judged("enter")
	if got := s.requests[1]; got.answer.From != first.To+1 {
		t.Errorf("enter goes on at %d, want %d", got.answer.From, first.To+1)
	}
	d.asking("grep ERROR", "outline", "search wind gauge", "stat", "full", "pointer /rows/3", "range 0 100 chars")
	want := s.judged.HandleTokens
	for i, r := range s.requests {
		a, err := fetch.Do(t.Context(), s.judged.result, s.judged.Meta, r.q, s.judged.rescuer.Limits())
		if a.Text != r.answer.Text || (err == nil) != (r.err == nil) {
			t.Errorf("request %d: another answer than the engine's", i)
		}
		want += r.tokens
	}
	if len(s.requests) != 9 || s.fetchedTokens() != want {
		t.Errorf("%d requests of %d tokens, want %d", len(s.requests), s.fetchedTokens(), want)
	}
	d.wants("handle + 9 answers "+thousands(want), "to send it all", "not_json", "full_refused", "chars 0 to 99")
	// Another limit asks all of them anew.
	d.Press("esc", "tab", "tab").wants("n go on")
	s.knob = 6
	before := s.requests[0].chars
	d.judged(times(10, "left")...)
	if got := s.requests[0].chars; got >= before || got > d.app().state.Config.Rescue.FetchMaxChars {
		t.Errorf("%d characters after the limit fell, %d before", got, before)
	}
	d.judged("c").lacks("full_refused")
	d.Press("n").wants("nothing to go on with")
	d.judged("e").Type("rang 1").Press("enter").wants("no request: rang 1", "that is no request")
	for _, form := range formsOfRequests { // whole, each on its own line
		if !strings.Contains(d.Screen(), "│ "+form[0]+"  ") {
			t.Errorf("the form %q is not shown whole", form[0])
		}
	}
	d.Resize(40, 10)
	for _, form := range formsOfRequests {
		d.wants(form[0])
	}
	d.Resize(120, 36)
	if s.request.Value() != "rang 1" {
		t.Error("a request that is wrong is lost")
	}
	// Another result has requests of its own.
	d.Press("ctrl+u").asking("stat").Press("esc", "tab", "tab")
	s.area = areaList
	if d.judged("right"); len(s.requests) != 0 {
		t.Error("the requests are still those of the result before")
	}
}

func TestResultsRequests(t *testing.T) {
	t.Parallel()
	tests := map[string]fetch.Request{
		"stat": {Mode: "stat"}, " FULL ": {Mode: "full"}, "outline": {Mode: "outline"}, "outline /a/0": {Mode: "outline", Pointer: "/a/0"},
		"range": {Mode: "range"}, "range 0 0": {Mode: "range", CountGiven: true}, "range 100 50": {Mode: "range", Start: 100, Count: 50}, "range 5 10 chars": {Mode: "range", Start: 5, Count: 10, Unit: "chars"},
		"grep a b  c": {Mode: "grep", Pattern: "a b  c"}, "search who paid?": {Mode: "search", Query: "who paid?"},
		"pointer /rows/3": {Mode: "pointer", Pointer: "/rows/3"}, "pointer /a b 40": {Mode: "pointer", Pointer: "/a b", Start: 40},
	}
	for text, want := range tests {
		got, err := parseRequest(text)
		if err != nil || got != want {
			t.Errorf("%q is %+v, %v", text, got, err)
		}
		if again, err := parseRequest(requestWords(want)); err != nil || again != want {
			t.Errorf("%q is written %q, which is %+v, %v", text, requestWords(want), again, err)
		}
	}
	for _, text := range []string{"", "x", "stat 1", "range a", "range 1 2 3", "outline a b"} {
		if q, err := parseRequest(text); err == nil {
			t.Errorf("%q is %+v", text, q)
		}
	}
}

// While a request is typed, the arrows choose among the requests and the page
// keys scroll the answer.
func TestResultsRequestMoves(t *testing.T) {
	t.Parallel()
	d := onResults(t, 80, 24).asking("range 1", "range 200", "stat")
	d.Press("up", "up").wants("answer to range 1 ").Press("pgdown").lacks("06:00:39.841Z").Press("pgup").wants("06:00:39.841Z")
	d.Type("grep x").Press("down").wants("> grep x", "answer to range 200")
}

// The limit of mode full is a knob too.
func TestResultsFullFetch(t *testing.T) {
	t.Parallel()
	d := onResults(t, 120, 36).asking("full").wants("full_refused").Press("esc", "tab", "tab", "G")
	d.judged(times(6, "right")...).lacks("full_refused").wants("full fetch ← 80,000 →", "chars 0 to 61,352 of 61,353")
	if s := &d.app().results; s.requests[0].chars != 61353 {
		t.Errorf("%d characters", s.requests[0].chars)
	}
}
