package codex

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"time"

	"caliper/engine/transcript"
)

// session collects the lines of one rollout.
type session struct {
	transcript.Session
	origin    origin
	sums      []running
	now       time.Time // of the line
	number    int       // of the line
	numbers   []int32   // of the line with which each entry began
	heads     int       // entries of the head
	inherited int       // entries that another log has, once they are in front
	copies    int       // entries before the line with which a helper's own history begins, by its head; None before
	said      bool
	own       bool // of a session with relatives: it has an answer that none of them has
	entries   int  // once the log is read
	calls     map[string]at
	only      map[string]bool // calls that only an event tells of
	open      int             // the answer that may go on; None for none
	answers   int             // the last answer; None for none
	scripts   bool            // the model runs scripts
	full      bool            // the open answer has results
	last      int             // the end of the history
	payed     bool            // there is a running sum
	sum       [2]int
	words     said   // of an event that came before its message
	user      string // the digest of the last message of the user's role, at entry asked
	asked     int
}

// running is the running sum of tokens behind an answer. A session has them in the order
// of the entries.
type running struct {
	entry int
	sum   [2]int
}

// at is a call of an entry.
type at struct{ entry, call int }

// take takes one line, which is none that its log has twice, and returns what it is when it is left out.
func (s *session) take(l *line) string {
	if !l.time.IsZero() {
		if s.now = l.time; s.Started.IsZero() {
			s.Started = l.time
		}
	}
	s.number = l.number
	if s.copies == transcript.None && s.origin.start > 0 && l.number >= s.origin.start {
		s.flush()
		s.copies, s.open = len(s.Contexts[0].Entries), transcript.None
	}
	switch l.what {
	case defers:
		s.Contexts[0].Deferred = true
		return l.name
	case leftOut:
		return l.name
	case begins:
		s.open = transcript.None
	case head:
		s.head(l)
	case model:
		if l.name != "" {
			s.Model = l.name
		}
		s.Defers = s.origin.defers && strings.HasPrefix(s.Model, "gpt-")
	case answers:
		e := s.answer()
		e.Size = e.Size.Add(l.says.size)
	case asks:
		s.ask(l.says)
	case instructs:
		s.add(transcript.System, l.says.size)
	case calls:
		if l.call.Kind != transcript.Use {
			s.Contexts[0].Deferred = true
			delete(s.calls, "") // a server's own search has no id
		}
		s.scripts = s.scripts || l.call.Tool == scriptTool && l.call.Kind != transcript.Use
		c := l.call
		if c.Kind == transcript.Wrap {
			c.Lookup = nil
		}
		s.call(c)
		if l.searches && c.Kind == transcript.Wrap {
			s.beside(transcript.Call{Kind: transcript.Search, Tool: scriptTool, Lookup: l.call.Lookup, Answered: true})
		}
	case returns:
		s.result(l.name, l.says.size, l.failed)
		s.found(l.name, l.hits)
		for i := range min(len(l.hits), len(l.definitions)) {
			s.list(transcript.Listed{Name: l.hits[i], Definition: l.definitions[i]})
		}
	case userSays:
		s.userSays(l.says)
	case pays:
		s.pay(l)
	case mirrors:
		if s.nested(l.call, l.failed) {
			return ""
		}
		s.mirrored(l.call)
		s.result(l.call.ID, l.says.size, l.failed)
	case ends:
		if s.nested(l.call, l.failed) {
			return ""
		}
		s.mirrored(l.call)
		if s.only[l.call.ID] {
			s.result(l.call.ID, l.says.size, l.failed)
		} else {
			s.fail(l.call.ID, l.failed)
		}
	case compacts:
		s.open, s.last = transcript.None, transcript.None
		for _, size := range l.sizes {
			s.add(transcript.Summary, size)
		}
	}
	return ""
}

// add adds an entry to the end of the history.
func (s *session) add(kind transcript.Kind, size transcript.Size) *transcript.Entry {
	c := &s.Contexts[0]
	c.Entries = append(c.Entries, transcript.Entry{Parent: s.last, Kind: kind, Time: s.now, Size: size})
	s.numbers = append(s.numbers, int32(min(s.number, math.MaxInt32)))
	s.last, s.said = len(c.Entries)-1, true
	return &c.Entries[s.last]
}

// head takes the head of a session. A fork has the head of what it was forked from
// behind its own.
func (s *session) head(l *line) {
	if s.ID != "" {
		if l.name != s.ID && s.origin.head == "" {
			s.origin.head = l.name
		}
		return
	}
	s.ID, s.origin = l.name, l.origin
	for _, size := range l.sizes {
		s.add(transcript.System, size)
	}
	s.heads = len(s.numbers)
}

// ask takes a message of the user's role. The user's words are those that an event has,
// too.
func (s *session) ask(says said) {
	s.open = transcript.None
	e := s.add(transcript.User, says.size)
	s.user, s.asked = says.digest, s.last
	if s.words.words != "" && s.words.digest == says.digest {
		e.Words, s.words = s.words.words, said{}
	}
}

