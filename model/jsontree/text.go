package jsontree

import (
	"bytes"
	"cmp"
	"slices"
	"unicode/utf16"
	"unicode/utf8"

	"caliper/model/words"
)

// Fault is a remark about an offset of a text, or the error that makes it useless.
type Fault struct {
	At      int
	Code    string
	Path    string
	Message string
}

// Error returns the message alone.
func (f Fault) Error() string { return f.Message }

// MaxFaults is how many faults of a kind are kept of one text.
const MaxFaults = 1000

// MorePlaces returns the message that a kind has more faults than are kept.
func MorePlaces(n int) string {
	return "and " + words.CountOf(n, "more place", "more places") + " like this"
}

// Text is one source to be read strictly: valid UTF-8 without a byte order mark and repeated
// names, mostly a slice of the source, else a repaired copy whose offsets Origin leads back.
type Text struct {
	Data   []byte
	edits  []Mark // in order of Out
	under  *Text  // the text that edits lead to; nil for the source
	mended bool   // between edits stand replacements of what was no UTF-8 in under
	marked bool   // edits are marks: see Translated
}

// Mark: the bytes of a text from Out on stand in the source from In on, or in a translated text for what
// begins there, until the next mark.
type Mark struct{ Out, In int }

// Translated returns the text of data, which says what t says in another notation. Each offset
// leads to the mark before it.
func (t *Text) Translated(data []byte, marks []Mark) *Text {
	return &Text{Data: data, edits: marks, under: t, marked: true}
}

// Origin returns the offset in the source of an offset in t.
func (t *Text) Origin(at int) int {
	i, found := slices.BinarySearchFunc(t.edits, at, func(e Mark, at int) int { return e.Out - at })
	if !found {
		i--
	}
	switch {
	case i < 0:
	case t.marked:
		at = t.edits[i].In
	case t.mended:
		out, in := t.edits[i].Out, t.edits[i].In
		for in < len(t.under.Data) {
			n, fault := piece(t.under.Data, in)
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
		at += t.edits[i].In - t.edits[i].Out
	}
	if t.under != nil {
		return t.under.Origin(at)
	}
	return at
}

var byteOrderMark = []byte("\uFEFF")

// NewText returns the text of a source without its byte order mark and other repairs.
func NewText(data []byte) *Text {
	if bytes.HasPrefix(data, byteOrderMark) {
		return &Text{Data: data[len(byteOrderMark):], edits: []Mark{{0, len(byteOrderMark)}}}
	}
	return &Text{Data: data}
}

// IsUTF16 reports whether data begins as UTF-16 or UTF-32: with a mark, or a padded ASCII
// character.
func IsUTF16(data []byte) bool {
	return len(data) >= 2 && (data[0] == 0xFE && data[1] == 0xFF || data[0] == 0xFF && data[1] == 0xFE ||
		(data[0] == 0) != (data[1] == 0))
}

// rewriter builds a copy of a text with parts left out.
type rewriter struct {
	from *Text
	out  []byte
	edit []Mark
	done int // bytes of from copied or dropped
}

// keep copies up to the offset at.
func (w *rewriter) keep(at int) {
	if at > w.done {
		w.edit = append(w.edit, Mark{len(w.out), w.done})
		w.out = append(w.out, w.from.Data[w.done:at]...)
		w.done = at
	}
}

// text returns what was built, with the rest of the original.
func (w *rewriter) text() *Text {
	w.keep(len(w.from.Data))
	return &Text{Data: w.out, edits: w.edit, under: w.from}
}

// Repair returns a text that can be read strictly if nothing is wrong with t but its encoding,
// comments and repeated names, and a fault for each repair; t itself without any. Bytes that are
// not UTF-8 and lone surrogates become U+FFFD, comments and commas before a closing bracket
// spaces, and the last of members with one name stays.
func (t *Text) Repair() (*Text, []Fault) {
	repaired, findings := t.repairEncoding()
	repaired, comments := repaired.withoutComments()
	// Remove every member of an object that a later member of the same name overrides.
	r := repeats{Scanner: Scanner{buf: repaired.Data, ended: true}, text: repaired}
	for !r.AtEnd() && r.value() {
	}
	if rest := r.count - MaxFaults; rest > 0 {
		r.faults = append(r.faults, Fault{At: repaired.Origin(len(repaired.Data)), Code: "duplicate_key", Message: MorePlaces(rest)})
	}
	if len(r.drop) > 0 { // spans, which may overlap
		slices.SortFunc(r.drop, func(a, b span) int { return cmp.Compare(a.start, b.start) })
		w := rewriter{from: repaired, out: make([]byte, 0, len(repaired.Data))}
		for _, s := range r.drop {
			w.keep(s.start)
			w.done = max(w.done, s.end)
		}
		repaired = w.text()
	}
	return repaired, slices.Concat(findings, comments, r.faults)
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
		if !ok || !utf16.IsSurrogate(unit) {
			return 2, sound
		}
		if low, ok := hexUnit(data[i+6:]); ok && utf16.DecodeRune(unit, low) != utf8.RuneError {
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

// mendedGap is the number of bytes between two edits of a mended text: close enough to count from,
// and of little memory.
const mendedGap = 512

// repairEncoding replaces bytes that are not Unicode text. One finding a kind tells
// the first place and the number of places.
func (t *Text) repairEncoding() (*Text, []Fault) {
	if utf8.Valid(t.Data) && !bytes.Contains(t.Data, []byte(`\u`)) {
		return t, nil
	}
	var places, counts [badUnit + 1]int
	size := 0
	for i := 0; i < len(t.Data); {
		n, fault := piece(t.Data, i)
		if fault != sound {
			if counts[fault]++; counts[fault] == 1 {
				places[fault] = t.Origin(i)
			}
			size += len(replacement) - n
		}
		i += n
	}
	if counts[badByte]+counts[badUnit] == 0 {
		return t, nil
	}
	mended := &Text{Data: make([]byte, 0, len(t.Data)+size), under: t, mended: true}
	next := 0
	for i := 0; i < len(t.Data); {
		if len(mended.Data) >= next {
			mended.edits = append(mended.edits, Mark{len(mended.Data), i})
			next += mendedGap
		}
		n, fault := piece(t.Data, i)
		if fault == sound {
			mended.Data = append(mended.Data, t.Data[i:i+n]...)
		} else {
			mended.Data = append(mended.Data, replacement...)
		}
		i += n
	}
	var findings []Fault
	if n := counts[badByte]; n > 0 {
		findings = append(findings, Fault{At: places[badByte], Code: "invalid_utf8",
			Message: words.CountOf(n, "byte that is not UTF-8", "bytes that are not UTF-8") + ", read as U+FFFD"})
	}
	if n := counts[badUnit]; n > 0 {
		findings = append(findings, Fault{At: places[badUnit], Code: "lone_surrogate",
			Message: words.CountOf(n, "half of a surrogate pair", "halves of surrogate pairs") + ", read as U+FFFD"})
	}
	return mended, findings
}

// Mend returns JSON text with U+FFFD for bytes that are not UTF-8 and halves of surrogate pairs,
// and spaces for comments and trailing commas; text itself if it has none of them.
func Mend(text []byte) []byte {
	t, _ := NewText(text).repairEncoding()
	t, _ = t.withoutComments()
	return t.Data
}
