package fetch

import (
	"errors"
	"io"
	"unicode/utf8"
)

// readAt fills buf from src at off as far as the blob goes.
func readAt(src Source, buf []byte, off int64) ([]byte, error) {
	if left := src.Size() - off; int64(len(buf)) > left {
		buf = buf[:max(0, left)]
	}
	if len(buf) == 0 {
		return buf, nil
	}
	n, err := src.ReadAt(buf, off)
	if n == len(buf) {
		return buf, nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return nil, readFault(off+int64(n), err)
}

// shown returns b as text: every byte that is no UTF-8 becomes one U+FFFD.
func shown(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	out := make([]byte, 0, len(b)+len(b)/4)
	for len(b) > 0 {
		c, size := utf8.DecodeRune(b)
		out = utf8.AppendRune(out, c)
		b = b[size:]
	}
	return string(out)
}

// prefix returns the bytes that the first n characters of b take, and how many
// characters that are when b has fewer.
func prefix(b []byte, n int64) (size int, chars int64) {
	for chars < n && size < len(b) {
		if b[size] < utf8.RuneSelf {
			size++
		} else {
			_, w := utf8.DecodeRune(b[size:])
			size += w
		}
		chars++
	}
	return size, chars
}

// suffix returns where the last n characters of b begin.
func suffix(b []byte, n int) int {
	at := len(b)
	for ; n > 0 && at > 0; n-- {
		_, w := utf8.DecodeLastRune(b[:at])
		at -= w
	}
	return at
}

// aligned returns the largest i <= at at which a character of b begins. b must
// hold the three bytes before at, as far as the blob has them.
func aligned(b []byte, at int) int {
	for back := 1; back < utf8.UTFMax && back <= at; back++ {
		if utf8.RuneStart(b[at-back]) {
			if _, w := utf8.DecodeRune(b[at-back:]); w > back {
				return at - back
			}
			break
		}
	}
	return at
}
