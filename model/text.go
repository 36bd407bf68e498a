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
	data  []byte
	edits []edit // in order of out
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
	if i < 0 {
		return at
	}
	return t.edits[i].in + at - t.edits[i].out
}

var byteOrderMark = []byte("\uFEFF")

// newText returns the text of a source that needs no repair but for its byte
// order mark.
func newText(data []byte) *text {
	if bytes.HasPrefix(data, byteOrderMark) {
		return &text{data[len(byteOrderMark):], []edit{{0, len(byteOrderMark)}}}
	}
	return &text{data: data}
}

// isUTF16 reports whether data begins as UTF-16 or UTF-32 text does: with its
// byte order mark, or with an ASCII character padded by a zero byte.
func isUTF16(data []byte) bool {
	return len(data) >= 2 && (data[0] == 0xFE && data[1] == 0xFF || data[0] == 0xFF && data[1] == 0xFE ||
		(data[0] == 0) != (data[1] == 0))
}

// rewriter builds a repaired text.
type rewriter struct {
	from    *text
	out     []byte
	edit    []edit
	done    int // bytes of from copied or dropped
	earlier int // edits of from taken over or dropped
}

// keep copies up to the offset at.
func (w *rewriter) keep(at int) {
	if at > w.done {
		w.edit = append(w.edit, edit{len(w.out), w.from.origin(w.done)})
		for ; w.earlier < len(w.from.edits) && w.from.edits[w.earlier].out < at; w.earlier++ {
			if e := w.from.edits[w.earlier]; e.out > w.done {
				w.edit = append(w.edit, edit{len(w.out) + e.out - w.done, e.in})
			}
		}
		w.out = append(w.out, w.from.data[w.done:at]...)
		w.done = at
	}
}

// replace puts b in place of the next n bytes.
func (w *rewriter) replace(n int, b string) {
	if b != "" {
		w.edit = append(w.edit, edit{len(w.out), w.from.origin(w.done)})
		w.out = append(w.out, b...)
	}
	w.done += n
}

// text returns what was built, with the rest of the original.
func (w *rewriter) text() *text {
	w.keep(len(w.from.data))
	return &text{w.out, w.edit}
}

// repair returns a text that can be read strictly if all that is wrong with t
// is its encoding and repeated names: bytes that are not UTF-8 and lone
// surrogates become U+FFFD, and of members with one name only the last stays.
// It returns t itself when it found nothing of this.
func (t *text) repair() (*text, []finding) {
	repaired, findings := t.repairEncoding()
	repaired, more := repaired.dropRepeated()
	return repaired, append(findings, more...)
}

const replacement = string(utf8.RuneError)

// repairEncoding replaces what is not Unicode text. One finding a kind tells
// the first place and the number of places.
func (t *text) repairEncoding() (*text, []finding) {
	w := rewriter{from: t}
	bytesAt, bytesCount, loneAt, loneCount := 0, 0, 0, 0
	data := t.data
	for i := 0; i < len(data); {
		b := data[i]
		switch {
		case b == '\\' && i+1 < len(data) && data[i+1] == 'u':
			unit, ok := hexUnit(data[i:])
			switch {
			case !ok || unit < 0xD800 || unit > 0xDFFF:
				i += 2
			case unit < 0xDC00 && isLowSurrogate(data[i+6:]):
				i += 12
			default:
				w.keep(i)
				w.replace(6, replacement)
				if loneCount++; loneCount == 1 {
					loneAt = t.origin(i)
				}
				i += 6
			}
		case b == '\\':
			i += min(2, len(data)-i)
		case b < utf8.RuneSelf:
			i++
		default:
			r, n := utf8.DecodeRune(data[i:])
			if r == utf8.RuneError && n == 1 {
				w.keep(i)
				w.replace(1, replacement)
				if bytesCount++; bytesCount == 1 {
					bytesAt = t.origin(i)
				}
			}
			i += n
		}
	}
	if bytesCount+loneCount == 0 {
		return t, nil
	}
	var findings []finding
	if bytesCount > 0 {
		findings = append(findings, finding{at: bytesAt, code: "invalid_utf8",
			message: count(bytesCount, "byte that is not UTF-8", "bytes that are not UTF-8") + ", read as U+FFFD"})
	}
	if loneCount > 0 {
		findings = append(findings, finding{at: loneAt, code: "lone_surrogate",
			message: count(loneCount, "half of a surrogate pair", "halves of surrogate pairs") + ", read as U+FFFD"})
	}
	return w.text(), findings
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
