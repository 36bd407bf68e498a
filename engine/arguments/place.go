package arguments

import (
	"strconv"

	"caliper/model/jsontree"
)

// Place returns the place of a value in the text of the arguments: the offset of its first
// byte, and the offset behind its last. The path is a Problem's. Ok is false where the
// text is not JSON, or has no such value, and for a long path whose middle is left out.
func Place(text, path string) (start, end int, ok bool) {
	root, err := jsontree.Parse([]byte(text), jsontree.Python)
	if err != nil {
		return 0, 0, false
	}
	n := valueAt(root, "", path)
	if n == nil {
		return 0, 0, false
	}
	return n.At, n.At + len(n.Raw), true
}

// valueAt returns the value with a path in a value that has the path here, nil for none.
func valueAt(n *jsontree.Node, here, path string) *jsontree.Node {
	if here == path {
		return n
	}
	for i, c := range n.Children {
		at := here + "[" + strconv.Itoa(i) + "]"
		if n.Kind == jsontree.Object {
			at = into(here, c.Name)
		}
		if found := valueAt(c.Node, at, path); found != nil {
			return found
		}
	}
	return nil
}
