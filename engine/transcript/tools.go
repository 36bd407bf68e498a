package transcript

import (
	"bytes"

	"caliper/model/jsontree"
)

// ParseTools returns a tools array.
func ParseTools(tools *jsontree.Node) (a ToolArray) {
	for _, t := range tools.Elements() {
		a.Definitions = append(a.Definitions, bytes.Clone(jsontree.Compact(t.Raw)))
	}
	return a
}

// AddArray returns the arrays of a session with one, and its index in them. An array with the
// same bytes as one that is there is that one.
func AddArray(arrays []ToolArray, a ToolArray) ([]ToolArray, int) {
	for i := len(arrays) - 1; i >= 0; i-- {
		if equal(arrays[i], a) {
			return arrays, i
		}
	}
	return append(arrays, a), len(arrays)
}

func equal(a, b ToolArray) bool {
	if len(a.Definitions) != len(b.Definitions) {
		return false
	}
	for i := range a.Definitions {
		if !bytes.Equal(a.Definitions[i], b.Definitions[i]) {
			return false
		}
	}
	return true
}
