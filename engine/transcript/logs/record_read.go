package logs

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"time"

	"caliper/engine/transcript"
	"caliper/model/jsontree"
)

// version is the version of the events that are read.
const version = "1"

// tokenChars are the characters that a token stands for where only tokens are known.
const tokenChars = 4

// RecordReader reads the record that caliper itself writes of the agents it serves:
// one event a line, of searches, descriptions and calls, with the tokens of each.
//
// A server of tools does not see the conversation. What a record cannot tell:
//
//   - the user's words: a call's query is the search before it;
//   - which events were one answer of the model: each counts as one;
//   - what a request cost: usage is unknown;
//   - texts, unless they were recorded too: then sizes are those that the event gives,
//     and where it gives tokens alone, four characters are taken for each.
//
// A connection is a session, since its client keeps one conversation; its id is the
// session's name, a slash and the connection, with "#n" for the n-th client that connects
// by this name. A record that was rotated goes on in the next file.
//
// Invariants:
//   - an event is at most one answer with one call and one result;
//   - an event counts once: one of a connection with the time and the number of another
//     is a copy. Numbers need not grow, since calls of one client overlap;
//   - events of other kinds, and of a later version, are counted and change
//     nothing else.
//
// It reads the files of a record one after the other, the oldest first. The zero
// value is ready.
type RecordReader struct {
	Options  transcript.Options
	sessions []*transcript.Session
	awake    []*transcript.Session // those that are not packed
	packer   transcript.Packer
	byName   map[name]*transcript.Session // the latest of a connection
	begun    map[name]int                 // how many there are of it
	seen     map[transcript.Digest]bool
	skipped  transcript.Skips
	names    transcript.Names
}

// name is where an event happened: the session and the connection.
type name [2]string

// Read reads one file to its end. Nothing fails but ctx and the stream.
func (r *RecordReader) Read(ctx context.Context, in io.Reader, path string) error {
	return r.ReadLines(ctx, in, path, nil)
}

// ReadLines reads one file as transcript.LineReader does.
func (r *RecordReader) ReadLines(ctx context.Context, in io.Reader, path string, k *transcript.Lines) error {
	if r.byName == nil {
		r.byName, r.begun, r.seen = map[name]*transcript.Session{}, map[name]int{}, map[transcript.Digest]bool{}
	}
	skip := func(number int, what string) { r.skipped.Add(path, number, what) }
	err := transcript.LineReader[recordLine]{
		Parse:    r.parse,
		Take:     func(l *recordLine) string { return r.take(l, path) },
		Skip:     skip,
		Progress: r.Options.Progress,
	}.Read(ctx, in, k)
	if r.Options.Pack {
		r.packer.Pack(r.awake...)
		r.awake = nil
	}
	return err
}

// Log returns what was read so far. A session in which nothing was asked or called is
// left out.
func (r *RecordReader) Log() transcript.Log {
	log := transcript.Log{Skipped: r.skipped.List()}
	for _, s := range r.sessions {
		if said(s) {
			log.Sessions = append(log.Sessions, *s)
		}
	}
	return log
}

// take takes one event, and returns what it is when it is left out.
func (r *RecordReader) take(l *recordLine, path string) string {
	if l.Foreign {
		return "unknown"
	}
	if l.Number > 0 {
		var key []byte // its number alone does not tell an event: a server that is started again counts from 1
		for _, n := range []int{len(l.Where[0]), len(l.Where[1]), l.Number, int(l.At.Unix()), l.At.Nanosecond()} {
			key = binary.BigEndian.AppendUint64(key, uint64(n))
		}
		d := transcript.DigestOf(append(append(key, l.Where[0]...), l.Where[1]...))
		if r.seen[d] {
			return "repeated"
		}
		r.seen[d] = true
	}
	// A client that connects begins a new session, also where a server that was started again gives
	// connections the same names.
	s := r.byName[l.Where]
	if s == nil || l.Connects && said(s) {
		id := cmp.Or(strings.Trim(l.Where[0]+"/"+l.Where[1], "/"), path)
		if r.begun[l.Where]++; r.begun[l.Where] > 1 {
			id = fmt.Sprintf("%s#%d", id, r.begun[l.Where])
		}
		s = &transcript.Session{ID: id, Agent: transcript.Caliper, File: path, Contexts: make([]transcript.Context, 1)}
		r.byName[l.Where] = s
		r.sessions, r.awake = append(r.sessions, s), append(r.awake, s)
	} else if s.Packed != nil {
		s.Unpack()
		r.awake = append(r.awake, s)
	}
	if s.Started.IsZero() {
		s.Started = l.At
	}
	if l.What != "" {
		return l.What
	}
	context := &s.Contexts[0]
	if l.Call.Kind != transcript.Use {
		context.Bridge, context.Deferred = true, true
	}
	answer := len(context.Entries)
	context.Entries = append(context.Entries,
		transcript.Entry{Parent: answer - 1, Kind: transcript.Answer, Time: l.At, Size: l.Call.Size,
			Request: &transcript.Request{Tools: transcript.None, Calls: []transcript.Call{l.Call}}},
		transcript.Entry{Parent: answer, Kind: transcript.Result, Time: l.At, CallEntry: answer, Size: l.Answer})
	return ""
}

