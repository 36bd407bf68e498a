package model

import (
	"cmp"
	"slices"
)

// span is a part of a text: the bytes from start up to, not including, end.
type span struct{ start, end int }

// openObject is an object on the way to the cursor, while repeated names are
// looked for.
type openObject struct {
	isArray bool
	members []span         // of the name up to the next name
	byName  map[string]int // index of the latest member of a name
}

// dropRepeated removes every member of an object that a later member of the
// same name overrides. JSON leaves the meaning of repeated names open; the
// last one wins here, as in the reference agent. Each repetition is a finding
// at the later name.
func (t *text) dropRepeated() (*text, []finding) {
	c := newLenientCursor(t.data)
	var findings []finding
	var drop []span
	var open []*openObject
	for {
		inObject := len(open) > 0 && !open[len(open)-1].isArray
		switch next := c.next(); {
		case next == 0:
			return t.without(drop), findings // the end, or a fault that the strict reader will report
		case next == '}' || next == ']':
			if _, err := c.bracket(); err != nil {
				return t.without(drop), findings
			}
			open = open[:len(open)-1]
			continue
		case next == '{' || next == '[':
			if _, err := c.bracket(); err != nil {
				return t.without(drop), findings
			}
			open = append(open, &openObject{isArray: next == '['})
			continue
		case !inObject:
			if _, err := c.value(); err != nil {
				return t.without(drop), findings
			}
			continue
		}
		v, err := c.value()
		if err != nil {
			return t.without(drop), findings
		}
		if !c.afterName() {
			continue // a plain value in an object
		}
		o := open[len(open)-1]
		if old, repeated := o.add(string(unquoted(v.raw)), v.at); repeated {
			drop = append(drop, old)
			findings = append(findings, finding{at: t.origin(v.at), path: c.path(), code: "duplicate_key",
				message: "the name stands twice in one object; the last one counts"})
		}
	}
}

// add notes a member whose name begins at the offset at. If the object has
// the name already, add returns the span of that member.
func (o *openObject) add(name string, at int) (old span, repeated bool) {
	if n := len(o.members); n > 0 {
		o.members[n-1].end = at
	}
	if o.byName == nil {
		o.byName = map[string]int{}
	}
	i, repeated := o.byName[name]
	if repeated {
		old = o.members[i]
	}
	o.byName[name] = len(o.members)
	o.members = append(o.members, span{start: at})
	return old, repeated
}

// without returns t without some spans, which may overlap.
func (t *text) without(drop []span) *text {
	if len(drop) == 0 {
		return t
	}
	slices.SortFunc(drop, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	w := rewriter{from: t}
	for _, s := range drop {
		if s.end <= w.done {
			continue // inside a span that is gone already
		}
		w.keep(max(s.start, w.done))
		w.replace(s.end-w.done, "")
	}
	return w.text()
}
