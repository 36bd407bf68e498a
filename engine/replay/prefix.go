package replay

import (
	"time"

	"caliper/engine/transcript"
)

const (
	// cacheStep is the number of tokens in steps of which OpenAI caches, and leastCached the fewest
	// that it does. Source: developers.openai.com/api/docs/guides/prompt-caching.
	cacheStep, leastCached = 128, 1024
	// noise is one in so many tokens that could be read: a smaller loss without a reason counts as
	// none, since counts of one text differ a little.
	noise = 50
	// mayExpire is the pause after which providers may drop a prefix, where the log does not say
	// how long it was to be kept.
	mayExpire = 5 * time.Minute
)

// keeps are how long a provider keeps a prefix, by the setting "cache".
var keeps = map[string]time.Duration{"5m": 5 * time.Minute, "1h": time.Hour, "24h": 24 * time.Hour}

// prefixes finds the breaks of a session.
type prefixes struct {
	run     *run
	session *transcript.Session
	number  int // of the session
	price   Price
	priced  bool
	writes  bool                      // its log has what was written to the cache
	cached  bool                      // something was read from it, or written to it
	steps   bool                      // it reads in steps
	stated  map[int]map[string]string // settings by their number
	named   map[int][]sentTool        // tools of which the log has the names, by the number of the settings
}

// breaks adds the breaks of the session to the report.
func (f *prefixes) breaks() {
	r := f.run
	c := &r.report.Cache
	if r.usage == nil {
		for _, l := range r.lines {
			c.Unknown += len(l.requests)
		}
		return
	}
	for _, l := range r.lines {
		for i := range l.requests {
			if u := l.usageOf(&l.requests[i]); u != nil {
				f.writes, f.cached = f.writes || u.CacheWrite > 0, f.cached || u.CacheRead+u.CacheWrite > 0
				f.steps = f.steps && u.CacheRead%cacheStep == 0
			}
		}
	}
	count := 0
	for at, l := range r.lines {
		under := &mended{of: f, line: l, seen: map[uint64]bool{}, more: map[*request][len(remedies)]float64{}}
		names := map[string]bool{}
		for i := range l.requests {
			for _, t := range f.sent(l, &l.requests[i]) {
				if !names[t.name] {
					names[t.name] = true
					under.union += r.tokenizer.of(t.size)
				}
			}
		}
		for i, before := range l.befores() {
			q := &l.requests[i]
			count++
			could, read := f.could(l, before), q.read
			switch {
			case !q.known:
				c.Unknown++
				continue
			case before == nil || !before.known:
				first := &c.First
				for e := q.entry; before == nil && e != transcript.None; e = l.history.parent(e) {
					if l.history.entries[e].Kind == transcript.Summary { // the history begins with the summary of another
						first = &c.Compacted
					}
				}
				*first++
				under.add(q, nil, 0, nil)
				continue
			}
			c.Requests++
			c.Could += could
			c.Read += read
			if r.in.Detail == EveryCall {
				c.Each = append(c.Each, CacheRead{f.number, at, q.entry, count, could, read})
			}
			again := could - read
			var b Break
			if again >= cacheStep {
				b = f.compare(l, before, q)
			}
			if again < cacheStep || !b.Cause.Changed() && (again*noise <= could || !f.cached) {
				under.add(q, before, could, nil)
				continue
			}
			b.Session, b.Context, b.Request, b.Tokens = f.number, at, count, again
			if f.priced {
				p := f.price.Writing(*l.usageOf(q))
				cost := float64(again) * (p.newly() - p.CacheRead) / million
				b.Cost = &cost
			}
			c.Again += again
			c.Breaks = append(c.Breaks, b)
			under.add(q, before, could, &b)
		}
	}
}

// newly returns the price of input that is not read from the cache.
func (p Price) newly() float64 {
	if p.Writes() {
		return p.CacheWrite
	}
	return p.Input
}

// usageOf returns the logged usage of a request; nil where it is not known.
func (l *line) usageOf(q *request) *transcript.Usage {
	if !q.known {
		return nil
	}
	return l.history.entries[q.entry].Request.Usage
}

// befores returns, for each request of a context, the last one that is in its history: its input
// is what the cache can hold of the request. It is nil for the first, and after a compaction.
func (l *line) befores() []*request {
	out := make([]*request, len(l.requests))
	last := make([]*request, len(l.history.entries))
	next, copied := 0, 0
	for e := range l.history.entries {
		if p := l.history.parent(e); p != transcript.None {
			last[e] = last[p]
		}
		if copied < len(l.copied) && l.copied[copied].entry == e {
			last[e] = &l.copied[copied]
			copied++
		}
		if next < len(l.requests) && l.requests[next].entry == e {
			out[next], last[e] = last[e], &l.requests[next]
			next++
		}
	}
	return out
}

// could returns how many tokens of a request's input the cache holds for the next one.
func (f *prefixes) could(l *line, before *request) int {
	if before == nil {
		return 0
	}
	u := l.usageOf(before)
	switch {
	case u == nil:
		return 0
	case f.writes:
		return u.CacheRead + u.CacheWrite
	case f.steps && u.Total() < leastCached:
		return 0
	case f.steps:
		return u.Total() / cacheStep * cacheStep
	}
	return u.Total()
}
