package transcript

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"caliper/model/jsontree"
)

// file is a log that is being read.
type file struct {
	reader    *RequestsReader
	path      string
	number    int32     // among the files of the reader
	last      Digest    // of the last exchange whose response has no id
	held      *exchange // a request that waits for its response
	exchanges int       // exchanges
	sessions  []*session
	awake     []*session            // those that are not packed
	at        map[uint64]historyEnd // of the digest of a history
	ids       map[Digest]historyEnd // of the id of a response: where its answer ends
}

// session is a chain of requests.
type session struct {
	out     Session
	builder Builder
	tools   ToolArray // of the last request that sent some
	added   [][]byte  // definitions that the conversation brought besides
	used    int       // the exchange that was taken last, counted in the file
}

// historyEnd is the end of a history: behind an entry of a session. Its digest covers
// all its parts.
type historyEnd struct {
	session *session
	entry   int
	digest  uint64
	length  int
}

// followed returns the digest of a history with one more part, given its step.
func followed(digest, step uint64) uint64 { return (digest^step)*0x9e3779b97f4a7c15 + 1 }

// step returns what tells a part of a history. Programs write an answer anew when they send
// it back: its calls are known by their ids, its text without the space around it.
func step(p MessagePart) uint64 {
	if p.Kind == Answer {
		key := MessagePart{Kind: p.Kind, Text: strings.TrimSpace(p.Text)}
		if len(p.Calls) > 0 {
			var ids []string
			for _, c := range p.Calls {
				ids = append(ids, c.ID, c.Tool)
			}
			key.Text = strings.Join(ids, "\x00")
		}
		p = key
	}
	return p.Digest()
}

// take adds an exchange to the session that it belongs to.
func (f *file) take(x exchange) {
	form := formatOf(x.response)
	system, sent := historyOf(x.request)
	steps := make([]uint64, len(sent))
	for i, p := range sent {
		steps[i] = step(p)
	}
	thread := x.request.Member("conversation") // which the provider keeps: a name, or an object
	conversation := cmp.Or(thread.AsText(), thread.Member("id").AsText())
	from, ok := f.ids[DigestOf([]byte(cmp.Or(x.request.Member("previous_response_id").AsText(), conversation)))] // behind the response that it names
	known := 0
	if !ok {
		from, known = f.find(steps)
	}
	if from.session == nil {
		from = f.begin(x, form, system)
	}
	s := from.session
	f.wake(s)
	lost := s.builder.Lost
	s.builder.From(from.entry)
	answered := form.answer(x.response)
	for k, p := range sent[known:] {
		p = s.bring(p)
		from.digest, from.length = followed(from.digest, steps[known+k]), from.length+1
		i, ok := s.builder.Add(p, x.at, UnpaidRequest)
		if ok && p.Kind == Answer {
			s.builder.Entries[i].Copy = true
			s.builder.Entries[i].Request.Model = s.out.Model
		}
	}
	from.entry = s.builder.Last()
	f.at[from.digest] = from

	r := Request{ID: strings.Clone(x.response.Member("id").AsText()), Usage: form.usage(x.response), Tools: None}
	r.Model = x.response.Member("model").AsText()
	if r.Model == "" {
		r.Model = x.request.Member("model").AsText()
	}
	r.Model = strings.Clone(r.Model)
	if r.Model != "" {
		s.out.Model = r.Model
	}
	s.out.Settings, r.Settings = AddSettings(s.out.Settings, settingsOf(x.request, system))
	steps = make([]uint64, len(answered))
	for i, p := range answered {
		steps[i], answered[i] = step(p), s.bring(p)
	}
	tools := x.request.Member("tools")
	if tools == nil {
		tools = x.request.Member("functions") // OpenAI's, before tools
	}
	if tools.Is(jsontree.Array) || len(s.added) > 0 {
		r.Tools = f.arrayOf(s, tools)
	}
	answer := None
	for i, p := range answered {
		from.digest, from.length = followed(from.digest, steps[i]), from.length+1
		if p.Kind == Answer && answer != None {
			s.builder.Extend(answer, p) // behind a result inside one response: it has no cost of its own
		} else if i, ok := s.builder.Add(p, x.at, r); ok && p.Kind == Answer {
			answer = i
		}
	}
	from.entry = s.builder.Last()
	f.at[from.digest] = from
	for _, id := range []string{x.response.Member("id").AsText(), conversation} {
		if id != "" && form == responses { // the one format in which a request can name it
			f.ids[DigestOf([]byte(id))] = from
		}
	}
	for range s.builder.Lost - lost {
		f.skip(x.number, "result without a call")
	}
}

