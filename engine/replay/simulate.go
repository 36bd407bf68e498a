package replay

import (
	"slices"

	"caliper/engine"
	"caliper/engine/replay/price"
	"caliper/engine/selection"
	"caliper/engine/transcript"
	"caliper/model"
)

// sender says what a strategy sends with a request, and which tools take round
// trips before they are called.
type sender struct {
	strategy selection.Strategy
	trips    []Trip
	array    func(q *request) array
	missing  func(q *request, t *model.Tool) bool
}

// outcome is a context, or a session, under a strategy.
type outcome struct {
	requests int
	tokens   price.Tokens
	misses   int           // requests that found nothing in the cache
	uses     []*model.Tool // what took round trips, each as often as it did
	steps    []Step
}

// simulate returns a context under a strategy. Every request is anchored at
// its logged input; the tools array is exchanged, the agent's own searches and
// descriptions leave the history with their results, and the strategy's round
// trips come in front of the answers that call a tool first.
func (r *run) simulate(l *line, s sender, p price.Price) outcome {
	var out outcome
	var c cache
	n := len(l.history.entries)
	r.cumulated = slices.Grow(r.cumulated[:0], n)[:n]
	cumulated := r.cumulated             // of an entry and its ancestors, under the strategy
	first := make(map[*model.Tool][]int) // answers before which a tool was described
	var inFront map[answerKey]tripped
	next, cold := 0, false
	for e := range n {
		parent := l.history.parent(e)
		var before transcript.Size
		if parent != transcript.None {
			before = cumulated[parent]
		}
		added := transcript.Size{}
		if next < len(l.requests) && l.requests[next].entry == e {
			q := &l.requests[next]
			next++
			cold = cold || q.cold
			if !q.gone {
				uses := len(out.uses)
				added = r.pay(l, s, q, p, before, cold, &c, cumulated, first, &out)
				if key := keyOf(&l.history.entries[e]); l.copies && key != (answerKey{}) {
					if inFront == nil {
						inFront = map[answerKey]tripped{}
					}
					inFront[key] = tripped{added, slices.Clone(out.uses[uses:])}
				}
				cold = false
			}
		} else if entry := &l.history.entries[e]; entry.Copy && entry.Request != nil {
			again := inFront[keyOf(entry)]
			added = again.size
			for _, t := range again.tools {
				first[t] = append(first[t], e)
			}
		}
		cumulated[e] = before.Add(added).Add(l.stripped[e])
	}
	return out
}

// tripped is what stands in front of an answer: the round trips for some tools. Where a
// compaction keeps the answer, it keeps them with it.
type tripped struct {
	size  transcript.Size
	tools []*model.Tool
}

// answerKey is what an answer has in common with its copies in a context.
type answerKey struct {
	id, call string
	time     int64
}

// keyOf returns the key of an answer; the zero value when the log gives it none.
func keyOf(e *transcript.Entry) answerKey {
	k := answerKey{id: e.Request.ID}
	if !e.Time.IsZero() {
		k.time = e.Time.UnixNano()
	}
	if len(e.Request.Calls) > 0 {
		k.call = e.Request.Calls[0].ID
	}
	return k
}

// pay counts a request and the round trips in front of it, and returns what
// these add to the history.
func (r *run) pay(l *line, s sender, q *request, p price.Price, before transcript.Size, cold bool, c *cache, cumulated []transcript.Size, first map[*model.Tool][]int, out *outcome) transcript.Size {
	sent := s.array(q)
	var added transcript.Size
	send := func(trip Trip) {
		carried := before.Add(added)
		step := Step{Entry: q.entry, Trip: trip, Tools: r.tokenizer.of(sent.size), Rest: q.residual}
		step.Messages, step.Results = r.split(carried)
		shared, whole := c.shared(l, q.entry, cumulated)
		cached := c.next(q.entry, sent.key, step.Input(), carried, cold, whole, r.tokenizer.of(sent.size)+r.tokenizer.of(shared)+q.residual)
		t := charged(step.Input(), cached, p)
		out.requests++
		out.tokens = out.tokens.Add(t)
		if cached == 0 {
			out.misses++
		}
		if r.in.Steps {
			step.Cached, step.Written = cached, t.Write
			out.steps = append(out.steps, step)
		}
		cold = false
	}
	for _, t := range r.firstUses(l, s, q, first) {
		for _, trip := range s.trips {
			send(trip)
			if trip == SearchTrip {
				added = added.Add(r.searching(q.query(t)).size())
			} else {
				added = added.Add(r.describing(t).size())
			}
		}
		first[t] = append(first[t], q.entry)
		out.uses = append(out.uses, t)
	}
	send(NoTrip)
	return added
}

// split returns the tokens of messages, and those of results.
func (r *run) split(s transcript.Size) (messages, results float64) {
	all := r.tokenizer.of(s)
	if r.tokenizer.Count != nil {
		// Exact counts are not kept by class: the share is that of characters.
		if chars := s.AllChars(); chars > 0 {
			results = all * float64(s.Chars[transcript.Output]) / float64(chars)
		}
	} else {
		results = r.tokenizer.PerChar[transcript.Output] * float64(s.Chars[transcript.Output])
	}
	return all - results, results
}

// firstUses returns the tools that an answer calls and that take round trips,
// in the order of its calls, each once: those of which no description is in
// its history.
func (r *run) firstUses(l *line, s sender, q *request, first map[*model.Tool][]int) []*model.Tool {
	if len(s.trips) == 0 {
		return nil
	}
	var tools []*model.Tool
	for _, m := range q.made {
		t := m.tool
		if t == nil || !r.snapshot.Granted(t) || !t.Available || engine.IsBridge(t.Name) || !s.missing(q, t) || slices.Contains(tools, t) {
			continue
		}
		if !slices.ContainsFunc(first[t], func(at int) bool { return l.history.saw(q.entry, at) }) {
			tools = append(tools, t)
		}
	}
	return tools
}

// query returns what is searched before an answer calls a tool.
func (q *request) query(t *model.Tool) string {
	for _, m := range q.made {
		if m.tool == t {
			return m.query
		}
	}
	return ""
}

// plain returns what sends the tools of a context under a strategy that
// looks at no message; lazy describes core tools too, because it sends names
// alone.
func (r *run) plain(s selection.Strategy) sender {
	switch s {
	case selection.Eager:
		return sender{strategy: s, array: func(q *request) array { return q.offer.eager }}
	case selection.Lazy:
		return sender{s, []Trip{DescribeTrip}, func(q *request) array { return q.offer.lazy }, func(*request, *model.Tool) bool { return true }}
	default:
		return sender{s, []Trip{SearchTrip, DescribeTrip}, func(q *request) array { return q.offer.search }, func(_ *request, t *model.Tool) bool { return r.deferrable(t) }}
	}
}

// deferrable reports whether tool search defers a tool.
func (r *run) deferrable(t *model.Tool) bool { return r.snapshot.Class(t) == engine.Deferrable }
