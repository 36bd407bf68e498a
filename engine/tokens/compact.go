package tokens

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"sync"
	"unicode/utf16"
	"unicode/utf8"
)

// maxDepth is the deepest nesting that is understood. Python's recursion
// limit, on which the reference agent runs, is about as deep.
const maxDepth = 1000

// Compact appends the compact serialization of one JSON value to dst, as
// Python's json.dumps(json.loads(src), separators=(",", ":"),
// ensure_ascii=False) writes it:
//
//   - insignificant white space is dropped, escapes are undone, and only the
//     quote, the backslash and U+0000..U+001F are escaped
//   - integers keep all digits, -0 becomes 0; other numbers go through a
//     float64 and are written with the shortest digits
//   - of members with the same name the last value stays, in the place of the
//     first
//
// A lone surrogate and every byte that is not UTF-8 become U+FFFD. Text that is not
// JSON, or nested more than 1,000 deep, is appended as it is, but for bytes
// that are not UTF-8.
func Compact(dst, src []byte) []byte {
	start := len(dst)
	w := writers.Get().(*writer)
	defer func() {
		*w = writer{members: w.members[:0], scratch: w.scratch[:0]}
		writers.Put(w)
	}()
	w.src, w.dst = src, dst
	w.space()
	if w.value(0) {
		w.space()
		if w.at == len(src) {
			for i := start; w.surrogates && i+2 < len(w.dst); i++ {
				if w.dst[i] == 0xED && w.dst[i+1] >= 0xA0 { // as appendEscaped wrote it, which is as long
					copy(w.dst[i:], "\uFFFD")
				}
			}
			return w.dst
		}
	}
	dst = w.dst[:start]
	for _, r := range string(src) {
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}

// writers holds the memory of writers.
var writers = sync.Pool{New: func() any { return new(writer) }}

// compactBuffers holds buffers for compact text.
var compactBuffers = sync.Pool{New: func() any { return new([]byte) }}

// Chars returns the number of code points of Compact(nil, def).
func Chars(def []byte) int {
	buf := compactBuffers.Get().(*[]byte)
	*buf = Compact((*buf)[:0], def)
	// All bytes but those that go on with a rune, 10xxxxxx; utf8.RuneCount would copy the bytes behind ASCII.
	n, rest := len(*buf), *buf
	for ; len(rest) >= 8; rest = rest[8:] {
		word := binary.LittleEndian.Uint64(rest)
		n -= bits.OnesCount64(word >> 7 &^ (word >> 6) & eachByte)
	}
	for _, b := range rest {
		n -= int(b >> 7 &^ (b >> 6) & 1)
	}
	compactBuffers.Put(buf)
	return n
}

// writer copies one JSON value from src to dst.
type writer struct {
	src, dst   []byte
	at         int
	members    []member // of the objects being written, outermost first
	scratch    []byte
	surrogates bool // dst holds lone surrogates, as three bytes each
}

// member is the place of one member of an object in dst.
type member struct{ start, keyEnd, end int }

// space skips insignificant white space.
func (w *writer) space() {
	for w.at < len(w.src) {
		switch w.src[w.at] {
		case ' ', '\n', '\r', '\t':
			w.at++
		default:
			return
		}
	}
}

// value copies one value. It reports false when src is not JSON.
func (w *writer) value(depth int) bool {
	if w.at == len(w.src) {
		return false
	}
	switch w.src[w.at] {
	case '{':
		return depth < maxDepth && w.object(depth+1)
	case '[':
		return depth < maxDepth && w.array(depth+1)
	case '"':
		return w.string()
	case 't', 'f', 'n':
		for _, word := range []string{"true", "false", "null"} {
			if bytes.HasPrefix(w.src[w.at:], []byte(word)) {
				w.dst = append(w.dst, word...)
				w.at += len(word)
				return true
			}
		}
		return false
	default:
		end, kind := scanNumber(w.src, w.at)
		if kind == notNumber {
			return false
		}
		w.dst = appendNumber(w.dst, w.src[w.at:end], kind)
		w.at = end
		return true
	}
}

// array copies an array.
func (w *writer) array(depth int) bool {
	w.dst = append(w.dst, '[')
	w.at++
	w.space()
	for first := true; ; first = false {
		if w.at == len(w.src) {
			return false
		}
		if w.src[w.at] == ']' {
			if !first {
				return false
			}
			break
		}
		if !w.value(depth) {
			return false
		}
		w.space()
		if !w.comma() {
			break
		}
	}
	return w.close(']')
}

// object copies an object. Members are written as they come; only where names
// repeat are they put in order afterwards.
func (w *writer) object(depth int) bool {
	w.dst = append(w.dst, '{')
	open, base := len(w.dst), len(w.members)
	index := nameIndex{base: base}
	repeated := false
	w.at++
	w.space()
	for {
		if w.at == len(w.src) {
			return false
		}
		if w.src[w.at] != '"' {
			if len(w.members) > base || w.src[w.at] != '}' {
				return false
			}
			break
		}
		m := member{start: len(w.dst)}
		if !w.string() {
			return false
		}
		m.keyEnd = len(w.dst)
		w.space()
		if w.at == len(w.src) || w.src[w.at] != ':' {
			return false
		}
		w.at++
		w.dst = append(w.dst, ':')
		w.space()
		earlier := index.find(w, m)
		if earlier < 0 {
			earlier = len(w.members)
			w.members = append(w.members, m)
		} else {
			repeated = true
		}
		if !w.value(depth) {
			return false
		}
		m.end = len(w.dst)
		w.members[earlier] = m
		w.space()
		if !w.comma() {
			break
		}
		if w.at < len(w.src) && w.src[w.at] == '}' {
			return false
		}
	}
	if repeated { // the members again, in order
		w.scratch = w.scratch[:0]
		for i, m := range w.members[base:] {
			if i > 0 {
				w.scratch = append(w.scratch, ',')
			}
			w.scratch = append(w.scratch, w.dst[m.start:m.end]...)
		}
		w.dst = append(w.dst[:open], w.scratch...)
	}
	w.members = w.members[:base]
	return w.close('}')
}

// comma copies a comma and the space after it. It reports false, and moves
// nothing, when there is none.
func (w *writer) comma() bool {
	if w.at == len(w.src) || w.src[w.at] != ',' {
		return false
	}
	w.dst = append(w.dst, ',')
	w.at++
	w.space()
	return true
}

// close copies the closing bracket c.
func (w *writer) close(c byte) bool {
	if w.at == len(w.src) || w.src[w.at] != c {
		return false
	}
	w.dst = append(w.dst, c)
	w.at++
	return true
}

// string copies a string.
func (w *writer) string() bool {
	w.dst = append(w.dst, '"')
	w.at++
	for {
		end := plainRun(w.src, w.at)
		w.dst = append(w.dst, w.src[w.at:end]...)
		w.at = end
		if end == len(w.src) {
			return false
		}
		switch c := w.src[end]; {
		case c == '"':
			w.dst = append(w.dst, '"')
			w.at++
			return true
		case c == '\\':
			r, next := unescape(w.src, end)
			if next < 0 {
				return false
			}
			w.surrogates = w.surrogates || utf16.IsSurrogate(r)
			w.dst = appendEscaped(w.dst, r)
			w.at = next
		case c < ' ':
			return false
		default:
			r, size := utf8.DecodeRune(w.src[end:])
			w.dst = utf8.AppendRune(w.dst, r)
			w.at += size
		}
	}
}

// nameIndex finds an earlier member of the same name: by looking at each while
// there are few, by a map when there are many.
type nameIndex struct {
	base  int
	names map[string]int
}

// find returns the index in w.members of the member that has the name of m,
// or -1. It must be called for every member of the object, in order.
func (x *nameIndex) find(w *writer, m member) int {
	name := w.dst[m.start:m.keyEnd]
	members := w.members[x.base:]
	if len(members) < 16 {
		for i, e := range members {
			if bytes.Equal(w.dst[e.start:e.keyEnd], name) {
				return x.base + i
			}
		}
		return -1
	}
	if x.names == nil {
		x.names = make(map[string]int, 64)
		for i, e := range members {
			x.names[string(w.dst[e.start:e.keyEnd])] = x.base + i
		}
	}
	if i, ok := x.names[string(name)]; ok {
		return i
	}
	x.names[string(name)] = len(w.members)
	return -1
}
