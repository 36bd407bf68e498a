package jsontree

import (
	"bytes"
	"cmp"
	"slices"
)

// span is a part of a text: the bytes from start up to, not including, end.
type span struct{ start, end int }

// repeats looks for repeated names.
type repeats struct {
	Scanner
	text    *Text
	path    []level  // the open arrays and objects
	members []latest // of the open objects
	drop    []span
	count   int
	faults  []Fault
}

// level is where the scanner is in an open array or object.
type level struct {
	name  []byte // of the member; nil in an array
	index int
}

// latest is the latest member of a name.
type latest struct {
	name []byte
	span // from the name up to the next one
}

func (r *repeats) value() bool {
	switch r.Peek() {
	case '{', '[':
		if len(r.path) == Strict.maxDepth() {
			return false
		}
		r.path = append(r.path, level{})
		first := len(r.members)
		ok := r.container(r.buf[r.pos])
		r.path, r.members = r.path[:len(r.path)-1], r.members[:first]
		return ok
	case '"':
		return r.str(false)
	}
	_, ok := r.Scalar()
	return ok
}

// container reads an array or an object, which open begins.
func (r *repeats) container(open byte) bool {
	r.Take(open)
	first, last := len(r.members), -1 // of its members
	var byName map[string]int
	for i := 0; r.Next(open+2, i > 0); i++ { // } is { + 2, and ] is [ + 2
		here := &r.path[len(r.path)-1]
		here.index = i
		if open == '{' {
			if r.Peek() != '"' {
				return false
			}
			at := r.pos
			if !r.str(false) {
				return false
			}
			name := Unquote(r.buf[at : r.textTo+1])
			here.name = name
			if last >= 0 {
				r.members[last].end = at
			}
			if last, byName = r.find(first, name, byName); last < 0 {
				last = len(r.members)
				r.members = append(r.members, latest{name: name})
			} else {
				r.repeated(r.members[last].span, at)
			}
			r.members[last].span = span{start: at}
			if !r.Colon() {
				return false
			}
		}
		if !r.value() {
			return false
		}
	}
	return r.syntax == nil
}

// find returns the index of a name among the members from the first on, or -1, and a map of them
// once they are many.
func (r *repeats) find(first int, name []byte, byName map[string]int) (int, map[string]int) {
	const few = 16 // names that are compared one by one
	members := r.members[first:]
	if len(members) <= few {
		i := slices.IndexFunc(members, func(m latest) bool { return bytes.Equal(m.name, name) })
		if i < 0 {
			return -1, nil
		}
		return first + i, nil
	}
	if byName == nil {
		byName = make(map[string]int, 2*few)
	}
	for i := len(byName); i < len(members); i++ {
		byName[string(members[i].name)] = first + i
	}
	if i, ok := byName[string(name)]; ok {
		return i, byName
	}
	return -1, byName
}

// repeated notes that the member of a span is overridden by one at an offset.
func (r *repeats) repeated(old span, at int) {
	if n := len(r.drop); n > 0 && r.drop[n-1].end == old.start {
		r.drop[n-1].end = old.end
	} else {
		r.drop = append(r.drop, old)
	}
	if r.count++; r.count > MaxFaults {
		return
	}
	path := ""
	for i, l := range r.path {
		switch {
		case i == maxNotation:
			path += "..."
		case i > maxNotation:
		case l.name != nil:
			path = JoinName(path, string(l.name))
		default:
			path = JoinIndex(path, l.index)
		}
	}
	r.faults = append(r.faults, Fault{At: r.text.Origin(at), Path: path, Code: "duplicate_key",
		Message: "the name occurs twice in one object; the last one counts"})
}

// without returns t without some spans, which may overlap.
func (t *Text) without(drop []span) *Text {
	if len(drop) == 0 {
		return t
	}
	slices.SortFunc(drop, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	w := rewriter{from: t, out: make([]byte, 0, len(t.Data))}
	for _, s := range drop {
		if s.end <= w.done {
			continue // inside a span that is gone already
		}
		w.keep(max(s.start, w.done))
		w.drop(s.end)
	}
	return w.text()
}
