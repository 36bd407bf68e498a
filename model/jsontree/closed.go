package jsontree

import "slices"

// Closed says which arrays of a text are checked without children, several times faster.
type Closed struct {
	// Names are those of the members whose arrays are closed.
	Names []string
	// Known returns how many bytes at the beginning of a text, which begins with a closed
	// array, were checked in another text: its bracket and elements, up to the end of one
	// of them; 0 for none. They are not looked at again. Nil: nothing is known.
	Known func(array []byte) int

	known [][2]int // where the text has what was known
}

// Fresh calls visit with the parts of the last text that were not known, until it returns false.
func (c *Closed) Fresh(text []byte, visit func(part []byte) bool) bool {
	from := 0
	for _, k := range c.known {
		if !visit(text[from:k[0]]) {
			return false
		}
		from = k[1]
	}
	return visit(text[from:])
}

// ParseClosed is Parse but for closed arrays.
func ParseClosed(text []byte, d Dialect, c *Closed) (*Node, *SyntaxError) {
	c.known = c.known[:0]
	return parse(text, d, d.maxDepth(), nil, c)
}

// member reads an element, or the value of a member that has a name.
func (p *parser) member(name string, named bool) *Node {
	if p.Peek() != '[' || p.closed == nil || !named || !slices.Contains(p.closed.Names, name) {
		return p.value()
	}
	at := p.pos
	if !p.array() {
		return nil
	}
	return &Node{Kind: Array, At: at, Raw: p.buf[at:p.pos:p.pos]}
}

// array passes over an array, from the end of what is known of it on.
func (p *parser) array() bool {
	n := 0
	if p.closed.Known != nil {
		n = p.closed.Known(p.buf[p.pos:])
	}
	if n == 0 {
		_, _, ok := p.Value()
		return ok
	}
	p.closed.known = append(p.closed.known, [2]int{p.pos, p.pos + n})
	p.pos += n
	p.Around++
	defer func() { p.Around-- }()
	for p.Next(']', true) {
		if _, _, ok := p.Value(); !ok {
			return false
		}
	}
	return p.syntax == nil
}
