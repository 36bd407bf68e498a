package rescue

import (
	"bytes"
	"context"
	"io"
	"regexp"
	"unicode/utf8"
)

// sample is how much of each end of a blob the kind is told by, in bytes.
const sample = 64 << 10

// Detect returns what a text looks like.
func Detect(text []byte) Kind {
	kind, _ := DetectAt(context.Background(), bytes.NewReader(text), int64(len(text)))
	return kind
}

// DetectAt is Detect for a blob of any size. It reads both ends and, when they
// look like JSON, the whole once: broken JSON, JSON with more after it and
// JSON deeper than 1000 are text. Errors are those of src and of the context.
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
	case isBinary(head) || isBinary(tail):
		return Binary, nil
	case looksJSON(head, tail):
		s := newScanner(ctx, io.NewSectionReader(src, 0, size))
		opening := s.next()
		_, _, ok := s.value()
		if s.err != nil {
			return "", s.err
		}
		if ok && s.atEnd() {
			if opening == '[' {
				return JSONArray, nil
			}
			return JSONObject, nil
		}
	case isHTML(head):
		return HTML, nil
	}
	if isCode(head) {
		return Code, nil
	}
	return Text, nil
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

// isBinary reports whether a sample is no text: it has a zero byte, or more
// than one character in ten is no character or a control.
func isBinary(b []byte) bool {
	if bytes.IndexByte(b, 0) >= 0 {
		return true
	}
	for i := 0; i < 3 && len(b) > 0 && !utf8.RuneStart(b[0]); i++ {
		b = b[1:] // the sample may begin inside a character
	}
	b = WholeChars(b)
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

var (
	htmlStart = regexp.MustCompile(`(?i)^(?:\x{FEFF}|\s|<\?xml[^>]*>|<!--(?s:.*?)-->)*<(?:!doctype\s+html|html|head|body|title|meta|div|section|article|main|nav|table|ul|ol|p|h[1-6])[\s>]`)
	codeLine  = regexp.MustCompile(`(?:[{};]|\) ?\{|=>|\):)\s*$|^\s*(?:func|def|class|import|from \S+ import|package|#include|using|return|if \(|for \(|while \(|const|let|var|public|private|static|fn|impl|type|struct|enum|interface|export|module|require|@\w+|<\?php|<\?xml|</?\w+[^>]*>|//|/\*|\*/)(?:\W|$)|^#!`)
)

// isHTML reports whether a text begins as a page or as a part of one.
func isHTML(head []byte) bool { return htmlStart.Match(head) }

// isCode reports whether, of the lines that are not empty, more than two in
// five look like program text. Prose and logs stay far below.
func isCode(head []byte) bool {
	like, all := 0, 0
	for len(head) > 0 && all < 400 {
		var line []byte
		line, head = NextLine(head)
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		all++
		if codeLine.Match(line[:min(len(line), 500)]) {
			like++
		}
	}
	return all >= 3 && like*5 > all*2
}
