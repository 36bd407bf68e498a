package replay

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"caliper/engine/transcript"
)

// Cause is the reason why a request read less from the cache than it could have.
type Cause string

// The causes, by the place in the prompt at which they are looked for: the model, then the tools
// in their order, then the system prompt and the other settings.
const (
	ModelChanged   Cause = "model"
	ToolLoaded     Cause = "tool_loaded"
	ToolGone       Cause = "tool_gone"
	ToolEdited     Cause = "definition"
	NumberInTool   Cause = "count" // its definition differs in numbers alone
	ToolsReordered Cause = "order"
	SettingChanged Cause = "setting"
	TimedOut       Cause = "timeout"
	UnknownCause   Cause = "unknown" // see Break.Gap
)

// causes are all of them in the order of reports.
var causes = []Cause{ToolLoaded, ToolGone, ToolEdited, NumberInTool, ToolsReordered, ModelChanged, SettingChanged, TimedOut, UnknownCause}

// Changed reports whether something in the requests is the cause: neither a pause, nor something
// that the log does not show.
func (c Cause) Changed() bool { return c != TimedOut && c != UnknownCause }

// BreakGap is the reason why the cause of a break is unknown.
type BreakGap int

const (
	CauseKnown    BreakGap = iota
	ToolsUnlogged          // the log holds no tools of this request, or of the one before
	NothingSeen            // nothing that the log holds changed, and the pause was short
)

// Break is a request that read less from the cache than it could have.
type Break struct {
	Session        int // of Report.Session
	Context, Entry int // of the session: the answer
	Request        int // number of the answer in its session, from 1
	Cause          Cause
	Gap            BreakGap
	Tool           string // the first tool at which the tools differ, as the log names it; "" for none
	Server         string // its toolset in the registry, else as its name says; "" where neither tells
	More           int    // other tools that were loaded, gone, or edited at once
	Setting        string // the name of the first setting that changed; of a model the new one
	Pause          time.Duration
	Tokens         int      // that were billed again
	Cost           *float64 // beyond what reading them costs; nil when no price is known
}

// Cache is what a log says of the prompt cache, and who broke its prefix.
type Cache struct {
	Requests int // that have one before them, and a known usage
	First    int // the first of a context, or the first after a compaction: nothing to compare with
	Unknown  int // without a usage
	Could    int // tokens that the compared requests could have read
	Read     int // tokens that they read of these
	Again    int // tokens that were billed again: the sum of the breaks
	Breaks   []Break
	Causes   []BreakSum // in the order of causes; those that occur
	Servers  []BreakSum // by tokens, most first, then by name
	Tools    []BreakSum // in the same order
	Remedies []Remedied
}

// BreakSum is the breaks of a cause, a server or a tool.
type BreakSum struct {
	Name   string
	Breaks int
	Tokens int
	Cost   *float64 // nil when none of them has a price
}

// OffPct returns how far the tokens read by these rules are off the tokens that the log has as
// read, in percent of the latter.
func (c *Cache) OffPct() float64 {
	off := float64(c.Could - c.Again - c.Read)
	return max(off, -off) / max(1, float64(c.Read)) * 100
}

// Changed returns how many breaks something in the requests caused.
func (c *Cache) Changed() (n int) {
	for _, s := range c.Causes {
		if Cause(s.Name).Changed() {
			n += s.Breaks
		}
	}
	return n
}

// Cost returns the cost of all breaks that have one; nil when none has.
func (c *Cache) Cost() (all *float64) {
	for _, s := range c.Causes {
		all = total(all, s.Cost)
	}
	return all
}

// Most returns the cause by which most tokens were billed again; of equal ones the first.
func (c *Cache) Most() Cause {
	most := BreakSum{}
	for _, s := range c.Causes {
		if s.Tokens > most.Tokens {
			most = s
		}
	}
	return Cause(most.Name)
}

// Cheapest returns the remedy under which the requests cost least, and how much less than as
// logged; where no price is known, the one under which most tokens more are cached. It is
// AsLogged where none is better.
func (c *Cache) Cheapest() (best Remedy, less float64, tokens int) {
	best = AsLogged
	for _, m := range c.Remedies {
		was := c.Remedies[0]
		if m.Cost == nil {
			if more := m.Tokens.Cached - was.Tokens.Cached; more > tokens && m.Tokens.Input == was.Tokens.Input {
				best, tokens = m.Remedy, more
			}
		} else if saved := *was.Cost - *m.Cost; saved > less+1e-9 {
			best, less = m.Remedy, saved
		}
	}
	return best, less, tokens
}

const (
	// cacheStep is the number of tokens in steps of which OpenAI caches, and leastCached the fewest
	// that it does. Source: developers.openai.com/api/docs/guides/prompt-caching.
	cacheStep, leastCached = 128, 1024
	// noise is the share of what could be read, one in so many, below which a loss for which
	// nothing is a reason is none.
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
	reads   bool                      // something was read from it
	steps   bool                      // it reads in steps
	stated  map[int]map[string]string // settings by their number
	named   map[int][]sentTool        // tools of which the log has the names, by the number of the settings
}

