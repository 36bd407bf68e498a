package transcript

import (
	"strings"
	"time"
)

// Builder makes the entries of one context. The zero value is ready.
type Builder struct {
	// Count counts the tokens of a text; nil when only characters count.
	Count   Counter
	Entries []Entry
	// Lost counts the results that belong to no call.
	Lost int
	// last is the entry that the next one follows, once begun is set.
	last  int
	begun bool
	// calls finds the last answer with a call of an id. It is used until branched is set:
	// while each entry follows the one before it.
	calls    map[string]sameID
	branched bool
}

// sameID are calls of one answer with the same id.
type sameID struct {
	entry int
	first int // their first one
	open  int // the first one that may have no answer yet
}

// ResumedBuilder returns a builder that goes on with the entries of another one, of which nothing
// else is needed; From says behind which of them.
func ResumedBuilder(count Counter, entries []Entry) Builder {
	b := Builder{Count: count, Entries: entries}
	for i := range entries {
		b.branched = b.branched || entries[i].Parent != i-1
		if r := entries[i].Request; r != nil {
			b.remember(i, r.Calls)
		}
	}
	return b
}

// UnpaidRequest is the request of an answer of which nothing is known.
var UnpaidRequest = Request{Tools: None}

// Last returns the entry that the next one follows.
func (b *Builder) Last() int {
	if !b.begun {
		return None
	}
	return b.last
}

// From makes the next entry follow the given one, which may be None.
func (b *Builder) From(entry int) {
	b.last, b.begun = entry, true
	b.branched = b.branched || entry != len(b.Entries)-1
}

// Add appends a part and returns its entry; ok is false for a result that
// belongs to no call. A request is the cost of an answer, without its calls; see UnpaidRequest.
func (b *Builder) Add(p MessagePart, at time.Time, r Request) (entry int, ok bool) {
	class := Prose
	switch {
	case p.Defines:
		class = Schema
	case p.Kind == Result:
		class = Output
	}
	e := Entry{Parent: b.Last(), Kind: p.Kind, Time: at, Size: Measure(p.Text, class, b.Count)}
	switch p.Kind {
	case User:
		e.Words = strings.Clone(p.Text)
	case Answer:
		r.Calls = append([]Call(nil), p.Calls...)
		e.Request = &r
		for i := range e.Request.Calls {
			c := &e.Request.Calls[i]
			c.Size = p.sent[i].measured(b.Count)
			e.Size = e.Size.Add(c.Size)
		}
	case Result:
		if e.CallEntry, e.Call, ok = b.callOf(p.CallID); !ok {
			b.Lost++
			return None, false
		}
		c := &b.Entries[e.CallEntry].Request.Calls[e.Call]
		c.Answered, c.Failed = true, p.Failed || refused(p.Text)
		c.Expand(p.Expanded)
		if names, ok := p.found(); ok {
			c.Found(names)
		}
	}
	b.Entries = append(b.Entries, e)
	b.From(len(b.Entries) - 1)
	if p.Kind == Answer {
		b.remember(b.last, e.Request.Calls)
	}
	return b.last, true
}

// Extend makes an answer go on with a part, which is none of its own entries.
func (b *Builder) Extend(answer int, p MessagePart) {
	e := &b.Entries[answer]
	e.Size = e.Size.Add(Measure(p.Text, Prose, b.Count))
	for i, c := range p.Calls {
		c.Size = p.sent[i].measured(b.Count)
		e.Size = e.Size.Add(c.Size)
		e.Request.Calls = append(e.Request.Calls, c)
	}
	b.remember(answer, e.Request.Calls)
}

// measured returns the size of a call. Only tokens need both texts in one.
func (s sent) measured(count Counter) Size {
	size := Measure(s.name, Schema, nil).Add(Measure(s.arguments, Schema, nil))
	if count != nil {
		size.Tokens = count(s.name + s.arguments)
	}
	return size
}

// remember remembers the calls of an entry by their ids.
func (b *Builder) remember(entry int, calls []Call) {
	if b.calls == nil && len(calls) > 0 {
		b.calls = map[string]sameID{}
	}
	for i, c := range calls {
		if same, ok := b.calls[c.ID]; !ok || same.entry != entry {
			b.calls[c.ID] = sameID{entry, i, i}
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
	if same, ok := b.calls[id]; !ok || !b.branched {
		if !ok {
			return 0, 0, false
		}
		of, open := b.Entries[same.entry].Request.Calls, same.open
		for open < len(of) && (of[open].ID != id || of[open].Answered) {
			open++
		}
		if open != same.open {
			id := of[same.first].ID // setting a value sets the key, too, which may be in memory of the caller's
			b.calls[id] = sameID{same.entry, same.first, open}
		}
		if open == len(of) {
			return same.entry, same.first, true
		}
		return same.entry, open, true
	}
	for i := b.Last(); i != None; i = b.Entries[i].Parent {
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
