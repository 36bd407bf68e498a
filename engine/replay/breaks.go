package replay

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"caliper/model"
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
	Tool           string   // the first tool at which the tools differ, as the log names it; "" for none
	Server         string   // its toolset in the registry, else as its name says; "" where neither tells
	Others         []string // the other tools that were loaded, gone, or edited at once, in their order
	Setting        string   // the name of the first setting that changed; of a model the new one
	Pause          time.Duration
	Tokens         int      // that were billed again
	Cost           *float64 // beyond what reading them costs; nil when no price is known
}

// CacheRead is how much of its prefix one request read from the cache.
type CacheRead struct {
	Session, Context, Entry, Request int // as in Break
	Could, Read                      int // tokens that it could have read, and those of the log
}

// Cache holds the facts of a log about the prompt cache, and who broke its prefix.
type Cache struct {
	Requests int // that have one before them, and a known usage
	First    int // the first of a context: nothing to compare with
	// Compacted are the first after a compaction: tools and system prompt may still be in the cache, and
	// no log tells how many tokens they are, so that nobody can tell what was lost.
	Compacted int
	Unknown   int         // without a usage
	Could     int         // tokens that the compared requests could have read
	Read      int         // tokens that they read of these
	Again     int         // tokens that were billed again: the sum of the breaks
	Each      []CacheRead // of the compared requests; nil unless Inputs.Detail is EveryCall
	Breaks    []Break
	Causes    []BreakSum // in the order of causes; those that occur
	Servers   []BreakSum // by tokens, most first, then by name
	Tools     []BreakSum // in the same order
	Remedies  []Remedied
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

// finish sets the sums of the breaks.
func (c *Cache) finish() {
	group := func(of func(b *Break) string, order func(a, b BreakSum) int) (list []BreakSum) {
		sums := map[string]*BreakSum{}
		for i := range c.Breaks {
			b := &c.Breaks[i]
			if name := of(b); name != "" {
				s := at(sums, name)
				*s = BreakSum{name, s.Breaks + 1, s.Tokens + b.Tokens, total(s.Cost, b.Cost)}
			}
		}
		for _, s := range sums {
			list = append(list, *s)
		}
		model.Sort(list, order)
		return list
	}
	most := func(a, b BreakSum) int { return cmp.Or(b.Tokens-a.Tokens, strings.Compare(a.Name, b.Name)) }
	c.Causes = group(func(b *Break) string { return string(b.Cause) }, func(a, b BreakSum) int {
		return slices.Index(causes, Cause(a.Name)) - slices.Index(causes, Cause(b.Name))
	})
	c.Servers = group(func(b *Break) string { return b.Server }, most)
	c.Tools = group(func(b *Break) string { return b.Tool }, most)
}

// total returns the sum of two costs, each nil where none is known.
func total(a, b *float64) *float64 {
	if a == nil || b == nil {
		return cmp.Or(a, b)
	}
	s := *a + *b
	return &s
}
