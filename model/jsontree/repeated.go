package jsontree

// span is a part of a text: the bytes from start up to, not including, end.
type span struct{ start, end int }

// repeats looks for repeated names.
type repeats struct {
	Scanner
	text   *Text
	path   []level // the open arrays and objects
	drop   []span
	count  int
	faults []Fault
}

// level is where the scanner is in an open array or object.
type level struct {
	name  []byte // of the member; nil in an array
	index int
}

func (r *repeats) value() bool {
	switch r.Peek() {
	case '{', '[':
		if len(r.path) == Strict.maxDepth() {
			return false
		}
		r.path = append(r.path, level{})
		ok := r.container(r.buf[r.pos])
		r.path = r.path[:len(r.path)-1]
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
	latest := map[string]span{}              // the member of each name, up to the next one
	last := ""                               // the name of the last member
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
			here.name = Unquote(r.buf[at : r.textTo+1])
			if i > 0 {
				latest[last] = span{latest[last].start, at}
			}
			last = string(here.name)
			if old, again := latest[last]; again {
				if n := len(r.drop); n > 0 && r.drop[n-1].end == old.start {
					r.drop[n-1].end = old.end
				} else {
					r.drop = append(r.drop, old)
				}
				if r.count++; r.count <= MaxFaults {
					r.faults = append(r.faults, Fault{At: r.text.Origin(at), Path: r.notation(), Code: "duplicate_key",
						Message: "the name occurs twice in one object; the last one counts"})
				}
			}
			latest[last] = span{start: at}
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

// notation returns the path of the open arrays and objects.
func (r *repeats) notation() string {
	path := ""
	for i, l := range r.path {
		switch {
		case i == maxNotation:
			return path + "..."
		case l.name != nil:
			path = JoinName(path, string(l.name))
		default:
			path = JoinIndex(path, l.index)
		}
	}
	return path
}