// userSays takes the user's words. Some versions write two events of them.
func (s *session) userSays(says said) {
	entries := s.Contexts[0].Entries
	if s.last != transcript.None && s.last == s.asked && entries[s.last].Words == says.words && s.words.words == "" {
		return
	}
	if s.user == says.digest && says.digest != "" && s.asked < len(entries) && entries[s.asked].Words == "" {
		entries[s.asked].Words = says.words
		s.user = ""
		return
	}
	s.flush()
	s.words = says
	s.open = transcript.None
}

// answer returns the answer that goes on, or a new one.
func (s *session) answer() *transcript.Entry {
	c := &s.Contexts[0]
	if s.open != transcript.None && (!s.full || s.payed) {
		return &c.Entries[s.open]
	}
	s.flush()
	e := s.add(transcript.Answer, transcript.Size{})
	e.Request = &transcript.Request{Model: s.Model, Tools: transcript.None}
	s.open, s.answers, s.full = s.last, s.last, false
	return e
}

// flush adds the user's words of an event that has no message.
func (s *session) flush() {
	if s.words.words != "" {
		s.add(transcript.User, s.words.size).Words = s.words.words
		s.words = said{}
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

// mirrored takes a call that an event tells of, unless its own line came before.
func (s *session) mirrored(c transcript.Call) {
	if _, known := s.calls[c.ID]; known || c.ID == "" {
		return
	}
	s.call(c)
	if s.only == nil {
		s.only = map[string]bool{}
	}
	s.only[c.ID] = true
}

// nested takes a call that a script made, and reports whether it is one: then no line but
// the event has it. It belongs to the last answer, and the model saw of its result what the
// script put out.
func (s *session) nested(c transcript.Call, failed bool) bool {
	if of, known := s.calls[c.ID]; known {
		return of.entry == transcript.None // it was taken
	}
	if !s.scripts || s.answers == transcript.None || c.ID == "" {
		return false
	}
	s.calls[c.ID] = at{entry: transcript.None}
	c.Size, c.Answered, c.Failed = transcript.Size{}, true, failed
	s.beside(c)
	return true
}

// beside adds a call to the last answer that no line of its own has.
func (s *session) beside(c transcript.Call) {
	r := s.Contexts[0].Entries[s.answers].Request
	r.Calls = append(r.Calls, c)
}

// found notes which tools a search found; nil where its result does not say.
func (s *session) found(id string, hits []string) {
	of, ok := s.calls[id]
	if !ok || hits == nil {
		return
	}
	for i := of.call; i < len(s.request(of).Calls); i++ { // a script's search stands beside it
		c := &s.request(of).Calls[i]
		if c.Kind == transcript.Search && c.Asked().Hits == nil && (i == of.call || c.ID == "") {
			asked := c.Asked()
			asked.Hits = hits
			c.Ask(asked)
			return
		}
	}
}

// list takes a tool that a search found, which was deferred, with its latest definition. An equal
// one of before stays, so that a session has the memory of one.
func (s *session) list(l transcript.Listed) {
	i := slices.IndexFunc(s.Listed, func(known transcript.Listed) bool { return known.Name == l.Name })
	switch {
	case l.Name == "":
	case i < 0:
		s.Listed = append(s.Listed, l)
	case !bytes.Equal(s.Listed[i].Definition, l.Definition):
		s.Listed[i] = l
	}
}

// request returns the request that made a call.
func (s *session) request(of at) *transcript.Request {
	return s.Contexts[0].Entries[of.entry].Request
}

// result takes what a call returned; the first one counts.
func (s *session) result(id string, size transcript.Size, failed bool) {
	of, ok := s.calls[id]
	if !ok || of.entry == transcript.None {
		return
	}
	call := &s.request(of).Calls[of.call]
	call.Failed = call.Failed || failed
	if call.Answered {
		return
	}
	call.Answered = true
	e := s.add(transcript.Result, size)
	e.CallEntry, e.Call = of.entry, of.call
	s.full = s.full || of.entry == s.open
}

// fail notes that a call failed.
func (s *session) fail(id string, failed bool) {
	if of, ok := s.calls[id]; ok && failed && of.entry != transcript.None {
		s.request(of).Calls[of.call].Failed = true
	}
}

// pay takes the usage of a request. The same sum is the same request.
func (s *session) pay(l *line) {
	if s.payed && l.sum == s.sum {
		return
	}
	s.payed, s.sum = true, l.sum
	i := s.pending()
	if i == transcript.None {
		s.answer()
		i = s.open
	}
	usage := l.usage
	s.Contexts[0].Entries[i].Request.Usage = &usage
	s.sums = append(s.sums, running{i, l.sum})
	s.open = transcript.None
}

// pending returns the last answer when it has no usage; None otherwise.
func (s *session) pending() int {
	entries := s.Contexts[0].Entries
	for i := len(entries) - 1; i >= 0; i-- {
		switch {
		case entries[i].Kind == transcript.Answer && entries[i].Request.Usage == nil:
			return i
		case entries[i].Kind != transcript.Result:
			return transcript.None
		}
	}
	return transcript.None
}
