package transcript

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"caliper/model/jsontree"
	"caliper/model/require"
)

// TestWhole: what was kept of a file comes back in its order at another path, unless an earlier
// file has other parts now, and nothing that replay cannot count on.
func TestWhole(t *testing.T) {
	t.Parallel()
	const from, to = "/old/a.jsonl", "/new/b.jsonl"
	named, foreign := resting(3), resting(4)
	named.File, named.ID, foreign.File, foreign.ID = from, from+"#2", from, "/old/other"
	one, two := Digest{1}, Digest{2}
	keep := func(w *Whole) {
		w.Part(one, false)
		w.Session(&named, 7)
		w.Skip(8, "unknown")
		w.Part(two, true)
		w.Session(&foreign, 9)
	}
	keep(nil)
	w := NewWhole()
	keep(w)
	lines := w.Lines()
	take := func(known func(Digest) bool) (got []string, ok bool) {
		ok, err := lines.Take(to, known, func(s Session, line int) {
			if s.File != to || len(s.Contexts) != 2 {
				t.Errorf("%+v", s)
			}
			got = append(got, strconv.Itoa(line)+" "+s.ID)
		}, func(line int, what string) { got = append(got, strconv.Itoa(line)+" skipped: "+what) })
		require.NoError(t, err)
		return got, ok
	}
	all := []string{"7 /new/b.jsonl#2", "8 skipped: unknown", "9 /old/other"}
	for name, c := range map[string]struct {
		known func(Digest) bool
		want  []string
	}{
		"nobody asks":            {nil, all},
		"as it was":              {func(d Digest) bool { return d == two }, all},
		"an earlier has the one": {func(Digest) bool { return true }, nil},
		"none has the other":     {func(Digest) bool { return false }, nil},
	} {
		if got, ok := take(c.known); !reflect.DeepEqual(got, c.want) || ok != (c.want != nil) {
			t.Errorf("%s: %q, %v", name, got, ok)
		}
	}
	if named.File != from || named.ID != from+"#2" {
		t.Error("the session was changed")
	}
	for name, spoil := range map[string]func(entries []Entry, s *Session){
		"":                               func([]Entry, *Session) {},
		"tools that the log has not":     func(e []Entry, _ *Session) { e[1].Request.Tools = 1 },
		"tools below none":               func(e []Entry, _ *Session) { e[1].Request.Tools = None - 1 },
		"a parent behind":                func(e []Entry, _ *Session) { e[1].Parent = 1 },
		"a parent below none":            func(e []Entry, _ *Session) { e[0].Parent = None - 1 },
		"a kind below the first":         func(e []Entry, _ *Session) { e[0].Kind = User - 1 },
		"a kind above the last":          func(e []Entry, _ *Session) { e[0].Kind = Summary + 1 },
		"an answer without its request":  func(e []Entry, _ *Session) { e[1].Request = nil },
		"a request without an answer":    func(e []Entry, _ *Session) { e[0].Request = &Request{} },
		"a result of none":               func(e []Entry, _ *Session) { e[2].CallEntry = None },
		"a result of itself":             func(e []Entry, _ *Session) { e[2].CallEntry = 2 },
		"a result of what is no answer":  func(e []Entry, _ *Session) { e[2].CallEntry = 0 },
		"a result of a call before all":  func(e []Entry, _ *Session) { e[2].Call = -1 },
		"a result of a call behind all":  func(e []Entry, _ *Session) { e[2].Call = 1 },
		"a session without a context":    func(_ []Entry, s *Session) { s.Contexts = nil },
		"tools of a log that has no one": func(e []Entry, s *Session) { s.Arrays, e[1].Request.Tools = nil, 1 },
	} {
		s, w := resting(1), NewWhole()
		spoil(s.Contexts[0].Entries, &s)
		w.Session(&s, 1)
		if ok, err := w.Lines().Take(to, nil, func(Session, int) {}, nil); !ok || errors.Is(err, ErrDamaged) != (name != "") {
			t.Errorf("%s: %v, %v", name, ok, err)
		}
	}
	for _, tools := range []int{None, 0} {
		s, w := resting(1), NewWhole()
		s.Contexts[0].Entries[1].Request.Tools = tools
		s.Contexts[0].Entries[0].Kind = Summary
		w.Session(&s, 1)
		if _, err := w.Lines().Take(to, nil, func(Session, int) {}, nil); err != nil {
			t.Errorf("tools %d: %v", tools, err)
		}
	}
}

