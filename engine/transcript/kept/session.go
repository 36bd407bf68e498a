package kept

import (
	"strings"

	"caliper/engine/transcript"
)

// What a session, an entry or a call has, as bits.
const (
	hasSums = 1 << iota
	isDeferred
	isBridge
)

const (
	isCopy = 1 << iota
	isAbandoned
	hasWords
	hasRequest
	hasUsage
)

const (
	isAnswered = 1 << iota
	isFailed
	hasHits
	hasExpanded
	hasLookup // queries or names, of a call that is a use
)

// Bits returns a number with one bit for each fact, the first the lowest, set where it holds.
func Bits(facts ...bool) (set uint64) {
	for i, holds := range facts {
		if holds {
			set |= 1 << i
		}
	}
	return set
}

// Session writes a session as it was read from a file.
//
// SECURITY: the path of the file, which may be the beginning of the id, is not written.
func (e *Encoder) Session(s *transcript.Session) {
	id, ofFile := strings.CutPrefix(s.ID, s.File)
	if s.File == "" || !ofFile {
		id, ofFile = s.ID, false
	}
	e.Uint(Bits(s.Sums != nil, ofFile))
	for _, text := range []string{id, string(s.Agent), s.Model} {
		e.Text(text)
	}
	e.Time(s.Started)
	if s.Sums != nil {
		e.Usage(*s.Sums)
	}
	e.Uint(uint64(len(s.Arrays)))
	for _, a := range s.Arrays {
		e.Definitions(a.Definitions)
	}
	e.Uint(uint64(len(s.Listed)))
	for _, l := range s.Listed {
		e.Text(l.Name)
		e.Definitions(definitionOf(l))
	}
	e.contexts(s.Contexts)
}

// contexts writes the contexts of a session.
func (e *Encoder) contexts(list []transcript.Context) {
	e.Uint(uint64(len(list)))
	for _, c := range list {
		e.Uint(Bits(false, c.Deferred, c.Bridge))
		e.Text(c.Helper)
		e.Uint(uint64(len(c.Entries)))
		for i := range c.Entries {
			e.entry(&c.Entries[i])
		}
		e.Uint(uint64(len(c.Loaded)))
		for _, l := range c.Loaded {
			e.Int(l.Entry)
			e.Texts(l.Tools)
		}
	}
}

// definitionOf returns the definition of a tool that is listed, if the log has it.
func definitionOf(l transcript.Listed) [][]byte {
	if l.Definition == nil {
		return nil
	}
	return [][]byte{l.Definition}
}

// Definitions writes definitions of tools, which later lists often repeat.
func (e *Encoder) Definitions(list [][]byte) {
	e.Uint(uint64(len(list)))
	for _, definition := range list {
		if n, ok := e.definitions[string(definition)]; ok {
			e.Uint(n)
			continue
		}
		e.number(definition)
		e.Uint(0)
		e.Uint(uint64(len(definition)))
		e.Data = append(e.Data, definition...)
	}
}

// number gives a definition its number, from 1.
func (e *Encoder) number(definition []byte) {
	if e.definitions == nil {
		e.definitions = map[string]uint64{}
	}
	e.definitions[string(definition)] = uint64(len(e.definitions)) + 1
}

// entry writes an entry.
func (e *Encoder) entry(n *transcript.Entry) {
	r := n.Request
	e.Uint(Bits(n.Copy, n.Abandoned, n.Words != "", r != nil, r != nil && r.Usage != nil))
	e.Uint(uint64(n.Kind))
	e.Int(n.Parent)
	e.Time(n.Time)
	e.Size(n.Size)
	e.Int(n.CallEntry)
	e.Int(n.Call)
	if n.Words != "" {
		e.Text(n.Words)
	}
	if r == nil {
		return
	}
	e.Text(r.ID)
	e.Text(r.Model)
	e.Int(r.Tools)
	if r.Usage != nil {
		e.Usage(*r.Usage)
	}
	e.Uint(uint64(len(r.Calls)))
	for _, c := range r.Calls {
		asked := c.Asked()
		lookup := c.Kind == transcript.Use && (asked.Queries != nil || asked.Names != nil)
		e.Uint(Bits(c.Answered, c.Failed, asked.Hits != nil, asked.Expanded != nil, lookup))
		e.Call(c)
		if asked.Hits != nil {
			e.Texts(asked.Hits)
		}
		if asked.Expanded != nil {
			e.Texts(asked.Expanded)
		}
		if lookup {
			e.Texts(asked.Queries)
			e.Texts(asked.Names)
		}
	}
}

