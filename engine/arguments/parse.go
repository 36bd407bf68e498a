package arguments

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"caliper/model"
)

// maxDepth is the deepest nesting that is parsed. The reference agent runs on
// Python, whose recursion limit is about as deep.
const maxDepth = 1000

// syntaxError is why a text is not JSON.
type syntaxError struct {
	offset int
	reason string // what is wrong there
	advice string // what to do about it; may be empty
}

// parser parses the JSON that Python's json module takes: RFC 8259, and NaN,
// Infinity and -Infinity for numbers.
type parser struct {
	src   []byte
	at    int
	depth int
	err   *syntaxError
}

// parse parses a text that holds one value.
func parse(src []byte) (*value, *syntaxError) {
	p := parser{src: src}
	p.space()
	v := p.value()
	if p.err != nil {
		return nil, p.err
	}
	p.space()
	if p.at < len(src) {
		return nil, &syntaxError{p.at, fmt.Sprintf("%s after the end of %s", p.seen(), v.kind), "send one object and nothing after it"}
	}
	return v, nil
}

// fail keeps the first error.
func (p *parser) fail(offset int, reason, advice string) {
	if p.err == nil {
		p.err = &syntaxError{offset, reason, advice}
	}
}

// space skips white space.
func (p *parser) space() {
	for p.at < len(p.src) {
		switch p.src[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		default:
			return
		}
	}
}

// seen describes what stands at the current place.
func (p *parser) seen() string {
	if p.at >= len(p.src) {
		return "the end of the text"
	}
	r, size := utf8.DecodeRune(p.src[p.at:])
	if r == utf8.RuneError && size == 1 {
		return fmt.Sprintf("byte 0x%02x", p.src[p.at])
	}
	if r == '`' && bytes.HasPrefix(p.src[p.at:], []byte("```")) {
		return "```"
	}
	return model.Sanitize(string(r))
}

// literals are the values that are words.
var literals = []struct {
	word string
	kind kind
}{{"true", boolean}, {"false", boolean}, {"null", null}, {"NaN", notFinite}, {"Infinity", notFinite}, {"-Infinity", notFinite}}

// value parses one value. After an error it returns nil.
func (p *parser) value() *value {
	if p.at < len(p.src) {
		switch c := p.src[p.at]; {
		case c == '{':
			return p.nested(p.object)
		case c == '[':
			return p.nested(p.array)
		case c == '"':
			start := p.at
			text := p.string()
			return &value{kind: str, start: start, end: p.at, text: text}
		default:
			for _, l := range literals {
				if bytes.HasPrefix(p.src[p.at:], []byte(l.word)) {
					p.at += len(l.word)
					return &value{kind: l.kind, start: p.at - len(l.word), end: p.at, text: l.word}
				}
			}
			if c == '-' || '0' <= c && c <= '9' {
				return p.number()
			}
		}
	}
	p.fail(p.at, p.seen()+" where a value must stand", p.adviseValue())
	return nil
}

// nested parses an array or object one level down.
func (p *parser) nested(parse func() *value) *value {
	if p.depth == maxDepth {
		p.fail(p.at, fmt.Sprintf("nested more than %d deep", maxDepth), "send fewer levels")
		return nil
	}
	p.depth++
	v := parse()
	p.depth--
	return v
}

// array parses an array.
func (p *parser) array() *value {
	v := &value{kind: array, start: p.at}
	p.at++
	p.space()
	if !p.take(']') {
		for {
			item := p.value()
			if p.err != nil {
				return nil
			}
			v.items = append(v.items, item)
			if p.end(']', v.kind) {
				break
			}
			if p.err != nil {
				return nil
			}
		}
	}
	v.end = p.at
	return v
}

// object parses an object.
func (p *parser) object() *value {
	v := &value{kind: object, start: p.at}
	p.at++
	p.space()
	if !p.take('}') {
		var index map[string]int
		for {
			if p.at >= len(p.src) || p.src[p.at] != '"' {
				p.fail(p.at, p.seen()+" where a name must stand", p.adviseName())
				return nil
			}
			name := p.string()
			p.space()
			if !p.take(':') {
				p.fail(p.at, p.seen()+" where a colon must stand", "")
				return nil
			}
			p.space()
			item := p.value()
			if p.err != nil {
				return nil
			}
			index = v.set(index, name, item)
			if p.end('}', v.kind) {
				break
			}
			if p.err != nil {
				return nil
			}
		}
	}
	v.end = p.at
	return v
}

// set adds a member or replaces its value. The index of names is made when
// there are many, and given back.
func (v *value) set(index map[string]int, name string, item *value) map[string]int {
	if len(v.members) < 16 {
		for i := range v.members {
			if v.members[i].name == name {
				v.members[i].value = item
				return index
			}
		}
	} else {
		if index == nil {
			index = make(map[string]int, 64)
			for i, m := range v.members {
				index[m.name] = i
			}
		}
		if i, ok := index[name]; ok {
			v.members[i].value = item
			return index
		}
		index[name] = len(v.members)
	}
	v.members = append(v.members, member{name, item})
	return index
}

// take steps over the byte c and reports whether it was there.
func (p *parser) take(c byte) bool {
	if p.at < len(p.src) && p.src[p.at] == c {
		p.at++
		return true
	}
	return false
}

// end steps over what follows an element: the closing bracket, for which it
// reports true, or a comma. Anything else is an error.
func (p *parser) end(bracket byte, k kind) bool {
	p.space()
	if p.take(bracket) {
		return true
	}
	comma := p.at
	if !p.take(',') {
		p.fail(p.at, p.seen()+" in "+k.String()+" where a comma or "+string(bracket)+" must stand", p.adviseEnd())
		return false
	}
	p.space()
	if p.at < len(p.src) && p.src[p.at] == bracket {
		p.fail(comma, "a comma before "+string(bracket), "remove that comma")
	}
	return false
}

// number parses a number.
func (p *parser) number() *value {
	start := p.at
	digits := func() bool {
		from := p.at
		for p.at < len(p.src) && '0' <= p.src[p.at] && p.src[p.at] <= '9' {
			p.at++
		}
		return p.at > from
	}
	p.take('-')
	if !p.take('0') && !digits() {
		p.fail(start, "a minus without a number", "")
		return nil
	}
	// Where what follows is not a fraction or exponent, the number ends
	// before it, and what follows is the error.
	whole := p.at
	if p.take('.') && digits() {
		whole = p.at
	}
	p.at = whole
	if p.take('e') || p.take('E') {
		if !p.take('+') {
			p.take('-')
		}
		if digits() {
			whole = p.at
		}
	}
	p.at = whole
	return &value{kind: number, start: start, end: p.at, text: string(p.src[start:p.at])}
}
