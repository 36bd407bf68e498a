package requests

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"caliper/engine/transcript"
	"caliper/engine/transcript/dialogue"
	"caliper/engine/transcript/kept"
	"caliper/model/jsontree"
)

// file is a log that is being read.
type file struct {
	reader    *Reader
	path      string
	number    int32       // among the files of the reader
	taken     int         // exchanges
	last      kept.Digest // of the last exchange whose response has no id
	held      *exchange   // a request that waits for its response
	sessions  []*session
	awake     []*session            // those that are not packed
	at        map[uint64]end        // of the digest of a history: where it ends
	ids       map[kept.Digest]place // of the id of a response: where its answer ends
	histories histories
}

// session is a chain of requests.
type session struct {
	out     transcript.Session
	builder dialogue.Builder
	tools   [sha256.Size]byte // digest of the last array of tools
	array   int               // its index
	number  int32             // in the file
	used    int               // the exchange that was taken last, counted in the file
}

// end is where a history ends: behind an entry of a session, with so many parts. It has
// no pointer, as there are two for each exchange of a log.
type end struct{ session, entry, length int32 }

// arrayOf returns the index of an array of tools among those of the session.
func (f *file) arrayOf(s *session, tools *jsontree.Node) int {
	digest := sha256.Sum256(tools.Raw)
	if len(s.out.Arrays) > 0 && digest == s.tools {
		return s.array
	}
	opened, _ := jsontree.Parse(tools.Raw, jsontree.Strict) // it was checked
	s.out.Arrays, s.array = dialogue.Tools(s.out.Arrays, opened)
	f.reader.share(s.out.Arrays[s.array:])
	s.tools = digest
	return s.array
}

// share makes arrays the same as those with the same bytes of other sessions, of which
// there may be thousands: programs send the tools with every request.
func (r *Reader) share(arrays []transcript.ToolArray) {
	for i, a := range arrays {
		h := sha256.New()
		for _, d := range a.Definitions {
			h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(d))))
			h.Write(d)
		}
		var digest [sha256.Size]byte
		h.Sum(digest[:0])
		if r.arrays == nil {
			r.arrays = map[[sha256.Size]byte]transcript.ToolArray{}
		}
		if known, ok := r.arrays[digest]; ok {
			arrays[i] = known
		} else {
			r.arrays[digest] = a
		}
	}
}

// place is where a history ends: behind an entry of a session. Its digest is that of
// all its parts.
type place struct {
	session *session
	entry   int
	digest  uint64
	length  int
}

// follow returns the digest of a history with one more part. Programs write an answer
// anew when they send it back: its calls are known by their ids, its text without the
// space around it.
func follow(digest uint64, p dialogue.Part) uint64 {
	if p.Kind == transcript.Answer {
		key := dialogue.Part{Kind: p.Kind, Text: strings.TrimSpace(p.Text)}
		if len(p.Calls) > 0 {
			var ids []string
			for _, c := range p.Calls {
				ids = append(ids, c.ID, c.Tool)
			}
			key.Text = strings.Join(ids, "\x00")
		}
		p = key
	}
	return (digest^p.Digest())*0x9e3779b97f4a7c15 + 1
}

