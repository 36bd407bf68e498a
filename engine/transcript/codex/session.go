package codex

import (
	"strings"
	"time"

	"caliper/engine/transcript"
	"caliper/model/jsontree"
)

// session collects the lines of one rollout.
type session struct {
	transcript.Session
	count transcript.Counter
	now   time.Time // of the line
	said  bool
	calls map[string]at
	only  map[string]bool // calls that only an event tells of
	open  int             // the answer that may go on; None for none
	full  bool            // the open answer has results
	last  int             // the end of the history
	sum   string
	words string // of an event that came before its message
	user  string // the text of the last message of the user's role, at entry asked
	asked int
}

// at is a call of an entry.
type at struct{ entry, call int }

// member returns the value at a path of names; none when there is none.
func member(v jsontree.Value, path ...string) jsontree.Value {
	for _, name := range path {
		var found jsontree.Value
		v.Each(func(m jsontree.Member) {
			if m.Name == name {
				found = m.Value
			}
		})
		v = found
	}
	return v
}

// text returns the text at a path, "" when there is none.
func text(v jsontree.Value, path ...string) string { return member(v, path...).Text() }

// add adds an entry to the end of the history.
func (s *session) add(kind transcript.Kind, size transcript.Size) *transcript.Entry {
	c := &s.Contexts[0]
	c.Entries = append(c.Entries, transcript.Entry{Parent: s.last, Kind: kind, Time: s.now, Size: size})
	s.last, s.said = len(c.Entries)-1, true
	return &c.Entries[s.last]
}

// measure returns the size of a text.
func (s *session) measure(text string, c transcript.Class) transcript.Size {
	return transcript.Measure(text, c, s.count)
}

// meta takes the head of a session. A fork has the head of what it was forked from
// behind its own.
func (s *session) meta(v jsontree.Value) {
	if s.ID != "" {
		return
	}
	s.ID = text(v, "id")
	if says := text(v, "base_instructions", "text") + text(v, "instructions"); says != "" {
		s.add(transcript.System, s.measure(says, transcript.Prose))
	}
}

// item takes what the model saw or said.
func (s *session) item(v jsontree.Value) string {
	switch kind := text(v, "type"); kind {
	case "message":
		s.message(v)
	case "reasoning":
	case "function_call":
		name := text(v, "name")
		if space := text(v, "namespace"); space != "" {
			name = space + "__" + name
		}
		s.call(transcript.Call{ID: text(v, "call_id"), Tool: name, Size: s.measure(name+text(v, "arguments"), transcript.Schema)})
	case "custom_tool_call":
		name := text(v, "name")
		s.call(transcript.Call{ID: text(v, "call_id"), Tool: name, Size: s.measure(name+text(v, "input"), transcript.Schema)})
	case "local_shell_call":
		s.call(transcript.Call{ID: text(v, "call_id"), Tool: "local_shell", Size: s.measure(string(jsontree.Compact(member(v, "action").Raw)), transcript.Schema)})
	case "tool_search_call":
		s.search(v)
	case "tool_search_output":
		definitions := jsontree.Compact(member(v, "tools").Raw)
		s.result(text(v, "call_id"), s.measure(string(definitions), transcript.Schema), false)
	case "function_call_output", "custom_tool_call_output":
		says, failed := output(member(v, "output"))
		s.result(text(v, "call_id"), s.measure(says, transcript.Output), failed)
	case "":
		return "unknown"
	default:
		return kind
	}
	return ""
}

// message takes a message of any role.
func (s *session) message(v jsontree.Value) {
	says := said(member(v, "content"))
	switch text(v, "role") {
	case "assistant":
		e := s.answer()
		e.Size = e.Size.Add(s.measure(says, transcript.Prose))
	case "user":
		s.open = transcript.None
		e := s.add(transcript.User, s.measure(says, transcript.Prose))
		s.user, s.asked = says, s.last
		if s.words != "" && s.words == says {
			e.Words, s.words = strings.Clone(says), ""
		}
	default:
		s.add(transcript.System, s.measure(says, transcript.Prose))
	}
}

