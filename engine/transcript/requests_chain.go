package transcript

import (
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
	taken     int       // exchanges
	sessions  []*session
	awake     []*session       // those that are not packed
	at        map[uint64]end   // of the digest of a history: where it ends
	ids       map[Digest]place // of the id of a response: where its answer ends
	histories histories
	tools     []*tools // of the last requests, the latest first
	closed    jsontree.Closed
	digests   []uint64 // of the beginnings of the history at hand
}

// session is a chain of requests.
type session struct {
	out     Session
	builder Builder
	tools   *tools   // the last array of tools; nil for none
	array   int      // its index
	added   [][]byte // definitions that the conversation brought besides
	brought int      // how many of them are in the array
	number  int32    // in the file
	used    int      // the exchange that was taken last, counted in the file
}

// end is where a history ends: behind an entry of a session, with so many parts. It has
// no pointer, as there are two for each exchange of a log.
type end struct{ session, entry, length int32 }

// place is the end of a history: behind an entry of a session. Its digest covers
// all its parts.
type place struct {
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
	system, sent := f.histories.of(x.request)
	from, ok := f.before(x.request)
	known := 0
	if !ok {
		from, known = f.find(sent.steps)
	}
	if from.session == nil {
		from = f.begin(x, form, system)
	}
	s := from.session
	f.wake(s)
	lost := s.builder.Lost
	s.builder.From(from.entry)
	answered := form.answer(x.response)
	for k, p := range sent.parts[known:] {
		p = s.bring(p)
		from.digest, from.length = followed(from.digest, sent.steps[known+k]), from.length+1
		i, ok := s.builder.Add(p, x.at, UnpaidRequest)
		if ok && p.Kind == Answer {
			s.builder.Entries[i].Copy = true
			s.builder.Entries[i].Request.Model = s.out.Model
		}
	}
	from.entry = s.builder.Last()
	f.ends(from)

	r := Request{ID: strings.Clone(text(x.response.Member("id"))), Usage: form.usage(x.response), Tools: None}
	r.Model = text(x.response.Member("model"))
	if r.Model == "" {
		r.Model = text(x.request.Member("model"))
	}
	r.Model = strings.Clone(r.Model)
	if r.Model != "" {
		s.out.Model = r.Model
	}
	s.out.Settings, r.Settings = AddSettings(s.out.Settings, settingsOf(x.request, system))
	steps := make([]uint64, len(answered))
	for i, p := range answered {
		steps[i], answered[i] = step(p), s.bring(p)
	}
	if tools := x.request.Member("tools"); tools.Is(jsontree.Array) || len(s.added) > 0 {
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
	f.ends(from)
	if id := text(x.response.Member("id")); id != "" && form == responses { // the one format in which a request can name it
		f.ids[idOf(id)] = from
	}
	for range s.builder.Lost - lost {
		f.skip(x.number, "result without a call")
	}
}

// before returns the place behind the response that a request names as the one before it.
func (f *file) before(request *jsontree.Node) (place, bool) {
	id := text(request.Member("previous_response_id"))
	if id == "" || len(f.ids) == 0 {
		return place{}, false
	}
	p, ok := f.ids[idOf(id)]
	return p, ok
}

// find returns the place behind the longest beginning of a history that a session has, and
// how many parts that is; no session when none has any.
func (f *file) find(steps []uint64) (place, int) {
	f.digests = f.digests[:0]
	var digest uint64
	for _, s := range steps {
		digest = followed(digest, s)
		f.digests = append(f.digests, digest)
	}
	for n := len(steps); n > 0; n-- {
		digest := f.digests[n-1]
		at, ok := f.at[digest]
		if ok && int(at.length) == n && (n < len(steps) || n > 1) {
			return place{f.sessions[at.session], int(at.entry), digest, n}, n
		}
	}
	return place{}, 0
}

// begin begins a session.
func (f *file) begin(x exchange, form provider, system string) place {
	id := f.path
	if n := len(f.sessions) + 1; n > 1 {
		id = fmt.Sprintf("%s#%d", f.path, n)
	}
	s := &session{out: Session{ID: id, Agent: form.agent(), File: f.path, Started: x.at}, builder: Builder{Count: f.reader.Options.Count}}
	if system != "" {
		s.builder.Add(MessagePart{Kind: System, Text: system}, x.at, UnpaidRequest)
	}
	s.number = int32(len(f.sessions))
	f.sessions, f.awake = append(f.sessions, s), append(f.awake, s)
	return place{session: s, entry: s.builder.Last()}
}

// end adds the sessions of the file to the log.
func (f *file) end() {
	r := f.reader
	f.at, f.ids, f.histories, f.awake = nil, nil, histories{}, nil // for what comes now
	from := len(r.sessions)
	r.sessions = slices.Grow(r.sessions, len(f.sessions))
	for i, s := range f.sessions {
		f.sessions[i] = nil
		if s.out.Packed == nil {
			s.out.Contexts = []Context{{Entries: s.builder.Entries}}
		}
		if r.kept != nil {
			opened := s.out.Opened()
			r.kept.Session(&opened, 0)
		}
		r.sessions = append(r.sessions, s.out)
	}
	r.pack(from)
}

// restful is how many exchanges a session is not used until it is packed. Conversations
// take turns in a log, but few go on behind that many others.
const restful = 500

// wake makes a session ready for the next exchange, and packs those that rest.
func (f *file) wake(s *session) {
	f.taken++
	s.used = f.taken
	if s.out.Packed != nil {
		s.out.Unpack()
		s.builder = ResumedBuilder(f.reader.Options.Count, s.out.Contexts[0].Entries)
		s.out.Contexts = nil
		f.awake = append(f.awake, s)
	}
	if !f.reader.Options.Pack || f.taken%restful != 0 {
		return
	}
	var rest []*Session
	f.awake = slices.DeleteFunc(f.awake, func(s *session) bool {
		if f.taken-s.used < restful {
			return false
		}
		s.out.Contexts, s.builder = []Context{{Entries: s.builder.Entries}}, Builder{}
		rest = append(rest, &s.out)
		return true
	})
	f.reader.packer.Pack(rest...)
}

// ends remembers where a history ends.
func (f *file) ends(p place) {
	f.at[p.digest] = end{p.session.number, int32(p.entry), int32(p.length)}
}

// idOf returns what stands for the id of a response.
func idOf(id string) Digest { return DigestOf([]byte(id)) }
