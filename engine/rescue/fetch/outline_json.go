package fetch

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"caliper/model/jsontree"
	"caliper/model/words"
)

// The types of JSON values, in the order in which they are listed.
const (
	typeObject = iota
	typeArray
	typeString
	typeNumber
	typeBool
	typeNull
	typesCount
)

var typeNames = [typesCount]string{"object", "array", "string", "number", "boolean", "null"}

// typeOf returns the type of the value that begins with c.
func typeOf(c byte) int {
	switch c {
	case '{':
		return typeObject
	case '[':
		return typeArray
	case '"':
		return typeString
	case 't', 'f':
		return typeBool
	case 'n':
		return typeNull
	}
	return typeNumber
}

// node describes all values at one path. The items of an array share one path.
type node struct {
	key      []byte
	object   int64 // the object that the key was seen in last
	counts   [typesCount]int64
	children []*node // of the objects, in order of first sight
	byKey    map[string]int
	item     *node // of the arrays
	last     int   // place in children of the key seen last
	other    int64 // keys past mostKeys
	deeper   bool  // the values have parts that are not followed
	items    int64 // of all arrays
	least    int64
	most     int64
}

const (
	outlineDepth = 12
	mostKeys     = 300  // of one path
	mostNodes    = 4000 // of one outline
)

// child returns the node of a key, or nil when there are too many. Records
// mostly repeat their keys in one order, so that the key after the last one is
// tried first.
func (n *node) child(key []byte, nodes *int) *node {
	if next := n.last + 1; next < len(n.children) && bytes.Equal(n.children[next].key, key) {
		n.last = next
		return n.children[next]
	}
	if len(n.children) > 0 && bytes.Equal(n.children[0].key, key) {
		n.last = 0
		return n.children[0]
	}
	if i, ok := n.byKey[string(key)]; ok {
		n.last = i
		return n.children[i]
	}
	if len(n.children) >= mostKeys || *nodes >= mostNodes {
		n.other++
		return nil
	}
	*nodes++
	c := &node{key: bytes.Clone(key)}
	if n.byKey == nil {
		n.byKey = map[string]int{}
	}
	n.last = len(n.children)
	n.byKey[string(key)] = n.last
	n.children = append(n.children, c)
	return c
}

// frame is an open container on the way down.
type frame struct {
	n      *node
	array  bool
	items  int64
	object int64 // counts the objects
}

// survey is the reading of values into a tree of nodes.
type survey struct {
	*jsontree.Scanner
	nodes   int
	objects int64
	// repeats is set when a key stands twice in one object. The first value of
	// it is in the tree already, so that the tree says too much.
	repeats bool
	broken  bool // what is outlined ends at a fault
}

// outlineJSON outlines the values in data, whose first byte has the offset from;
// several values, as in JSON lines, are outlined together. The last of equal keys of one
// object counts. Its error is *malformed when the text is no JSON; with salvage, what
// came before the fault is outlined instead, and broken is true.
func outlineJSON(data []byte, from int, pointer string, salvage bool) (out []string, broken bool, err error) {
	v := &survey{Scanner: newScanner(data, from)}
	out, err = v.outline(pointer, salvage, v.value)
	if v.repeats {
		// Once more, a value at a time, which takes a tree for each.
		v = &survey{Scanner: newScanner(data, from)}
		out, err = v.outline(pointer, salvage, func(root *node) error {
			n, err := v.tree(0)
			if n != nil {
				v.merge(root, n)
			}
			return err
		})
	}
	return out, v.broken, err
}

