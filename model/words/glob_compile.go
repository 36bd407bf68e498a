package words

import (
	"errors"
	"fmt"
	"strings"
)

// Bounds of a glob. What goes beyond them is refused, so that a policy cannot
// take time or memory that somebody notices.
const (
	longest = 4096 // bytes
	deepest = 32   // braces within braces
)

// What can be wrong with a glob.
var (
	errTooLong    = fmt.Errorf("longer than %d bytes", longest)
	errTooDeep    = fmt.Errorf("more than %d braces within each other", deepest)
	errBrackets   = errors.New("[ without its ]")
	errBraces     = errors.New("{ without its }")
	errNoBraces   = errors.New("} without its {")
	errBackslash  = errors.New(`\ with nothing after it`)
	errClass      = errors.New("[: :], [. .] and [= =] have no meaning here; ranges have, as [0-9]")
	errSequence   = errors.New("{a..b} has no meaning here; {a,b} and [a-b] have")
	errEmptyRange = errors.New("a range that ends before it begins")
)

// CompileGlob returns the glob of a text, or an error that says in what it is
// malformed, without repeating it.
func CompileGlob(text string) (*Glob, error) {
	if len(text) > longest {
		return nil, errTooLong
	}
	c := compiler{text: text}
	start, ends, err := c.sequence(0)
	if err != nil {
		return nil, err
	}
	end := c.add(state{kind: accept})
	c.lead(ends, end)
	if start == nowhere {
		start = end
	}
	return &Glob{states: c.states, start: start}, nil
}

// compiler turns the rest of a text into states.
type compiler struct {
	text   string
	states []state
}

// add appends a state and returns its number.
func (c *compiler) add(s state) int {
	c.states = append(c.states, s)
	return len(c.states) - 1
}

// nowhere is the number of no state.
const nowhere = -1

// lead makes the states whose numbers are ends go on at a state.
func (c *compiler) lead(ends []int, to int) {
	for _, i := range ends {
		c.states[i].next = to
	}
}

// sequence reads up to the end of the text or, within braces, up to a comma or
// a closing brace, which it leaves. It returns the first state, or nowhere for
// an empty sequence, and the states from which it goes on.
func (c *compiler) sequence(depth int) (start int, ends []int, err error) {
	start = nowhere
	for c.text != "" && (depth == 0 || c.text[0] != ',' && c.text[0] != '}') {
		first, after, err := c.item(depth)
		if err != nil {
			return 0, nil, err
		}
		if start == nowhere {
			start = first
		}
		c.lead(ends, first)
		ends = after
	}
	return start, ends, nil
}

// item reads one character, one pair of brackets or one pair of braces.
func (c *compiler) item(depth int) (start int, ends []int, err error) {
	char, size := character(c.text)
	c.text = c.text[size:]
	s := state{kind: one, char: char}
	switch char {
	case '*':
		s.kind = anyRun
	case '?':
		s.kind = anyOne
	case '[':
		if s, err = c.brackets(); err != nil {
			return 0, nil, err
		}
	case '{':
		return c.braces(depth + 1)
	case '}':
		return 0, nil, errNoBraces
	case '\\':
		if c.text == "" {
			return 0, nil, errBackslash
		}
		s.char, size = character(c.text)
		c.text = c.text[size:]
	}
	i := c.add(s)
	return i, []int{i}, nil
}

// brackets reads what stands behind an opening bracket.
func (c *compiler) brackets() (state, error) {
	s := state{kind: oneOf}
	if c.text != "" && (c.text[0] == '!' || c.text[0] == '^') {
		s.kind = noneOf
		c.text = c.text[1:]
	}
	for {
		if c.text == "" {
			return s, errBrackets
		}
		if c.text[0] == ']' && len(s.set) > 0 {
			c.text = c.text[1:]
			return s, nil
		}
		if len(c.text) > 1 && c.text[0] == '[' && (c.text[1] == ':' || c.text[1] == '.' || c.text[1] == '=') {
			return s, errClass
		}
		first, err := c.member()
		if err != nil {
			return s, err
		}
		r := span{first, first}
		if len(c.text) > 1 && c.text[0] == '-' && c.text[1] != ']' {
			c.text = c.text[1:]
			if r.last, err = c.member(); err != nil {
				return s, err
			}
		}
		if r.last < r.first {
			return s, errEmptyRange
		}
		s.set = append(s.set, r)
	}
}

// member reads one character within brackets.
func (c *compiler) member() (rune, error) {
	if c.text[0] == '\\' {
		if c.text = c.text[1:]; c.text == "" {
			return 0, errBackslash
		}
	}
	char, size := character(c.text)
	c.text = c.text[size:]
	return char, nil
}

// braces reads what stands behind an opening brace, with alternatives that are
// depth braces deep.
func (c *compiler) braces(depth int) (start int, ends []int, err error) {
	if depth > deepest {
		return 0, nil, errTooDeep
	}
	start = c.add(state{kind: fork, next: nowhere})
	empty := false // an alternative is
	for n := 0; ; n++ {
		before := c.text
		first, after, err := c.sequence(depth)
		switch {
		case err != nil:
			return 0, nil, err
		case c.text == "":
			return 0, nil, errBraces
		case n == 0 && c.text[0] == '}' && strings.Contains(before[:len(before)-len(c.text)], ".."):
			return 0, nil, errSequence
		case first == nowhere:
			empty = true
		default:
			c.states[start].other = append(c.states[start].other, first)
			ends = append(ends, after...)
		}
		closed := c.text[0] == '}'
		if c.text = c.text[1:]; closed {
			break
		}
	}
	if empty {
		ends = append(ends, start)
	}
	return start, ends, nil
}
