package workbench

import (
	"bytes"
	"context"
	"errors"
	"io"

	"caliper/engine/tokens"
)

// sized is a text of known size that can be read at any offset.
type sized interface {
	io.ReaderAt
	Size() int64
}

// tokenWindow is the number of bytes that are counted at once.
const tokenWindow = 1 << 20

// textTokens returns the tokens of a text with chars characters. chars4 is a
// quarter of them, rounded up. The exact methods count windows that end at a
// line end if possible, so the count may be off by a token or more at each
// boundary.
func textTokens(ctx context.Context, text sized, m tokens.Method, chars int) (int, error) {
	if m = m.Base(); m == tokens.Chars4 {
		return tokens.Chars4.Tokens(chars), nil
	}
	total := 0
	window := make([]byte, min(tokenWindow, text.Size()))
	for at := int64(0); at < text.Size(); {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		n, err := text.ReadAt(window, at)
		if err != nil && !(errors.Is(err, io.EOF) && at+int64(n) == text.Size()) {
			return 0, err
		}
		part := window[:n]
		if at+int64(n) < text.Size() {
			part = wholeLines(part)
		}
		total += partTokens(m, part)
		at += int64(len(part))
	}
	return total, nil
}

// wholeLines returns the complete lines of a window, or the whole window when
// it has no line end.
func wholeLines(window []byte) []byte {
	if end := bytes.LastIndexByte(window, '\n'); end >= 0 {
		return window[:end+1]
	}
	return window
}

// partTokens returns the tokens of a section of a text exactly as it is
// written. Package tokens counts JSON as if it had no spaces, because it counts
// definitions, while the model gets a result unchanged. JSON is therefore split
// before its last bracket or quote into two halves that are not JSON, and the
// halves are counted separately.
func partTokens(m tokens.Method, part []byte) int {
	end := len(bytes.TrimRight(part, " \t\r\n")) - 1
	if end > 0 && bytes.IndexByte([]byte(`]}"`), part[end]) >= 0 && !bytes.Equal(tokens.Compact(nil, part), part) {
		return m.Tokens(m.Units(part[:end]) + m.Units(part[end:]))
	}
	return m.Tokens(m.Units(part))
}
