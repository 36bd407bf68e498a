package fetch

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"caliper/engine/rescue"
	"caliper/model/jsontree"
	"caliper/model/words"
)

// The types of JSON values, in the order in which they are listed.
var typeNames = [...]string{"object", "array", "string", "number", "boolean", "null"}

// The types that have parts.
const (
	typeObject = iota
	typeArray
)

// typeOf returns the type of the value that begins with c.
func typeOf(c byte) int { return slices.Index(typeNames[:], rescue.TypeOf(c)) }

// node describes all values at one path. The items of an array share one path.
type node struct {
	key      []byte
	counts   [len(typeNames)]int64
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

// outlineJSON outlines the values in data, whose first byte has the offset from;
// several values, as in JSON lines, are outlined together. The last of equal keys of one
// object counts. Its error is *malformed when the text is no JSON; with salvage, what
// came before the fault is outlined instead, and broken is true.
func outlineJSON(data []byte, from int, pointer string, salvage bool) (out []string, broken bool, err error) {
	s, root, values, nodes := newScanner(data, from), &node{}, int64(0), 0
	for ; !s.AtEnd(); values++ {
		var err error
		if c := s.Peek(); c != '{' && c != '[' && pointer == "" {
			err = wrong(s, "neither { nor [ begins a value")
		} else {
			var n *node
			if n, err = tree(s, 0); n != nil {
				root.add(n, &nodes)
			}
		}
		if err != nil && salvage && (values > 0 || len(root.children) > 0 || root.item != nil) {
			out = append(out, "no JSON from "+err.Error()+"; this is what comes before it")
			broken = true
			values++
			break
		}
		if err != nil {
			return nil, false, err
		}
	}
	if values == 0 {
		return nil, false, wrong(s, "no value")
	}
	if values > 1 {
		out = append(out, fmt.Sprintf("%d JSON values one after the other, outlined together; a pointer needs a single one", values))
	}
	return root.list(out, pointer), broken, nil
}

// tree returns the nodes of the next value, where the last of equal keys counts, at most mostNodes
// of them. With an error they are of what came before it, nil for nothing.
func tree(s *jsontree.Scanner, depth int) (*node, error) {
	c := s.Peek()
	if s.AtEnd() && !s.Fail(jsontree.NoValue) {
		return nil, fault(s)
	}
	n, kind, nodes, items := &node{}, typeOf(c), 0, int64(0)
	n.counts[kind]++
	if kind > typeArray || depth >= outlineDepth {
		n.deeper = kind <= typeArray
		s.Skip()
		return n, fault(s)
	}
	s.Take(c)
	if kind == typeArray { // after a fault, what was seen of it counts
		defer func() { n.least, n.most, n.items = items, items, items }()
	}
	for s.Next(c+2, items > 0) { // } is { + 2, and ] is [ + 2
		items++
		at := n.item
		switch {
		case kind == typeObject:
			if !s.Key() {
				return n, fault(s)
			}
			at = n.child([]byte(unquote(s.Text())), &nodes)
			if !s.Colon() {
				return n, fault(s)
			}
		case at == nil:
			at = &node{}
			n.item = at
			nodes++
		}
		if at == nil { // nothing more is kept
			s.Skip()
			if err := fault(s); err != nil {
				return n, err
			}
			continue
		}
		part, err := tree(s, depth+1)
		if part != nil {
			if kind == typeObject {
				nodes -= at.size() - 1
				*at = node{key: at.key}
			}
			at.add(part, &nodes)
		}
		if err != nil {
			return n, err
		}
	}
	return n, fault(s)
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
			*nodes++
		}
		n.item.add(from.item, nodes)
	}
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
	var parts []string // which types the values have and how often
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
	out = append(out, flatPath(shownPath)+": "+text)
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
