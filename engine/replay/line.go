package replay

import (
	"slices"

	"caliper/engine/selection"
	"caliper/engine/transcript"
)

// line is one context with what every strategy needs of it.
type line struct {
	history  history           // as it was sent
	stripped []transcript.Size // of each entry and its ancestors, without searches, descriptions and their results
	requests []request         // answers that were paid for, in the order of the log
	copied   []request         // answers of another session that the main line goes on with, in front of the first request
	events   []event           // in the order of the log
	nearest  []int32           // of each entry: the last event that is it or one of its ancestors; -1: none
	turns    []string          // the user's words, in the order of the log
	sent     [][]*turn         // by run.selectors: the tools sent before turns, and with each
	copies   bool              // it has answers that a compaction keeps
	gone     []bool            // the entries that no strategy has
}

// request is one answer of the model.
type request struct {
	entry    int
	number   int             // among those of its line, from 1
	uses     []Call          // the tools that it calls and round trips can lead to, each with its query
	turn     int             // the last of line.turns before it; -1: none yet
	gone     bool            // all of its calls are searches or descriptions: no strategy has it
	total    int             // the logged input; meaningless unless known
	read     int             // of it, from the cache
	known    bool            // total and read can be right
	sent     transcript.Size // the tools array really sent
	sentKey  string
	logged   *offer // of the array that the log has of it; nil: it has none
	offer    *offer
	residual float64
	cold     bool
}

// event is an entry of a context in front of which a strategy may put round trips: an
// answer that every strategy pays for, or the copy of an answer.
type event struct {
	entry   int
	request int // number in line.requests; -1 for a copy
	copied  int // number in line.copied; -1 for any other event
}

// line returns one context, ready for every strategy.
func (r *run) line(s *transcript.Session, c int, used selection.Strategy, offers []offer) *line {
	entries := s.Contexts[c].Entries
	l := &line{stripped: make([]transcript.Size, len(entries)), gone: make([]bool, len(entries))}
	loaded := func(entry int) (size transcript.Size) { // the definitions that stay loaded from an entry on
		for _, l := range s.Contexts[c].Loaded {
			if l.Entry == entry {
				size = size.Add(r.expanded(l.Tools))
			}
		}
		return size
	}
	l.history = newHistory(entries, func(i int) transcript.Size {
		size := entries[i].Size.Add(loaded(i))
		if call := callOf(entries, i); call != nil { // the provider expands references to tools
			size = size.Add(r.expanded(call.Asked().Expanded))
		}
		return size
	})
	for i := range entries {
		e := &entries[i]
		l.gone[i] = e.Kind == transcript.Answer && e.Request != nil && len(e.Request.Calls) > 0 &&
			!slices.ContainsFunc(e.Request.Calls, func(c transcript.Call) bool { return !c.Asks() })
		l.stripped[i] = strip(entries, i, l.gone[i], less(l.history.measured[i], loaded(i)))
		if p := l.history.parent(i); p != transcript.None {
			l.stripped[i] = l.stripped[i].Add(l.stripped[p])
		}
		l.copies = l.copies || e.Copy && e.Request != nil
		if e.Kind == transcript.User && e.Words != "" && !e.Copy {
			l.turns = append(l.turns, e.Words)
		}
		if e.Kind != transcript.Answer || e.Request == nil || e.Copy && (len(l.requests) > 0 || s.Contexts[c].Helper != "") {
			continue
		}
		q := request{entry: i, gone: l.gone[i], turn: len(l.turns) - 1, offer: &r.granted}
		if u := e.Request.Usage; u != nil {
			q.total, q.read = u.Total(), u.CacheRead
			q.known = !strange(q.total, l.history.before(i))
		}
		if r.sends == NoTools {
			q.offer = new(offer)
		}
		q.sent, q.sentKey = q.offer.eager.size, q.offer.eager.key
		if used == selection.ToolSearch {
			q.sent, q.sentKey = r.granted.visible, "visible"
			if s.Agent == transcript.Hermes || s.Agent == transcript.Caliper || s.Contexts[c].Bridge {
				q.sent = r.granted.search.size
			}
		}
		if t := e.Request.Tools; t >= 0 && t < len(offers) {
			o := &offers[t]
			q.logged = o
			q.sent, q.sentKey = o.sent.size, o.sent.key
			switch {
			case used == selection.Eager || o.behind != nil && s.Agent != transcript.Claude:
				q.offer = o
			case s.Agent == transcript.Claude: // its log has the definitions of what was found alone
				q.sent = o.known
			}
		}
		if e.Copy {
			l.copied = append(l.copied, q)
		} else {
			q.number = len(l.requests) + 1
			l.requests = append(l.requests, q)
		}
	}
	for i := range l.copied { // what they sent may be in the log of the session that wrote them
		if c := &l.copied[i]; len(l.requests) > 0 && entries[c.entry].Request.Tools == transcript.None {
			c.sent, c.sentKey, c.offer = l.requests[0].sent, l.requests[0].sentKey, l.requests[0].offer
		}
	}
	return l
}

