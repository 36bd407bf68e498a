package transcript

import (
	"bytes"
	"unicode/utf8"

	"caliper/model/jsontree"
)

// ParseObject returns the tree of an object of a log, read over bytes that are no UTF-8; ok is
// false for anything but a JSON object.
func ParseObject(data []byte) (n *jsontree.Node, ok bool) {
	return ParseClosedObject(data, new(jsontree.Closed))
}

// ParseClosedObject is Parse but for closed arrays, which may have no children. What is known of
// them must be clean: mending would change nothing of it.
func ParseClosedObject(data []byte, c *jsontree.Closed) (n *jsontree.Node, ok bool) {
	if n, err := jsontree.ParseClosed(data, jsontree.Strict, c); err == nil && c.Fresh(data, IsClean) {
		return n, n.Is(jsontree.Object)
	}
	n, err := jsontree.Parse(jsontree.Mend(data), jsontree.Strict)
	return n, err == nil && n.Is(jsontree.Object)
}

// IsClean reports whether mending changes nothing of a valid JSON text: it is UTF-8 and has
// no half of a surrogate pair, of which it looks for the beginning alone.
func IsClean(data []byte) bool {
	if !utf8.Valid(data) {
		return false
	}
	for {
		at := bytes.IndexByte(data, '\\')
		if at < 0 || at+2 >= len(data) {
			return true
		}
		if data[at+1] == 'u' && data[at+2]|0x20 == 'd' {
			return false
		}
		data = data[at+2:]
	}
}
