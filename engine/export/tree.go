package export

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"caliper/model/jsontree"
)

// node is one JSON value. A value without members or items is kept as it is
// written.
type node struct {
	raw     json.RawMessage
	members []branch // of an object
	items   []*node  // of an array
	kind    byte     // the first of its text: { [ " t f n, a digit or a minus
}

// branch is a member of an object node.
type branch struct {
	name  string
	value *node
}

// readNode returns the tree of a valid JSON value, and null for anything else.
// Of members with one name the last value stays in the place of the first.
func readNode(raw json.RawMessage) *node {
	n, err := jsontree.Parse(raw, jsontree.Strict)
	if err != nil {
		return &node{kind: 'n', raw: json.RawMessage("null")}
	}
	return nodeOf(n)
}

// nodeOf returns a tree as nodes.
func nodeOf(n *jsontree.Node) *node {
	out := &node{raw: n.Raw, kind: n.Raw[0]}
	for _, c := range n.Children {
		if n.Kind == jsontree.Object {
			out.members = append(out.members, branch{c.Name, nodeOf(c.Node)})
		} else {
			out.items = append(out.items, nodeOf(c.Node))
		}
	}
	return out
}

// member returns the value of a member, nil if there is none.
func (n *node) member(name string) *node {
	for _, b := range n.members {
		if b.name == name {
			return b.value
		}
	}
	return nil
}

// is reports whether two values are written alike, but for white space.
func (n *node) is(o *node) bool { return bytes.Equal(n.write(nil), o.write(nil)) }

// with returns n with a member set, in its place or as the last. n stays.
func (n *node) with(name string, value *node) *node {
	out := &node{kind: '{', members: slices.Clone(n.members)}
	for i := range out.members {
		if out.members[i].name == name {
			out.members[i].value = value
			return out
		}
	}
	out.members = append(out.members, branch{name, value})
	return out
}

// without returns n less some members. n stays.
func (n *node) without(names ...string) *node {
	return &node{kind: '{', members: slices.DeleteFunc(slices.Clone(n.members), func(b branch) bool {
		return slices.Contains(names, b.name)
	})}
}

// text returns the string that n is, "" for anything else.
func (n *node) text() string {
	if n == nil || n.kind != '"' {
		return ""
	}
	if inner := n.raw[1 : len(n.raw)-1]; utf8.Valid(inner) && !bytes.ContainsRune(inner, '\\') {
		return string(inner)
	}
	var s string
	_ = json.Unmarshal(n.raw, &s)
	return s
}

// at returns the value at a JSON pointer as the fragment of a reference has it
// (RFC 6901, section 6), nil if there is none.
func (n *node) at(pointer string) *node {
	if pointer == "" {
		return n
	}
	if plain, err := url.PathUnescape(pointer); err == nil {
		pointer = plain
	}
	if pointer[0] != '/' {
		return nil
	}
	for part := range strings.SplitSeq(pointer[1:], "/") {
		part = unescape.Replace(part)
		if i, err := strconv.Atoi(part); n.kind == '[' && err == nil && 0 <= i && i < len(n.items) {
			n = n.items[i]
		} else if n = n.member(part); n == nil {
			return nil
		}
	}
	return n
}

// write appends the value, compact.
func (n *node) write(b []byte) []byte {
	switch n.kind {
	case '{':
		b = append(b, '{')
		for i, m := range n.members {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(jsontree.AppendText(b, m.name), ':')
			b = m.value.write(b)
		}
		return append(b, '}')
	case '[':
		b = append(b, '[')
		for i, v := range n.items {
			if i > 0 {
				b = append(b, ',')
			}
			b = v.write(b)
		}
		return append(b, ']')
	}
	return append(b, n.raw...) // which has no space around it
}

// textNode returns a node that is a string.
func textNode(s string) *node { return &node{kind: '"', raw: jsontree.Encode(s)} }
