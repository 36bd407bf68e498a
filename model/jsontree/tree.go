package jsontree

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Kind is the kind of a JSON value.
type Kind uint8

// The kinds.
const (
	Null Kind = iota
	Boolean
	Number
	NotFinite // NaN, Infinity or -Infinity, in the dialect of Python
	String
	Array
	Object
)

// String returns the name of the kind, with its article.
func (k Kind) String() string {
	switch k {
	case Null:
		return "null"
	case Boolean:
		return "a boolean"
	case Number, NotFinite:
		return "a number"
	case String:
		return "a string"
	case Array:
		return "an array"
	}
	return "an object"
}

// Node is one JSON value, with those in it in the order of the text.
type Node struct {
	Kind     Kind
	At       int     // offset of its first byte in the text
	Raw      []byte  // the value as it is written, a slice of the text; nil if it was made
	Text     string  // of a string: what it stands for; of a number or a word: as it is written
	Children []Child // the elements of an array, the members of an object
}

// Child is an element of an array, or a member of an object, which has a name.
type Child struct {
	Name string
	*Node
}

// Parse reads a text that holds one value. Members keep their order; where a
// name repeats, the last value stands in the place of the first.
func Parse(text []byte, d Dialect) (*Node, *SyntaxError) {
	return ParseNoting(text, d, d.maxDepth(), nil)
}

// ParseNoting is Parse with another bound of the depth. It calls repeated with
// every name that an object has already; repeated may be nil.
func ParseNoting(text []byte, d Dialect, maxDepth int, repeated func(object *Node, name string)) (*Node, *SyntaxError) {
	if d == Comments {
		text, _ = blankComments(text)
	}
	p := parser{Scanner: Scanner{buf: text, ended: true, dialect: d, MaxDepth: maxDepth}, repeated: repeated}
	p.Peek()
	n := p.value()
	if p.syntax != nil {
		return nil, p.syntax
	}
	if end := p.Offset(); !p.AtEnd() {
		p.fail(MoreText, end)
		p.syntax.In = n.Kind
		return nil, p.syntax
	}
	return n, nil
}

// parser makes nodes of what a scanner of a text in memory reads.
type parser struct {
	Scanner
	repeated func(object *Node, name string)
	open     []Child // of the arrays and objects that are read, the innermost last
}

// value reads the value that comes next. After a fault it returns nil.
func (p *parser) value() *Node {
	next := p.Peek()
	at := p.pos // behind the white space
	switch next {
	case '{', '[':
		if p.Around == p.MaxDepth {
			p.Fail(TooDeep)
			return nil
		}
		p.Around++
		n := p.container(p.buf[p.pos])
		p.Around--
		return n
	case '"':
		text, ok := p.string()
		if !ok {
			return nil
		}
		return &Node{Kind: String, At: at, Raw: p.buf[at:p.pos:p.pos], Text: text}
	}
	kind, ok := p.Scalar()
	if !ok {
		// A number ends where it is complete: what follows is no fraction and no exponent, and the fault is
		// there.
		state, end := numberStart, at
		for i := at; i < p.pos; i++ {
			if state = numberSteps[state][p.buf[i]]; state.isWhole() {
				end = i + 1
			}
		}
		if p.syntax.Problem != BadNumber || end == at {
			return nil
		}
		p.pos, p.syntax = end, nil
	}
	raw := p.buf[at:p.pos:p.pos]
	return &Node{Kind: kind, At: at, Raw: raw, Text: string(raw)}
}

// string reads a string and returns what it stands for.
func (p *parser) string() (text string, ok bool) {
	if !p.str(false) {
		return "", false
	}
	raw := p.buf[p.textFrom:p.textTo]
	if bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw) {
		return string(raw), true
	}
	return string(AppendUnescaped(make([]byte, 0, len(raw)), raw)), true
}

// container reads an array or an object, which open begins.
func (p *parser) container(open byte) *Node {
	n := &Node{Kind: Array, At: p.pos}
	if open == '{' {
		n.Kind = Object
	}
	from := len(p.open)
	closing := open + 2 // } is { + 2, and ] is [ + 2
	p.pos++
	var index map[string]int
	for more := !p.Take(closing); more; {
		var name string
		if open == '{' {
			var ok bool
			if p.Peek() != '"' {
				p.Fail(NoName)
				return nil
			}
			if name, ok = p.string(); !ok {
				return nil
			}
			if !p.Take(':') {
				p.Fail(NoColon)
				return nil
			}
		}
		item := p.value()
		if item == nil {
			return nil
		}
		if open == '{' {
			var added bool
			if index, added = p.set(from, index, name, item); !added && p.repeated != nil {
				p.repeated(n, name)
			}
		} else {
			p.open = append(p.open, Child{Node: item})
		}
		if more = !p.Take(closing); !more {
			break
		}
		comma := p.Offset()
		if !p.Take(',') {
			p.Fail(NoComma)
			p.syntax.In = n.Kind
			return nil
		}
		if p.Peek() == closing {
			p.pos = int(comma)
			p.Fail(ExtraComma)
			p.syntax.In = n.Kind
			return nil
		}
	}
	n.Raw = p.buf[n.At:p.pos:p.pos]
	if from < len(p.open) {
		n.Children = slices.Clone(p.open[from:])
	}
	p.open = p.open[:from]
	return n
}

