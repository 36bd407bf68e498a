package record

import (
	"context"
	"io"
	"strconv"
	"strings"
	"time"

	"caliper/engine/transcript"
	"caliper/engine/transcript/dialogue"
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
	Options  transcript.Options
	sessions []*transcript.Session
	byID     map[string]*transcript.Session
	skipped  []transcript.Skipped
	kinds    map[string]int // of the file that is read: index in skipped
}

// Read reads one file to its end. Nothing fails but ctx and the stream.
func (r *Reader) Read(ctx context.Context, in io.Reader, path string) error {
	if r.byID == nil {
		r.byID = map[string]*transcript.Session{}
	}
	r.kinds = map[string]int{}
	skip := func(number int, what string) {
		i, ok := r.kinds[what]
		if !ok {
			i = len(r.skipped)
			r.kinds[what] = i
			r.skipped = append(r.skipped, transcript.Skipped{File: path, Line: number, What: what})
		}
		r.skipped[i].Count++
	}
	return lines.Reader{
		Line: func(number int, data []byte) error {
			n, ok := dialogue.Parse(data)
			if !ok {
				skip(number, "not JSON")
			} else if what := r.take(n, path); what != "" {
				skip(number, what)
			}
			return nil
		},
		Long:     func(number int) { skip(number, "too long") },
		Torn:     func(number int, _ int64) { skip(number, "torn") },
		Progress: r.Options.Progress,
	}.Read(ctx, in)
}

// Log returns what was read so far. A session in which nothing was asked or called is
// left out.
func (r *Reader) Log() transcript.Log {
	log := transcript.Log{Skipped: r.skipped}
	for _, s := range r.sessions {
		if len(s.Contexts[0].Entries) > 0 {
			log.Sessions = append(log.Sessions, *s)
		}
	}
	return log
}

// take takes one event, and returns what it is when it is left out.
func (r *Reader) take(n *jsontree.Node, path string) string {
	kind := text(n.Member("kind"))
	if v := n.Member("v"); !v.Is(jsontree.Number) || v.Text != version || kind == "" {
		return "unknown"
	}
	at, err := time.Parse(time.RFC3339Nano, text(n.Member("time")))
	if err != nil {
		at = time.Time{}
	}
	s := r.session(n, path)
	if s.Started.IsZero() {
		s.Started = at.UTC()
	}
	request := n.Member("request")
	c := transcript.Call{Tool: strings.Clone(text(n.Member("real_name")))}
	asked := text(request.Member("name"))
	switch kind {
	case "search":
		c.Kind, c.Tool, c.Queries = transcript.Search, "tool_search", list(request, "query", "queries")
	case "describe":
		c.Kind, c.Tool, c.Names = transcript.Describe, "tool_describe", list(request, "name", "names")
	case "call":
		if c.Tool == "" {
			c.Tool = strings.Clone(asked)
		}
	case "fetch":
		c.Tool = "rescuer_fetch"
	default:
		return strings.Clone(kind)
	}
	if c.Tool == "" {
		return "unknown"
	}
	tokens, result := n.Member("tokens"), n.Member("result")
	c.Size = r.size(transcript.Schema, tokens.Member("request"), nil)
	context := &s.Contexts[0]
	if c.Kind != transcript.Use {
		context.Bridge, context.Deferred = true, true
	}
	c.Answered, c.Failed = true, failed(n)
	answer := len(context.Entries)
	context.Entries = append(context.Entries,
		transcript.Entry{Parent: answer - 1, Kind: transcript.Answer, Time: at.UTC(), Size: c.Size,
			Request: &transcript.Request{Calls: []transcript.Call{c}, Tools: transcript.None}},
		transcript.Entry{Parent: answer, Kind: transcript.Result, Time: at.UTC(), CallEntry: answer, Size: r.size(transcript.Output, first(tokens.Member("response"), result.Member("tokens")), result.Member("chars"))})
	return ""
}

// session returns the session of an event.
func (r *Reader) session(n *jsontree.Node, path string) *transcript.Session {
	var names []string
	for _, name := range []string{"session", "connection"} {
		switch v := n.Member(name); {
		case v.Is(jsontree.String) && v.Text != "", v.Is(jsontree.Number):
			names = append(names, v.Text)
		}
	}
	id := strings.Join(names, "/")
	if id == "" {
		id = path
	}
	s := r.byID[id]
	if s == nil {
		s = &transcript.Session{ID: id, Agent: transcript.Caliper, File: path, Contexts: make([]transcript.Context, 1)}
		r.byID[id] = s
		r.sessions = append(r.sessions, s)
	}
	return s
}

// failed reports whether an event says that a call was refused or failed: it has an
// error or a code, or a gate did not let it pass.
func failed(n *jsontree.Node) bool {
	for _, name := range []string{"error", "code"} {
		if v := n.Member(name); v != nil && !v.Is(jsontree.Null) && !(v.Is(jsontree.String) && v.Text == "") {
			return true
		}
	}
	for _, step := range n.Member("trace").Elements() {
		if text(step.Member("verdict")) == "fail" {
			return true
		}
	}
	return false
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