// historyOf returns the messages that a request sent, the items of one answer joined; system apart
// from them.
func historyOf(request *jsontree.Node) (system string, sent []MessagePart) {
	var said []string
	for _, name := range []string{"system", "instructions"} {
		if s := ContentText(request.Member(name)); s != "" {
			said = append(said, s)
		}
	}
	messages := request.Member("messages")
	if messages == nil {
		messages = request.Member("input")
	}
	if messages.Is(jsontree.String) {
		sent = append(sent, MessagePart{Kind: User, Text: messages.Text})
	}
	for _, m := range messages.Elements() {
		for _, p := range MessageParts(m.Node) {
			if p.Kind == System && !p.Defines && len(sent) == 0 {
				said = append(said, p.Text)
				continue
			}
			sent = append(sent, p)
		}
	}
	return strings.Join(said, "\n"), JoinParts(sent)
}

// find returns the place behind the longest beginning of a history that a session has, and
// how many parts that is; no session when none has any.
func (f *file) find(steps []uint64) (historyEnd, int) {
	digests := make([]uint64, len(steps))
	var digest uint64
	for i, s := range steps {
		digest = followed(digest, s)
		digests[i] = digest
	}
	for n := len(steps); n > 0; n-- {
		if at, ok := f.at[digests[n-1]]; ok && at.length == n && (n < len(steps) || n > 1) {
			return at, n
		}
	}
	return historyEnd{}, 0
}

// begin begins a session.
func (f *file) begin(x exchange, form provider, system string) historyEnd {
	id := f.path
	if n := len(f.sessions) + 1; n > 1 {
		id = fmt.Sprintf("%s#%d", f.path, n)
	}
	agent := OpenAI
	if form == anthropic {
		agent = Anthropic
	}
	s := &session{out: Session{ID: id, Agent: agent, File: f.path, Started: x.at}, builder: Builder{Count: f.reader.Options.Count}}
	if system != "" {
		s.builder.Add(MessagePart{Kind: System, Text: system}, x.at, UnpaidRequest)
	}
	f.sessions, f.awake = append(f.sessions, s), append(f.awake, s)
	return historyEnd{session: s, entry: s.builder.Last()}
}

// restful is how many exchanges a session is not used until it is packed. Conversations
// take turns in a log, but few go on behind that many others.
const restful = 500

// wake makes a session ready for the next exchange, and packs those that rest.
func (f *file) wake(s *session) {
	f.exchanges++
	s.used = f.exchanges
	if s.out.Packed != nil {
		s.out.Unpack()
		s.builder = ResumedBuilder(f.reader.Options.Count, s.out.Contexts[0].Entries)
		s.out.Contexts = nil
		f.awake = append(f.awake, s)
	}
	if !f.reader.Options.Pack || f.exchanges%restful != 0 {
		return
	}
	var rest []*Session
	f.awake = slices.DeleteFunc(f.awake, func(s *session) bool {
		if f.exchanges-s.used < restful {
			return false
		}
		s.out.Contexts, s.builder = []Context{{Entries: s.builder.Entries}}, Builder{}
		rest = append(rest, &s.out)
		return true
	})
	f.reader.packer.Pack(rest...)
}
