package rescue

import (
	"bytes"
	"context"
	"io"
	"unicode/utf8"

	"caliper/model/words"
)

// sample is how much of each end of a blob the kind is detected by, in bytes.
const sample = 64 << 10

// Detect returns what a text looks like to the agent's plugin: JSON by reading
// it, a page or code by its first word. A blob that is no text is Binary, and of what is
// text to the plugin JSON lines, XML and diffs are kinds of their own.
func Detect(text []byte) Kind {
	kind, _ := DetectAt(context.Background(), bytes.NewReader(text), int64(len(text)))
	return kind
}

// DetectAt is Detect for a blob of any size. It reads both ends and, when it
// begins as JSON does, the whole once: broken JSON, JSON with more after it that is
// not on lines, and JSON deeper than 1000 are text. Errors are src's and the context's.
func DetectAt(ctx context.Context, src io.ReaderAt, size int64) (Kind, error) {
	head, err := readPart(src, 0, min(size, sample))
	if err != nil {
		return "", err
	}
	tail, err := readPart(src, max(0, size-sample), size)
	if err != nil {
		return "", err
	}
	switch {
	case isBinary(head, false) || isBinary(tail, size > sample):
		return Binary, nil
	case looksJSON(head, tail):
		s := newScanner(ctx, io.NewSectionReader(src, 0, size))
		opening, begun := s.Peek(), s.Breaks
		_, _, ok := s.Value()
		ended := s.Breaks
		if err := s.ReadErr(); err != nil {
			return "", err
		}
		if ok && s.AtEnd() {
			if opening == '[' {
				return JSONArray, nil
			}
			return JSONObject, nil
		}
		isLines := ok && ended == begun && isJSONLines(s, ended)
		if err := s.ReadErr(); err != nil {
			return "", err
		}
		if isLines {
			return JSONLines, nil
		}
	}
	switch start := bytes.TrimLeftFunc(head, words.PythonSpace); {
	case htmlStart().Match(start):
		return HTML, nil
	case codeStart().Match(start):
		return Code, nil
	}
	return detectText(head, tail), nil
}

// readPart returns the bytes from one offset to another.
func readPart(src io.ReaderAt, from, to int64) ([]byte, error) {
	b := make([]byte, max(0, to-from))
	n, err := src.ReadAt(b, from)
	if n == len(b) {
		return b, nil
	}
	if err == nil || err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return nil, err
}

// isBinary reports whether a sample is no text: it is not all UTF-8, and it has
// a zero byte, or more than one character in ten is no character or a control.
// One that is cut may begin inside a character.
func isBinary(b []byte, isCut bool) bool {
	for i := 0; isCut && i < 3 && len(b) > 0 && !utf8.RuneStart(b[0]); i++ {
		b = b[1:]
	}
	b = WholeChars(b)
	if utf8.Valid(b) {
		return false
	}
	if bytes.IndexByte(b, 0) >= 0 {
		return true
	}
	bad, all := 0, 0
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		if r == utf8.RuneError && size == 1 || r < ' ' && r != '\n' && r != '\r' && r != '\t' && r != '\f' && r != 0x1B {
			bad++
		}
		all++
		b = b[size:]
	}
	return bad*10 > all
}

// looksJSON reports whether the first and the last byte fit each other.
func looksJSON(head, tail []byte) bool {
	const space = " \t\r\n"
	head, tail = bytes.TrimLeft(head, space), bytes.TrimRight(tail, space)
	return len(head) > 0 && len(tail) > 0 &&
		(head[0] == '{' && tail[len(tail)-1] == '}' || head[0] == '[' && tail[len(tail)-1] == ']')
}

// How a page and a program begin for the plugin. Names of tags are beginnings:
// <divider> is a page to it.
var (
	htmlStart = words.LazyRegexp(`^(?i:<!doctype[\s\v\x{85}\p{Z}]+html|<html|<body|<div|<table|<svg|<xml)`)
	codeStart = words.LazyRegexp(`^(?:#!|(?:import|def|class|function|const|let|var|use|package|module) )`)
)
