package tokens

import (
	"encoding/binary"
	"math/bits"
	"sync"
	"unicode/utf8"
)

// Chars returns the number of code points of Compact(nil, def), without
// building that text. Ordinary definitions are counted in one pass that
// allocates nothing; those that pass cannot judge are written out and counted.
func Chars(def []byte) int {
	var c counter
	if n, ok := c.count(def); ok {
		return n
	}
	buf := compactBuffers.Get().(*[]byte)
	*buf = Compact((*buf)[:0], def)
	n := utf8.RuneCount(*buf)
	compactBuffers.Put(buf)
	return n
}

// compactBuffers holds buffers for compact text.
var compactBuffers = sync.Pool{New: func() any { return new([]byte) }}

// counter counts one JSON value. It gives up, by reporting false, on
// everything that may not be JSON, and on objects whose names may repeat.
type counter struct {
	src    []byte
	at     int
	chars  int
	opened int         // names in use
	names  [128]uint64 // fingerprints of the names of the objects being counted
}

// count returns the code points of a whole document.
func (c *counter) count(src []byte) (int, bool) {
	c.src = src
	c.at = skipSpace(src, 0)
	if !c.value(0) || skipSpace(src, c.at) != len(src) {
		return 0, false
	}
	return c.chars, true
}

// value counts one value.
func (c *counter) value(depth int) bool {
	if c.at >= len(c.src) {
		return false
	}
	switch c.src[c.at] {
	case '"':
		_, ok := c.string()
		return ok
	case '{':
		return depth < maxDepth && c.object(depth+1)
	case '[':
		return depth < maxDepth && c.array(depth+1)
	case 't', 'f', 'n':
		n := literal(c.src, c.at)
		c.at += n
		c.chars += n
		return n > 0
	}
	end, kind := scanNumber(c.src, c.at)
	switch kind {
	case notNumber:
		return false
	case integer:
		c.chars += end - c.at
		if end-c.at == 2 && c.src[c.at] == '-' && c.src[c.at+1] == '0' {
			c.chars--
		}
	case float:
		var text [32]byte // the longest float64 takes 24
		c.chars += len(appendNumber(text[:0], c.src[c.at:end], kind))
	}
	c.at = end
	return true
}

// array counts an array.
func (c *counter) array(depth int) bool {
	c.chars += 2
	c.at = skipSpace(c.src, c.at+1)
	if c.at < len(c.src) && c.src[c.at] == ']' {
		c.at++
		return true
	}
	for {
		if !c.value(depth) {
			return false
		}
		more, ok := c.next(']')
		if !more {
			return ok
		}
	}
}

// object counts an object.
func (c *counter) object(depth int) bool {
	c.chars += 2
	c.at = skipSpace(c.src, c.at+1)
	if c.at < len(c.src) && c.src[c.at] == '}' {
		c.at++
		return true
	}
	base := c.opened
	for {
		if c.at >= len(c.src) || c.src[c.at] != '"' || c.opened == len(c.names) {
			return false
		}
		start := c.at + 1
		plain, ok := c.string()
		if !ok || !plain {
			return false
		}
		print := fingerprint(c.src, start, c.at-1)
		for _, p := range c.names[base:c.opened] {
			if p == print {
				return false
			}
		}
		c.names[c.opened] = print
		c.opened++
		c.at = skipSpace(c.src, c.at)
		if c.at >= len(c.src) || c.src[c.at] != ':' {
			return false
		}
		c.chars++
		c.at = skipSpace(c.src, c.at+1)
		if !c.value(depth) {
			return false
		}
		more, ok := c.next('}')
		if !more {
			c.opened = base
			return ok
		}
	}
}

// next steps over what stands after an element: a comma, so that there are
// more, or the closing bracket. It reports ok false when it is neither.
func (c *counter) next(bracket byte) (more, ok bool) {
	c.at = skipSpace(c.src, c.at)
	if c.at >= len(c.src) {
		return false, false
	}
	switch c.src[c.at] {
	case ',':
		c.chars++
		c.at = skipSpace(c.src, c.at+1)
		return true, true
	case bracket:
		c.at++
		return false, true
	}
	return false, false
}

// string counts a string. It is plain when equal bytes are the only way to
// write the same string, which takes neither escapes nor invalid UTF-8.
func (c *counter) string() (plain, ok bool) {
	src, at, chars := c.src, c.at+1, c.chars+2
	plain = true
	for {
		end := plainRun(src, at)
		chars += end - at
		if end >= len(src) {
			return false, false
		}
		switch b := src[end]; {
		case b == '"':
			c.at, c.chars = end+1, chars
			return plain, true
		case b == '\\':
			r, next := unescape(src, end)
			if next < 0 {
				return false, false
			}
			chars += escapedWidth(r)
			at, plain = next, false
		case b < ' ':
			return false, false
		default:
			r, size := utf8.DecodeRune(src[end:])
			if r == utf8.RuneError && size == 1 {
				plain = false
			}
			chars++
			at = end + size
		}
	}
}

// fingerprint returns a hash of src[start:end]. Equal bytes have equal
// fingerprints; unequal ones may, so it can only rule a repetition out.
func fingerprint(src []byte, start, end int) uint64 {
	const odd = 0x9E3779B97F4A7C15 // 2^64 / golden ratio
	h := uint64(end-start) * odd
	for ; end-start > 8; start += 8 {
		h = (bits.RotateLeft64(h, 5) ^ binary.LittleEndian.Uint64(src[start:])) * odd
	}
	var last uint64
	if start+8 <= len(src) {
		last = binary.LittleEndian.Uint64(src[start:]) << ((8 - (end - start)) * 8)
	} else {
		for i := end - 1; i >= start; i-- {
			last = last<<8 | uint64(src[i])
		}
		last <<= (8 - (end - start)) * 8
	}
	h = (bits.RotateLeft64(h, 5) ^ last) * odd
	return h ^ h>>32
}