// Session reads a session of a file at a path.
func (d *Decoder) Session(path string) (s transcript.Session) {
	has := d.Uint()
	s.ID, s.Agent, s.Model, s.File = d.Text(), transcript.Agent(d.Text()), d.Text(), path
	if has&2 != 0 {
		s.ID = path + s.ID
	}
	s.Started = d.Time()
	if has&hasSums != 0 {
		u := d.Usage()
		s.Sums = &u
	}
	for n := d.Len(); n > 0 && d.err == nil; n-- {
		s.Arrays = append(s.Arrays, transcript.ToolArray{Definitions: d.Definitions()})
	}
	for n := d.Len(); n > 0 && d.err == nil; n-- {
		l := transcript.Listed{Name: d.Text()}
		if list := d.Definitions(); len(list) > 0 {
			l.Definition = list[0]
		}
		s.Listed = append(s.Listed, l)
	}
	s.Contexts = d.contexts(len(s.Arrays))
	return s
}

// contexts reads the contexts of a session with so many arrays.
func (d *Decoder) contexts(arrays int) (list []transcript.Context) {
	for n := d.Len(); n > 0 && d.err == nil; n-- {
		flags := d.Uint()
		c := transcript.Context{Deferred: flags&isDeferred != 0, Bridge: flags&isBridge != 0, Helper: d.Text()}
		if n := d.Len(); n > 0 && d.err == nil {
			c.Entries = make([]transcript.Entry, 0, n)
			for ; n > 0 && d.err == nil; n-- {
				c.Entries = append(c.Entries, d.entry(c.Entries, arrays))
			}
		}
		for n := d.Len(); n > 0 && d.err == nil; n-- {
			c.Loaded = append(c.Loaded, transcript.Loaded{Entry: d.Int(), Tools: d.Texts()})
		}
		list = append(list, c)
	}
	if len(list) == 0 {
		d.fail()
	}
	return list
}

// Definitions reads definitions of tools; nil for none.
func (d *Decoder) Definitions() (list [][]byte) {
	for n := d.Len(); n > 0 && d.err == nil; n-- {
		list = append(list, d.definition())
	}
	return list
}

// definition reads a definition.
func (d *Decoder) definition() []byte {
	n := d.Uint()
	if n == 0 {
		definition := append([]byte(nil), d.bytes(d.Len())...)
		d.definitions = append(d.definitions, definition)
		return definition
	}
	if n > uint64(len(d.definitions)) {
		d.fail()
		return nil
	}
	return d.definitions[n-1]
}

// entry reads the entry behind those of its context, in a session with so many arrays.
func (d *Decoder) entry(before []transcript.Entry, arrays int) (n transcript.Entry) {
	has, kind := d.Uint(), d.Uint()
	n.Kind, n.Parent, n.Time, n.Size, n.CallEntry, n.Call = transcript.Kind(kind), d.Int(), d.Time(), d.Size(), d.Int(), d.Int()
	n.Copy, n.Abandoned = has&isCopy != 0, has&isAbandoned != 0
	if has&hasWords != 0 {
		n.Words = d.Text()
	}
	switch {
	case kind > uint64(transcript.Summary), n.Parent < transcript.None, n.Parent >= len(before), (n.Kind == transcript.Answer) != (has&hasRequest != 0):
		d.fail()
		return n
	case n.Kind == transcript.Result: // of a call that stands before it
		if n.CallEntry < 0 || n.CallEntry >= len(before) || before[n.CallEntry].Request == nil || n.Call < 0 || n.Call >= len(before[n.CallEntry].Request.Calls) {
			d.fail()
		}
		return n
	case has&hasRequest == 0:
		return n
	}
	r := transcript.Request{ID: d.Text(), Model: d.Text(), Tools: d.Int()}
	if r.Tools < transcript.None || r.Tools >= max(arrays, 1) {
		d.fail()
	}
	if has&hasUsage != 0 {
		u := d.Usage()
		r.Usage = &u
	}
	if calls := d.Len(); calls == 1 {
		n.Request = r.With(d.made())
	} else {
		made := r // a copy, so that only here r needs memory of its own
		for ; calls > 0 && d.err == nil; calls-- {
			made.Calls = append(made.Calls, d.made())
		}
		n.Request = &made
	}
	return n
}

// made reads a call with its result.
func (d *Decoder) made() transcript.Call {
	flags := d.Uint()
	c := d.Call()
	c.Answered, c.Failed = flags&isAnswered != 0, flags&isFailed != 0
	if flags&(hasHits|hasExpanded|hasLookup) != 0 {
		asked := c.Asked()
		if flags&hasHits != 0 {
			asked.Hits = d.some()
		}
		if flags&hasExpanded != 0 {
			asked.Expanded = d.some()
		}
		if flags&hasLookup != 0 {
			asked.Queries, asked.Names = d.Texts(), d.Texts()
		}
		c.Ask(asked)
	}
	return c
}

// some reads a list of texts, which is not nil where it is empty.
func (d *Decoder) some() []string {
	if list := d.Texts(); list != nil {
		return list
	}
	return []string{}
}
