package serving

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"caliper/engine/transcript"
)

// of returns an event of a connection.
func of(connection string, kind transcript.EventKind, tokens int) transcript.Event {
	return transcript.Event{V: transcript.EventVersion, Connection: connection, Session: "worker", Kind: kind, Verdict: transcript.VerdictOK,
		Tokens: transcript.EventTokens{Request: tokens / 4, Response: tokens - tokens/4}, Request: &transcript.EventRequest{Queries: []string{"q"}}}
}

// TestCosts is the example of the package comment, and what a second call adds.
func TestCosts(t *testing.T) {
	t.Parallel()
	var f Feed
	list := of("a", transcript.EventList, 0)
	list.Tools, list.Tokens = 3, transcript.EventTokens{Schemas: 1000, Eager: 20_000}
	for _, e := range []transcript.Event{list, of("a", transcript.EventSearch, 100), of("b", transcript.EventSearch, 900), of("a", transcript.EventCall, 40)} {
		f.Add(e)
	}
	c := f.Connections()[1]
	if c.ID != "a" || c.Served != 2100 || c.Eager != 20_000 || c.Requests() != 2 || c.Search != (Spent{1, 100}) || c.Call != (Spent{1, 40}) {
		t.Errorf("%+v", c)
	}
	f.Add(of("a", transcript.EventCall, 40))
	if c.Served != 3200 || c.Eager != 40_000 { // the answer of a call is in both
		t.Errorf("after another call %d and %d", c.Served, c.Eager)
	}
	if other := f.Connections()[0]; other.ID != "b" || other.Served != 0 || other.EagerSchemas != 0 {
		t.Errorf("the other connection: %+v", other)
	}
}

// TestAlarms: an agent that goes in circles raises an alarm once, and again only for
// another need or refusal.
func TestAlarms(t *testing.T) {
	t.Parallel()
	search, call := of("a", transcript.EventSearch, 4), of("a", transcript.EventCall, 4)
	denied := func(tool, code string) transcript.Event {
		e := of("a", transcript.EventCall, 4)
		e.Verdict, e.Code, e.Request = transcript.VerdictDenied, code, &transcript.EventRequest{Name: "tool_call", Called: tool}
		return e
	}
	direct := denied("", "unknown_tool")
	direct.Request.Name = "x"
	for _, c := range []struct {
		name   string
		events []transcript.Event
		want   []Cause
	}{
		{"two searches and a call", []transcript.Event{search, search, call, search, search}, nil},
		{"four searches", []transcript.Event{search, search, search, search}, []Cause{SearchesOnly}},
		{"a refused call ends no need", []transcript.Event{search, search, denied("x", "c"), search}, []Cause{SearchesOnly}},
		{"a description ends no need", []transcript.Event{search, search, of("a", transcript.EventDescribe, 4), search}, []Cause{SearchesOnly}},
		{"two needs", []transcript.Event{search, search, search, call, search, search, search}, []Cause{SearchesOnly, SearchesOnly}},
		{"the same refusal", []transcript.Event{denied("x", "c"), denied("x", "c"), denied("x", "c")}, []Cause{RefusedAgain}},
		{"another reason", []transcript.Event{denied("x", "c"), denied("x", "d"), denied("x", "c")}, nil},
		{"another tool", []transcript.Event{denied("x", "c"), denied("y", "c")}, nil},
		{"a call between", []transcript.Event{denied("x", "c"), call, denied("x", "c")}, nil},
		{"a direct call", []transcript.Event{direct, direct}, []Cause{RefusedAgain}},
	} {
		var f Feed
		var got []Cause
		for _, e := range c.events {
			if a, ok := f.Add(e); ok {
				got = append(got, a.Cause)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	var f Feed
	f.Add(search)
	f.Add(search)
	if a, _ := f.Add(search); !reflect.DeepEqual(a, Alarm{Cause: SearchesOnly, Queries: []string{"q", "q", "q"}}) {
		t.Errorf("%+v", a)
	}
}

// TestForgets: memory is bounded, and agents that have gone are forgotten first.
func TestForgets(t *testing.T) {
	t.Parallel()
	var f Feed
	for i := range 2 * mostConnections {
		id := fmt.Sprint(i)
		f.Add(transcript.Event{Connection: id, Kind: transcript.EventConnect, Time: time.Unix(int64(i), 0)})
		if i > 0 {
			f.Add(transcript.Event{Connection: id, Kind: transcript.EventDisconnect})
		}
	}
	all := f.Connections()
	if len(all) != mostConnections || f.Forgotten != mostConnections || all[0].ID != fmt.Sprint(2*mostConnections-1) || all[len(all)-1].ID != "0" {
		t.Errorf("%d kept, %d forgotten, from %s to %s", len(all), f.Forgotten, all[len(all)-1].ID, all[0].ID)
	}
	for range 1000 {
		f.Add(of("0", transcript.EventSearch, 4))
	}
	if c := f.connection(transcript.Event{Connection: "0"}); len(c.queries) > mostQueries {
		t.Errorf("%d queries are kept", len(c.queries))
	}
}
