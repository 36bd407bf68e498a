package rescue

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"
)

// A line ends where Python's str.splitlines ends one, as the agent's plugin
// counts: at \n, \r\n, \r, VT, FF, FS, GS, RS, NEL (U+0085), LS (U+2028) and
// PS (U+2029). Such a break at the end of the blob begins no further line, so
// "a\n" and "a" have one line each and an empty blob has none. Lines are counted
// from 1, and a line is shown without its break.
//
// A character is a code point. A byte that is no part of valid UTF-8 is one
// character, shown as U+FFFD. Characters are counted from 0, breaks included,
// so that every byte of a blob has a character to ask for.

// endsBreak marks the bytes that a line break can end with.
var endsBreak = [256]bool{
	'\n': true, '\v': true, '\f': true, '\r': true, 0x1C: true, 0x1D: true, 0x1E: true,
	0x85: true, 0xA8: true, 0xA9: true, // the last bytes of NEL, LS and PS
}

// BreakEnds reports whether a line break ends before b[i]: whether a line
// begins there, or the blob ends. b has to hold the three bytes before i and the
// byte at i, as far as the blob has them.
func BreakEnds(b []byte, i int) bool {
	if i == 0 || !endsBreak[b[i-1]] {
		return false
	}
	switch c := b[i-1]; {
	case c == '\r':
		return i == len(b) || b[i] != '\n'
	case c == 0x85:
		return i > 1 && b[i-2] == 0xC2
	case c > 0x85:
		return i > 2 && b[i-2] == 0x80 && b[i-3] == 0xE2
	}
	return true
}

// NextBreak returns where the first line break of b begins and its size, or
// len(b) and 0 when there is none. A caller whose b is a part of a blob has to
// see to it that b does not end between \r and \n.
func NextBreak(b []byte) (at, size int) {
	for i := 0; i < len(b); i++ {
		// Runs of plain bytes, ASCII and no controls, are passed over eight at a time: a byte is below
		// n when subtracting n sets its top bit and it was not set (S. E. Anderson, Bit Twiddling Hacks).
		for i+8 <= len(b) {
			const ones, tops = 0x0101010101010101, 0x8080808080808080
			if x := binary.LittleEndian.Uint64(b[i:]); (x|(x-ones*' '))&tops != 0 {
				break
			}
			i += 8
		}
		if i == len(b) {
			break
		}
		c := b[i]
		if !endsBreak[c] {
			continue
		}
		switch {
		case c == '\r' && i+1 < len(b) && b[i+1] == '\n':
			return i, 2
		case c < 0x80:
			return i, 1
		case c == 0x85 && i > 0 && b[i-1] == 0xC2:
			return i - 1, 2
		case c != 0x85 && i > 1 && b[i-1] == 0x80 && b[i-2] == 0xE2:
			return i - 2, 3
		}
	}
	return len(b), 0
}

// LineStart returns where the line begins in which b[i] stands, or from when it
// begins at or before that. b[i] may be any byte but the second of \r\n.
func LineStart(b []byte, from, i int) int {
	for ; i > from; i-- {
		if endsBreak[b[i-1]] && BreakEnds(b, i) {
			return i
		}
	}
	return from
}

// WholeLines returns the longest beginning of b, which is a part of a blob, that
// ends with a line break; it is empty when b has none. A \r that ends b may be
// half a break and does not count.
func WholeLines(b []byte) []byte {
	b = bytes.TrimSuffix(b, []byte{'\r'})
	return b[:LineStart(b, 0, len(b))]
}

// CountBreaks returns the line breaks of b.
func CountBreaks(b []byte) int {
	n := 0
	for {
		at, size := NextBreak(b)
		if size == 0 {
			return n
		}
		b = b[at+size:]
		n++
	}
}

// CountLines returns the lines of b.
func CountLines(b []byte) int {
	n := CountBreaks(b)
	if len(b) > 0 && !BreakEnds(b, len(b)) {
		n++
	}
	return n
}

// NextLine splits b after its first line: the line as shown, without its
// break, and what follows it. Without a break in it, b is one line; a caller that
// holds only a part of a blob has to see to it that the part ends with a line.
func NextLine(b []byte) (line, rest []byte) {
	at, size := NextBreak(b)
	return b[:at], b[at+size:]
}

// TrimEnding returns a line without the break that ends it.
func TrimEnding(line []byte) []byte {
	n := len(line)
	switch {
	case n == 0 || !BreakEnds(line, n):
		return line
	case line[n-1] == 0x85 || n > 1 && line[n-1] == '\n' && line[n-2] == '\r':
		return line[:n-2]
	case line[n-1] >= 0x80:
		return line[:n-3]
	}
	return line[:n-1]
}

// WholeBeginning returns the longest beginning of b, which is a part of a blob,
// that ends neither inside a character nor between \r and \n.
func WholeBeginning(b []byte) []byte { return bytes.TrimSuffix(WholeChars(b), []byte{'\r'}) }

// WholeChars returns the longest beginning of b that does not end inside a
// character, for a reader whose piece was cut by bytes. What it leaves out is
// at most three bytes, and nothing when those could not begin a character.
func WholeChars(b []byte) []byte {
	for i := len(b) - 1; i >= 0 && i > len(b)-utf8.UTFMax; i-- {
		if utf8.RuneStart(b[i]) {
			if !utf8.FullRune(b[i:]) {
				return b[:i]
			}
			break
		}
	}
	return b
}
