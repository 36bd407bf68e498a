package replay

import (
	"fmt"
	"slices"

	"caliper/engine"
	"caliper/engine/selection"
	"caliper/engine/transcript"
	"caliper/model"
)

// sender tells which tools a strategy sends with a request, and which take round
// trips before they are called.
type sender struct {
	trips   []Trip
	array   func(q *request) array
	missing func(q *request, t *model.Tool) bool
}

// outcome is a context, or a session, under a strategy.
type outcome struct {
	requests int
	tokens   PricedTokens
	misses   int           // requests that found nothing in the cache
	uses     []*model.Tool // what took round trips, each as often as it did; of a session under tool search alone
	steps    []Step
}

// simulate returns a context under a strategy. Every request is anchored at
// its logged input; the tools array is exchanged, the agent's own searches and
// descriptions leave the history with their results, and the strategy's round
// trips come in front of the answers that call a tool first.
func (r *run) simulate(l *line, s sender, p Price) outcome {
	m := simulation{entry: transcript.None, run: r, line: l, sender: s, price: p, detours: make([]transcript.Size, 0, len(l.events)), described: map[*model.Tool][]int{}}
	// What stands in front of an answer, by its key: the tools that took round trips, and these. Where
	// a compaction keeps the answer, it keeps them with it.
	inFront, trips := map[string][]*model.Tool{}, map[string]transcript.Size{}
	for _, v := range l.events {
		var added transcript.Size
		entry := &l.history.entries[v.entry]
		if v.copied >= 0 {
			out := m.out
			added = m.pay(&l.copied[v.copied]) // elsewhere
			m.out = out
		} else if v.request >= 0 {
			uses := len(m.out.uses)
			added = m.pay(&l.requests[v.request])
			if l.copies {
				inFront[keyOf(entry)], trips[keyOf(entry)] = slices.Clone(m.out.uses[uses:]), added
			}
		} else if key := keyOf(entry); key != "" {
			added = trips[key]
			for _, t := range inFront[key] {
				m.described[t] = append(m.described[t], v.entry)
			}
		}
		m.detours = append(m.detours, m.through(l.history.parent(v.entry)).Add(added))
	}
	return m.out
}

// simulation is a context under a strategy, up to the event at hand.
type simulation struct {
	run    *run
	line   *line
	sender sender
	price  Price
	// The prompt cache: the answer of the last request, the key of its tools array, its messages
	// and its whole input; entry is None before the first. The prefix of a request is its tools,
	// then the system prompt, then the messages. Nothing is cached for the first request of a
	// context, for one that is cold, and for one whose tools array has other bytes than the last
	// one's; the whole last input is, when the history was only appended to; what tools, rest and
	// messages in common come to is, when the history was cut (a compaction, a rewind).
	entry     int
	key       string
	carried   transcript.Size
	input     float64
	detours   []transcript.Size     // by event: what round trips put in its history, its own included
	described map[*model.Tool][]int // the answers before which a tool was described
	out       outcome
}

// through returns what the strategy has put in the history of an entry, the entry
// included. The events up to it must have been simulated.
func (m *simulation) through(entry int) transcript.Size {
	if entry == transcript.None || m.line.nearest[entry] < 0 {
		return transcript.Size{}
	}
	return m.detours[m.line.nearest[entry]]
}

// messages returns what the history of an entry weighs under the strategy, the entry
// included.
func (m *simulation) messages(entry int) transcript.Size {
	if entry == transcript.None {
		return transcript.Size{}
	}
	return m.line.stripped[entry].Add(m.through(entry))
}

// keyOf returns what identifies an answer and its copies in a context; "" when the log gives it nothing.
func keyOf(e *transcript.Entry) string {
	call, at := "", int64(0)
	if len(e.Request.Calls) > 0 {
		call = e.Request.Calls[0].ID
	}
	if !e.Time.IsZero() {
		at = e.Time.UnixNano()
	}
	if e.Request.ID == "" && call == "" && at == 0 {
		return ""
	}
	return fmt.Sprintf("%q %q %d", e.Request.ID, call, at)
}

