package transcript

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestParseSince(t *testing.T) {
	now := time.Date(2026, 9, 20, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		given string
		want  time.Time
	}{
		{"30d", now.AddDate(0, 0, -30)}, {"12h", now.Add(-12 * time.Hour)}, {"2w", now.AddDate(0, 0, -14)},
		{"2026-09-01", time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC)},
	} {
		if got, err := ParseSince(c.given, now); err != nil || !got.Equal(c.want) {
			t.Errorf("%s: %v, %v", c.given, got, err)
		}
	}
	for _, bad := range []string{"", "d", "-3d", "3m", "tomorrow"} {
		if _, err := ParseSince(bad, now); err == nil {
			t.Errorf("%q is a time", bad)
		}
	}
}

// A session went on at the time of its last entry, and one without times may have.
func TestSince(t *testing.T) {
	when := time.Date(2026, 9, 1, 8, 0, 0, 0, time.UTC)
	talk := func(id string, at ...time.Time) Session {
		s := Session{ID: id, Contexts: []Context{{}}}
		for _, x := range at {
			s.Contexts[0].Entries = append(s.Contexts[0].Entries, Entry{Time: x})
		}
		return s
	}
	sessions := []Session{talk("old", when.Add(-2*time.Second)), talk("went on", when.Add(-time.Hour), when), talk("no times", time.Time{})}
	names := func(since time.Time) (out string) {
		for _, s := range Since(sessions, since) {
			out += s.ID + "."
		}
		return out
	}
	for _, c := range []struct {
		since time.Time
		want  string
	}{
		{time.Time{}, "old.went on.no times."},
		{when, "went on.no times."},
		{when.Add(time.Nanosecond), "no times."},
	} {
		if got := names(c.since); got != c.want {
			t.Errorf("since %v: %s, want %s", c.since, got, c.want)
		}
	}
}

func TestSkips(t *testing.T) {
	t.Parallel()
	s := new(Skips)
	s.Know("mode")
	for i, what := range []string{"torn", "mode", "torn", "", strings.Repeat("x", 101)} {
		s.Add("a", i+1, what)
	}
	s.Add("b", 1, "torn")
	want := []Skipped{{"a", 1, "torn", 2, false}, {"a", 2, "mode", 1, true}, {"a", 4, "unknown", 2, false}, {"b", 1, "torn", 1, false}}
	if !reflect.DeepEqual(s.List(), want) {
		t.Errorf("got %v, want %v", s.List(), want)
	}
}

// A log that calls every line otherwise does not make the list grow with its lines.
func TestSkipsOfManyKinds(t *testing.T) {
	t.Parallel()
	s := new(Skips)
	for i := range 5000 {
		s.Add("a", i, fmt.Sprint("kind ", i))
	}
	all := 0
	for _, k := range s.List() {
		all += k.Count
	}
	if n := len(s.List()); n > 110 || all != 5000 {
		t.Errorf("%d kinds with %d lines", n, all)
	}
	s.Add("b", 1, "torn")
	if last := s.List()[len(s.List())-1]; last.File != "b" || last.What != "torn" {
		t.Errorf("another file has %v", last)
	}
}
