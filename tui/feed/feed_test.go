package feed

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"caliper/engine/event"
)

// of returns an event of a connection.
func of(connection string, kind event.Kind, tokens int) event.Event {
	return event.Event{V: event.Version, Connection: connection, Session: "worker", Kind: kind, Verdict: event.OK,
		Tokens: event.Tokens{Request: tokens / 4, Response: tokens - tokens/4}, Request: &event.Request{Queries: []string{"q"}}}
}

// TestCosts is the example of the package comment, and what a second call adds.
func TestCosts(t *testing.T) {
	t.Parallel()
	var f Feed
	list := of("a", event.List, 0)
	list.Tools, list.Tokens = 3, event.Tokens{Schemas: 1000, Eager: 20_000}
	for _, e := range []event.Event{list, of("a", event.Search, 100), of("b", event.Search, 900), of("a", event.Call, 40)} {
		f.Add(e)
	}
	c := f.Connections()[1]
	if c.ID != "a" || c.Served != 2100 || c.Eager != 20_000 || c.Requests() != 2 || c.Search != (Spent{1, 100}) || c.Call != (Spent{1, 40}) {
		t.Errorf("%+v", c)
	}
	f.Add(of("a", event.Call, 40))
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
	search, call := of("a", event.Search, 4), of("a", event.Call, 4)
	denied := func(tool, code string) event.Event {
		e := of("a", event.Call, 4)
		e.Verdict, e.Code, e.Request = event.Denied, code, &event.Request{Name: "tool_call", Called: tool}
		return e
	}
	direct := denied("", "unknown_tool")
	direct.Request.Name = "x"
	for _, c := range []struct {
		name   string
		events []event.Event
		want   []Cause
	}{
		{"two searches and a call", []event.Event{search, search, call, search, search}, nil},
		{"four searches", []event.Event{search, search, search, search}, []Cause{SearchesOnly}},
		{"a refused call ends no need", []event.Event{search, search, denied("x", "c"), search}, []Cause{SearchesOnly}},
		{"a description ends no need", []event.Event{search, search, of("a", event.Describe, 4), search}, []Cause{SearchesOnly}},
		{"two needs", []event.Event{search, search, search, call, search, search, search}, []Cause{SearchesOnly, SearchesOnly}},
		{"the same refusal", []event.Event{denied("x", "c"), denied("x", "c"), denied("x", "c")}, []Cause{RefusedAgain}},
		{"another reason", []event.Event{denied("x", "c"), denied("x", "d"), denied("x", "c")}, nil},
		{"another tool", []event.Event{denied("x", "c"), denied("y", "c")}, nil},
		{"a call between", []event.Event{denied("x", "c"), call, denied("x", "c")}, nil},
		{"a direct call", []event.Event{direct, direct}, []Cause{RefusedAgain}},
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
		f.Add(event.Event{Connection: id, Kind: event.Connect, Time: time.Unix(int64(i), 0)})
		if i > 0 {
			f.Add(event.Event{Connection: id, Kind: event.Disconnect})
		}
	}
	all := f.Connections()
	if len(all) != mostConnections || f.Forgotten() != mostConnections || all[0].ID != fmt.Sprint(2*mostConnections-1) || all[len(all)-1].ID != "0" {
		t.Errorf("%d kept, %d forgotten, from %s to %s", len(all), f.Forgotten(), all[len(all)-1].ID, all[0].ID)
	}
	for range 1000 {
		f.Add(of("0", event.Search, 4))
	}
	if c := f.connection(event.Event{Connection: "0"}); len(c.queries) > mostQueries {
		t.Errorf("%d queries are kept", len(c.queries))
	}
}
