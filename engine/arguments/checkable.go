package arguments

import (
	"bytes"

	"caliper/model/jsontree"
)

// Checkable reports whether a schema is so plain that all of it can be checked,
// without compiling it: Validate reports no problem that is Uncheckable for an empty
// object of arguments. False means that it is not known. schema is valid JSON in
// which no object has two members of one name.
//
// A plain schema is an object of the keywords that nearly all parameters are written
// with, whose values are what all dialects take for them: no references, no regular
// expressions, no keywords that negate, and no number of more than a few digits. It
// costs one pass over the text, a hundredth of what it costs to compile it.
func Checkable(schema []byte) bool {
	c := plainness{Skimmer: jsontree.Skimmer{Data: schema}}
	return len(schema) <= maxSchemaBytes && c.schema(0) && c.Peek() == 0 && c.values <= maxSchemaValues/2
}

// Bounds of a plain schema, well within the bounds of schemas.
const (
	plainDepth  = 24 // schemas around one
	plainDigits = 9  // characters of a number
	plainNames  = 64 // required parameters of one object
)

// plainness walks over a schema as long as it is plain.
type plainness struct {
	jsontree.Skimmer
	values int
}

// schema walks over a schema, which has a number of schemas around it.
func (c *plainness) schema(depth int) bool {
	if c.values++; depth > plainDepth || c.Peek() != '{' {
		return false
	}
	return c.members(func(name []byte) bool { return c.keyword(string(jsontree.Unquote(name)), depth) })
}

// members walks over the members of an object, as long as f, which is given the
// name and walks over the value, is true of them.
func (c *plainness) members(f func(name []byte) bool) bool {
	all := true
	c.Members(func(name []byte) {
		if all = all && f(name); !all {
			c.At = len(c.Data) // somewhere in a value: nothing is read any more
		}
	})
	return all
}

// keyword walks over the value of a keyword.
func (c *plainness) keyword(name string, depth int) bool {
	switch name {
	case "type":
		return c.types()
	case "description", "title", "format":
		return c.text()
	case "properties":
		return c.each('{', func() bool { return c.schema(depth + 1) })
	case "items":
		return c.schema(depth + 1)
	case "anyOf":
		return c.some(func() bool { return c.schema(depth + 1) })
	case "additionalProperties":
		if c.Peek() == '{' {
			return c.schema(depth + 1)
		}
		value := c.literal()
		return string(value) == "true" || string(value) == "false"
	case "required":
		return c.distinct(c.text)
	case "enum":
		return c.distinct(func() bool { return c.text() || c.number() })
	case "default":
		return c.plainValue(0)
	case "minimum", "maximum":
		return c.number()
	case "minLength", "maxLength", "minItems", "maxItems":
		value := c.literal()
		return len(value) > 0 && len(value) <= plainDigits && len(bytes.Trim(value, "0123456789")) == 0
	case "$schema":
		return depth == 0 && c.dialect()
	}
	return false
}

// text walks over a string.
func (c *plainness) text() bool {
	c.values++
	return c.Peek() == '"' && len(c.String()) > 1
}

// dialect walks over the name of a dialect in which plain schemas mean the same.
func (c *plainness) dialect() bool {
	if c.Peek() != '"' {
		return false
	}
	switch string(jsontree.Unquote(c.String())) {
	case "http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema":
		return true
	}
	return false
}

// literal walks over a number or a name such as true and returns it; nothing of
// another value.
func (c *plainness) literal() []byte {
	c.values++
	switch c.Peek() {
	case '{', '[', '"', 0:
		return nil
	}
	return c.Skip()
}

// number walks over a number of few digits.
func (c *plainness) number() bool {
	value := c.literal()
	return len(value) > 0 && len(value) <= plainDigits && len(bytes.Trim(value, "-.0123456789")) == 0
}

// types walks over the name of a type, or a list of different ones.
func (c *plainness) types() bool {
	one := func() bool {
		if c.Peek() != '"' {
			return false
		}
		switch string(jsontree.Unquote(c.String())) {
		case "array", "boolean", "integer", "null", "number", "object", "string":
			c.values++
			return true
		}
		return false
	}
	if c.Peek() == '[' {
		return c.distinct(one)
	}
	return one()
}

// each walks over the values of an object or, with the brace [, of a list, as long
// as f, which walks over one, is true of them.
func (c *plainness) each(brace byte, f func() bool) bool {
	if c.values++; c.Peek() != brace {
		return false
	}
	if brace == '{' {
		return c.members(func([]byte) bool { return f() })
	}
	c.At++
	for c.Peek() != ']' {
		if !f() {
			return false
		}
	}
	c.At++
	return true
}

// some walks over a list that is not empty.
func (c *plainness) some(f func() bool) bool {
	n := 0
	return c.each('[', func() bool { n++; return f() }) && n > 0
}

// distinct walks over a list of a few values of different texts, which are at
// least one.
func (c *plainness) distinct(f func() bool) bool {
	var room [8][]byte
	seen := room[:0]
	return c.some(func() bool {
		c.Peek()
		from := c.At
		if len(seen) == plainNames || !f() {
			return false
		}
		value := c.Data[from:c.At]
		for _, other := range seen {
			if bytes.Equal(other, value) {
				return false
			}
		}
		seen = append(seen, value)
		return bytes.IndexByte(value, '\\') < 0 // equal texts may be written in two ways
	})
}

// plainValue walks over any value without numbers that are hard to compute with.
func (c *plainness) plainValue(depth int) bool {
	switch c.Peek() {
	case '"':
		return c.text()
	case '{', '[':
		return depth < plainDepth && c.each(c.Peek(), func() bool { return c.plainValue(depth + 1) })
	case 't', 'f', 'n':
		return len(c.literal()) > 0
	}
	return c.number()
}
