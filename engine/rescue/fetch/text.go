package fetch

import (
	"unicode/utf8"

	"caliper/engine/rescue"
)

// text is a blob with its counts.
type text struct {
	data         []byte
	chars, lines int64
	known        position // the position that was counted last
}

// position is a byte of a text with the character that begins there and the line that it is in.
type position struct {
	off        int
	char, line int64
}

func newText(data []byte) *text {
	return &text{data: data, chars: int64(utf8.RuneCount(data)), lines: int64(rescue.CountLines(data)), known: position{line: 1}}
}

// char returns where character n, from 0, begins; n = chars is the end.
func (x *text) char(n int64) int {
	size, _ := prefix(x.data, n)
	return size
}

// line returns where line n, from 1 to lines, begins.
func (x *text) line(n int64) int {
	off := 0
	for ; n > 1; n-- {
		at, size := rescue.NextBreak(x.data[off:])
		off += at + size
	}
	return off
}

// charAndLine returns the character that begins at byte off and the line that it is
// in. A \n after \r is in the line that they end. It counts on from the last call.
func (x *text) charAndLine(off int) (char, line int64) {
	p := x.known
	if off < p.off {
		p = position{line: 1}
	}
	part := x.data[p.off:off]
	p = position{off, p.char + int64(utf8.RuneCount(part)), p.line + int64(rescue.CountBreaks(part))}
	if len(part) > 0 && off < len(x.data) && x.data[off] == '\n' && x.data[off-1] == '\r' {
		p.line--
	}
	x.known = p
	return p.char, p.line
}

// begins reports whether a line begins at byte off, or the text ends there.
func (x *text) begins(off int) bool {
	return off == 0 || off == len(x.data) || rescue.BreakEnds(x.data, off)
}

// shown returns b as text: every byte that is no UTF-8 becomes one U+FFFD.
func shown(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	out := make([]byte, 0, len(b)+len(b)/4)
	for len(b) > 0 {
		c, size := utf8.DecodeRune(b)
		out = utf8.AppendRune(out, c)
		b = b[size:]
	}
	return string(out)
}

// prefix returns the bytes that the first n characters of b take, and how many
// characters that are when b has fewer.
func prefix(b []byte, n int64) (size int, chars int64) {
	for chars < n && size < len(b) {
		if b[size] < utf8.RuneSelf {
			size++
		} else {
			_, w := utf8.DecodeRune(b[size:])
			size += w
		}
		chars++
	}
	return size, chars
}

// suffix returns where the last n characters of b begin.
func suffix(b []byte, n int) int {
	at := len(b)
	for ; n > 0 && at > 0; n-- {
		_, w := utf8.DecodeLastRune(b[:at])
		at -= w
	}
	return at
}

// aligned returns the largest i <= at at which a character of b begins.
func aligned(b []byte, at int) int {
	for back := 1; back < utf8.UTFMax && back <= at; back++ {
		if utf8.RuneStart(b[at-back]) {
			if _, w := utf8.DecodeRune(b[at-back:]); w > back {
				return at - back
			}
			break
		}
	}
	return at
}
