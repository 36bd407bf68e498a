package fetch

import (
	"bytes"
	"context"
	"fmt"

	"caliper/model/jsontree"
	"caliper/model/words"
)

// SECURITY: a pointer is answered only if the whole blob is one JSON value (RFC
// 8259). Otherwise a log that begins with a bracket or a number would be given
// out as data, and the first of several values as if it were the only one.

// several is the fault that a blob is more than one JSON value.
type several struct {
	values  int64
	second  int64 // the byte where the second begins
	perLine bool  // each is on a line of its own
}

// Error returns how many values the blob holds.
func (e *several) Error() string {
	where := "one after the other"
	if e.perLine {
		where = "one per line"
	}
	return fmt.Sprintf("%d JSON values, %s", e.values, where)
}

// newScanner returns a scanner of JSON whose first byte has the offset from in its blob.
func newScanner(data []byte, from int) *jsontree.Scanner {
	return jsontree.NewScanner(context.Background(), bytes.NewReader(data), int64(from))
}

// checkJSON returns nil for one JSON value of any depth, *several for more than one
// with white space between them, and for anything else *malformed with the offset from
// which on it is not JSON. Strings may hold bytes that are not UTF-8.
func checkJSON(data []byte) error {
	s, e := newScanner(data, 0), several{perLine: true}
	for {
		ended, lines := s.Offset(), s.Breaks
		switch c := s.Peek(); {
		case s.AtEnd() && e.values == 0:
			return wrong(s, "there is no value")
		case s.AtEnd() && e.values == 1:
			return nil
		case s.AtEnd():
			return &e
		case e.values > 0 && s.Offset() == ended:
			return wrong(s, fmt.Sprintf("%q follows the end of the value", c))
		}
		if e.values == 1 {
			e.second = s.Offset()
		}
		begun := s.Breaks
		if _, _, ok := s.Value(); !ok {
			err := fault(s)
			if m, ok := err.(*malformed); ok && e.values > 0 {
				m.why = "after " + words.Count(e.values, "value") + ", " + m.why
			}
			return err
		}
		e.perLine = e.perLine && (e.values == 0 || begun > lines) && s.Breaks == begun
		e.values++
	}
}

// malformed is an offset from which on a blob is not JSON, and why.
type malformed struct {
	at  int64
	why string
}

// Error returns the offset and the reason.
func (m *malformed) Error() string { return fmt.Sprintf("byte %d: %s", m.at, m.why) }

// wrong returns that the text is no JSON where the scanner is.
func wrong(s *jsontree.Scanner, why string) error { return &malformed{s.Offset(), why} }

// fault returns why a scanner went no further, a *malformed; nil where it did not stop.
func fault(s *jsontree.Scanner) error {
	if e, ok := s.Err().(*jsontree.SyntaxError); ok {
		return &malformed{e.At, reason(e)}
	}
	return nil
}

// reason returns the fault of a text that is no JSON, in words.
func reason(e *jsontree.SyntaxError) string {
	switch e.Problem {
	case jsontree.BadWord:
		return "a word begins like " + e.Word + " and is not"
	case jsontree.BadNumber:
		return "a digit of a number is missing"
	case jsontree.BadControl:
		return "a string has a line break or another control character in it"
	case jsontree.OpenString, jsontree.BadEscape, jsontree.BadHex:
		switch {
		case e.Ended:
			return "the text ends inside a string"
		case e.Problem == jsontree.BadEscape:
			return "no such escape is in JSON"
		}
		return `\u needs four hexadecimal digits`
	}
	if e.Ended {
		return "the text ends inside a value"
	}
	switch e.Problem {
	case jsontree.NoName:
		return "a key is missing"
	case jsontree.NoColon:
		return "a colon is missing after a key"
	case jsontree.NoComma:
		return "a comma is missing"
	}
	return fmt.Sprintf("%q begins no value", e.Byte)
}