// outline takes all values into one tree with take, and lists it.
func (v *survey) outline(pointer string, salvage bool, take func(root *node) error) ([]string, error) {
	root, values := &node{}, int64(0)
	var out []string
	for ; !v.AtEnd(); values++ {
		var err error
		if c := v.Peek(); c != '{' && c != '[' && pointer == "" {
			err = wrong(v.Scanner, "neither { nor [ begins a value")
		} else {
			err = take(root)
		}
		if err != nil && salvage && (values > 0 || len(root.children) > 0 || root.item != nil) {
			out = append(out, "no JSON from "+err.Error()+"; this is what comes before it")
			v.broken = true
			values++
			break
		}
		if err != nil {
			return nil, err
		}
	}
	if values == 0 {
		return nil, wrong(v.Scanner, "no value")
	}
	if values > 1 {
		out = append(out, fmt.Sprintf("%d JSON values one after the other, outlined together; a pointer needs a single one", values))
	}
	return root.list(out, pointer), nil
}

// value takes one value into the tree at root.
func (v *survey) value(root *node) error {
	var stack []frame
	// After a fault, what was seen of the open arrays counts.
	defer func() {
		for i := range stack {
			stack[i].close()
		}
	}()
	at := root
	for {
		// A value of the path at, which is nil where nothing is kept.
		c := v.Peek()
		if v.ended() {
			return fault(v.Scanner)
		}
		kind := typeOf(c)
		if at != nil {
			at.counts[kind]++
		}
		switch {
		case at == nil || kind > typeArray || len(stack) >= outlineDepth:
			if at != nil && kind <= typeArray {
				at.deeper = true
			}
			if !v.Skip() {
				return fault(v.Scanner)
			}
		default:
			v.Take(c)
			v.objects++
			stack = append(stack, frame{n: at, array: kind == typeArray, object: v.objects})
			at.last = -1
		}
		// What follows: a next part of an open container, or its end.
		for {
			if len(stack) == 0 {
				return nil
			}
			f := &stack[len(stack)-1]
			if !v.Next(f.closing(), f.items > 0) {
				if err := fault(v.Scanner); err != nil {
					return err
				}
				f.close()
				stack = stack[:len(stack)-1]
				continue
			}
			f.items++
			var ok bool
			if at, ok = v.part(f); !ok {
				return fault(v.Scanner)
			}
			break
		}
	}
}

// ended reports whether the text ends where a value must be.
func (v *survey) ended() bool { return v.AtEnd() && !v.Fail(jsontree.NoValue) }

// tree returns the nodes of one value, where the last of equal keys counts. With
// an error they are of what came before it.
func (v *survey) tree(depth int) (*node, error) {
	c := v.Peek()
	if v.ended() {
		return nil, fault(v.Scanner)
	}
	n, kind := &node{}, typeOf(c)
	n.counts[kind]++
	v.nodes++
	if kind > typeArray || depth >= outlineDepth {
		n.deeper = kind <= typeArray
		v.Skip()
		return n, fault(v.Scanner)
	}
	v.Take(c)
	f := frame{n: n, array: kind == typeArray}
	defer f.close()
	for {
		if !v.Next(f.closing(), f.items > 0) {
			return n, fault(v.Scanner)
		}
		f.items++
		at, ok := v.part(&f)
		if !ok {
			return n, fault(v.Scanner)
		}
		var err error
		if at == nil {
			v.Skip()
			err = fault(v.Scanner)
		} else {
			var part *node
			if part, err = v.tree(depth + 1); part == nil {
				return n, err
			}
			if f.array {
				v.merge(at, part)
			} else {
				v.nodes -= at.size()
				part.key = at.key
				*at = *part
			}
		}
		if err != nil {
			return n, err
		}
	}
}

// merge takes the values of from, which are no longer needed, into n.
func (v *survey) merge(n, from *node) {
	v.nodes -= from.size()
	n.add(from, &v.nodes)
}

// size returns the number of nodes.
func (n *node) size() int {
	size := 1
	for _, c := range n.children {
		size += c.size()
	}
	if n.item != nil {
		size += n.item.size()
	}
	return size
}

