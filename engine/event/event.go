// Package event is caliper's record of the agents that it serves: one value for each
// request, which the explorer shows, a file keeps, and replay reads.
//
// Example, as it stands in a file, on one line:
//
//	{"v":1,"time":"2026-11-24T10:00:00.123Z","seq":7,"session":"worker","client":{"name":"agent",
//	"version":"2"},"connection":"8f3a","kind":"search","request":{"name":"tool_search","queries":
//	["merge a branch"],"bytes":27,"sha256":"..."},"hits":[{"name":"mcp_forge_merge","rank":1,
//	"score":4.2}],"verdict":"ok","tokens":{"request":7,"response":96},"total_ms":0.2}
//
// Invariants:
//   - the queries of a search are in its event; the arguments of a call and the text of a
//     result only where texts are recorded, else their sizes and digests;
//   - the numbers of a connection's events grow by one;
//   - Parse reads what Append wrote, whatever the texts hold.
//
// Non-goals: deciding what is an event (package serve), and drawing one.
package event

import (
	"encoding/json"
	"time"
)

// Version is the version of the form of events. A reader leaves later ones alone.
const Version = 1

// Kind is the kind of an event.
type Kind string

// The kinds.
const (
	Connect    Kind = "connect"
	List       Kind = "list" // tools/list
	Search     Kind = "search"
	Describe   Kind = "describe"
	Call       Kind = "call"
	Fetch      Kind = "fetch"    // of a slice of a rescued result
	Approve    Kind = "approve"  // a person was asked; Verdict has the answer
	Upstream   Kind = "upstream" // a server came or went
	Reload     Kind = "reload"   // the served tools changed
	Failure    Kind = "error"
	Disconnect Kind = "disconnect"
)

// The verdicts of an event that has one. A refused call has a Code.
const (
	OK       = "ok"
	Denied   = "denied"
	DryRun   = "dry_run" // it passed every gate, and nothing is executed
	Failed   = "failed"  // it ran, and its result is an error
	Approved = "approved"
	Refused  = "refused"   // by a person
	TimedOut = "timed_out" // nobody answered
	Gone     = "gone"      // the client withdrew the call, or a server ended
)

// Event is one thing that happened. Fields that its kind does not have are zero.
type Event struct {
	V          int       `json:"v"`
	Time       time.Time `json:"time"` // in UTC
	Seq        int       `json:"seq"`  // on the connection, from 1
	Session    string    `json:"session"`
	Client     *Client   `json:"client,omitempty"`
	Connection string    `json:"connection"` // never the same for two connections, of other processes too
	Kind       Kind      `json:"kind"`
	Request    *Request  `json:"request,omitempty"`
	Hits       []Hit     `json:"hits,omitempty"`
	Tools      int       `json:"tools,omitempty"`     // of a list: how many
	RealName   string    `json:"real_name,omitempty"` // qualified name of the tool behind the bridge
	Trace      []Step    `json:"trace,omitempty"`
	Verdict    string    `json:"verdict,omitempty"`
	Code       string    `json:"code,omitempty"` // why a call was refused; empty otherwise
	Tokens     Tokens    `json:"tokens"`
	UpstreamMS float64   `json:"upstream_ms,omitempty"` // milliseconds that the server of the tool took
	TotalMS    float64   `json:"total_ms,omitempty"`
	Result     *Result   `json:"result,omitempty"`
	Error      string    `json:"error,omitempty"` // of a server that came: what to be warned of
}

// Client is a client by its own words.
type Client struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Request is the request of an event.
type Request struct {
	Name      string          `json:"name,omitempty"` // of the tool that was called, the bridge's or another
	Queries   []string        `json:"queries,omitempty"`
	Names     []string        `json:"names,omitempty"`       // of a describe
	Called    string          `json:"called,omitempty"`      // the name inside tool_call, as it was written
	Arguments json.RawMessage `json:"arguments,omitempty"`   // only where texts are recorded
	Bytes     int             `json:"bytes,omitempty"`       // of the arguments
	SHA256    string          `json:"sha256,omitempty"`      // of the arguments, in hexadecimal
	Parent    string          `json:"traceparent,omitempty"` // span of the client (W3C Trace Context), where it names one
}

// Hit is a tool that a search showed.
type Hit struct {
	Query int     `json:"query,omitempty"` // index in Request.Queries
	Name  string  `json:"name"`
	Rank  int     `json:"rank"`
	Score float64 `json:"score"`
}

// Step is one gate and what it said.
type Step struct {
	Gate    string `json:"gate"`
	Verdict string `json:"verdict"`
}

// Tokens are counted by the method that the session's configuration names.
type Tokens struct {
	Request  int `json:"request"`
	Response int `json:"response"`
	Schemas  int `json:"schemas,omitempty"` // of a list: the tools; of a description: the definitions
	Eager    int `json:"eager,omitempty"`   // of a list: what all tools of the session would be
}

// Result is the result of a call.
type Result struct {
	Chars   int    `json:"chars"`
	Tokens  int    `json:"tokens"`
	Rescued bool   `json:"rescued,omitempty"`
	Blob    string `json:"blob,omitempty"` // id under which a rescued result is kept
	SHA256  string `json:"sha256,omitempty"`
	Text    string `json:"text,omitempty"` // only where texts are recorded
}

// Append appends an event as one line, with its line end.
func Append(dst []byte, e Event) ([]byte, error) {
	data, err := json.Marshal(e)
	if err != nil {
		return dst, err
	}
	return append(append(dst, data...), '\n'), nil
}

// Parse reads a line. ok is false for anything but an event of this version.
func Parse(line []byte) (e Event, ok bool) {
	if json.Unmarshal(line, &e) != nil || e.V != Version || e.Kind == "" {
		return Event{}, false
	}
	return e, true
}
