package arguments

import (
	"strconv"

	"caliper/model/jsontree"
)

// Place returns where the value that a Problem's Path speaks of stands in the text of the
// arguments: the offsets of its first byte and behind its last. It is not ok where the text is
// no JSON, or has no value there: one that is missing, or a path that leaves out its middle.
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
