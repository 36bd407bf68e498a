package transcript

import (
	"strings"
	"time"

	"caliper/model/jsontree"
)

// hermesStored is the row of Hermes about a session as a whole.
type hermesStored struct {
	id, file, model string
	line            int    // of the file, on which the session begins, from 1; 0 in a database
	system          string // the system prompt; "" where it is not known
	started         time.Time
	// sums are over all requests, with an input that excludes the cache; all
	// zero where nothing was counted. Impossible counts are left out.
	sums Usage
}

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
	holds  bool
	before bool          // the last live row was compacted
	seen   map[mark]bool // the compacted rows
}

// mark tells two rows apart.
type mark struct {
	at     int64
	digest uint64
}

// hermesRow is one message with what Hermes says of it.
type hermesRow struct {
	at time.Time
	// active is false for a row that is in no later history. compacted says that it
	// was in the history until it was summarised; without it the row was taken back.
	active, compacted bool

	parts  []MessagePart
	mark   mark
	copied bool
}

// begin begins a session. Its rows follow in their order, and then end.
func (r *HermesReader) begin(s hermesStored) *hermesSession {
	out := &hermesSession{reader: r, line: s.line, tools: None,
		out: Session{ID: strings.Clone(s.id), Agent: Hermes, File: s.file, Model: strings.Clone(s.model), Started: s.started}}
	out.builder.Count = r.Options.Count
	if s.sums != (Usage{}) && s.sums.Possible() {
		sums := s.sums // alone: a pointer into s would keep the system prompt
		out.out.Sums = &sums
	}
	if s.system != "" {
		out.builder.Add(MessagePart{Kind: System, Text: s.system}, time.Time{}, UnpaidRequest)
	}
	out.root, out.live = out.builder.Last(), out.builder.Last()
	return out
}

// row takes the next row, whose message has the shape of OpenAI chat.
func (s *hermesSession) row(message *jsontree.Node, p hermesRow) {
	p.parts = MessageParts(message)
	if text(message.Member("role")) == "session_meta" || len(p.parts) == 0 {
		return
	}
	if p.compacted || len(s.seen) > 0 { // else nobody asks
		p.mark.at = p.at.UnixNano()
		for _, q := range p.parts {
			p.mark.digest = p.mark.digest*31 + q.Digest()
		}
	}
	p.copied = (p.active || p.compacted) && s.seen[p.mark]
	s.release(p.copied)
	if p.compacted {
		if s.seen == nil {
			s.seen = map[mark]bool{}
		}
		s.seen[p.mark] = true
	}
	s.held, s.holds = p, true
}

// end ends the session, which the reader's log has from then on.
func (s *hermesSession) end() {
	s.release(false)
	s.out.Contexts = []Context{{Entries: s.builder.Entries}}
	for range s.builder.Lost {
		s.reader.skip(s.out.File, s.line, "result without a call")
	}
	s.reader.add(s.out, s.line)
}

// release puts the row that is held, if any, into the history. copied: the row
// behind it is a copy.
func (s *hermesSession) release(copied bool) {
	if s.holds {
		s.put(s.held, copied && !s.held.copied)
		s.held, s.holds = hermesRow{}, false
	}
}

// put adds a row to the history. A summary begins it anew: the first live row behind
// compacted ones, or a row before one that is there a second time.
func (s *hermesSession) put(p hermesRow, summary bool) {
	live := p.active || p.compacted
	summary = live && (summary || s.before && p.active && !p.copied)
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
		s.builder.Entries[i].Copy, s.builder.Entries[i].Abandoned = p.copied, !p.active
		if live {
			s.live = i
		}
	}
}

// send says which tools the next requests send.
func (s *hermesSession) send(tools *jsontree.Node) {
	s.out.Arrays, s.tools = AddArray(s.out.Arrays, ParseTools(tools))
}

// waits reports whether a call waits for a result that a row may be: local models repeat the
// ids of calls, so that two of their results may be the same.
func (s *hermesSession) waits(row *jsontree.Node) bool {
	if text(row.Member("role")) != "tool" {
		return false
	}
	s.release(false) // it goes into the history with the next row
	return s.builder.Waits(text(row.Member("tool_call_id")))
}
