package model

import (
	"bytes"
	"cmp"
	"slices"
)

// span is a part of a text: the bytes from start up to, not including, end.
type span struct{ start, end int }

// openObject is an array or object on the way to the cursor, while repeated
// names are looked for.
type openObject struct {
	isArray bool
	names   [][]byte       // each once
	members []span         // the latest of each name, from the name up to the next one
	last    int            // index of the latest; -1 for none
	byName  map[string]int // index by name, once there are many
}

// openObjects is the way to the cursor. What was closed is used again.
type openObjects []openObject

// open adds an array or object.
func (o *openObjects) open(isArray bool) {
	n := len(*o)
	if n == cap(*o) {
		*o = append(*o, openObject{})
	}
	*o = (*o)[:n+1]
	top := &(*o)[n]
	*top = openObject{isArray: isArray, names: top.names[:0], members: top.members[:0], last: -1}
}

// top returns the innermost array or object, nil outside of all.
func (o openObjects) top() *openObject {
	if len(o) == 0 {
		return nil
	}
	return &o[len(o)-1]
}

// dropRepeated removes every member of an object that a later member of the
// same name overrides. JSON leaves the meaning of repeated names open; the
// last one wins here, as in the reference agent. Each repetition is a finding
// at the later name.
func (t *text) dropRepeated() (*text, []finding) {
	c := newLenientCursor(t.data)
	var findings []finding
	var drop []span
	var way openObjects
	repetitions := 0
	done := func() (*text, []finding) {
		if rest := repetitions - maxNotes; rest > 0 {
			findings = append(findings, finding{at: t.origin(len(t.data)), code: "duplicate_key", message: morePlaces(rest)})
		}
		return t.without(drop), findings
	}
	for {
		top := way.top()
		switch next := c.next(); {
		case next == 0:
			return done() // the end, or a fault that the strict reader will report
		case next == '}' || next == ']':
			if _, err := c.bracket(); err != nil {
				return done()
			}
			way = way[:len(way)-1]
			continue
		case next == '{' || next == '[':
			if _, err := c.bracket(); err != nil {
				return done()
			}
			way.open(next == '[')
			continue
		case top == nil || top.isArray:
			if _, err := c.value(); err != nil {
				return done()
			}
			continue
		}
		v, err := c.value()
		if err != nil {
			return done()
		}
		if !c.afterName() {
			continue // a plain value in an object
		}
		if old, repeated := top.add(unquoted(v.raw), v.at); repeated {
			if n := len(drop); n > 0 && drop[n-1].end == old.start {
				drop[n-1].end = old.end
			} else {
				drop = append(drop, old)
			}
			if repetitions++; repetitions > maxNotes {
				continue
			}
			findings = append(findings, finding{at: t.origin(v.at), path: c.path(), code: "duplicate_key",
				message: "the name stands twice in one object; the last one counts"})
		}
	}
}

// add notes a member whose name begins at the offset at. If the object has
// the name already, add returns the span of that member.
func (o *openObject) add(name []byte, at int) (old span, repeated bool) {
	if o.last >= 0 {
		o.members[o.last].end = at
	}
	if o.last = o.find(name); o.last >= 0 {
		old = o.members[o.last]
		o.members[o.last] = span{start: at}
		return old, true
	}
	o.last = len(o.members)
	o.names, o.members = append(o.names, name), append(o.members, span{start: at})
	if o.byName != nil {
		o.byName[string(name)] = o.last
	}
	return span{}, false
}

// find returns the index of a name, or -1.
func (o *openObject) find(name []byte) int {
	const few = 16 // names that are compared one by one
	if len(o.names) <= few {
		return slices.IndexFunc(o.names, func(n []byte) bool { return bytes.Equal(n, name) })
	}
	if o.byName == nil {
		o.byName = make(map[string]int, 2*few)
		for i, n := range o.names {
			o.byName[string(n)] = i
		}
	}
	if i, ok := o.byName[string(name)]; ok {
		return i
	}
	return -1
}

// without returns t without some spans, which may overlap.
func (t *text) without(drop []span) *text {
	if len(drop) == 0 {
		return t
	}
	slices.SortFunc(drop, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	w := rewriter{from: t, out: make([]byte, 0, len(t.data))}
	for _, s := range drop {
		if s.end <= w.done {
			continue // inside a span that is gone already
		}
		w.keep(max(s.start, w.done))
		w.drop(s.end)
	}
	return w.text()
}
