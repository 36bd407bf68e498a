package record

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"caliper/engine/event"
	"caliper/engine/transcript"
	"caliper/engine/transcript/kept"
	"caliper/engine/transcript/lines"
	"caliper/model/jsontree"
)

// version is that of the events that are read.
const version = "1"

// tokenChars are the characters that a token stands for where only tokens are known.
const tokenChars = 4

// Reader reads the files of a record one after the other, the oldest first. The zero
// value is ready.
type Reader struct {
	Options transcript.Options
	// Spill packs sessions that rest; nil where they stay as they are.
	Spill    *kept.Spill
	sessions []*session
	awake    []*session        // those that are not packed
	byName   map[name]*session // the latest of a connection
	begun    map[name]int      // how many there are of it
	seen     map[kept.Digest]bool
	taken    int // events
	skipped  transcript.Skips
	names    lines.Names
	// room is memory of sessions that were packed, for the next new ones; at most mostRooms
	// of largestRoom entries.
	room [][]transcript.Entry
}

// session is one that is read.
type session struct {
	transcript.Session
	used int // the event that was taken last
}

// name is what an event says of where it happened.
type name struct{ session, connection string }

// digest tells one event from all others. Its number alone does not: a server that is
// started again counts from 1.
func (l *line) digest() (d kept.Digest) {
	var room [128]byte
	key := room[:0]
	for _, n := range []int{len(l.where.session), len(l.where.connection), l.number, int(l.at.Unix()), l.at.Nanosecond()} {
		key = binary.BigEndian.AppendUint64(key, uint64(n))
	}
	sum := sha256.Sum256(append(append(key, l.where.session...), l.where.connection...))
	copy(d[:], sum[:])
	return d
}

// Read reads one file to its end. Nothing fails but ctx and the stream.
func (r *Reader) Read(ctx context.Context, in io.Reader, path string) error {
	return r.Continue(ctx, in, path, nil)
}

// Continue reads one file by what is kept of it, and then what in has more; see
// kept.Reader.
func (r *Reader) Continue(ctx context.Context, in io.Reader, path string, k *kept.Lines) error {
	if r.byName == nil {
		r.byName, r.begun, r.seen = map[name]*session{}, map[name]int{}, map[kept.Digest]bool{}
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
		if s.Packed != nil || len(s.Contexts[0].Entries) > 0 {
			r.Spill.Pack(&s.Session)
			log.Sessions = append(log.Sessions, s.Session)
		}
	}
	r.awake, r.room = nil, nil
	return log
}

// take takes one event, and returns what it is when it is left out.
func (r *Reader) take(l *line, path string) string {
	if l.foreign {
		return "unknown"
	}
	if l.number > 0 {
		d := l.digest()
		if r.seen[d] {
			return "repeated"
		}
		r.seen[d] = true
	}
	s := r.session(l.where, l.connects, path)
	if s.Started.IsZero() {
		s.Started = l.at
	}
	if l.what != "" {
		return l.what
	}
	context := &s.Contexts[0]
	if context.Entries == nil && len(r.room) > 0 {
		last := len(r.room) - 1
		context.Entries, r.room = r.room[last], r.room[:last]
	}
	if l.call.Kind != transcript.Use {
		context.Bridge, context.Deferred = true, true
	}
	answer := len(context.Entries)
	context.Entries = append(context.Entries,
		transcript.Entry{Parent: answer - 1, Kind: transcript.Answer, Time: l.at, Size: l.call.Size,
			Request: transcript.Request{Tools: transcript.None}.With(l.call)},
		transcript.Entry{Parent: answer, Kind: transcript.Result, Time: l.at, CallEntry: answer, Size: l.answer})
	return ""
}

// part returns the name of a session or a connection, which may be a number.
func (r *Reader) part(v jsontree.Value) string {
	if v.IsNumber() {
		return string(v.Raw)
	}
	return r.names.Of(v)
}