// TestKnownRequests: logs that are known by their kept facts share exchanges as read ones do, and
// are to be read in the order of their last exchange.
func TestKnownRequests(t *testing.T) {
	t.Parallel()
	at := func(seconds int64) *Whole {
		w, s := NewWhole(), resting(1)
		s.Contexts[0].Entries[0].Time = time.Unix(seconds, 0).UTC()
		w.Session(&s, 1)
		return w
	}
	shared := Digest{9}
	for name, c := range map[string]struct {
		times  []int64
		parts  []bool // of each: an earlier log has the exchange; all have it but the last
		second []bool // it is taken
		order  string
	}{
		"in their order":            {[]int64{1, 2, 3}, []bool{false, true}, []bool{true, true, true}, ""},
		"the second was first":      {[]int64{5, 2, 3}, []bool{false, true}, []bool{true, true, true}, "b a c"},
		"at the same time":          {[]int64{5, 5, 3}, []bool{false, true}, []bool{true, true, true}, ""},
		"the third with the others": {[]int64{5, 4, 3}, []bool{false, true, true}, []bool{true, true, true}, "c b a"},
		"not as it was":             {[]int64{5, 2, 3}, []bool{true, true}, []bool{false, false, true}, ""},
	} {
		var r RequestsReader
		for i, seconds := range c.times {
			w := at(seconds)
			if i < len(c.parts) {
				w.Part(shared, c.parts[i])
			}
			if ok, err := r.Known(string(rune('a'+i)), w.Lines()); ok != c.second[i] || err != nil {
				t.Errorf("%s: log %d: %v, %v", name, i, ok, err)
			}
		}
		if got := strings.Join(r.Order(), " "); got != c.order {
			t.Errorf("%s: %q, want %q", name, got, c.order)
		}
	}
}

// TestDatabaseState: a database is told from itself later by all the files that belong to it, and
// rests when none of them is young.
func TestDatabaseState(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.db")
	now := time.Date(2026, 11, 2, 14, 0, 0, 0, time.UTC)
	write := func(suffix, text string, age time.Duration) {
		require.NoError(t, os.WriteFile(path+suffix, []byte(text), 0o600))
		require.NoError(t, os.Chtimes(path+suffix, now, now.Add(-age)))
	}
	var states []string
	for i, c := range []struct {
		suffix, text string
		age          time.Duration
		size         int64
		settled      bool
	}{
		{"", "one", time.Minute, 3, true},
		{"", "four", time.Minute, 4, true},
		{"", "four", 2 * time.Minute, 4, true},
		{"-wal", "five5", time.Minute, 9, true},
		{"-journal", "six", time.Minute - 1, 12, false},
		{"-other", "x", 0, 12, false},
	} {
		write(c.suffix, c.text, c.age)
		state, settled := DatabaseState(path, now, time.Minute)
		if settled != c.settled || DatabaseSize(path) != c.size || slices.Contains(states, string(state)) != (c.suffix == "-other") {
			t.Errorf("%d: %q, settled %v, %d bytes", i, state, settled, DatabaseSize(path))
		}
		states = append(states, string(state))
	}
	if state, settled := DatabaseState(path+"x", now, time.Minute); len(state) != 0 || !settled || DatabaseSize(path+"x") != 0 {
		t.Errorf("of none: %q, %v", state, settled)
	}
}

// TestNames: names are kept once, long ones and what comes when there are many are not kept.
func TestNames(t *testing.T) {
	t.Parallel()
	value := func(text string) jsontree.Value {
		v, err := jsontree.NewCursor([]byte(text), 0).Value()
		require.NoError(t, err)
		return v
	}
	var n Names
	long := strings.Repeat("x", longName)
	for _, c := range []struct {
		text, want string
		kept       int
	}{{`"a"`, "a", 1}, {`"a"`, "a", 1}, {`"\u0061"`, "a", 1}, {`7`, "", 2}, {`"` + long + `"`, long, 3}, {`"` + long + `x"`, long + "x", 3}} {
		if got := n.Of(value(c.text)); got != c.want || len(n.of) != c.kept {
			t.Errorf("%s: %q, %d kept", c.text, got, len(n.of))
		}
	}
	for i := range mostNames {
		n.Of(value(strconv.Quote("n" + strconv.Itoa(i))))
	}
	if len(n.of) != mostNames || n.Of(value(`"last"`)) != "last" {
		t.Errorf("%d kept", len(n.of))
	}
}
