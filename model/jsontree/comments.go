package jsontree

import "bytes"

// withoutComments returns the text without comments and trailing commas, t itself if it has none.
func (t *Text) withoutComments() (*Text, []Fault) {
	data, first := blankComments(t.Data)
	if first < 0 {
		return t, nil
	}
	return &Text{Data: data, under: t}, []Fault{{At: t.Origin(first), Code: "json_comments",
		Message: "comments or trailing commas, which are not JSON; read without them"}}
}

// blankComments returns data with spaces for comments and commas before a closing bracket (JSONC),
// so that positions stay, and the offset of the first; data itself and -1 for none.
func blankComments(data []byte) (out []byte, first int) {
	first = -1
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
	return data, first
}

// commentEnd returns the length of the comment that b begins with, 0 for none, -1 if it does not
// end.
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

// Whole reports whether the brackets outside strings and the last string of data are closed: a
// file that is still being written is not whole.
func Whole(data []byte) bool {
	depth := 0
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '"':
			n := stringEnd(data[i+1:])
			if n < 0 {
				return false
			}
			i += n + 1
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
	}
	return depth == 0 && len(data) > 0
}

// stringEnd returns the offset of the quote that ends the string whose content data begins with,
// or -1.
func stringEnd(data []byte) int {
	for from := 0; ; {
		n := bytes.IndexByte(data[from:], '"')
		if n < 0 {
			return -1
		}
		end := from + n
		escapes := end
		for escapes > from && data[escapes-1] == '\\' {
			escapes--
		}
		if (end-escapes)%2 == 0 {
			return end
		}
		from = end + 1
	}
}
