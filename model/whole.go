package model

// Whole reports whether data looks like a complete text of a dump: every
// bracket outside strings is closed, and the last string too. It reads data
// once without parsing it, so that a watcher can tell a file that is still
// being written from one that is wrong. Text without brackets is whole.
func Whole(data []byte) bool {
	depth, inString := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case inString:
			switch c {
			case '\\':
				i++
			case '"':
				inString = false
			}
		case c == '"':
			inString = true
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		}
	}
	return depth == 0 && !inString && len(data) > 0
}
