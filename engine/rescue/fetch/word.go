package fetch

import (
	"fmt"

	"caliper/engine/rescue/internal/jsonnumber"
)

// skipWord passes over a number, true, false or null, and checks it. What
// comes after it is not looked at. NaN and the infinities are numbers, as they
// are for Python's reader, which says what is JSON to the agent.
func (s *scanner) skipWord() error {
	switch c := s.buf[s.pos]; c {
	case 't':
		return s.literal("true")
	case 'f':
		return s.literal("false")
	case 'n':
		return s.literal("null")
	case 'N':
		return s.literal("NaN")
	case 'I':
		return s.literal("Infinity")
	default:
		if jsonnumber.Start.Next(c) == jsonnumber.End {
			return s.wrong(fmt.Sprintf("%q begins no value", c))
		}
	}
	place := jsonnumber.Start
	if s.buf[s.pos] == '-' {
		s.pos++
		if s.more() && s.buf[s.pos] == 'I' {
			return s.literal("Infinity")
		}
		place = place.Next('-')
	}
	for s.more() {
		b, pos := s.buf, s.pos
		for pos < len(b) {
			next := place.Next(b[pos])
			if next == jsonnumber.End {
				break
			}
			place = next
			pos++
		}
		if s.pos = pos; pos < len(b) {
			break
		}
	}
	switch {
	case s.err != nil:
		return s.err
	case place.Whole():
		return nil
	}
	return s.wrong("a digit of a number is missing")
}

// literal passes over a word.
func (s *scanner) literal(word string) error {
	for i := range len(word) {
		if !s.more() || s.buf[s.pos] != word[i] {
			return s.wrong("a word begins like " + word + " and is not")
		}
		s.pos++
	}
	return nil
}
