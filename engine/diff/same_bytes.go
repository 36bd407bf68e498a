package diff

import (
	"bytes"

	"caliper/engine/tokens"
	"caliper/model"
)

// comparer compares definitions as the model is sent them. It keeps memory
// between calls.
type comparer struct{ a, b []byte }

// same reports whether two JSON values are sent as the same bytes.
func (c *comparer) same(a, b []byte) bool {
	if sameButSpace(a, b) {
		return true
	}
	c.a, c.b = tokens.Compact(c.a[:0], a), tokens.Compact(c.b[:0], b)
	return bytes.Equal(c.a, c.b)
}

// sameDefinition reports whether two tools are sent as the same bytes.
func (c *comparer) sameDefinition(a, b *model.Tool) bool {
	beforeA, afterA := a.Around()
	beforeB, afterB := b.Around()
	if bytes.Equal(a.Function, b.Function) && beforeA == beforeB && afterA == afterB {
		return true
	}
	if a.Name != b.Name {
		return false
	}
	if a.Envelope == nil && b.Envelope == nil {
		return c.same(a.Function, b.Function)
	}
	return c.same(tokens.Definition(a), tokens.Definition(b))
}

// sameButSpace reports whether two JSON values differ in nothing but white
// space between tokens. It is far cheaper than writing both anew, and most
// values that are sent as the same bytes are the same in this sense already.
func sameButSpace(a, b []byte) bool {
	for {
		a, b = afterSpace(a), afterSpace(b)
		if len(a) == 0 || len(b) == 0 {
			return len(a) == len(b)
		}
		n := 1
		if a[0] == '"' {
			n = stringLength(a)
		}
		if len(b) < n || a[0] != b[0] || n > 1 && !bytes.Equal(a[:n], b[:n]) {
			return false
		}
		a, b = a[n:], b[n:]
	}
}

// afterSpace returns a text without the white space it begins with.
func afterSpace(s []byte) []byte {
	for len(s) > 0 && (s[0] == ' ' || s[0] == '\n' || s[0] == '\r' || s[0] == '\t') {
		s = s[1:]
	}
	return s
}

// stringLength returns the length of the JSON string that a text begins with,
// quotes and escapes included; of one that does not end, all of it.
func stringLength(s []byte) int {
	for n := 1; ; {
		i := bytes.IndexByte(s[n:], '"')
		if i < 0 {
			return len(s)
		}
		n += i + 1
		slashes := 0
		for s[n-2-slashes] == '\\' {
			slashes++ // ends at the opening quote at the latest
		}
		if slashes%2 == 0 {
			return n
		}
	}
}
