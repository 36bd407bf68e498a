package rescue

import (
	"bytes"
	"unicode/utf8"
)

// A line ends at \n and nowhere else. A final \n ends the last line and begins
// none, so "a\n" and "a" have one line each and an empty blob has none. Lines
// are counted from 1. A \r right before the \n, or at the very end of the
// blob, belongs to the ending and is not shown; any other \r is text.
//
// A character is a code point. A byte that is no part of valid UTF-8 is one
// character, shown as U+FFFD. Characters are counted from 0, endings included,
// so that every byte of a blob has a character to ask for.

// Counter counts the characters and the lines of a blob that comes in pieces,
// cut anywhere. The zero value is ready; it is an io.Writer that never fails.
type Counter struct {
	chars, newlines int
	part            [utf8.UTFMax]byte // an unfinished character
	held            int               // its bytes
	open            bool              // the last byte was not \n
}

// Write counts a piece.
func (c *Counter) Write(p []byte) (int, error) {
	n := len(p)
	if n == 0 {
		return 0, nil
	}
	c.newlines += bytes.Count(p, []byte{'\n'})
	c.open = p[n-1] != '\n'
	for c.held > 0 && len(p) > 0 {
		c.part[c.held] = p[0]
		c.held++
		p = p[1:]
		c.settle()
	}
	whole := len(p) - len(unfinished(p))
	c.chars += utf8.RuneCount(p[:whole])
	c.held += copy(c.part[c.held:], p[whole:])
	return n, nil
}

// settle counts what the held bytes have decided.
func (c *Counter) settle() {
	for c.held > 0 && utf8.FullRune(c.part[:c.held]) {
		_, size := utf8.DecodeRune(c.part[:c.held])
		c.chars++
		c.held = copy(c.part[:], c.part[size:c.held])
	}
}

// Chars returns the characters so far; the bytes of a character that was
// begun and not ended count as one each, as they would at the end of a blob.
func (c *Counter) Chars() int { return c.chars + utf8.RuneCount(c.part[:c.held]) }

// Lines returns the lines so far, an unended one included.
func (c *Counter) Lines() int {
	if c.open {
		return c.newlines + 1
	}
	return c.newlines
}

// CountChars returns the characters of b.
func CountChars(b []byte) int { return utf8.RuneCount(b) }

// CountLines returns the lines of b.
func CountLines(b []byte) int {
	n := bytes.Count(b, []byte{'\n'})
	if len(b) > 0 && b[len(b)-1] != '\n' {
		n++
	}
	return n
}

// NextLine splits b after its first line: the line as shown, without its
// ending, and what follows it. Without \n in it, b is one line; a caller that
// holds only a part of a blob has to see to it that the part ends with a line.
func NextLine(b []byte) (line, rest []byte) {
	line, rest, _ = bytes.Cut(b, []byte{'\n'})
	return TrimEnding(line), rest
}

// TrimEnding returns a line without its \n, and without the \r before it.
func TrimEnding(line []byte) []byte {
	line = bytes.TrimSuffix(line, []byte{'\n'})
	return bytes.TrimSuffix(line, []byte{'\r'})
}

// WholeChars returns the longest beginning of b that does not end inside a
// character, for a reader whose piece was cut by bytes. What it leaves out is
// at most three bytes, and nothing when those could not begin a character.
func WholeChars(b []byte) []byte { return b[:len(b)-len(unfinished(b))] }

// unfinished returns the bytes at the end of b that begin a character.
func unfinished(b []byte) []byte {
	for i := len(b) - 1; i >= 0 && i > len(b)-utf8.UTFMax; i-- {
		if utf8.RuneStart(b[i]) {
			if utf8.FullRune(b[i:]) {
				return nil
			}
			return b[i:]
		}
	}
	return nil
}