// pay counts a request and the round trips in front of it, and returns what
// these add to the history.
func (m *simulation) pay(q *request) (added transcript.Size) {
	r := m.run
	sent := m.sender.array(q)
	tools := r.tokenizer.of(sent.size)
	before := m.messages(m.line.history.parent(q.entry))
	cold := q.cold
	saw := func(at int) bool { return m.line.history.saw(q.entry, at) }
	var first []Call // those without a description in the history
	for _, u := range q.uses {
		if len(m.sender.trips) > 0 && m.sender.missing(q, u.Tool) && !slices.ContainsFunc(m.described[u.Tool], saw) {
			first = append(first, u)
		}
	}
	for _, u := range first {
		for _, trip := range m.sender.trips {
			m.send(q, trip, sent.key, tools, before.Add(added), cold)
			cold = false
			size, ok := r.describes[u.Tool] // that the trip adds to the history
			if trip == SearchTrip {
				size, ok = r.searches[u.Query]
			}
			switch {
			case ok:
			case trip == SearchTrip:
				size = r.ask(r.snapshot, engine.ToolSearch, "query", "queries", u.Query)
				if len(r.searches) >= maxSearches {
					clear(r.searches)
				}
				r.searches[u.Query] = size
			default:
				size = r.ask(r.describer, engine.ToolDescribe, "name", "names", r.describer.ModelName(u.Tool))
				r.describes[u.Tool] = size
			}
			added = added.Add(size)
		}
		m.described[u.Tool] = append(m.described[u.Tool], q.entry)
		m.out.uses = append(m.out.uses, u.Tool)
	}
	m.send(q, NoTrip, sent.key, tools, before.Add(added), cold)
	return added
}

// send counts one request, which carries some tokens of tools, whose array has a key, and
// messages.
func (m *simulation) send(q *request, trip Trip, key string, tools float64, carried transcript.Size, cold bool) {
	r := m.run
	messages, results := r.tokenizer.of(carried), r.tokenizer.PerChar[transcript.Output]*float64(carried.Chars[transcript.Output])
	if r.tokenizer.Count != nil { // exact counts are not kept by class: the share is taken in characters
		if results = 0; carried.AllChars() > 0 {
			results = messages * float64(carried.Chars[transcript.Output]) / float64(carried.AllChars())
		}
	}
	step := Step{Entry: q.entry, Request: q.number, Trip: trip, Tools: tools, Messages: messages - results, Results: results, Rest: q.residual}
	input, cached := step.Input(), 0.0
	h := &m.line.history
	if m.entry != transcript.None && !cold && key == m.key {
		cached = m.input
		if appended := m.entry == q.entry || h.saw(q.entry, m.entry); !appended {
			// what was carried and is no message under the strategy, because it asked for tools alone, has no size
			var shared transcript.Size
			if p := h.parent(q.entry); p != transcript.None {
				last := m.entry // the last entry in the history of both
				for p != last && p != transcript.None && last != transcript.None {
					if h.depth[p] < h.depth[last] {
						p, last = last, p
					}
					p = h.parent(p)
				}
				if p == last {
					shared = m.messages(p)
				}
			}
			if shared != m.carried {
				cached = tools + r.tokenizer.of(shared) + q.residual
			}
		}
		cached = max(0, min(cached, input))
	}
	m.entry, m.key, m.carried, m.input = q.entry, key, carried, input
	t := charged(input, cached, m.price)
	m.out.requests++
	m.out.tokens = m.out.tokens.Add(t)
	if cached == 0 {
		m.out.misses++
	}
	if r.in.Steps {
		step.Cached, step.Written = cached, t.Write
		m.out.steps = append(m.out.steps, step)
	}
}

// maxSearches is how many searches are remembered: the words of one message are asked for
// under each strategy, and again for each tool of the eager set.
const maxSearches = 1 << 12

// charged returns the tokens of a request as they are charged. Input that is not
// read from the cache is written to it if that has a price.
func charged(input, cached float64, p Price) PricedTokens {
	t := PricedTokens{Input: input, Read: cached}
	if p.Writes() {
		t.Write = input - cached
	}
	return t
}

// reachable returns the tools that calls name and that round trips can lead to, in
// their order, each once.
func (r *run) reachable(calls []Call) (uses []Call) {
	for _, call := range calls {
		t := call.Tool
		if t != nil && r.snapshot.Granted(t) && t.Available && !engine.IsBridge(t.Name) && !slices.ContainsFunc(uses, func(u Call) bool { return u.Tool == t }) {
			uses = append(uses, Call{Tool: t, Query: call.Query})
		}
	}
	return uses
}

// The round trips of a first use.
var bothTrips = [...]Trip{SearchTrip, DescribeTrip}

// plain returns what sends the tools of a context under a strategy that
// looks at no message; lazy describes core tools too, because it sends names
// alone.
func (r *run) plain(s selection.Strategy) sender {
	switch s {
	case selection.Eager:
		return sender{array: func(q *request) array { return q.offer.eager }}
	case selection.Lazy:
		return sender{bothTrips[1:], func(q *request) array { return q.offer.lazy }, func(*request, *model.Tool) bool { return true }}
	default:
		return sender{bothTrips[:], func(q *request) array { return q.offer.search }, func(_ *request, t *model.Tool) bool { return r.deferrable(t) }}
	}
}

// deferrable reports whether tool search defers a tool.
func (r *run) deferrable(t *model.Tool) bool { return r.snapshot.Class(t) == engine.Deferrable }
