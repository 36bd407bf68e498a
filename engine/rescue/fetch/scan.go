package fetch

import (
	"context"
	"fmt"
	"io"

	"caliper/model/jsontree"
)

// newScanner returns a scanner of the bytes [from, end) of a blob.
func newScanner(ctx context.Context, src Source, from, end int64) *jsontree.Scanner {
	return jsontree.NewScanner(ctx, &section{src, from, end}, from)
}

// section reads a part of a blob. Its offsets are the blob's.
type section struct {
	src     Source
	at, end int64
}

// Read reads on. It fails where the blob ends before its size says.
func (s *section) Read(p []byte) (int, error) {
	if s.at >= s.end {
		return 0, io.EOF
	}
	b, err := readAt(s.src, p[:min(int64(len(p)), s.end-s.at)], s.at)
	s.at += int64(len(b))
	return len(b), err
}

// Seek goes to an offset of the blob.
func (s *section) Seek(offset int64, _ int) (int64, error) {
	s.at = offset
	return offset, nil
}

// malformed is an offset from which on a blob is not JSON, and why.
type malformed struct {
	at  int64
	why string
}

// Error returns the offset and the reason.
func (m *malformed) Error() string { return fmt.Sprintf("byte %d: %s", m.at, m.why) }

// wrong returns the source's error, or that the text is no JSON where the
// scanner is.
func wrong(s *jsontree.Scanner, why string) error {
	if err := s.ReadErr(); err != nil {
		return err
	}
	return &malformed{s.Offset(), why}
}

// fault returns why a scanner went no further: the source's error or *malformed;
// nil for neither.
func fault(s *jsontree.Scanner) error {
	err := s.Err()
	if e, ok := err.(*jsontree.SyntaxError); ok {
		return &malformed{e.At, reason(e)}
	}
	return err
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