// session returns the session of an event. A client that connects begins a new one, also
// where a server that was started again gives connections the same names.
func (r *Reader) session(where name, connects bool, path string) *session {
	s := r.byName[where]
	if s != nil && !(connects && (s.Packed != nil || len(s.Contexts[0].Entries) > 0)) {
		r.wake(s)
		return s
	}
	id := strings.Trim(where.session+"/"+where.connection, "/")
	if id == "" {
		id = path
	}
	if r.begun[where]++; r.begun[where] > 1 {
		id = fmt.Sprintf("%s#%d", id, r.begun[where])
	}
	s = &session{Session: transcript.Session{ID: id, Agent: transcript.Caliper, File: path, Contexts: make([]transcript.Context, 1)}}
	r.byName[where] = s
	r.sessions, r.awake = append(r.sessions, s), append(r.awake, s)
	r.wake(s)
	return s
}

// restful is how many events a session is not used until it is packed.
const restful = 500

// wake makes a session ready for the next event, and packs those that rest.
func (r *Reader) wake(s *session) {
	r.taken++
	s.used = r.taken
	if s.Packed != nil {
		r.Spill.Unpack(&s.Session)
		r.awake = append(r.awake, s)
	}
	if r.Spill == nil || r.taken%restful != 0 {
		return
	}
	r.awake = slices.DeleteFunc(r.awake, func(s *session) bool {
		if r.taken-s.used < restful || len(s.Contexts[0].Entries) == 0 {
			return false
		}
		entries := s.Contexts[0].Entries
		r.Spill.Pack(&s.Session)
		if len(r.room) < mostRooms && cap(entries) <= largestRoom {
			clear(entries)
			r.room = append(r.room, entries[:0])
		}
		return true
	})
}

// What Reader.room has at most: a session that wakes brings memory of its own, so that
// without a bound every packing would leave some behind.
const mostRooms, largestRoom = 128, 256

// mostHits is how many hits most searches have at most: five is the default limit.
const mostHits = 5

// hits returns the names of the tools that a search found; nil where it does not say.
func (r *Reader) hits(v jsontree.Value) []string {
	if !v.IsArray() {
		return nil
	}
	names := make([]string, 0, mostHits)
	for hit := range v.All() {
		if name := r.names.Of(hit.Member("name")); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// failed reports whether an event says that a call was refused or failed: it has an
// error, or a code other than that of success, or its verdict says so. Gates tell only
// where there is no verdict on all of them: what one stops, a person may allow.
func (f *fields) failed() bool {
	switch f.fault.First() {
	case 0, 'n':
	case '"':
		if says := f.fault.Text(); says != "" && says != "false" {
			return true
		}
	case 'f':
	default:
		return true
	}
	if code := f.code.Text(); code != "" && code != "ok" {
		return true
	}
	switch f.verdict.Text() {
	case "": // the gates tell
	case event.Denied, event.Failed, event.Refused, event.TimedOut, event.Gone, "fail":
		return true
	default:
		return false
	}
	for step := range f.trace.All() {
		if step.Member("verdict").Text() == "fail" {
			return true
		}
	}
	return false
}

// answered returns the size of what the client was sent. A result that was rescued is not
// it: the client was sent a handle in its place.
func (r *Reader) answered(response, result jsontree.Value) transcript.Size {
	if string(result.Member("rescued").Raw) == "true" {
		return r.size(transcript.Output, response, jsontree.Value{})
	}
	if !response.IsNumber() {
		response = result.Member("tokens")
	}
	return r.size(transcript.Output, response, result.Member("chars"))
}

// size returns the size that an event gives, by its tokens and, where it has them, its
// characters.
func (r *Reader) size(class transcript.Class, tokens, chars jsontree.Value) (s transcript.Size) {
	s.Chars[class] = count(tokens) * tokenChars
	if chars.IsNumber() {
		s.Chars[class] = count(chars)
	}
	if r.Options.Count != nil {
		s.Tokens = count(tokens)
	}
	return s
}

// list returns the strings of a member that is one, and of one that is an array.
func list(v jsontree.Value, one, many string) (values []string) {
	if text := v.Member(one).Text(); text != "" {
		values = append(values, text)
	}
	for v := range v.Member(many).All() {
		if v.IsString() {
			values = append(values, v.Text())
		}
	}
	return values
}

// count returns a number of tokens or characters; 0 for what is none.
func count(v jsontree.Value) int {
	if !v.IsNumber() {
		return 0
	}
	i, err := strconv.Atoi(string(v.Raw))
	if err != nil || i < 0 || i > 1<<40 {
		return 0
	}
	return i
}
