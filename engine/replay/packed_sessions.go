package replay

import (
	"encoding/binary"
	"iter"
	"slices"
	"strings"
	"time"

	"caliper/engine/selection"
	"caliper/engine/transcript"
)

// packedSessions holds sessions in a few bytes each: a log may have hundreds of thousands. A session
// of six strategies takes 1 kB as a Session, and 150 bytes here.
type packedSessions struct {
	rows   pieces
	texts  texts // that many sessions have
	prices []*Price
	late   []late // in the order of the sessions
}

// late is the figures of a session that are recomputed when the others are known.
type late struct {
	session int
	total   float64
}

// len returns the number of sessions.
func (r *packedSessions) len() int { return r.rows.len() }

// add adds a session. Its Steps are not kept.
func (r *packedSessions) add(s *Session) {
	var room [512]byte
	r.rows.add(r.encode(room[:0], s))
}

// recompute sets the recomputed figure of a session, after all sessions before it.
func (r *packedSessions) recompute(session int, total float64) {
	r.late = append(r.late, late{session, total})
}

// What a packed session has, as bits.
const (
	idOfFile = 1 << iota // the id begins with the path of the file
	hasTime
	hasUsage
	isRecomputed
	hasPrice
)

// encode appends a session.
func (r *packedSessions) encode(data []byte, s *Session) []byte {
	id, ofFile := strings.CutPrefix(s.ID, s.File)
	if s.File == "" || !ofFile {
		id, ofFile = s.ID, false
	}
	has := bits(ofFile, !s.Started.IsZero(), s.Logged != nil, s.Recomputed != nil, s.Price != nil)
	number := func(list ...int) { data = appendInts(data, list...) }
	data = appendText(binary.AppendUvarint(data, has), id)
	for _, text := range []string{string(s.Agent), s.File, s.Model, s.Tokenizer, string(s.Used)} {
		data = binary.AppendUvarint(data, r.texts.number(text))
	}
	if has&hasTime != 0 {
		data = binary.AppendVarint(data, s.Started.Unix())
		number(s.Started.Nanosecond())
	}
	c := s.Counts
	number(c.Requests, c.Calls, c.Deferrable, c.Found, c.Below, c.NoMatch, c.Unasked, c.OutOfScope, c.Unknown, c.Loops, s.Distinct, int(s.Gap), int(s.Sending))
	if u := s.Logged; u != nil {
		number(u.Input, u.CacheRead, u.CacheWrite, u.Output, u.HourWrite)
	}
	if s.Recomputed != nil {
		number(*s.Recomputed)
		data = appendFloat(data, *s.ErrorPct)
	}
	if s.Price != nil {
		number(r.price(s.Price))
	}
	number(len(s.Strategies))
	for _, row := range s.Strategies {
		data = binary.AppendUvarint(data, r.texts.number(string(row.Strategy)))
		number(row.Requests, row.Tokens.Input, row.Tokens.Cached, row.Tokens.Written)
		if row.Cost == nil {
			data = append(data, 0)
			continue
		}
		data = appendFloat(append(data, 1), *row.Cost)
	}
	return data
}

// price returns the number of a price.
func (r *packedSessions) price(p *Price) int {
	for i, known := range slices.Backward(r.prices) {
		if *known == *p {
			return i
		}
	}
	own := *p
	r.prices = append(r.prices, &own)
	return len(r.prices) - 1
}

// at returns a session.
func (r *packedSessions) at(i int) (s Session) {
	d := r.rows.at(i)
	has := d.uint()
	id := d.text()
	s.Agent, s.File, s.Model = transcript.Agent(r.texts.list[d.uint()]), r.texts.list[d.uint()], r.texts.list[d.uint()]
	s.Tokenizer, s.Used = r.texts.list[d.uint()], selection.Strategy(r.texts.list[d.uint()])
	if s.ID = id; has&idOfFile != 0 {
		s.ID = s.File + id
	}
	if has&hasTime != 0 {
		s.Started = time.Unix(int64(d.int()), int64(d.int())).UTC()
	}
	for _, to := range []*int{&s.Requests, &s.Calls, &s.Deferrable, &s.Found, &s.Below, &s.NoMatch, &s.Unasked, &s.OutOfScope, &s.Unknown, &s.Loops, &s.Distinct, (*int)(&s.Gap), (*int)(&s.Sending)} {
		*to = d.int()
	}
	if has&hasUsage != 0 {
		s.Logged = &transcript.Usage{Input: d.int(), CacheRead: d.int(), CacheWrite: d.int(), Output: d.int(), HourWrite: d.int()}
	}
	if has&isRecomputed != 0 {
		total, pct := d.int(), d.float()
		s.Recomputed, s.ErrorPct = &total, &pct
	}
	if has&hasPrice != 0 {
		s.Price = r.prices[d.int()]
	}
	s.Strategies = make([]Row, d.int())
	for i := range s.Strategies {
		row := &s.Strategies[i]
		row.Strategy, row.Requests = selection.Strategy(r.texts.list[d.uint()]), d.int()
		row.Tokens = Tokens{d.int(), d.int(), d.int()}
		if d.bytes(1)[0] != 0 {
			cost := d.float()
			row.Cost = &cost
		}
	}
	if at, ok := slices.BinarySearchFunc(r.late, i, func(l late, i int) int { return l.session - i }); ok {
		s.recomputed(r.late[at].total)
	}
	return s
}

// Session returns a session, packed or not.
func (r *Report) Session(i int) Session {
	if r.packed != nil {
		return r.packed.at(i)
	}
	return r.Sessions[i]
}

// Len returns the number of sessions, packed or not.
func (r *Report) Len() int {
	if r.packed != nil {
		return r.packed.len()
	}
	return len(r.Sessions)
}

// Each returns all sessions in their order, packed or not.
func (r *Report) Each() iter.Seq2[int, Session] {
	return func(yield func(int, Session) bool) {
		for i := range r.Len() {
			if !yield(i, r.Session(i)) {
				return
			}
		}
	}
}
