package live

import (
	"bytes"
	"fmt"
	"io"
)

// Bounds of a message besides its size. No list of tools reaches them. The SDK's
// decoder, which reads a message several times, would take longer than a timeout for
// such a message, or return an error of its own.
const (
	deepest       = 900      // levels; from 1000 on the SDK refuses
	longestCursor = 64 << 10 // bytes, as written
)

var (
	errTooDeep    = fmt.Errorf("a message of more than %d levels is %w", deepest, ErrTooDeep)
	errLongCursor = fmt.Errorf("a cursor of more than %d KB is %w", longestCursor>>10, ErrTooLarge)
)

// inspector checks a JSON message while it comes, so that one out of bounds is not read to its
// end. It follows strings and brackets; its decoder says whether it is JSON.
type inspector struct {
	depth    int
	inString bool
	escaped  bool
	length   int    // of the string, so far
	word     []byte // the beginning of the string, or of the last one
	isKey    bool   // a colon stands behind word
	isCursor bool   // the string is the cursor of the result
}

// cursorKey is the member of a result that holds the cursor, two levels deep.
const cursorKey = "nextCursor"

// inspect looks at the next bytes, and returns the bound that they break.
func (x *inspector) inspect(part []byte) error {
	for _, c := range part {
		switch {
		case x.inString && x.escaped:
			x.escaped = false
			x.length++
		case x.inString && c == '"':
			x.inString = false
			continue
		case x.inString:
			x.escaped = c == '\\'
			if x.length++; len(x.word) <= len(cursorKey) {
				x.word = append(x.word, c)
			}
		}
		if x.inString {
			if x.isCursor && x.length > longestCursor {
				return errLongCursor
			}
			continue
		}
		switch c {
		case '"':
			x.isCursor = x.isKey && x.depth == 2 && string(x.word) == cursorKey
			x.inString, x.isKey, x.length, x.word = true, false, 0, x.word[:0]
		case ':':
			x.isKey = true
		case '{', '[':
			if x.depth++; x.depth > deepest {
				return errTooDeep
			}
			x.isKey = false
		case '}', ']':
			x.depth--
			x.isKey = false
		case ',':
			x.isKey = false
		}
	}
	return nil
}

// eventInspector looks at the messages of a stream of events (HTML, server-sent events): lines
// behind "data:" up to a blank one.
type eventInspector struct {
	message inspector
	line    []byte // the beginning of the line, as far as it shows what that is
	known   bool   // it is decided
	data    bool   // the line is one of a message
	feed    bool   // a line feed belongs to the carriage return before it
}

// eventData begins a line of a message.
const eventData = "data:"

// inspect looks at the next bytes, and returns the bound that they break.
func (x *eventInspector) inspect(part []byte) error {
	for len(part) > 0 {
		if x.feed && part[0] == '\n' {
			part, x.feed = part[1:], false
			continue
		}
		line, rest, ended := part, []byte(nil), false
		if i := bytes.IndexAny(part, "\r\n"); i >= 0 {
			line, rest, ended = part[:i], part[i+1:], true
		}
		x.feed = ended && part[len(line)] == '\r'
		part = rest
		for !x.known && len(line) > 0 {
			x.line = append(x.line, line[0])
			line = line[1:]
			x.known = len(x.line) == len(eventData)
			x.data = string(x.line) == eventData
		}
		if x.data {
			if err := x.message.inspect(line); err != nil {
				return err
			}
		}
		if ended {
			if len(x.line) == 0 { // blank
				x.message = inspector{}
			}
			x.line, x.known, x.data = x.line[:0], false, false
		}
	}
	return nil
}

// inspected is a body that fails when it has too many bytes, or what it holds is out of bounds.
type inspected struct {
	io.ReadCloser
	inspect func([]byte) error
	left    int64 // bytes
	guard   *guard
}

func (b *inspected) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	fault := b.inspect(p[:n])
	if b.left -= int64(n); b.left < 0 {
		fault = fmt.Errorf("an answer of more than %d MB is %w", b.guard.most>>20, ErrTooLarge)
	}
	if fault != nil {
		return 0, b.guard.refuse(fault)
	}
	return n, err
}