// add takes the values of from into n.
func (n *node) add(from *node, nodes *int) {
	if from.counts[typeArray] > 0 {
		if n.counts[typeArray] == 0 || from.least < n.least {
			n.least = from.least
		}
		n.most = max(n.most, from.most)
		n.items += from.items
	}
	for t, c := range from.counts {
		n.counts[t] += c
	}
	n.other += from.other
	n.deeper = n.deeper || from.deeper
	for _, c := range from.children {
		if child := n.child(c.key, nodes); child != nil {
			child.add(c, nodes)
			continue
		}
		n.other-- // child has counted one
		for _, values := range c.counts {
			n.other += values
		}
	}
	if from.item != nil {
		if n.item == nil {
			n.item = &node{}
		}
		n.item.add(from.item, nodes)
	}
}

// close takes the length of an array into its node.
func (f *frame) close() {
	if !f.array {
		return
	}
	n := f.n
	if n.counts[typeArray] == 1 || f.items < n.least {
		n.least = f.items
	}
	n.most = max(n.most, f.items)
	n.items += f.items
}

// closing returns the bracket that ends the container.
func (f *frame) closing() byte {
	if f.array {
		return ']'
	}
	return '}'
}

// part returns the node of the next part of f, after its key if it has one; nil
// where nothing is kept.
func (v *survey) part(f *frame) (n *node, ok bool) {
	if f.array {
		if f.n.item == nil {
			f.n.item = &node{}
			v.nodes++
		}
		return f.n.item, true
	}
	if !v.Key() {
		return nil, false
	}
	key := v.Text()
	if bytes.IndexByte(key, '\\') >= 0 {
		key = []byte(unquote(key))
	}
	child := f.n.child(key, &v.nodes)
	if child != nil && f.object > 0 {
		v.repeats = v.repeats || child.object == f.object
		child.object = f.object
	}
	return child, v.Colon()
}

// list appends the entries of n and of the values below it. The path of the items
// of an array has a *.
func (n *node) list(out []string, path string) []string {
	if len(out) >= mostEntries {
		return out
	}
	if len(out) == mostEntries-1 {
		return append(out, "more paths are left out: give outline a pointer to see below one")
	}
	shownPath := path
	if shownPath == "" {
		shownPath = "(root)"
	}
	out = append(out, flatPath(shownPath)+": "+n.types())
	for _, c := range n.children {
		out = c.list(out, path+"/"+jsontree.EscapeToken(string(c.key)))
	}
	if n.other > 0 && len(out) < mostEntries {
		out = append(out, fmt.Sprintf("%s/…: %s under other keys", flatPath(path), words.Count(n.other, "more value")))
	}
	if n.item != nil {
		out = n.item.list(out, path+"/*")
	}
	return out
}

// types says which types the values have and how often.
func (n *node) types() string {
	var parts []string
	for t, c := range n.counts {
		if c == 0 {
			continue
		}
		word := typeNames[t]
		if c > 1 {
			word += " ×" + strconv.FormatInt(c, 10)
		}
		switch {
		case t == typeObject && n.other > 0 && len(n.children) > 0:
			word += ", more than " + words.Count(len(n.children), "key")
		case t == typeObject && len(n.children) > 0:
			word += ", " + words.Count(len(n.children), "key")
		case t == typeArray && n.deeper && n.item == nil:
		case t == typeArray && n.least == n.most:
			word += ", " + words.Count(n.most, "item")
			if c > 1 {
				word += " each"
			}
		case t == typeArray:
			word += fmt.Sprintf(", %d to %d items, %d in all", n.least, n.most, n.items)
		}
		parts = append(parts, word)
	}
	text := strings.Join(parts, " | ")
	if n.deeper {
		text += " (deeper parts left out: give outline a pointer)"
	}
	return text
}

// flatPath keeps a path on one line.
// SECURITY: a key with line breaks or control characters is quoted, so that it
// cannot forge an entry.
func flatPath(path string) string {
	for _, c := range path {
		if c < ' ' || c == 0x7f || c == '\u2028' || c == '\u2029' {
			return strconv.Quote(path)
		}
	}
	return shown([]byte(path))
}
