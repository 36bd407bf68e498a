package jsontree

import (
	"bytes"
	"slices"
	"unicode/utf8"
	"unsafe"
)

// Room is memory for one tree after the other. Each is gone with the next one. The
// zero value is ready. Reading a small value into a room allocates nothing, which else takes
// most of the time of reading many.
type Room struct {
	nodes    []Node
	children []Child
	text     []byte  // what texts with escapes stand for
	open     []Child // of the arrays and objects that are not closed
}

// How many nodes, or children, are in one piece. A room keeps the last piece: the others go
// with their tree, so that a large tree leaves no large room.
const leastPiece, largestPiece = 32, 1024

// How many bytes of texts are in one piece. A text that is longer than the largest has memory
// of its own.
const leastText, largestText = 1 << 10, 64 << 10

// reset takes everything from the tree before.
func (r *Room) reset() {
	clear(r.nodes) // a node may keep a whole text
	clear(r.children)
	r.nodes, r.children, r.text = r.nodes[:0], r.children[:0], r.text[:0]
}

// node returns an empty node. What was made before stays where it is.
func (r *Room) node() *Node {
	last := len(r.nodes)
	if last == cap(r.nodes) {
		r.nodes, last = make([]Node, 0, pieceOf(cap(r.nodes), 1)), 0
	}
	r.nodes = r.nodes[:last+1]
	return &r.nodes[last]
}

// copyOf returns a copy of a list.
func (r *Room) copyOf(list []Child) []Child {
	if len(list) > largestPiece {
		return slices.Clone(list)
	}
	from := len(r.children)
	if from+len(list) > cap(r.children) {
		r.children, from = make([]Child, 0, pieceOf(cap(r.children), len(list))), 0
	}
	r.children = append(r.children, list...)
	return r.children[from:len(r.children):len(r.children)]
}

// pieceOf returns how long a piece of memory is behind one, so that least is in it.
func pieceOf(before, least int) int {
	return max(least, min(max(leastPiece, 2*before), largestPiece))
}

// unescaped returns what the inside of a string with escapes stands for.
func (r *Room) unescaped(raw []byte) string {
	if len(raw) > largestText {
		return unescaped(raw)
	}
	if len(r.text)+len(raw) > cap(r.text) {
		r.text = make([]byte, 0, min(max(2*cap(r.text), 2*len(raw), leastText), largestText))
	}
	from := len(r.text)
	r.text = AppendUnescaped(r.text, raw)
	return shared(r.text[from:])
}

// unescaped returns what the inside of a string stands for, in memory of its own.
func unescaped(raw []byte) string { return shared(AppendUnescaped(make([]byte, 0, len(raw)), raw)) }

// shared returns a text in the memory of b.
func shared(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// Tree reads the next value, as Parse does, into a room. The tree is valid until the next one
// is read into it. Its texts without escapes are slices of the text, which must not change as
// long as they are used; the others are in the room.
func (w *Walker) Tree(in *Room) (n *Node, ok bool) {
	n = w.s.in(in)
	return n, w.s.Err() == nil
}

// in reads the value that comes next into a room.
func (p *parser) in(room *Room) *Node {
	room.reset()
	p.room, p.open = room, room.open
	n := p.value()
	clear(p.open) // what a fault left open
	if room.open = p.open[:0]; cap(room.open) > largestPiece {
		room.open = nil
	}
	p.room, p.open = nil, nil
	return n
}

// node returns a node.
func (p *parser) node(kind Kind, at int, raw []byte, text string) *Node {
	if p.room == nil {
		return &Node{Kind: kind, At: at, Raw: raw, Text: text}
	}
	n := p.room.node()
	n.Kind, n.At, n.Raw, n.Text = kind, at, raw, text
	return n
}

// text returns bytes of the text as a string.
func (p *parser) text(raw []byte) string {
	if p.room == nil {
		return string(raw)
	}
	return shared(raw)
}

// string reads a string and returns what it stands for.
func (p *parser) string() (text string, ok bool) {
	if !p.str(false) {
		return "", false
	}
	raw := p.buf[p.textFrom:p.textTo]
	switch {
	case bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw):
		return p.text(raw), true
	case p.room != nil:
		return p.room.unescaped(raw), true
	}
	return unescaped(raw), true
}

// close returns the children of the array or object that is closed, which are behind others
// that are still open.
func (p *parser) close(from int) (children []Child) {
	switch list := p.open[from:]; {
	case len(list) == 0:
	case p.room != nil:
		children = p.room.copyOf(list)
	default:
		children = slices.Clone(list)
	}
	clear(p.open[from:]) // a room would keep their texts
	p.open = p.open[:from]
	return children
}
