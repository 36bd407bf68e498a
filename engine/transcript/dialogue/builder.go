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
	// calls are those of the last answer that has an id, by the id, while branched is
	// not set: no entry follows another than the one before it.
	calls    map[string]*sameID
	branched bool
}

// sameID are calls of one answer with the same id.
type sameID struct {
	entry int
	first int
	open  []int // those that may have no answer yet
}

// Resumed returns a builder that goes on with the entries of another one, of which nothing
// else is needed; From says behind which of them.
func Resumed(count transcript.Counter, entries []transcript.Entry) *Builder {
	b := &Builder{Count: count, Entries: entries}
	for i := range entries {
		b.branched = b.branched || entries[i].Parent != i-1
		if r := entries[i].Request; r != nil {
			b.remember(i, r.Calls)
		}
	}
	return b
}

// Last returns the entry that the next one follows.
func (b *Builder) Last() int {
	if !b.begun {
		return transcript.None
	}
	return b.last
}

// From makes the next entry follow the given one, which may be None.
func (b *Builder) From(entry int) {
	b.last, b.begun = entry, true
	b.branched = b.branched || entry != len(b.Entries)-1
}

// Add appends a part and returns its entry; ok is false for a result that
// belongs to no call. A request is what an answer cost; nil makes one without
// usage.
func (b *Builder) Add(p Part, at time.Time, r *transcript.Request) (entry int, ok bool) {
	class := transcript.Prose
	switch {
	case p.Defines:
		class = transcript.Schema
	case p.Kind == transcript.Result:
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
		c.Expand(p.Expanded)
	}
	b.Entries = append(b.Entries, e)
	b.From(len(b.Entries) - 1)
	if p.Kind == transcript.Answer {
		b.remember(b.last, r.Calls)
	}
	return b.last, true
}

// remember remembers the calls of an entry by their ids.
func (b *Builder) remember(entry int, calls []transcript.Call) {
	if b.calls == nil {
		b.calls = map[string]*sameID{}
	}
	for i, c := range calls {
		if same := b.calls[c.ID]; same != nil && same.entry == entry {
			same.open = append(same.open, i)
		} else {
			b.calls[c.ID] = &sameID{entry, i, []int{i}}
		}
	}
}

// Waits reports whether a call with an id has no result yet.
func (b *Builder) Waits(id string) bool {
	entry, call, ok := b.callOf(id)
	return ok && !b.Entries[entry].Request.Calls[call].Answered
}

// callOf returns the nearest call of this history with an id: first one that
// has no answer yet.
func (b *Builder) callOf(id string) (entry, call int, ok bool) {
	if same := b.calls[id]; same == nil || !b.branched {
		if same == nil {
			return 0, 0, false
		}
		of := b.Entries[same.entry].Request.Calls
		for len(same.open) > 0 && of[same.open[0]].Answered {
			same.open = same.open[1:]
		}
		if len(same.open) == 0 {
			return same.entry, same.first, true
		}
		return same.entry, same.open[0], true
	}
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
