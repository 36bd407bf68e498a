package model

import "bytes"

// withoutComments returns the text without comments and trailing commas, which
// editors allow in their configuration files (JSONC): they become spaces, so
// that every position stays. It returns t itself if it finds none.
func (t *text) withoutComments() (*text, []finding) {
	data := t.data
	first := -1
	blank := func(start, end int) {
		if first < 0 {
			first = start
			data = bytes.Clone(data)
		}
		for i := start; i < end; i++ {
			if data[i] != '\n' && data[i] != '\r' {
				data[i] = ' '
			}
		}
	}
	comma := -1         // of the last value, with nothing behind it yet
	before := byte('[') // the last byte that is neither white space nor comment
	for i := 0; i < len(data); i++ {
		switch b := data[i]; b {
		case ' ', '\t', '\r', '\n':
			continue
		case '/':
			switch end := commentEnd(data[i:]); {
			case end < 0:
				i = len(data)
				continue
			case end > 0:
				blank(i, i+end)
				i += end - 1
				continue
			}
			comma = -1
		case '"':
			n := stringEnd(data[i+1:])
			if n < 0 {
				i = len(data)
				continue
			}
			i += n + 1
			comma = -1
		case ',':
			comma = -1
			if before != '[' && before != '{' && before != ',' && before != ':' {
				comma = i
			}
		case '}', ']':
			if comma >= 0 {
				blank(comma, comma+1)
			}
			comma = -1
		default:
			comma = -1
		}
		before = data[i]
	}
	if first < 0 {
		return t, nil
	}
	return &text{data: data, under: t, copied: true}, []finding{{at: t.origin(first), code: "json_comments",
		message: "comments or trailing commas, which are no JSON; read without them"}}
}

// commentEnd returns the length of the comment that b begins with, 0 if it
// begins with none, and -1 if the comment does not end.
func commentEnd(b []byte) int {
	switch {
	case bytes.HasPrefix(b, []byte("//")):
		if n := bytes.IndexAny(b, "\r\n"); n >= 0 {
			return n
		}
		return len(b)
	case bytes.HasPrefix(b, []byte("/*")):
		if n := bytes.Index(b[2:], []byte("*/")); n >= 0 {
			return n + 4
		}
		return -1
	}
	return 0
}
