package logs

import (
	"bytes"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"caliper/engine/transcript"
)

// codexSession collects the lines of one rollout.
type codexSession struct {
	transcript.Session
	origin    origin
	sums      map[int][2]int // of entries with a usage: the running sum of tokens behind them
	now       time.Time      // of the line
	number    int            // of the line
	numbers   []int32        // of the line with which each entry began
	heads     int            // entries of the head
	inherited int            // entries that another log has, once they are in front
	copies    int            // entries before the line with which a helper's own history begins, by its head; None before
	said      bool
	own       bool // of a session with relatives: it has an answer that none of them has
	entries   int  // once the log is read
	calls     map[string]callAt
	only      map[string]bool   // calls that only an event tells of
	open      int               // the answer that may go on; None for none
	answers   int               // the last answer; None for none
	settings  map[string]string // of the requests from here on
	setting   int               // their number
	scripts   bool              // the model runs scripts
	printed   bool              // by codex exec --json
	full      bool              // the open answer has results
	last      int               // the end of the history
	payed     bool              // there is a running sum
	sum       [2]int
	words     codexSaid // of an event that came before its message
	user      string    // the digest of the last message of the user's role, at entry asked
	asked     int
	heard     bool  // an event had the user's words
	guessed   []int // entries whose words stand in their message alone, until an event has any
}

// take takes one line, which is none that its log has twice, and returns what it is when it is left out.
func (s *codexSession) take(l *codexLine) string {
	if !l.Time.IsZero() {
		if s.now = l.Time; s.Started.IsZero() {
			s.Started = l.Time
		}
	}
	s.number = l.Number
	if s.copies == transcript.None && s.origin.Start > 0 && l.Number >= s.origin.Start {
		s.flush()
		s.copies, s.open = len(s.Contexts[0].Entries), transcript.None
	}
	switch l.What {
	case defers, leftOut:
		s.Contexts[0].Deferred = s.Contexts[0].Deferred || l.What == defers
		s.set(l)
		if len(l.Settings) == 0 {
			return l.Name
		}
	case begins:
		s.open = transcript.None
	case head:
		if s.ID != "" { // a fork has the head of what it was forked from behind its own
			if l.Name != s.ID && s.origin.Head == "" {
				s.origin.Head = l.Name
			}
			return ""
		}
		s.ID, s.origin = l.Name, l.Origin
		for _, size := range l.Sizes {
			s.add(transcript.System, size)
		}
		s.heads = len(s.numbers)
	case prints:
		s.ID, s.printed, s.Defers, s.open = l.Name, true, true, transcript.None
		clear(s.calls)
	case sums:
		usage := l.Usage
		s.Sums, s.open = &usage, transcript.None
	case model:
		if l.Name != "" {
			s.Model = l.Name
		}
		s.Defers = s.origin.Defers && strings.HasPrefix(s.Model, "gpt-")
		s.set(l)
	case codexAnswers:
		e := s.answer()
		e.Size = e.Size.Add(l.Says.Size)
	case codexAsks:
		s.ask(l.Says)
	case instructs:
		s.add(transcript.System, l.Says.Size)
	case calls:
		if l.Call.Kind != transcript.Use {
			s.Contexts[0].Deferred = true
			delete(s.calls, "") // a server's own search has no id
		}
		s.scripts = s.scripts || l.Call.Tool == scriptTool && l.Call.Kind != transcript.Use
		c := l.Call
		if c.Kind == transcript.Wrap {
			c.Lookup = nil
		}
		s.call(c)
		if l.Searches && c.Kind == transcript.Wrap {
			s.beside(transcript.Call{Kind: transcript.Search, Tool: scriptTool, Lookup: l.Call.Lookup, Answered: true})
		}
	case returns:
		s.result(l.Name, l.Says.Size, l.Failed)
		s.found(l.Name, l.Hits, l.Lists)
		for i := range min(len(l.Hits), len(l.Definitions)) {
			s.list(transcript.Listed{Name: l.Hits[i], Definition: l.Definitions[i]})
		}
	case userSays:
		s.userSays(l.Says)
	case pays:
		s.pay(l)
	case mirrors:
		if s.nested(l.Call, l.Failed) {
			return ""
		}
		s.mirrored(l.Call)
		s.result(l.Call.ID, l.Says.Size, l.Failed)
	case ends:
		if s.nested(l.Call, l.Failed) {
			return ""
		}
		s.mirrored(l.Call)
		if s.only[l.Call.ID] {
			s.result(l.Call.ID, l.Says.Size, l.Failed)
		} else {
			if of, ok := s.calls[l.Call.ID]; ok && l.Failed && of.entry != transcript.None {
				s.request(of).Calls[of.call].Failed = true
			}
		}
	case compacts:
		s.open, s.last = transcript.None, transcript.None
		for _, size := range l.Sizes {
			s.add(transcript.Summary, size)
		}
	}
	return ""
}

// add adds an entry to the end of the history.
func (s *codexSession) add(kind transcript.Kind, size transcript.Size) *transcript.Entry {
	c := &s.Contexts[0]
	c.Entries = append(c.Entries, transcript.Entry{Parent: s.last, Kind: kind, Time: s.now, Size: size})
	s.numbers = append(s.numbers, int32(min(s.number, math.MaxInt32)))
	s.last, s.said = len(c.Entries)-1, true
	return &c.Entries[s.last]
}

