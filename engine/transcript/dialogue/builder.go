package dialogue

import (
	"slices"
	"strings"
	"time"

	"caliper/engine/transcript"
)

// Builder makes the entries of one context. The zero value is ready.
type Builder struct {
	// Count counts the tokens of a text; nil when only characters count.
	Count   transcript.Counter
	Entries []transcript.Entry
	// Lost counts the results that belong to no call.
	Lost int
	// last is the entry that the next one follows, once begun is set.
	last  int
	begun bool
}

// Last returns the entry that the next one follows.
func (b *Builder) Last() int {
	if !b.begun {
		return transcript.None
	}
	return b.last
}

// From makes the next entry follow the given one, which may be None.
func (b *Builder) From(entry int) { b.last, b.begun = entry, true }

// Add appends a part and returns its entry; ok is false for a result that
// belongs to no call. A request is what an answer cost; nil makes one without
// usage.
func (b *Builder) Add(p Part, at time.Time, r *transcript.Request) (entry int, ok bool) {
	class := transcript.Prose
	if p.Kind == transcript.Result {
		class = transcript.Output
	}
	e := transcript.Entry{Parent: b.Last(), Kind: p.Kind, Time: at, Size: transcript.Measure(p.Text, class, b.Count)}
	switch p.Kind {
	case transcript.User:
		e.Words = strings.Clone(p.Text)
	case transcript.Answer:
		if r == nil {
			r = &transcript.Request{Tools: transcript.None}
		}
		r.Calls = slices.Clone(p.Calls)
		for i := range r.Calls {
			r.Calls[i].Size = transcript.Measure(p.sent[i], transcript.Schema, b.Count)
			e.Size = e.Size.Add(r.Calls[i].Size)
		}
		e.Request = r
	case transcript.Result:
		if e.CallEntry, e.Call, ok = b.callOf(p.CallID); !ok {
			b.Lost++
			return transcript.None, false
		}
		c := &b.Entries[e.CallEntry].Request.Calls[e.Call]
		c.Answered, c.Failed = true, p.Failed || refused(p.Text)
		c.Expanded = p.Expanded
	}
	b.Entries = append(b.Entries, e)
	b.From(len(b.Entries) - 1)
	return b.last, true
}

// callOf returns the nearest call of this history with an id: first one that
// has no answer yet.
func (b *Builder) callOf(id string) (entry, call int, ok bool) {
	for i := b.Last(); i != transcript.None; i = b.Entries[i].Parent {
		if b.Entries[i].Request == nil {
			continue
		}
		for k, c := range b.Entries[i].Request.Calls {
			if c.ID == id && (!c.Answered || !ok) {
				entry, call, ok = i, k, true
				if !c.Answered {
					return entry, call, true
				}
			}
		}
		if ok {
			return entry, call, true
		}
	}
	return 0, 0, false
}
