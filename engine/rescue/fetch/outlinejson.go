package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
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

// node stands for all values at one path, where the items of an array share
// one path.
type node struct {
	raw      []byte // the key, as written
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
	if next := n.last + 1; next < len(n.children) && bytes.Equal(n.children[next].raw, key) {
		n.last = next
		return n.children[next]
	}
	if len(n.children) > 0 && bytes.Equal(n.children[0].raw, key) {
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
	c := &node{raw: bytes.Clone(key)}
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
	n     *node
	array bool
	items int64
}

// outlineJSON outlines the values in bytes [from, to); several values, as in
// JSON lines, are outlined together. Its error is *malformed when the text is
// no JSON; with salvage, what came before the fault is outlined instead.
func outlineJSON(ctx context.Context, x *index, from, to int64, pointer string, salvage bool) ([]string, error) {
	s := newScanner(ctx, x.src, from, to)
	root, nodes, values := &node{}, 0, int64(0)
	var out []string
	for {
		c, err := s.peek()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil && c != '{' && c != '[' && pointer == "" {
			err = s.wrong("neither { nor [ begins a value")
		}
		if err == nil {
			err = s.survey(root, &nodes)
		}
		var m *malformed
		if salvage && (values > 0 || len(root.children) > 0 || root.item != nil) && errors.As(err, &m) {
			out = append(out, "no JSON from "+m.Error()+"; this is what comes before it")
			values++
			break
		}
		if err != nil {
			return nil, err
		}
		values++
	}
	if values == 0 {
		return nil, s.wrong("no value")
	}
	if values > 1 {
		out = append(out, fmt.Sprintf("%d JSON values one after the other, outlined together; a pointer needs a single one", values))
	}
	return root.list(out, pointer), nil
}

// survey takes one value into the tree at root.
func (s *scanner) survey(root *node, nodes *int) error {
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
		c, err := s.want()
		if err != nil {
			return err
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
			if err := s.skipValue(); err != nil {
				return err
			}
		default:
			s.pos++
			stack = append(stack, frame{n: at, array: kind == typeArray})
			at.last = -1
		}
		// What follows: a next part of an open container, or its end.
		for {
			if len(stack) == 0 {
				return nil
			}
			f := &stack[len(stack)-1]
			c, err := s.want()
			if err != nil {
				return err
			}
			if f.array && c == ']' || !f.array && c == '}' {
				s.pos++
				f.close()
				stack = stack[:len(stack)-1]
				continue
			}
			if f.items > 0 {
				if c != ',' {
					return s.wrong("a comma is missing")
				}
				s.pos++
			}
			f.items++
			if at, err = s.part(f, nodes); err != nil {
				return err
			}
			break
		}
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

// part returns the node of the next part of f, after its key if it has one.
func (s *scanner) part(f *frame, nodes *int) (*node, error) {
	if f.array {
		if f.n.item == nil {
			f.n.item = &node{}
		}
		return f.n.item, nil
	}
	c, err := s.want()
	if err != nil {
		return nil, err
	}
	if c != '"' {
		return nil, s.wrong("a key is missing")
	}
	key, err := s.key()
	if err != nil {
		return nil, err
	}
	child := f.n.child(key, nodes)
	return child, s.colon()
}

// list appends the entries of n and what is below it. * stands for every item
// of an array.
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
		out = c.list(out, path+"/"+escape(unquote(c.raw)))
	}
	if n.other > 0 && len(out) < mostEntries {
		out = append(out, fmt.Sprintf("%s/…: %s under other keys", flatPath(path), count(n.other, "more value")))
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
			word += ", more than " + count(len(n.children), "key")
		case t == typeObject && len(n.children) > 0:
			word += ", " + count(len(n.children), "key")
		case t == typeArray && n.deeper && n.item == nil:
		case t == typeArray && n.least == n.most:
			word += ", " + count(n.most, "item")
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

// escape writes a key as a part of a pointer.
func escape(key string) string {
	return strings.ReplaceAll(strings.ReplaceAll(key, "~", "~0"), "/", "~1")
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