// set adds a member to the object that is read, whose members are open from from on, or
// replaces its value. The index of names is made when there are many, and returned.
func (p *parser) set(from int, index map[string]int, name string, value *Node) (of map[string]int, added bool) {
	const few = 16
	members := p.open[from:]
	at, found := -1, false
	switch {
	case len(members) < few:
		at = slices.IndexFunc(members, func(c Child) bool { return c.Name == name })
		found = at >= 0
	case index == nil:
		index = make(map[string]int, 4*few)
		for i, c := range members {
			index[c.Name] = i
		}
		fallthrough
	default:
		if at, found = index[name]; !found {
			index[name] = len(members)
		}
	}
	if found {
		members[at].Node = value
	} else {
		p.open = append(p.open, Child{name, value})
	}
	return index, !found
}

// Set adds a member to an object, or replaces its value.
func (n *Node) Set(name string, value *Node) {
	if i := slices.IndexFunc(n.Children, func(c Child) bool { return c.Name == name }); i >= 0 {
		n.Children[i].Node = value
		return
	}
	n.Children = append(n.Children, Child{name, value})
}

// Member returns the value of a member of an object, nil if the object has no such member. It
// returns nil for any other value and for nil.
//
//go:noinline // or each caller has a copy
func (n *Node) Member(name string) *Node {
	if n == nil || n.Kind != Object {
		return nil
	}
	for i := range n.Children {
		if n.Children[i].Name == name {
			return n.Children[i].Node
		}
	}
	return nil
}

// Elements returns the elements of an array, and none for any other value and
// for nil.
func (n *Node) Elements() []Child {
	if n == nil || n.Kind != Array {
		return nil
	}
	return n.Children
}

// Members returns the members of an object, and none for any other value and
// for nil.
func (n *Node) Members() []Child {
	if n == nil || n.Kind != Object {
		return nil
	}
	return n.Children
}

// Is reports whether n is of a kind; nil is of none.
func (n *Node) Is(k Kind) bool { return n != nil && n.Kind == k }

// AsText returns the text of a string; "" for another value and for none.
func (n *Node) AsText() string {
	if n.Is(String) {
		return n.Text
	}
	return ""
}

// Find returns the value that the tokens of a JSON pointer lead to, or nil.
func (n *Node) Find(tokens []string) *Node {
	for _, token := range tokens {
		if !n.Is(Array) {
			n = n.Member(token)
			continue
		}
		i, err := strconv.Atoi(token)
		if err != nil || i < 0 || i >= len(n.Children) {
			return nil
		}
		n = n.Children[i].Node
	}
	return n
}

// Count returns the number of values in n, itself included.
func (n *Node) Count() int {
	count := 1
	for _, c := range n.Children {
		count += c.Count()
	}
	return count
}

// Depth returns how deep arrays and objects are nested in n.
func (n *Node) Depth() int {
	if n.Kind != Array && n.Kind != Object {
		return 0
	}
	deepest := 0
	for _, c := range n.Children {
		deepest = max(deepest, c.Depth())
	}
	return 1 + deepest
}

// Equal reports whether two values are the same text but for white space,
// escapes and the order of members.
func (n *Node) Equal(o *Node) bool {
	if n.Kind != o.Kind || n.Text != o.Text || len(n.Children) != len(o.Children) {
		return false
	}
	for i, c := range n.Children {
		other := o.Children[i].Node
		if n.Kind == Object {
			other = o.Member(c.Name)
		}
		if other == nil || !c.Equal(other) {
			return false
		}
	}
	return true
}

// AppendTo appends the value as one line of JSON, numbers and words as they are
// written and strings as Encode writes them.
func (n *Node) AppendTo(dst []byte) []byte {
	switch n.Kind {
	case String:
		return append(dst, Encode(n.Text)...)
	case Array, Object:
		return n.AppendWith(dst, func(dst []byte, scalar *Node) []byte { return scalar.AppendTo(dst) })
	}
	return append(dst, n.Text...)
}

// AppendWith appends the value as one line of JSON, in which scalar writes the
// strings, numbers and words. A name is written as a string is.
func (n *Node) AppendWith(dst []byte, scalar func(dst []byte, scalar *Node) []byte) []byte {
	brackets := "[]"
	switch n.Kind {
	case Array:
	case Object:
		brackets = "{}"
	default:
		return scalar(dst, n)
	}
	dst = append(dst, brackets[0])
	for i, c := range n.Children {
		if i > 0 {
			dst = append(dst, ',')
		}
		if n.Kind == Object {
			dst = append(scalar(dst, &Node{Kind: String, Text: c.Name}), ':')
		}
		dst = c.AppendWith(dst, scalar)
	}
	return append(dst, brackets[1])
}

// Encode returns a value as compact JSON in which <, > and & stand as they are.
// It panics on what has no JSON, such as NaN or a channel.
func Encode(value any) json.RawMessage {
	if s, ok := value.(string); ok && plain(s) {
		return AppendText(make([]byte, 0, len(s)+2), s)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		panic("jsontree: " + err.Error())
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// AppendText appends what Encode returns for a text.
func AppendText(dst []byte, s string) []byte {
	if !plain(s) {
		return append(dst, Encode(s)...)
	}
	dst = append(dst, '"')
	dst = append(dst, s...)
	return append(dst, '"')
}

// plain reports whether a text is printable ASCII without quotes and backslashes, which needs no
// escapes in JSON.
func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}