// take adds an exchange to the session that it belongs to.
func (f *file) take(x exchange) {
	form := formatOf(x.response)
	system, parts := f.histories.of(x.request)
	from, ok := f.ids[idOf(text(x.request.Member("previous_response_id")))]
	rest := parts
	if !ok {
		from, rest = f.find(parts)
	}
	if from.session == nil {
		from = f.begin(x, form, system)
	}
	s := from.session
	f.wake(s)
	lost := s.builder.Lost
	s.builder.From(from.entry)
	for _, p := range rest {
		from.digest, from.length = follow(from.digest, p), from.length+1
		i, ok := s.builder.Add(p, x.at, nil)
		if ok && p.Kind == transcript.Answer {
			s.builder.Entries[i].Copy = true
			s.builder.Entries[i].Request.Model = s.out.Model
		}
	}
	from.entry = s.builder.Last()
	f.ends(from)

	r := &transcript.Request{ID: strings.Clone(text(x.response.Member("id"))), Usage: form.usage(x.response), Tools: transcript.None}
	r.Model = text(x.response.Member("model"))
	if r.Model == "" {
		r.Model = text(x.request.Member("model"))
	}
	r.Model = strings.Clone(r.Model)
	if r.Model != "" {
		s.out.Model = r.Model
	}
	if tools := x.request.Member("tools"); tools.Is(jsontree.Array) {
		r.Tools = f.arrayOf(s, tools)
	}
	for _, p := range form.answer(x.response) {
		from.digest, from.length = follow(from.digest, p), from.length+1
		if p.Kind == transcript.Answer && r == nil {
			continue // a second turn inside one response; it has no cost of its own
		}
		if _, ok := s.builder.Add(p, x.at, r); ok && p.Kind == transcript.Answer {
			r = nil
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

// find returns the place behind the longest beginning of a history that a session has,
// and the parts that follow it; no session when none has any.
func (f *file) find(parts []dialogue.Part) (place, []dialogue.Part) {
	var digest uint64
	var found place
	rest := parts
	for i, p := range parts {
		digest = follow(digest, p)
		at, ok := f.at[digest]
		if ok && int(at.length) == i+1 && (i+1 < len(parts) || i > 0) {
			found, rest = place{f.sessions[at.session], int(at.entry), digest, i + 1}, parts[i+1:]
		}
	}
	return found, rest
}

// begin begins a session.
func (f *file) begin(x exchange, form format, system string) place {
	id := f.path
	if n := len(f.sessions) + 1; n > 1 {
		id = fmt.Sprintf("%s#%d", f.path, n)
	}
	s := &session{out: transcript.Session{ID: id, Agent: form.agent(), File: f.path, Started: x.at}, builder: dialogue.Builder{Count: f.reader.Options.Count}}
	if system != "" {
		s.builder.Add(dialogue.Part{Kind: transcript.System, Text: system}, x.at, nil)
	}
	s.number = int32(len(f.sessions))
	f.sessions, f.awake = append(f.sessions, s), append(f.awake, s)
	return place{session: s, entry: s.builder.Last()}
}

// end adds the sessions of the file to the log.
func (f *file) end() {
	spill := f.reader.Spill
	for _, s := range f.sessions {
		if s.out.Packed == nil {
			s.out.Contexts = []transcript.Context{{Entries: s.builder.Rest()}}
		}
		if f.reader.Kept.Fits() {
			spill.Unpack(&s.out)
			f.reader.Kept.Session(&s.out, 0)
		}
		spill.Pack(&s.out)
		f.reader.sessions = append(f.reader.sessions, s.out)
	}
}

// restful is how many exchanges a session is not used until it is packed. Conversations
// take turns in a log, but few go on behind that many others.
const restful = 500

// wake makes a session ready for the next exchange, and packs those that rest.
func (f *file) wake(s *session) {
	spill := f.reader.Spill
	f.taken++
	s.used = f.taken
	if s.out.Packed != nil {
		spill.Unpack(&s.out)
		s.builder.Wake(s.out.Contexts[0].Entries)
		s.out.Contexts = nil
		f.awake = append(f.awake, s)
	}
	if spill == nil || f.taken%restful != 0 {
		return
	}
	f.awake = slices.DeleteFunc(f.awake, func(s *session) bool {
		if f.taken-s.used < restful {
			return false
		}
		s.out.Contexts = []transcript.Context{{Entries: s.builder.Rest()}}
		spill.Pack(&s.out)
		return true
	})
}

// ends remembers where a history ends.
func (f *file) ends(p place) {
	f.at[p.digest] = end{p.session.number, int32(p.entry), int32(p.length)}
}

// idOf returns what stands for the id of a response.
func idOf(id string) (d kept.Digest) {
	sum := sha256.Sum256([]byte(id))
	copy(d[:], sum[:])
	return d
}
