package dialogue

import (
	"bytes"

	"caliper/engine/transcript"
	"caliper/model/jsontree"
)

// Tools returns a tools array.
func Tools(tools *jsontree.Node) (a transcript.ToolArray) {
	for _, t := range tools.Elements() {
		a.Definitions = append(a.Definitions, bytes.Clone(jsontree.Compact(t.Raw)))
	}
	return a
}

// Array returns the arrays of a session with one, and its index in them. An array with the
// same bytes as one that is there is that one.
func Array(arrays []transcript.ToolArray, a transcript.ToolArray) ([]transcript.ToolArray, int) {
	for i := len(arrays) - 1; i >= 0; i-- {
		if equal(arrays[i], a) {
			return arrays, i
		}
	}
	return append(arrays, a), len(arrays)
}

func equal(a, b transcript.ToolArray) bool {
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