// said returns the texts of the parts of a message, or of a text alone.
func said(content jsontree.Value) string {
	if content.IsString() {
		return content.Text()
	}
	var parts []string
	for _, part := range content.Elements() {
		if t := text(part, "text"); t != "" {
			parts = append(parts, t)
		}
	}
	return strings.Join(parts, "\n")
}

// output returns the text of what a call returned, and whether it says that it failed.
func output(v jsontree.Value) (says string, failed bool) {
	switch {
	case v.IsString():
		says = v.Text()
	case v.IsArray():
		return said(v), false
	case v.IsObject():
		failed = string(member(v, "success").Raw) == "false"
		says = said(member(v, "content"))
	}
	if strings.HasPrefix(strings.TrimSpace(says), "{") {
		inner := jsontree.Value{Raw: []byte(says)}
		failed = failed || string(member(inner, "success").Raw) == "false"
	}
	return says, failed
}

// answer returns the answer that goes on, or a new one.
func (s *session) answer() *transcript.Entry {
	c := &s.Contexts[0]
	if s.open != transcript.None && (!s.full || s.sum != "") {
		return &c.Entries[s.open]
	}
	s.flush()
	e := s.add(transcript.Answer, transcript.Size{})
	e.Request = &transcript.Request{Model: s.Model, Tools: transcript.None}
	s.open, s.full = s.last, false
	return e
}

// flush adds the user's words of an event that has no message.
func (s *session) flush() {
	if s.words != "" {
		s.add(transcript.User, s.measure(s.words, transcript.Prose)).Words = s.words
		s.words = ""
	}
}

// call takes a call; one that is known already is the same.
func (s *session) call(c transcript.Call) {
	if _, known := s.calls[c.ID]; known && c.ID != "" {
		return
	}
	e := s.answer()
	e.Size = e.Size.Add(c.Size)
	e.Request.Calls = append(e.Request.Calls, c)
	s.calls[c.ID] = at{s.open, len(e.Request.Calls) - 1}
}

// search takes a search for tools: by words, or by paths.
func (s *session) search(v jsontree.Value) {
	args := member(v, "arguments")
	if args.IsString() {
		args = jsontree.Value{Raw: []byte(args.Text())}
	}
	c := transcript.Call{ID: text(v, "call_id"), Kind: transcript.Search, Tool: "tool_search",
		Size: s.measure("tool_search"+string(jsontree.Compact(args.Raw)), transcript.Schema)}
	if query := text(args, "query"); query != "" {
		c.Queries = []string{query}
	} else {
		c.Kind = transcript.Describe
		for _, p := range member(args, "paths").Elements() {
			c.Names = append(c.Names, p.Text())
		}
	}
	s.Contexts[0].Deferred = true
	delete(s.calls, "") // a server's own search has no id
	s.call(c)
}

// result takes what a call returned; the first one counts.
func (s *session) result(id string, size transcript.Size, failed bool) {
	of, ok := s.calls[id]
	if !ok {
		return
	}
	call := &s.Contexts[0].Entries[of.entry].Request.Calls[of.call]
	call.Failed = call.Failed || failed
	if call.Answered {
		return
	}
	call.Answered = true
	e := s.add(transcript.Result, size)
	e.CallEntry, e.Call = of.entry, of.call
	s.full = s.full || of.entry == s.open
}

// compact begins the history anew with what replaces it.
func (s *session) compact(v jsontree.Value) {
	s.open, s.last = transcript.None, transcript.None
	history := member(v, "replacement_history").Elements()
	for _, m := range history {
		s.add(transcript.Summary, s.measure(said(member(m, "content")), transcript.Prose))
	}
	if len(history) == 0 {
		s.add(transcript.Summary, s.measure(text(v, "message"), transcript.Prose))
	}
}
