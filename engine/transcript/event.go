package transcript

import (
	"encoding/json"
	"time"
)

// EventVersion is the version of the form of events. A reader leaves later ones alone.
const EventVersion = 1

// EventKind is the kind of an event.
type EventKind string

// The kinds.
const (
	EventConnect    EventKind = "connect"
	EventList       EventKind = "list" // tools/list
	EventSearch     EventKind = "search"
	EventDescribe   EventKind = "describe"
	EventCall       EventKind = "call"
	EventFetch      EventKind = "fetch"    // of a slice of a rescued result
	EventApprove    EventKind = "approve"  // a person was asked; Verdict has the answer
	EventUpstream   EventKind = "upstream" // a server came or went
	EventReload     EventKind = "reload"   // the served tools changed
	EventRefuse     EventKind = "refuse"   // a client was not let in; Code and Error have why
	EventDisconnect EventKind = "disconnect"
)

// The verdicts of an event that has one. A refused call or client has a Code.
const (
	VerdictOK       = "ok"
	VerdictDenied   = "denied"
	VerdictDryRun   = "dry_run" // it passed every gate, and nothing is executed
	VerdictFailed   = "failed"  // it ran, and its result is an error
	VerdictApproved = "approved"
	VerdictRefused  = "refused"   // by a person
	VerdictTimedOut = "timed_out" // nobody answered
	VerdictGone     = "gone"      // the client withdrew the call, or a server ended
)

// Event is one thing that happened. Fields that its kind does not have are zero.
type Event struct {
	V          int           `json:"v"`
	Time       time.Time     `json:"time"` // in UTC
	Seq        int           `json:"seq"`  // on the connection, from 1
	Session    string        `json:"session"`
	Client     *EventClient  `json:"client,omitempty"`
	Connection string        `json:"connection"` // never the same for two connections, of other processes too
	Kind       EventKind     `json:"kind"`
	Request    *EventRequest `json:"request,omitempty"`
	Hits       []EventHit    `json:"hits,omitempty"`
	Tools      int           `json:"tools,omitempty"`     // of a list: how many
	RealName   string        `json:"real_name,omitempty"` // qualified name of the tool behind the bridge
	Trace      []EventStep   `json:"trace,omitempty"`
	Verdict    string        `json:"verdict,omitempty"`
	Code       string        `json:"code,omitempty"`  // why a call or client was refused; empty otherwise
	Count      int           `json:"count,omitempty"` // of a refused client: how often by now, since the server started
	Tokens     EventTokens   `json:"tokens"`
	UpstreamMS float64       `json:"upstream_ms,omitempty"` // milliseconds that the server of the tool took
	TotalMS    float64       `json:"total_ms,omitempty"`
	Result     *EventResult  `json:"result,omitempty"`
	Error      string        `json:"error,omitempty"` // of a server that came: what to be warned of; of a refused client: why
}

// EventClient is a client by its own words; one that was refused, by its User-Agent.
type EventClient struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// EventRequest is the request of an event.
type EventRequest struct {
	Name      string          `json:"name,omitempty"` // of the tool that was called, the bridge's or another
	Queries   []string        `json:"queries,omitempty"`
	Names     []string        `json:"names,omitempty"`       // of a describe
	Called    string          `json:"called,omitempty"`      // the name inside tool_call, as it was written
	Arguments json.RawMessage `json:"arguments,omitempty"`   // only where texts are recorded
	Bytes     int             `json:"bytes,omitempty"`       // of the arguments
	SHA256    string          `json:"sha256,omitempty"`      // of the arguments, in hexadecimal
	Parent    string          `json:"traceparent,omitempty"` // span of the client (W3C Trace Context), where it names one
}

// EventHit is a tool that a search showed.
type EventHit struct {
	Query int     `json:"query,omitempty"` // index in Request.Queries
	Name  string  `json:"name"`
	Rank  int     `json:"rank"`
	Score float64 `json:"score"`
}

// EventStep is one gate and what it said. Detail has the rule that made it warn, or the
// policy's that made it fail; values of arguments are in it only where texts are recorded.
type EventStep struct {
	Gate    string `json:"gate"`
	Verdict string `json:"verdict"`
	Detail  string `json:"detail,omitempty"`
}

// EventTokens are counted by the method that the session's configuration names.
type EventTokens struct {
	Request  int `json:"request"`
	Response int `json:"response"`
	Schemas  int `json:"schemas,omitempty"` // of a list: the tools; of a description: the definitions
	Eager    int `json:"eager,omitempty"`   // of a list: what all tools of the session would be
}

// EventResult is the result of a call.
type EventResult struct {
	Chars   int    `json:"chars"`
	Tokens  int    `json:"tokens"`
	Rescued bool   `json:"rescued,omitempty"`
	Blob    string `json:"blob,omitempty"` // id under which a rescued result is kept
	SHA256  string `json:"sha256,omitempty"`
	Text    string `json:"text,omitempty"` // only where texts are recorded
}

// AppendEvent appends an event as one line, with its line end.
func AppendEvent(dst []byte, e Event) ([]byte, error) {
	data, err := json.Marshal(e)
	if err != nil {
		return dst, err
	}
	return append(append(dst, data...), '\n'), nil
}

// ParseEvent reads a line. ok is false for anything but an event of this version.
func ParseEvent(line []byte) (e Event, ok bool) {
	if json.Unmarshal(line, &e) != nil || e.V != EventVersion || e.Kind == "" {
		return Event{}, false
	}
	return e, true
}
