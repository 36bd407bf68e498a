package dialogue

import "caliper/model/jsontree"

// Parse returns the tree of an object of a log, read over bytes that are no UTF-8; ok is
// false for what is no JSON object.
func Parse(data []byte) (n *jsontree.Node, ok bool) {
	n, err := jsontree.Parse(jsontree.Mend(data), jsontree.Strict)
	return n, err == nil && n.Is(jsontree.Object)
}
