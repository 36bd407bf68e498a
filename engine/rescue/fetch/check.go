package fetch

import (
	"bytes"
	"context"
	"fmt"

	"caliper/engine/rescue"
	"caliper/model/jsontree"
	"caliper/model/words"
)

// SECURITY: a pointer is answered only if the whole blob is one JSON value (RFC
// 8259). Otherwise a log that begins with a bracket or a number would be given
// out as data, and the first of several values as if it were the only one.

// newScanner returns a scanner of JSON whose first byte has the offset from in its blob.
func newScanner(data []byte, from int) *jsontree.Scanner {
	return jsontree.NewScanner(context.Background(), bytes.NewReader(data), int64(from))
}

// checkJSON returns nil for one JSON value of any depth, an answer for more than one
// with white space between them, and for anything else *malformed with the offset from
// which on it is not JSON. Strings may hold bytes that are not UTF-8.
func checkJSON(data []byte) error {
	s, values, second, perLine := newScanner(data, 0), int64(0), int64(0), true
	for {
		ended, lines := s.Offset(), s.Breaks
		switch c := s.Peek(); {
		case s.AtEnd() && values == 0:
			return wrong(s, "there is no value")
		case s.AtEnd() && values == 1:
			return nil
		case s.AtEnd():
			where, use := "one after the other", "use range, grep or search"
			if perLine {
				where, use = "one per line", "use range with count 1 and the number of a line as start to read the value on it, or grep"
			}
			return rescue.Errorf(CodeNotJSON, "the blob is %d JSON values, %s, and a pointer needs a single one; the second begins at byte %d: %s", values, where, second, use)
		case values > 0 && s.Offset() == ended:
			return wrong(s, fmt.Sprintf("%q follows the end of the value", c))
		}
		if values == 1 {
			second = s.Offset()
		}
		begun := s.Breaks
		if _, _, ok := s.Value(); !ok {
			err := fault(s)
			if m, ok := err.(*malformed); ok && values > 0 {
				m.why = "after " + words.Count(values, "value") + ", " + m.why
			}
			return err
		}
		perLine = perLine && (values == 0 || begun > lines) && s.Breaks == begun
		values++
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
	e, ok := s.Err().(*jsontree.SyntaxError)
	if !ok {
		return nil
	}
	why := ""
	switch {
	case e.Problem == jsontree.BadWord:
		why = "a word begins like " + e.Word + " and is not"
	case e.Problem == jsontree.BadNumber:
		why = "a digit of a number is missing"
	case e.Problem == jsontree.BadControl:
		why = "a string has a line break or another control character in it"
	case e.Ended && (e.Problem == jsontree.OpenString || e.Problem == jsontree.BadEscape || e.Problem == jsontree.BadHex):
		why = "the text ends inside a string"
	case e.Problem == jsontree.BadEscape:
		why = "no such escape is in JSON"
	case e.Problem == jsontree.OpenString || e.Problem == jsontree.BadHex:
		why = `\u needs four hexadecimal digits`
	case e.Ended:
		why = "the text ends inside a value"
	case e.Problem == jsontree.NoName:
		why = "a key is missing"
	case e.Problem == jsontree.NoColon:
		why = "a colon is missing after a key"
	case e.Problem == jsontree.NoComma:
		why = "a comma is missing"
	default:
		why = fmt.Sprintf("%q begins no value", e.Byte)
	}
	return &malformed{e.At, why}
}
