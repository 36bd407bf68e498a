package workbench

import (
	"bytes"
	"context"
	"errors"
	"io"

	"caliper/engine/tokens"
)

// sized is bytes at offsets.
type sized interface {
	io.ReaderAt
	Size() int64
}

// tokenWindow is how much text is counted at once, in bytes.
const tokenWindow = 1 << 20

// textTokens returns the tokens of a text that has so many characters. chars4
// is a quarter of them, rounded up. The exact methods count by windows that end with a
// line where there is one, so that a text of several windows may count for a
// token more or less at each seam.
func textTokens(ctx context.Context, text sized, m tokens.Method, chars int) (int, error) {
	if m == "" || m == tokens.Chars4 {
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

// wholeLines returns the lines of a window that end in it, or all of it when
// none does.
func wholeLines(window []byte) []byte {
	if end := bytes.LastIndexByte(window, '\n'); end >= 0 {
		return window[:end+1]
	}
	return window
}

// partTokens returns the tokens of a part of a text. Package tokens counts
// definitions, and would count JSON as if it were written without spaces. The
// model gets a result as it is; so JSON is counted in two halves that are
// none, its last bracket or quote with what follows it apart.
func partTokens(m tokens.Method, part []byte) int {
	end := len(bytes.TrimRight(part, " \t\r\n")) - 1
	if end > 0 && bytes.IndexByte([]byte(`]}"`), part[end]) >= 0 && !bytes.Equal(tokens.Compact(nil, part), part) {
		return m.Tokens(m.Units(part[:end]) + m.Units(part[end:]))
	}
	return m.Tokens(m.Units(part))
}
