package fetch

import (
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

// checkJSON reads a blob once, as checkAll does.
func checkJSON(ctx context.Context, src Source) error {
	return checkAll(newScanner(ctx, src, 0, src.Size()))
}

// checkAll reads all that s has. It returns nil for one JSON value of any depth,
// *several for more than one with white space between them, and for anything
// else *malformed with the offset from which on it is not JSON. Strings may hold
// bytes that are not UTF-8.
func checkAll(s *jsontree.Scanner) error {
	e := several{perLine: true}
	for {
		ended, lines := s.Offset(), s.Breaks
		switch c := s.Peek(); {
		case s.ReadErr() != nil:
			return s.ReadErr()
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
