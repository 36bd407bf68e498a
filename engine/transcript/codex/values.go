package codex

import (
	"strconv"

	"caliper/model/jsontree"
)

// text returns the text at a path, "" when there is none.
func text(v jsontree.Value, path ...string) string { return v.Member(path...).Text() }

// number returns a whole number, 0 for what is none.
func number(v jsontree.Value) int {
	n, err := strconv.Atoi(string(v.Raw))
	if err != nil {
		return 0
	}
	return n
}