// part returns the name of a session or a connection, which may be a number.
func (r *RecordReader) part(v jsontree.Value) string {
	if v.IsNumber() {
		return string(v.Raw)
	}
	return r.names.Of(v)
}

// said reports whether something was asked or called in a session.
func said(s *transcript.Session) bool { return s.Packed != nil || len(s.Contexts[0].Entries) > 0 }

// failed reports whether the call of an event was refused or failed: it has an
// error, or a code other than success, or its verdict says so. Gates tell only
// where there is no verdict on all of them: what one stops, a person may allow.
func (f fields) failed() bool {
	switch f["error"].First() {
	case 0, 'n':
	case '"':
		if says := f["error"].Text(); says != "" && says != "false" {
			return true
		}
	case 'f':
	default:
		return true
	}
	if code := f["code"].Text(); code != "" && code != "ok" {
		return true
	}
	switch f["verdict"].Text() {
	case "": // the gates tell
	case transcript.VerdictDenied, transcript.VerdictFailed, transcript.VerdictRefused, transcript.VerdictTimedOut, transcript.VerdictGone, "fail":
		return true
	default:
		return false
	}
	for step := range f["trace"].All() {
		if step.Member("verdict").Text() == "fail" {
			return true
		}
	}
	return false
}

// size returns the size that an event gives, by its tokens and, where it has them, its
// characters.
func (r *RecordReader) size(class transcript.Class, tokens, chars jsontree.Value) (s transcript.Size) {
	s.Chars[class] = recordCount(tokens) * tokenChars
	if chars.IsNumber() {
		s.Chars[class] = recordCount(chars)
	}
	if r.Options.Count != nil {
		s.Tokens = recordCount(tokens)
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

// recordCount returns a number of tokens or characters; 0 for anything else.
func recordCount(v jsontree.Value) int {
	if n := number(v); n >= 0 && n <= 1<<40 {
		return n
	}
	return 0
}

// recordLine is the facts of one event.
type recordLine struct {
	Foreign  bool // of a later version, or no event
	Connects bool
	At       time.Time
	Where    name
	Number   int    // 0 for none
	What     string // why it is no request; empty for one
	Call     transcript.Call
	Answer   transcript.Size
}

// recordFields are the members of an event that count.
var recordFields = namesIn("v kind time session connection seq request real_name hits tokens result error code verdict trace")

// readRecord reads the fields of a line; ok is false if the line is no JSON object.
func readRecord(data []byte) (f fields, ok bool) {
	f = fields{}
	w := jsontree.Walk(data)
	return f, w.Next() == '{' && f.read(w, recordFields) && w.AtEnd()
}

// parse reads an event; ok is false for text that is no JSON.
func (r *RecordReader) parse(data []byte) (l recordLine, ok bool) {
	f, ok := readRecord(data)
	if !ok {
		if f, ok = readRecord(jsontree.Mend(data)); !ok {
			return l, false
		}
	}
	kind := r.names.Of(f["kind"])
	if !f["v"].IsNumber() || string(f["v"].Raw) != version || kind == "" {
		l.Foreign = true
		return l, true
	}
	at, err := time.Parse(time.RFC3339Nano, f["time"].Text())
	if err != nil {
		at = time.Time{}
	}
	l.At = at.UTC()
	l.Where = name{r.part(f["session"]), r.part(f["connection"])}
	l.Number, l.Connects = recordCount(f["seq"]), kind == "connect"
	c := transcript.Call{Tool: r.names.Of(f["real_name"])}
	switch kind {
	case "search":
		c.Kind, c.Tool = transcript.Search, "tool_search"
		asked := transcript.Lookup{Queries: list(f["request"], "query", "queries"), Told: true}
		for hit := range f["hits"].All() {
			if name := r.names.Of(hit.Member("name")); name != "" {
				asked.Hits = append(asked.Hits, name)
			}
		}
		c.Ask(asked)
	case "describe":
		c.Kind, c.Tool = transcript.Describe, "tool_describe"
		c.Ask(transcript.Lookup{Names: list(f["request"], "name", "names")})
	case "call":
		if c.Tool == "" {
			c.Tool = r.names.Of(f["request"].Member("name"))
		}
	case "fetch":
		c.Tool = "rescuer_fetch"
	default:
		l.What = kind
		return l, true
	}
	if c.Tool == "" {
		l.What = "unknown"
		return l, true
	}
	c.Size = r.size(transcript.Schema, f["tokens"].Member("request"), jsontree.Value{})
	c.Answered, c.Failed = true, f.failed()
	response, chars := f["tokens"].Member("response"), f["result"].Member("chars") // of what the client was sent
	if string(f["result"].Member("rescued").Raw) == "true" {
		chars = jsontree.Value{} // it was sent a handle in the place of the result
	} else if !response.IsNumber() {
		response = f["result"].Member("tokens")
	}
	l.Call, l.Answer = c, r.size(transcript.Output, response, chars)
	return l, true
}
