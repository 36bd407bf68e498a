package shapes

import (
	"bytes"
	"slices"
	"strconv"
	"unicode/utf8"

	"caliper/model/jsontree"
)

// jsonOfPython returns a text of Python's lists, dictionaries, strings, numbers, True,
// False and None as JSON, nil for a text that has anything else in it. Programs in Python
// that put tools in a prompt often write them as Python does:
//
//	[{'name': 'dock', 'strict': True}]   is   [{"name": "dock", "strict": true}]
//
// It does not check that brackets match: the reader of JSON does.
func jsonOfPython(text []byte) []byte {
	var out []byte
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '\'' || c == '"':
			s, size, ok := pythonString(text[i:])
			if !ok {
				return nil
			}
			out = jsontree.AppendQuoted(out, s)
			i += size
		case bytes.IndexByte([]byte("[]{},: \t\r\n+-.0123456789eE"), c) >= 0:
			out = append(out, c)
			i++
		default:
			words := [][2]string{{"True", "true"}, {"False", "false"}, {"None", "null"}}
			at := slices.IndexFunc(words, func(w [2]string) bool { return bytes.HasPrefix(text[i:], []byte(w[0])) })
			if at < 0 {
				return nil
			}
			out = append(out, words[at][1]...)
			i += len(words[at][0])
		}
	}
	return out
}

// pythonEscapes are the characters that a backslash and a letter stand for.
var pythonEscapes = map[byte]byte{'\\': '\\', '\'': '\'', '"': '"', 'a': '\a', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v'}

// pythonString returns the string that a text begins with, and its length there. ok is false if it
// does not end, or has an escape that Python does not write.
func pythonString(text []byte) (s string, size int, ok bool) {
	var out []byte
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == text[0]:
			return string(out), i + 1, true
		case c != '\\':
			out = append(out, c)
		case i+1 == len(text):
			return "", 0, false
		default:
			i++
			digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[text[i]]
			if e, known := pythonEscapes[text[i]]; known {
				out = append(out, e)
				continue
			}
			if digits == 0 || i+digits >= len(text) {
				return "", 0, false
			}
			code, err := strconv.ParseUint(string(text[i+1:i+1+digits]), 16, 32)
			if err != nil || code > utf8.MaxRune {
				return "", 0, false
			}
			out = utf8.AppendRune(out, rune(code))
			i += digits
		}
	}
	return "", 0, false
}