// set takes what a line says of the settings and tools of the requests from here on.
func (s *codexSession) set(l *codexLine) {
	if s.settings == nil {
		s.settings = map[string]string{}
	}
	if l.All {
		maps.DeleteFunc(s.settings, func(name, _ string) bool { return strings.HasPrefix(name, transcript.ToolSetting) })
	}
	for name, value := range l.Settings {
		if s.settings[name] = value; value == gone {
			delete(s.settings, name)
		}
	}
	if len(l.Settings) > 0 || l.All {
		s.Settings, s.setting = transcript.AddSettings(s.Settings, transcript.SettingsOf(s.settings))
	}
}

// ask takes a message of the user's role. The user's words are those that an event has,
// too; where the log has no such event, what is no context of the agent's.
func (s *codexSession) ask(says codexSaid) {
	s.open = transcript.None
	e := s.add(transcript.User, says.Size)
	s.user, s.asked = says.Digest, s.last
	if s.words.Words != "" && s.words.Digest == says.Digest {
		e.Words, s.words = s.words.Words, codexSaid{}
	} else if !s.heard && says.Words != "" {
		e.Words, s.guessed = says.Words, append(s.guessed, s.last)
	}
}

// userSays takes the user's words. Some versions write two events of them.
func (s *codexSession) userSays(says codexSaid) {
	entries := s.Contexts[0].Entries
	for _, i := range s.guessed {
		entries[i].Words = ""
	}
	s.guessed, s.heard = nil, true
	if s.last != transcript.None && s.last == s.asked && entries[s.last].Words == says.Words && s.words.Words == "" {
		return
	}
	if s.user == says.Digest && says.Digest != "" && s.asked < len(entries) && entries[s.asked].Words == "" {
		entries[s.asked].Words = says.Words
		s.user = ""
		return
	}
	s.flush()
	s.words = says
	s.open = transcript.None
}

// answer returns the answer that goes on, or a new one.
func (s *codexSession) answer() *transcript.Entry {
	c := &s.Contexts[0]
	if s.open != transcript.None && (!s.full || s.payed) {
		return &c.Entries[s.open]
	}
	s.flush()
	e := s.add(transcript.Answer, transcript.Size{})
	e.Request = &transcript.Request{Model: s.Model, Tools: transcript.None, Settings: s.setting}
	s.open, s.answers, s.full = s.last, s.last, false
	return e
}

// flush adds the user's words of an event that has no message.
func (s *codexSession) flush() {
	if s.words.Words != "" {
		s.add(transcript.User, s.words.Size).Words = s.words.Words
		s.words = codexSaid{}
	}
}

// call takes a call; one that is known already is the same.
func (s *codexSession) call(c transcript.Call) {
	if _, known := s.calls[c.ID]; known && c.ID != "" {
		return
	}
	e := s.answer()
	e.Size = e.Size.Add(c.Size)
	e.Request.Calls = append(e.Request.Calls, c)
	s.calls[c.ID] = callAt{s.open, len(e.Request.Calls) - 1}
}

// mirrored takes a call that an event tells of, unless its own line came before.
func (s *codexSession) mirrored(c transcript.Call) {
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
func (s *codexSession) nested(c transcript.Call, failed bool) bool {
	if of, known := s.calls[c.ID]; known {
		return of.entry == transcript.None // it was taken
	}
	if !s.scripts || s.answers == transcript.None || c.ID == "" {
		return false
	}
	s.calls[c.ID] = callAt{entry: transcript.None}
	c.Size, c.Answered, c.Failed = transcript.Size{}, true, failed
	s.beside(c)
	return true
}

// beside adds a call to the last answer that no line of its own has.
func (s *codexSession) beside(c transcript.Call) {
	r := s.Contexts[0].Entries[s.answers].Request
	r.Calls = append(r.Calls, c)
}

// found notes which tools a search found, which may be none where its result is a list of them.
func (s *codexSession) found(id string, hits []string, lists bool) {
	of, ok := s.calls[id]
	if !ok || len(hits) == 0 && !lists {
		return
	}
	for i := of.call; i < len(s.request(of).Calls); i++ { // a script's search stands beside it
		c := &s.request(of).Calls[i]
		if c.Kind == transcript.Search && c.Asked().Hits == nil && (i == of.call || c.ID == "") {
			asked := c.Asked()
			asked.Hits, asked.Told = hits, true
			c.Ask(asked)
			return
		}
	}
}

// list takes a tool that a search found, which was deferred, with its latest definition. An equal
// one of before stays, so that a session has the memory of one.
func (s *codexSession) list(l transcript.Listed) {
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
func (s *codexSession) request(of callAt) *transcript.Request {
	return s.Contexts[0].Entries[of.entry].Request
}

// result takes what a call returned; the first one counts.
func (s *codexSession) result(id string, size transcript.Size, failed bool) {
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

// pay takes the usage of a request. The same sum is the same request.
func (s *codexSession) pay(l *codexLine) {
	if s.payed && l.Sum == s.sum {
		return
	}
	s.payed, s.sum = true, l.Sum
	entries := s.Contexts[0].Entries
	i := len(entries) - 1 // the last answer, if it has no usage
	for i >= 0 && entries[i].Kind == transcript.Result {
		i--
	}
	if i < 0 || entries[i].Kind != transcript.Answer || entries[i].Request.Usage != nil {
		s.answer()
		i = s.open
	}
	usage := l.Usage
	s.Contexts[0].Entries[i].Request.Usage = &usage
	s.sums[i] = l.Sum
	s.open = transcript.None
}
