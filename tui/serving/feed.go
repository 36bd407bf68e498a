package serving

import (
	"cmp"
	"slices"
	"time"

	"caliper/engine/replay"
	"caliper/engine/transcript"
	"caliper/model/safetext"
	"caliper/model/words"
)

// mostConnections is how many connections are kept, and mostQueries how many of the
// queries of a need.
const (
	mostConnections = 200
	mostQueries     = 8
)

// Feed is the known facts of the agents. The zero value knows of none.
type Feed struct {
	Forgotten   int           // connections that are no longer kept
	connections []*Connection // the oldest first
}

// Spent is how many requests of a kind there were, and their tokens with the answers.
type Spent struct{ Requests, Tokens int }

// Connection is one client of a session.
type Connection struct {
	ID, Session   string
	Client        transcript.EventClient // as it says; foreign text
	Since         time.Time              // the first event
	Ended         bool
	Tools         int // that it listed last; 0 before it did
	Schemas       int // tokens of these
	EagerSchemas  int // tokens of all tools of the session; 0 where that is not known
	Search        Spent
	Describe      Spent
	Call          Spent
	Fetch         Spent
	Refused       int // calls, searches and descriptions that were refused
	Served, Eager int // tokens by now, as the package comment says

	carried   int       // tokens of searches and descriptions, which the context holds since
	queries   []string  // of the searches since the last call that was let through
	questions int       // how many these are
	refusal   [2]string // the tool that was refused last, and the code of the reason
	again     int       // how often that refusal came, one after the other
}

// Requests returns how often the agent asked for something.
func (c *Connection) Requests() int {
	return c.Search.Requests + c.Describe.Requests + c.Call.Requests + c.Fetch.Requests
}

// Cause is why an agent goes in circles.
type Cause uint8

// The causes.
const (
	SearchesOnly Cause = iota // it searches, and calls nothing of what it finds
	RefusedAgain              // it repeats a call after the same refusal
)

// Alarm tells that an agent goes in circles.
type Alarm struct {
	Cause   Cause
	Queries []string // of SearchesOnly; foreign text
	Tool    string   // of RefusedAgain; foreign text
	Code    string   // why it was refused
}

// Connections returns the connections, the newest first. Nobody may change them.
func (f *Feed) Connections() []*Connection {
	out := slices.Clone(f.connections)
	slices.Reverse(out)
	return out
}

// Add counts an event, and returns the alarm that it causes; ok is false for none.
func (f *Feed) Add(e transcript.Event) (a Alarm, ok bool) {
	if e.Connection == "" {
		return Alarm{}, false
	}
	c := f.connection(e)
	switch e.Kind {
	case transcript.EventList:
		c.Tools, c.Schemas, c.EagerSchemas = e.Tools, e.Tokens.Schemas, e.Tokens.Eager
	case transcript.EventDisconnect:
		c.Ended = true
	case transcript.EventSearch:
		c.spend(&c.Search, e)
	case transcript.EventDescribe:
		c.spend(&c.Describe, e)
	case transcript.EventCall:
		c.spend(&c.Call, e)
	case transcript.EventFetch:
		c.spend(&c.Fetch, e)
	default:
		return Alarm{}, false
	}
	if e.Verdict == transcript.VerdictDenied {
		c.Refused++
	}
	switch {
	case e.Kind == transcript.EventSearch:
		c.questions++
		if e.Request != nil && len(c.queries) < mostQueries {
			c.queries = append(c.queries, e.Request.Queries...)
		}
		return Alarm{Cause: SearchesOnly, Queries: slices.Clone(c.queries)}, c.questions == replay.LoopSearches
	case e.Kind == transcript.EventCall && e.Verdict == transcript.VerdictDenied:
		tool := e.RealName
		if r := e.Request; r != nil {
			tool = cmp.Or(tool, r.Called, r.Name)
		}
		if is := [2]string{tool, e.Code}; is != c.refusal {
			c.refusal, c.again = is, 0
		}
		c.again++
		return Alarm{Cause: RefusedAgain, Tool: tool, Code: e.Code}, c.again == 2
	case e.Kind == transcript.EventCall:
		c.queries, c.questions, c.refusal, c.again = nil, 0, [2]string{}, 0
	}
	return Alarm{}, false
}

// connection returns the connection of an event, which begins with its first one.
func (f *Feed) connection(e transcript.Event) *Connection {
	for _, c := range slices.Backward(f.connections) {
		if c.ID == e.Connection {
			return c
		}
	}
	c := &Connection{ID: e.Connection, Session: e.Session, Since: e.Time}
	if e.Client != nil {
		c.Client = *e.Client
	}
	f.connections = append(f.connections, c)
	if len(f.connections) > mostConnections { // the oldest that has ended, or else the oldest, goes
		i := max(0, slices.IndexFunc(f.connections, func(c *Connection) bool { return c.Ended }))
		f.connections = slices.Delete(f.connections, i, i+1)
		f.Forgotten++
	}
	return c
}

// spend counts a request.
func (c *Connection) spend(on *Spent, e transcript.Event) {
	tokens := e.Tokens.Request + e.Tokens.Response
	on.Requests++
	on.Tokens += tokens
	c.Served += c.Schemas + c.carried
	switch e.Kind {
	case transcript.EventSearch, transcript.EventDescribe:
		c.carried += tokens
	default:
		c.Eager += c.EagerSchemas
	}
}

// Refusal returns in words that clients were refused, and how many by now.
func Refusal(e transcript.Event) string {
	who := "a client"
	if e.Client != nil && e.Client.Name != "" {
		who = safetext.Line(e.Client.Name)
	}
	if e.Session != "" {
		who += ", session " + safetext.Line(e.Session)
	}
	if e.Count > 1 {
		who = words.CountThousands(e.Count, "time") + "  " + who
	}
	return "REFUSED " + who + ": " + safetext.Line(e.Error)
}
