package arguments

import (
	"slices"
	"strconv"
)

// kind is what a JSON value is.
type kind int

const (
	null kind = iota
	boolean
	number
	notFinite // NaN, Infinity, -Infinity
	str
	array
	object
)

// String returns the name of the kind, with its article.
func (k kind) String() string {
	switch k {
	case null:
		return "null"
	case boolean:
		return "a boolean"
	case number, notFinite:
		return "a number"
	case str:
		return "a string"
	case array:
		return "an array"
	}
	return "an object"
}

// value is one parsed JSON value. Members keep their order; where a name
// repeats, the last value stands in the place of the first.
type value struct {
	kind       kind
	start, end int      // of its text, in bytes
	text       string   // of a string: decoded; of everything else but arrays and objects: as written
	items      []*value // of an array
	members    []member // of an object
}

// member is one member of an object.
type member struct {
	name  string
	value *value
}

// get returns the value of a member, nil when there is none, and when v is no
// object.
func (v *value) get(name string) *value {
	if v == nil {
		return nil
	}
	for i := range v.members {
		if v.members[i].name == name {
			return v.members[i].value
		}
	}
	return nil
}

// at returns the value that a JSON pointer's tokens lead to, or nil.
func (v *value) at(tokens []string) *value {
	for _, token := range tokens {
		if v == nil {
			return nil
		}
		if v.kind == array {
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(v.items) {
				return nil
			}
			v = v.items[i]
			continue
		}
		v = v.get(token)
	}
	return v
}

// count returns the number of values in v, itself included.
func (v *value) count() int {
	n := 1
	for _, item := range v.items {
		n += item.count()
	}
	for _, m := range v.members {
		n += m.value.count()
	}
	return n
}

// depth returns how deep arrays and objects are nested in v.
func (v *value) depth() int {
	if v.kind != array && v.kind != object {
		return 0
	}
	deepest := 0
	for _, item := range v.items {
		deepest = max(deepest, item.depth())
	}
	for _, m := range v.members {
		deepest = max(deepest, m.value.depth())
	}
	return 1 + deepest
}

// equal reports whether two values are the same text but for white space,
// escapes and the order of members.
func (v *value) equal(w *value) bool {
	return v.kind == w.kind && v.text == w.text &&
		slices.EqualFunc(v.items, w.items, (*value).equal) &&
		len(v.members) == len(w.members) && !slices.ContainsFunc(v.members, func(m member) bool {
		other := w.get(m.name)
		return other == nil || !m.value.equal(other)
	})
}
