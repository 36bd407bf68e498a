package model

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// text is the content of one source, ready to be read strictly: valid UTF-8
// without a byte order mark and without repeated names. In the common case it
// is a slice of the source. Else it is a repaired copy, and edits lead every
// offset back to the source.
type text struct {
	data   []byte
	edits  []edit // in order of out
	under  *text  // the text that edits lead to; nil for the source
	mended bool   // between edits stand replacements of what was no UTF-8 in under
	copied bool   // data is no part of the source
}

// edit says that the bytes of a text from out on stand in the source from in
// on, until the next edit.
type edit struct{ out, in int }

// origin returns the offset in the source of a text's offset.
func (t *text) origin(at int) int {
	i, found := slices.BinarySearchFunc(t.edits, at, func(e edit, at int) int { return e.out - at })
	if !found {
		i--
	}
	switch {
	case i < 0:
	case t.mended:
		out, in := t.edits[i].out, t.edits[i].in
		for in < len(t.under.data) {
			n, fault := piece(t.under.data, in)
			size := n
			if fault != sound {
				size = len(replacement)
			}
			if out+size > at {
				if fault == sound {
					in += at - out
				}
				break
			}
			out, in = out+size, in+n
		}
		at = in
	default:
		at = t.edits[i].in + at - t.edits[i].out
	}
	if t.under != nil {
		return t.under.origin(at)
	}
	return at
}

var byteOrderMark = []byte("\uFEFF")

// newText returns the text of a source that needs no repair but for its byte
// order mark.
func newText(data []byte) *text {
	if bytes.HasPrefix(data, byteOrderMark) {
		return &text{data: data[len(byteOrderMark):], edits: []edit{{0, len(byteOrderMark)}}}
	}
	return &text{data: data}
}

// isUTF16 reports whether data begins as UTF-16 or UTF-32 text does: with its
// byte order mark, or with an ASCII character padded by a zero byte.
func isUTF16(data []byte) bool {
	return len(data) >= 2 && (data[0] == 0xFE && data[1] == 0xFF || data[0] == 0xFF && data[1] == 0xFE ||
		(data[0] == 0) != (data[1] == 0))
}

// rewriter builds a copy of a text with parts left out.
type rewriter struct {
	from *text
	out  []byte
	edit []edit
	done int // bytes of from copied or dropped
}

// keep copies up to the offset at.
func (w *rewriter) keep(at int) {
	if at > w.done {
		w.edit = append(w.edit, edit{len(w.out), w.done})
		w.out = append(w.out, w.from.data[w.done:at]...)
		w.done = at
	}
}

// drop leaves out what stands up to the offset at.
func (w *rewriter) drop(at int) { w.done = max(w.done, at) }

// text returns what was built, with the rest of the original.
func (w *rewriter) text() *text {
	w.keep(len(w.from.data))
	return &text{data: w.out, edits: w.edit, under: w.from, copied: true}
}

// repair returns a text that can be read strictly if all that is wrong with t
// is its encoding, comments and repeated names: bytes that are not UTF-8 and lone
// surrogates become U+FFFD, comments become spaces, and of members with one
// name only the last stays.
// It returns t itself when it found nothing of this.
func (t *text) repair() (*text, []finding) {
	repaired, findings := t.repairEncoding()
	repaired, comments := repaired.withoutComments()
	repaired, repeated := repaired.dropRepeated()
	return repaired, slices.Concat(findings, comments, repeated)
}

const replacement = string(utf8.RuneError)

// What may be wrong with a piece of a text.
const (
	sound   = iota
	badByte // no UTF-8
	badUnit // the escape of a lone surrogate
)

// piece returns the length of the character or escape at an offset, and what
// is wrong with it.
func piece(data []byte, i int) (n, fault int) {
	b := data[i]
	switch {
	case b == '\\' && i+1 < len(data) && data[i+1] == 'u':
		unit, ok := hexUnit(data[i:])
		switch {
		case !ok || unit < 0xD800 || unit > 0xDFFF:
			return 2, sound
		case unit < 0xDC00 && isLowSurrogate(data[i+6:]):
			return 12, sound
		}
		return 6, badUnit
	case b == '\\':
		return min(2, len(data)-i), sound
	case b < utf8.RuneSelf:
		return 1, sound
	}
	r, n := utf8.DecodeRune(data[i:])
	if r == utf8.RuneError && n == 1 {
		return 1, badByte
	}
	return n, sound
}

// mendedGap is the number of bytes between two edits of a mended text. They
// stand close enough to count from, and far enough to take little memory
// however much there was to mend.
const mendedGap = 512

// repairEncoding replaces what is not Unicode text. One finding a kind tells
// the first place and the number of places.
func (t *text) repairEncoding() (*text, []finding) {
	var places, counts [badUnit + 1]int
	size := 0
	for i := 0; i < len(t.data); {
		n, fault := piece(t.data, i)
		if fault != sound {
			if counts[fault]++; counts[fault] == 1 {
				places[fault] = t.origin(i)
			}
			size += len(replacement) - n
		}
		i += n
	}
	if counts[badByte]+counts[badUnit] == 0 {
		return t, nil
	}
	mended := &text{data: make([]byte, 0, len(t.data)+size), under: t, mended: true, copied: true}
	next := 0
	for i := 0; i < len(t.data); {
		if len(mended.data) >= next {
			mended.edits = append(mended.edits, edit{len(mended.data), i})
			next += mendedGap
		}
		n, fault := piece(t.data, i)
		if fault == sound {
			mended.data = append(mended.data, t.data[i:i+n]...)
		} else {
			mended.data = append(mended.data, replacement...)
		}
		i += n
	}
	var findings []finding
	if n := counts[badByte]; n > 0 {
		findings = append(findings, finding{at: places[badByte], code: "invalid_utf8",
			message: count(n, "byte that is not UTF-8", "bytes that are not UTF-8") + ", read as U+FFFD"})
	}
	if n := counts[badUnit]; n > 0 {
		findings = append(findings, finding{at: places[badUnit], code: "lone_surrogate",
			message: count(n, "half of a surrogate pair", "halves of surrogate pairs") + ", read as U+FFFD"})
	}
	return mended, findings
}

// hexUnit returns the code unit of an escape \uXXXX at the start of b.
func hexUnit(b []byte) (unit int, ok bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	for _, d := range b[2:6] {
		switch {
		case '0' <= d && d <= '9':
			unit = unit<<4 | int(d-'0')
		case 'a' <= d|0x20 && d|0x20 <= 'f':
			unit = unit<<4 | int(d|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return unit, true
}

// isLowSurrogate reports whether b begins with the escape of the second half
// of a surrogate pair.
func isLowSurrogate(b []byte) bool {
	unit, ok := hexUnit(b)
	return ok && 0xDC00 <= unit && unit <= 0xDFFF
}