// expanded returns the size of the definitions of tools, as far as the registry has them.
func (r *run) expanded(names []string) (size transcript.Size) {
	for _, name := range names {
		if t := r.catalog.find(name); t != nil {
			size = size.Add(r.definition(t))
		}
	}
	return size
}

// callOf returns the call that an entry is the result of; nil for every other
// entry.
func callOf(entries []transcript.Entry, i int) *transcript.Call {
	e := &entries[i]
	if e.Kind != transcript.Result || e.CallEntry < 0 || e.CallEntry >= i || entries[e.CallEntry].Request == nil {
		return nil
	}
	calls := entries[e.CallEntry].Request.Calls
	if e.Call < 0 || e.Call >= len(calls) {
		return nil
	}
	return &calls[e.Call]
}

// strip returns the size of an entry without the agent's own searches and
// descriptions.
func strip(entries []transcript.Entry, i int, gone bool, measured transcript.Size) transcript.Size {
	if gone {
		return transcript.Size{}
	}
	if call := callOf(entries, i); call != nil && call.Asks() {
		return transcript.Size{}
	}
	if req := entries[i].Request; req != nil {
		for _, c := range req.Calls {
			if c.Asks() {
				measured = less(measured, c.Size)
			}
		}
	}
	return measured
}

// plan sets the events of a context, and which requests found nothing in the cache though their
// prefix stood: after a pause. That is read from the log, because no log tells how long a provider
// keeps a prefix. Where no strategy has the request, the next one that they have takes the miss.
func (l *line) plan() {
	missed := false
	for i := range l.requests {
		q := &l.requests[i]
		before := l.copied
		if i > 0 {
			before = l.requests[:i]
		}
		missed = missed || len(before) > 0 && q.known && q.read == 0 && q.sentKey == before[len(before)-1].sentKey
		if !q.gone {
			q.cold, missed = missed, false
		}
	}
	entries, next, copied := l.history.entries, 0, 0
	l.nearest = make([]int32, len(entries))
	for e := range entries {
		at := int32(-1)
		if p := l.history.parent(e); p != transcript.None {
			at = l.nearest[p]
		}
		v := event{e, -1, -1}
		if next < len(l.requests) && l.requests[next].entry == e {
			v.request = next
			next++
		}
		if copied < len(l.copied) && l.copied[copied].entry == e {
			v.copied = copied
			copied++
		}
		if v.request >= 0 && !l.requests[v.request].gone || v.copied >= 0 && !l.copied[v.copied].gone ||
			v.request < 0 && v.copied < 0 && entries[e].Copy && entries[e].Request != nil {
			at = int32(len(l.events))
			l.events = append(l.events, v)
		}
		l.nearest[e] = at
	}
}
