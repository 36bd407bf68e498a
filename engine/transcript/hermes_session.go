package transcript

import (
	"strings"
	"time"

	"caliper/model/jsontree"
)

// hermesSession is a session whose rows are being read.
type hermesSession struct {
	reader  *HermesReader
	out     Session
	line    int // of the file, on which it begins
	builder Builder
	tools   int // of the next request: index in the session's arrays
	root    int // the system prompt, or None
	live    int // the last entry of the history that the model sees next
	// held waits for the row behind it: a summary is known by the copy that follows.
	held   hermesRow
	before bool            // the last live row was compacted
	seen   map[uint64]bool // the marks of the compacted rows
}

// hermesRow is one message with what Hermes says of it.
type hermesRow struct {
	at time.Time
	// active is false for a row that is in no later history. compacted says that it
	// was in the history until it was summarised; without it the row was taken back.
	active, compacted bool

	parts  []MessagePart // some
	mark   uint64        // tells it from others, by its time and its parts
	copied bool
}

// begin begins a session on a line of its file, from 1, or 0 in a database, with a system prompt,
// "" where it is not known. Sums that are zero or impossible are left out. Its rows follow in their order, and then end.
func (r *HermesReader) begin(s Session, line int, system string) *hermesSession {
	s.ID, s.Agent, s.Model = strings.Clone(s.ID), Hermes, strings.Clone(s.Model)
	if s.Sums != nil && (*s.Sums == (Usage{}) || !s.Sums.Possible()) {
		s.Sums = nil
	}
	out := &hermesSession{reader: r, line: line, tools: None, out: s}
	out.builder.Count = r.Options.Count
	if system != "" {
		out.builder.Add(MessagePart{Kind: System, Text: system}, time.Time{}, UnpaidRequest)
	}
	out.root, out.live = out.builder.Last(), out.builder.Last()
	return out
}

// row takes the next row, whose message has the shape of OpenAI chat.
func (s *hermesSession) row(message *jsontree.Node, p hermesRow) {
	p.parts = MessageParts(message)
	if message.Member("role").AsText() == "session_meta" || len(p.parts) == 0 {
		return
	}
	if p.compacted || len(s.seen) > 0 { // else nobody asks
		p.mark = uint64(p.at.UnixNano())
		for _, q := range p.parts {
			p.mark = p.mark*31 + q.Digest()
		}
	}
	p.copied = (p.active || p.compacted) && s.seen[p.mark]
	s.release(p.copied)
	if p.compacted {
		if s.seen == nil {
			s.seen = map[uint64]bool{}
		}
		s.seen[p.mark] = true
	}
	s.held = p
}

// release puts the row that is held, if any, into the history. copied: the row behind it is a
// copy. A summary begins the history anew: the first live row behind compacted ones, or a row
// before one that is there a second time.
func (s *hermesSession) release(copied bool) {
	p := s.held
	s.held = hermesRow{}
	live := p.active || p.compacted
	summary := live && (copied && !p.copied || s.before && p.active && !p.copied)
	if live {
		s.before = p.compacted
	}
	if summary {
		s.live = s.root
	}
	if live {
		s.builder.From(s.live)
	}
	for _, q := range p.parts {
		if summary && (q.Kind == User || q.Kind == Answer && len(q.Calls) == 0) {
			q.Kind = Summary
		}
		i, ok := s.builder.Add(q, p.at, Request{Model: s.out.Model, Tools: s.tools})
		if !ok {
			continue
		}
		s.builder.Entries[i].Copy = p.copied
		if live {
			s.live = i
		}
	}
}
