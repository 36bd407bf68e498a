package model

import "bytes"

// Whole reports whether data looks like a complete text of a dump: every
// bracket outside strings is closed, and the last string too. It reads data
// once without parsing it, so that a watcher can tell a file that is still
// being written from one that is wrong. Text without brackets is whole.
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

// stringEnd returns the offset of the quote that ends the string whose content
// data begins with, or -1. Most of a dump is text, and this skips it as fast
// as one byte can be searched for.
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
