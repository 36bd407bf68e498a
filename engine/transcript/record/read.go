package record

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"caliper/engine/event"
	"caliper/engine/transcript"
	"caliper/engine/transcript/kept"
	"caliper/model/jsontree"
)

// version is that of the events that are read.
const version = "1"

// tokenChars are the characters that a token stands for where only tokens are known.
const tokenChars = 4

// Reader reads the files of a record one after the other, the oldest first. The zero
// value is ready.
type Reader struct {
	Options  transcript.Options
	sessions []*transcript.Session
	byName   map[name]*transcript.Session // the latest of a connection
	begun    map[name]int                 // how many there are of it
	seen     map[eventKey]bool
	skipped  transcript.Skips
}

// name is what an event says of where it happened.
type name struct{ session, connection string }

// eventKey tells one event from all others. Its number alone does not: a server that is
// started again counts from 1.
type eventKey struct {
	name   name
	at     time.Time
	number int
}

// Read reads one file to its end. Nothing fails but ctx and the stream.
func (r *Reader) Read(ctx context.Context, in io.Reader, path string) error {
	return r.Continue(ctx, in, path, nil)
}

// Continue reads one file by what is kept of it, and then what in has more; see
// kept.Reader.
func (r *Reader) Continue(ctx context.Context, in io.Reader, path string, k *kept.Lines) error {
	if r.byName == nil {
		r.byName, r.begun, r.seen = map[name]*transcript.Session{}, map[name]int{}, map[eventKey]bool{}
	}
	skip := func(number int, what string) { r.skipped.Add(path, number, what) }
	return kept.Reader[line]{
		Parse:    r.parse,
		Take:     func(l *line) string { return r.take(l, path) },
		Skip:     skip,
		Encode:   encode,
		Decode:   decode,
		Progress: r.Options.Progress,
	}.Read(ctx, in, k)
}

// Log returns what was read so far. A session in which nothing was asked or called is
// left out.
func (r *Reader) Log() transcript.Log {
	log := transcript.Log{Skipped: r.skipped.List()}
	for _, s := range r.sessions {
		if len(s.Contexts[0].Entries) > 0 {
			log.Sessions = append(log.Sessions, *s)
		}
	}
	return log
}

// take takes one event, and returns what it is when it is left out.
func (r *Reader) take(l *line, path string) string {
	if l.foreign {
		return "unknown"
	}
	if l.number > 0 {
		e := eventKey{l.where, l.at, l.number}
		if r.seen[e] {
			return "repeated"
		}
		r.seen[e] = true
	}
	s := r.session(l.where, l.connects, path)
	if s.Started.IsZero() {
		s.Started = l.at
	}
	if l.what != "" {
		return l.what
	}
	context := &s.Contexts[0]
	if l.call.Kind != transcript.Use {
		context.Bridge, context.Deferred = true, true
	}
	answer := len(context.Entries)
	context.Entries = append(context.Entries,
		transcript.Entry{Parent: answer - 1, Kind: transcript.Answer, Time: l.at, Size: l.call.Size,
			Request: &transcript.Request{Calls: []transcript.Call{l.call}, Tools: transcript.None}},
		transcript.Entry{Parent: answer, Kind: transcript.Result, Time: l.at, CallEntry: answer, Size: l.answer})
	return ""
}

// part returns the name of a session or a connection, which may be a number.
func part(n *jsontree.Node) string {
	if n.Is(jsontree.String) || n.Is(jsontree.Number) {
		return strings.Clone(n.Text)
	}
	return ""
}

// session returns the session of an event. A client that connects begins a new one, also
// where a server that was started again gives connections the same names.
func (r *Reader) session(where name, connects bool, path string) *transcript.Session {
	s := r.byName[where]
	if s != nil && !(connects && len(s.Contexts[0].Entries) > 0) {
		return s
	}
	id := strings.Trim(where.session+"/"+where.connection, "/")
	if id == "" {
		id = path
	}
	if r.begun[where]++; r.begun[where] > 1 {
		id = fmt.Sprintf("%s#%d", id, r.begun[where])
	}
	s = &transcript.Session{ID: id, Agent: transcript.Caliper, File: path, Contexts: make([]transcript.Context, 1)}
	r.byName[where] = s
	r.sessions = append(r.sessions, s)
	return s
}

// hits returns the names of the tools that a search found; nil where it does not say.
func hits(n *jsontree.Node) []string {
	if !n.Is(jsontree.Array) {
		return nil
	}
	names := []string{}
	for _, hit := range n.Elements() {
		if name := text(hit.Member("name")); name != "" {
			names = append(names, strings.Clone(name))
		}
	}
	return names
}

// failed reports whether an event says that a call was refused or failed: it has an
// error, or a code other than that of success, or its verdict says so. Gates tell only
// where there is no verdict on all of them: what one stops, a person may allow.
func failed(n *jsontree.Node) bool {
	if v := n.Member("error"); v != nil && !v.Is(jsontree.Null) && v.Text != "false" && !(v.Is(jsontree.String) && v.Text == "") {
		return true
	}
	if code := text(n.Member("code")); code != "" && code != "ok" {
		return true
	}
	switch text(n.Member("verdict")) {
	case "": // the gates tell
	case event.Denied, event.Failed, event.Refused, event.TimedOut, event.Gone, "fail":
		return true
	default:
		return false
	}
	for _, step := range n.Member("trace").Elements() {
		if text(step.Member("verdict")) == "fail" {
			return true
		}
	}
	return false
}

// answered returns the size of what the client was sent. A result that was rescued is not
// it: the client was sent a handle in its place.
func (r *Reader) answered(response, result *jsontree.Node) transcript.Size {
	if rescued := result.Member("rescued"); rescued.Is(jsontree.Boolean) && rescued.Text == "true" {
		return r.size(transcript.Output, response, nil)
	}
	return r.size(transcript.Output, first(response, result.Member("tokens")), result.Member("chars"))
}

// size returns the size that an event gives, by its tokens and, where it has them, its
// characters.
func (r *Reader) size(class transcript.Class, tokens, chars *jsontree.Node) (s transcript.Size) {
	s.Chars[class] = count(tokens) * tokenChars
	if chars.Is(jsontree.Number) {
		s.Chars[class] = count(chars)
	}
	if r.Options.Count != nil {
		s.Tokens = count(tokens)
	}
	return s
}

func first(list ...*jsontree.Node) *jsontree.Node {
	for _, n := range list {
		if n.Is(jsontree.Number) {
			return n
		}
	}
	return nil
}

// list returns the strings of a member that is one, and of one that is an array.
func list(n *jsontree.Node, one, many string) (values []string) {
	if v := n.Member(one); v.Is(jsontree.String) && v.Text != "" {
		values = append(values, strings.Clone(v.Text))
	}
	for _, v := range n.Member(many).Elements() {
		if v.Is(jsontree.String) {
			values = append(values, strings.Clone(v.Text))
		}
	}
	return values
}

// count returns a number of tokens or characters; 0 for what is none.
func count(n *jsontree.Node) int {
	if !n.Is(jsontree.Number) {
		return 0
	}
	i, err := strconv.Atoi(n.Text)
	if err != nil || i < 0 || i > 1<<40 {
		return 0
	}
	return i
}

// text returns what a string stands for, "" for anything else.
func text(n *jsontree.Node) string {
	if n.Is(jsontree.String) {
		return n.Text
	}
	return ""
}
