package jsontree

// Walker reads the JSON values of a text in memory, one after the other, as slices of it. It
// accepts what a Cursor does, and repeated names and bad UTF-8, and reports no fault but that
// there is one.
type Walker struct{ s Scanner }

// Walk returns a walker at the beginning of a text.
func Walk(text []byte) *Walker {
	return &Walker{Scanner{buf: text, ended: true, dialect: Strict, MaxDepth: Strict.maxDepth()}}
}

// Next returns the byte that comes next behind white space; 0 at the end of the text.
func (w *Walker) Next() byte { return w.s.Peek() }

// AtEnd reports whether the text ends behind what was read, and white space.
func (w *Walker) AtEnd() bool { return w.s.AtEnd() }

// Value reads the next value, whose syntax it checks completely. ok is false if no valid value
// comes next.
func (w *Walker) Value() (v Value, ok bool) {
	from, to, ok := w.s.Value()
	if !ok {
		return Value{}, false
	}
	return Value{w.s.buf[from:to:to], int(from)}, true
}

// Object reads an object, which must come next. It calls member with the unquoted name of
// each member; member reads the value, and reports whether it could.
func (w *Walker) Object(member func(name []byte) bool) bool {
	if !w.open('{') {
		return false
	}
	for some := false; w.s.Next('}', some); some = true {
		if !w.s.name(false) || !member(Unquote(w.s.buf[w.s.textFrom-1:w.s.textTo+1])) {
			return false
		}
	}
	w.s.Around--
	return w.s.Err() == nil
}

// Array reads an array, which must come next. It calls element for each element, which
// reads it, and reports whether it could.
func (w *Walker) Array(element func() bool) bool {
	if !w.open('[') {
		return false
	}
	for some := false; w.s.Next(']', some); some = true {
		if !element() {
			return false
		}
	}
	w.s.Around--
	return w.s.Err() == nil
}

func (w *Walker) open(bracket byte) bool {
	if w.s.Around == w.s.MaxDepth {
		return w.s.Fail(TooDeep)
	}
	w.s.Around++
	return w.s.Take(bracket) || w.s.Fail(NoValue)
}
