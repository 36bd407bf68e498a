package transcript

import (
	"fmt"
	"maps"
	"reflect"
	"strings"
	"sync"
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

// TestSettings: settings are read as they were set, sorted, each once in a list; long texts by
// their sum, and no line end or sign in a name or a value makes another setting.
func TestSettings(t *testing.T) {
	t.Parallel()
	values := map[string]string{"system": SettingOf([]byte(`"` + string(make([]byte, 100)) + `"`)), "effort": SettingOf([]byte(`"high"`)), ToolSetting + "a": ""}
	s := SettingsOf(values)
	if !maps.Equal(s.Values(), values) {
		t.Errorf("%q is %v, want %v", s, s.Values(), values)
	}
	if s != SettingsOf(maps.Clone(values)) || s[:6] != "effort" || values["effort"] != "high" || len(values["system"]) > longestSetting {
		t.Errorf("%q", s)
	}
	if got := SettingsOf(map[string]string{"a\nb=c": "d\ne=f"}).Values(); !maps.Equal(got, map[string]string{"a b c": "d e=f"}) {
		t.Errorf("%q", got)
	}
	list, one := AddSettings(nil, s)
	list, none := AddSettings(list, "")
	list, two := AddSettings(list, "effort=low\n")
	_, again := AddSettings(list, s)
	if one != 1 || none != 0 || two != 2 || again != 1 || len(list) != 2 {
		t.Error(one, none, two, again, list)
	}
}

// TestPossible: parts of an input may be below zero where another part makes up for it.
func TestPossible(t *testing.T) {
	const most = 1 << 40
	for u, want := range map[Usage]bool{
		{}:                                  true,
		{Input: 7, CacheRead: -3}:           true,
		{Input: -3, CacheWrite: 3}:          true,
		{Input: 2, CacheRead: -3}:           false,
		{Input: 2, Output: -1}:              false,
		{Input: most}:                       true,
		{Output: most}:                      true,
		{Input: most + 1}:                   false,
		{CacheRead: most + 1}:               false,
		{CacheWrite: most + 1}:              false,
		{Output: most + 1}:                  false,
		{Input: most, CacheRead: -most}:     true,
		{Input: most, CacheRead: -most - 1}: false,
	} {
		if got := u.Possible(); got != want {
			t.Errorf("%+v: %t, want %t", u, got, want)
		}
	}
}

// resting returns a session with words that tell it from others, and a call.
func resting(n int) Session {
	call := Call{ID: "c", Tool: "mail_send", Kind: Search, Answered: true, Lookup: &Lookup{Queries: []string{"q"}, Hits: []string{"a"}}}
	return Session{ID: "s", Agent: OpenAI, Arrays: []ToolArray{{}}, Contexts: []Context{{Entries: []Entry{
		{Parent: None, Kind: User, Words: strings.Repeat("x", n%100), Time: time.Unix(int64(n), 5).UTC()},
		{Parent: 0, Kind: Answer, Request: &Request{ID: "r", Usage: &Usage{Input: n}, Calls: []Call{call}}},
		{Parent: 1, Kind: Result, CallEntry: 1, Size: Size{Tokens: n}},
	}}, {Helper: "h", Deferred: true, Loaded: []Loaded{{1, []string{"t"}}}}}}
}

// TestPack: packed sessions come back as they were, in any order and for several goroutines; packing
// and unpacking twice changes nothing.
func TestPack(t *testing.T) {
	t.Parallel()
	const n = 3 * mostTogether // some packs
	p, sessions, list := new(Packer), make([]Session, n), make([]*Session, n)
	for i := range sessions {
		sessions[i] = resting(i)
		list[i] = &sessions[i]
	}
	p.Pack(list[:10]...)
	p.Pack(list...)
	p.Pack(list...)
	packs := map[*[]byte]bool{}
	for i := range sessions {
		packs[sessions[i].Packed.in] = true
		if ended := time.Unix(int64(i), 5); sessions[i].Contexts != nil || sessions[i].Before(ended) || !sessions[i].Before(ended.Add(1)) {
			t.Fatalf("session %d does not end at %v, or has contexts", i, ended)
		}
	}
	if len(packs) < 5 || len(packs) > n/100 {
		t.Errorf("%d packs", len(packs))
	}
	var all sync.WaitGroup
	for from := range 4 {
		all.Go(func() {
			for i := from; i < n; i += 37 {
				if got := sessions[i].Opened(); !reflect.DeepEqual(got, resting(i)) {
					t.Errorf("session %d is\n%+v", i, got)
				}
			}
		})
	}
	all.Wait()
	sessions[n-1].Unpack()
	sessions[n-1].Unpack()
	if !reflect.DeepEqual(sessions[n-1], resting(n-1)) {
		t.Errorf("it was unpacked as\n%+v", sessions[n-1])
	}
}
