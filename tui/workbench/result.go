package workbench

import (
	"bytes"

	"caliper/engine/rescue"
	"caliper/engine/tokens"
)

// Result is the result of a tool, without its envelope and counted.
type Result struct {
	Tool         string
	Envelope     string // envelope that was removed; empty for none
	Chars, Lines int
	Kind         rescue.Kind
	Text         []byte // the text that the model would get
}

// tokenWindow is the number of bytes that are counted at once.
const tokenWindow = 1 << 20

// textTokens returns the tokens of a text with chars characters. chars4 is a
// quarter of them, rounded up. The exact methods count windows that end at a
// line end if possible, so the count may be off by a token or more at each
// boundary.
func textTokens(text []byte, m tokens.Method, chars int) int {
	if m = m.Base(); m == tokens.Chars4 {
		return tokens.Chars4.Tokens(chars)
	}
	total := 0
	for len(text) > 0 {
		part := text[:min(tokenWindow, len(text))]
		if end := bytes.LastIndexByte(part, '\n'); end >= 0 && len(part) < len(text) {
			part = part[:end+1]
		}
		// Package tokens counts JSON as if it had no spaces, because it counts definitions, while the
		// model gets a result unchanged. JSON is therefore split before its last bracket or quote into
		// two halves that are not JSON.
		halves := [][]byte{part}
		if end := len(bytes.TrimRight(part, " \t\r\n")) - 1; end > 0 && bytes.IndexByte([]byte(`]}"`), part[end]) >= 0 && !bytes.Equal(tokens.Compact(nil, part), part) {
			halves = [][]byte{part[:end], part[end:]}
		}
		units := 0
		for _, half := range halves {
			units += m.Units(half)
		}
		total += m.Tokens(units)
		text = text[len(part):]
	}
	return total
}
