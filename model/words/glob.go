package words

import (
	"slices"
	"unicode/utf8"
)

// Glob is a compiled glob. The zero value matches nothing.
type Glob struct {
	states []state
	start  int
}

// state is one state of the automaton.
type state struct {
	kind  kind
	char  rune   // of one
	set   []span // of oneOf and noneOf
	next  int    // the state behind it
	other []int  // of fork: the beginnings of its alternatives
}

// kind is the action of a state.
type kind byte

const (
	accept kind = iota // the name must end here
	one                // takes char
	oneOf              // takes a character of set
	noneOf             // takes a character that is not in set
	anyOne             // takes any character
	anyRun             // takes any characters, or none
	fork               // goes on at other, and at next if that is not nowhere, without taking anything
)

// span is a range of characters, with both of its ends.
type span struct{ first, last rune }

// invalid is added to a byte that is not UTF-8, so that it is no other
// character.
const invalid = utf8.MaxRune + 1

// character returns the first character of text and its length in bytes.
func character(text string) (c rune, size int) {
	c, size = utf8.DecodeRuneInString(text)
	if c == utf8.RuneError && size == 1 {
		c = invalid + rune(text[0])
	}
	return c, size
}

// Match reports whether the glob matches all of name.
func (g *Glob) Match(name string) bool {
	if len(g.states) == 0 {
		return false
	}
	now, next := newSet(len(g.states)), newSet(len(g.states))
	g.enter(&now, g.start)
	for name != "" && len(now.members) > 0 {
		c, size := character(name)
		name = name[size:]
		next.clear()
		for _, i := range now.members {
			switch s := &g.states[i]; {
			case s.kind == anyRun:
				g.enter(&next, i)
			case s.takes(c):
				g.enter(&next, s.next)
			}
		}
		now, next = next, now
	}
	return name == "" && slices.ContainsFunc(now.members, func(i int) bool { return g.states[i].kind == accept })
}

// takes reports whether a state takes a character and gives way to the next.
func (s *state) takes(c rune) bool {
	switch s.kind {
	case one:
		return s.char == c
	case oneOf, noneOf:
		in := slices.ContainsFunc(s.set, func(r span) bool { return r.first <= c && c <= r.last })
		return in == (s.kind == oneOf)
	}
	return s.kind == anyOne
}

// enter adds a state to a set, with those that are reached from it without
// taking a character.
func (g *Glob) enter(into *set, first int) {
	waiting := append(into.waiting[:0], first)
	for len(waiting) > 0 {
		i := waiting[len(waiting)-1]
		waiting = waiting[:len(waiting)-1]
		if !into.add(i) {
			continue
		}
		switch s := &g.states[i]; s.kind {
		case anyRun:
			waiting = append(waiting, s.next)
		case fork:
			if waiting = append(waiting, s.other...); s.next != nowhere {
				waiting = append(waiting, s.next)
			}
		}
	}
	into.waiting = waiting
}

// set is a set of states.
type set struct {
	members []int
	has     []bool
	waiting []int // kept for its memory
}

func newSet(n int) set { return set{has: make([]bool, n)} }

// add adds a state and reports whether it was not there.
func (s *set) add(i int) bool {
	if s.has[i] {
		return false
	}
	s.has[i] = true
	s.members = append(s.members, i)
	return true
}

// clear empties the set.
func (s *set) clear() {
	for _, i := range s.members {
		s.has[i] = false
	}
	s.members = s.members[:0]
}
