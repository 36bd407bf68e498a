package arguments

import (
	"bytes"
	"encoding/json"
)

// append appends the value as one line of JSON, with numbers as Python writes
// them; NaN and infinities are words, as in Python.
func (v *value) append(dst []byte) []byte {
	switch v.kind {
	case number:
		return append(dst, numberText(v.text)...)
	case str:
		return appendText(dst, v.text)
	case array:
		dst = append(dst, '[')
		for i, item := range v.items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = item.append(dst)
		}
		return append(dst, ']')
	case object:
		dst = append(dst, '{')
		for i, m := range v.members {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(appendText(dst, m.name), ':')
			dst = m.value.append(dst)
		}
		return append(dst, '}')
	}
	return append(dst, v.text...)
}

// appendText appends a text as a JSON string.
func appendText(dst []byte, text string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a text always encodes
	return append(dst, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
}

// echo returns the value as JSON that a strict parser reads.
func (v *value) echo() json.RawMessage { return Strict(v.append(nil)) }

// Strict returns arguments as JSON that every parser reads: themselves, or,
// where they hold NaN or an infinity, a string with their text.
func Strict(args []byte) json.RawMessage {
	if json.Valid(args) {
		return args
	}
	return appendText(nil, string(args))
}

// Members returns the members of an object that Parse returned, of a name that
// repeats the last one. The values share the memory of the object.
func Members(args []byte) map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	v, err := parse(args)
	if err != nil {
		return out
	}
	for _, m := range v.members {
		out[m.name] = args[m.value.start:m.value.end:m.value.end]
	}
	return out
}