// breaks adds the breaks of the session at hand to the report.
func (r *run) breaks(number int, s *transcript.Session, p Price, priced bool) {
	c := &r.report.Cache
	if r.usage == nil {
		for _, l := range r.lines {
			c.Unknown += len(l.requests)
		}
		return
	}
	f := &prefixes{run: r, session: s, number: number, price: p, priced: priced, steps: true, writes: s.Agent == transcript.Claude || s.Agent == transcript.Anthropic, stated: map[int]map[string]string{}, named: map[int][]sentTool{}}
	for _, l := range r.lines {
		for i := range l.requests {
			if u := l.usageOf(&l.requests[i]); u != nil {
				f.writes, f.reads = f.writes || u.CacheWrite > 0, f.reads || u.CacheRead > 0
				f.steps = f.steps && u.CacheRead%cacheStep == 0
			}
		}
	}
	count := 0
	for at, l := range r.lines {
		under := newMended(f, l)
		for i, before := range l.befores() {
			q := &l.requests[i]
			count++
			could, read := f.could(l, before), q.read
			switch {
			case !q.known:
				c.Unknown++
				continue
			case before == nil || !before.known:
				c.First++
				under.add(q, nil, 0, nil)
				continue
			}
			c.Requests++
			c.Could += could
			c.Read += read
			again := could - read
			var b Break
			if again >= cacheStep {
				b = f.compare(l, before, q)
			}
			if again < cacheStep || !b.Cause.Changed() && (again*noise <= could || !f.reads) {
				under.add(q, before, could, nil)
				continue
			}
			b.Session, b.Context, b.Request, b.Tokens = number, at, count, again
			if priced {
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

// compare returns the break of a request that lost what it could have read, with its cause.
func (f *prefixes) compare(l *line, before, q *request) Break {
	old, now := &l.history.entries[before.entry], &l.history.entries[q.entry]
	b := Break{Entry: q.entry, Cause: UnknownCause}
	if !old.Time.IsZero() && now.Time.After(old.Time) {
		b.Pause = now.Time.Sub(old.Time)
	}
	was, is := f.settings(old.Request), f.settings(now.Request)
	kept, stated := keeps[was["cache"]]
	if stated && b.Pause >= kept {
		b.Cause = TimedOut // whatever else changed
		return b
	}
	if from, to := old.Request.Model, now.Request.Model; from != to && from != "" && to != "" {
		b.Cause, b.Setting = ModelChanged, to
		return b
	}
	if before.logged != nil && q.logged != nil {
		f.compareTools(&b, before.logged.list, q.logged.list)
	}
	if b.Cause == UnknownCause && was != nil && is != nil && old.Request.Settings != now.Request.Settings {
		f.compareSettings(&b, was, is)
	}
	if b.Cause != UnknownCause {
		b.Server = f.serverOf(b.Tool)
		return b
	}
	switch {
	case !stated && b.Pause >= mayExpire:
		b.Cause = TimedOut
	case before.logged == nil || q.logged == nil:
		b.Gap = ToolsUnlogged
	default:
		b.Gap = NothingSeen
	}
	return b
}

// settings returns the settings of a request; nil where the log does not say.
func (f *prefixes) settings(r *transcript.Request) map[string]string {
	n := r.Settings
	if n <= 0 || n > len(f.session.Settings) {
		return nil
	}
	if f.stated[n] == nil {
		f.stated[n] = f.session.Settings[n-1].Values()
	}
	return f.stated[n]
}

// sent returns the tools in the prefix of a request: those that the log has, or, where it has
// their names alone, the registry's of these names.
func (f *prefixes) sent(l *line, q *request) []sentTool {
	if q.logged != nil {
		return q.logged.list
	}
	n := l.history.entries[q.entry].Request.Settings
	list, known := f.named[n]
	if known {
		return list
	}
	for name, value := range f.settings(l.history.entries[q.entry].Request) {
		if tool, ok := strings.CutPrefix(name, transcript.ToolSetting); ok {
			if t := f.run.catalog.find(tool); t != nil {
				list = append(list, sentTool{name: tool, sum: transcript.TextSum([]byte(tool + value)), size: f.run.definition(t)})
			}
		}
	}
	slices.SortFunc(list, func(a, b sentTool) int { return strings.Compare(a.name, b.name) })
	f.named[n] = list
	return list
}

// compareTools sets the cause where two lists of tools differ: what stands at the first place at
// which they do.
func (f *prefixes) compareTools(b *Break, old, now []sentTool) {
	at := 0
	for at < len(old) && at < len(now) && old[at].sum == now[at].sum {
		at++
	}
	if at == len(old) && at == len(now) {
		return
	}
	was, is := byName(old), byName(now)
	has := func(in map[string]sentTool, list []sentTool) bool {
		if at == len(list) {
			return false
		}
		_, ok := in[list[at].name]
		return ok
	}
	switch {
	case at < len(old) && at < len(now) && old[at].name == now[at].name:
		b.Cause, b.Tool = ToolEdited, now[at].name
		if old[at].bare == now[at].bare {
			b.Cause = NumberInTool
		}
		b.More = count(was, is, func(t, u sentTool, both bool) bool { return both && t.sum != u.sum }) - 1
	case at < len(now) && !has(was, now):
		b.Cause, b.Tool = ToolLoaded, now[at].name
		b.More = count(is, was, func(_, _ sentTool, both bool) bool { return !both }) - 1
	case at < len(old) && !has(is, old):
		b.Cause, b.Tool = ToolGone, old[at].name
		b.More = count(was, is, func(_, _ sentTool, both bool) bool { return !both }) - 1
	default: // what stands here is elsewhere in the other list
		b.Cause = ToolsReordered
		if at < len(now) {
			b.Tool = now[at].name
		} else {
			b.Tool = old[at].name // a name that is there twice
		}
	}
}

// byName returns the tools of a list by their names.
func byName(list []sentTool) map[string]sentTool {
	out := make(map[string]sentTool, len(list))
	for _, t := range list {
		out[t.name] = t
	}
	return out
}

// count returns how many tools of one list are so beside those of another, which may have a
// tool of the name.
func count(list, other map[string]sentTool, is func(t, u sentTool, both bool) bool) (n int) {
	for name, t := range list {
		if u, both := other[name]; is(t, u, both) {
			n++
		}
	}
	return n
}

// compareSettings sets the cause where two requests have other settings: tools first.
func (f *prefixes) compareSettings(b *Break, was, is map[string]string) {
	names := slices.Concat(slices.Collect(maps.Keys(was)), slices.Collect(maps.Keys(is)))
	slices.SortFunc(names, func(a, b string) int {
		first := func(name string) int {
			switch {
			case strings.HasPrefix(name, transcript.ToolSetting):
				return 0
			case name == "system":
				return 1
			}
			return 2
		}
		return cmp.Or(first(a)-first(b), strings.Compare(a, b))
	})
	for _, name := range slices.Compact(names) {
		old, had := was[name]
		now, has := is[name]
		if old == now && had == has {
			continue
		}
		tool, ofTool := strings.CutPrefix(name, transcript.ToolSetting)
		switch {
		case !ofTool:
			if b.Cause == UnknownCause {
				b.Cause, b.Setting = SettingChanged, name
			}
			return
		case b.Cause != UnknownCause:
			b.More++
			continue
		case !had:
			b.Cause = ToolLoaded
		case !has:
			b.Cause = ToolGone
		default:
			b.Cause = ToolEdited
		}
		b.Tool = tool
	}
}

// serverOf returns the server of a logged tool: its toolset in the registry, else the part that
// its name has for it; "" where neither tells.
func (f *prefixes) serverOf(tool string) string {
	if t := f.run.catalog.find(tool); t != nil {
		return t.Toolset
	}
	if rest, ok := strings.CutPrefix(tool, "mcp__"); ok {
		server, _, _ := strings.Cut(rest, "__")
		return "mcp-" + server
	}
	return ""
}

// finish sets the sums of the breaks.
func (c *Cache) finish() {
	sums := map[string]*BreakSum{}
	group := func(of func(b *Break) string) (list []BreakSum) {
		clear(sums)
		for i := range c.Breaks {
			b := &c.Breaks[i]
			name := of(b)
			if name == "" {
				continue
			}
			s := sums[name]
			if s == nil {
				s = &BreakSum{Name: name}
				sums[name] = s
			}
			s.Breaks++
			s.Tokens += b.Tokens
			s.Cost = total(s.Cost, b.Cost)
		}
		for _, s := range sums {
			list = append(list, *s)
		}
		slices.SortFunc(list, func(a, b BreakSum) int { return cmp.Or(b.Tokens-a.Tokens, strings.Compare(a.Name, b.Name)) })
		return list
	}
	c.Causes = group(func(b *Break) string { return string(b.Cause) })
	slices.SortFunc(c.Causes, func(a, b BreakSum) int {
		return slices.Index(causes, Cause(a.Name)) - slices.Index(causes, Cause(b.Name))
	})
	c.Servers = group(func(b *Break) string { return b.Server })
	c.Tools = group(func(b *Break) string { return b.Tool })
}

// total returns the sum of two costs, each nil where none is known.
func total(a, b *float64) *float64 {
	if a == nil || b == nil {
		return cmp.Or(a, b)
	}
	s := *a + *b
	return &s
}
