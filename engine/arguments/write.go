package arguments

import (
	"encoding/json"

	"caliper/model/jsontree"
)

// appendValue appends the value as one line of JSON, with numbers as Python
// writes them; NaN and infinities are words, as in Python.
func appendValue(dst []byte, v *jsontree.Node) []byte {
	return v.AppendWith(dst, func(dst []byte, v *jsontree.Node) []byte {
		if v.Kind == jsontree.Number {
			return append(dst, numberText(v.Text)...)
		}
		return v.AppendTo(dst)
	})
}

// echo returns the value as JSON that a strict parser reads.
func echo(v *jsontree.Node) json.RawMessage { return Strict(appendValue(nil, v)) }

// Strict returns arguments as JSON that every parser reads: themselves, or,
// where they hold NaN or an infinity, a string with their text.
func Strict(args []byte) json.RawMessage {
	if json.Valid(args) {
		return args
	}
	return jsontree.Encode(string(args))
}

// Members returns the members of an object that Parse returned, of a name that
// repeats the last one. The values share the memory of the object.
func Members(args []byte) map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	v, err := jsontree.Parse(args, jsontree.Python)
	if err != nil {
		return out
	}
	for _, m := range v.Children {
		out[m.Name] = m.Raw
	}
	return out
}
