package arguments

import (
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"caliper/model"
)

// Limits of a skeleton, which recursive schemas would make endless.
const (
	maxSkeletonDepth = 12
	maxSkeletonBytes = 8 << 10
)

// Skeleton returns an example of an arguments object for a parameter schema:
// the required properties, and the required properties of those, in the order
// of the schema, each with a value to write over. That is the constant, the
// default, the first enumerated or example value, or else "", 0, false, [] or
// {}, moved into the bounds of numbers, to the least number of items and
// letters, and into the common formats of text. Local
// references are followed, every allOf counts, and of oneOf and anyOf the
// first alternative. Without a schema, it is {}.
//
// The text is compact JSON in which everything but printable characters is
// escaped, so it is safe for a terminal. It need not satisfy patterns or
// conditions.
func Skeleton(schema []byte) []byte {
	root, err := parse(schema)
	if err != nil || root.kind != object {
		return []byte("{}")
	}
	s := skeleton{root: root}
	s.object(s.view(root), 0)
	return s.out
}

// skeleton writes an example.
type skeleton struct {
	root *value
	out  []byte
}

// view is what a schema says once its references and combinations are
// followed: its parts, the most direct first.
type view []*value

// get returns the first value that a part gives to a keyword.
func (v view) get(keyword string) *value {
	for _, part := range v {
		if found := part.get(keyword); found != nil {
			return found
		}
	}
	return nil
}

// view follows the references and combinations of a schema.
func (s *skeleton) view(schema *value) view {
	var v view
	s.gather(schema, &v)
	return v
}

// gather adds a schema and what it stands for to a view. A schema that is
// there already is not added again, which ends circles.
func (s *skeleton) gather(schema *value, v *view) {
	const most = 64
	if schema == nil || schema.kind != object || len(*v) == most || slices.Contains(*v, schema) {
		return
	}
	*v = append(*v, schema)
	if ref := schema.get("$ref"); ref != nil && ref.kind == str {
		if pointer, ok := strings.CutPrefix(ref.text, "#"); ok && (pointer == "" || pointer[0] == '/') {
			if pointer, err := url.PathUnescape(pointer); err == nil {
				s.gather(s.root.at(pointerTokens(pointer)), v)
			}
		}
	}
	if all := schema.get("allOf"); all != nil {
		for _, part := range all.items {
			s.gather(part, v)
		}
	}
	for _, keyword := range []string{"oneOf", "anyOf"} {
		if some := schema.get(keyword); some != nil && len(some.items) > 0 {
			s.gather(some.items[0], v)
		}
	}
}

// value writes an example of what a schema allows.
func (s *skeleton) value(schema *value, depth int) {
	v := s.view(schema)
	if len(s.out) > maxSkeletonBytes || depth > maxSkeletonDepth {
		s.out = append(s.out, "null"...)
		return
	}
	if given := s.given(v); given != nil {
		s.copy(given)
		return
	}
	switch s.typeOf(v) {
	case "object":
		s.object(v, depth)
	case "array":
		s.array(v, depth)
	case "integer", "number":
		s.number(v)
	case "boolean":
		s.out = append(s.out, "false"...)
	case "null":
		s.out = append(s.out, "null"...)
	default:
		s.text(v)
	}
}

// given returns the value that a schema itself gives: its constant, its
// default where that is one of the enumerated, or the first enumerated or
// example value. A default of null is none unless it is enumerated.
func (s *skeleton) given(v view) *value {
	if constant := v.get("const"); constant != nil {
		return constant
	}
	enum := v.get("enum")
	if byDefault := v.get("default"); byDefault != nil {
		if enum == nil && byDefault.kind != null || enum != nil && slices.ContainsFunc(enum.items, byDefault.equal) {
			return byDefault
		}
	}
	for _, values := range []*value{enum, v.get("examples")} {
		if values != nil && len(values.items) > 0 && values.items[0].count() < 100 {
			return values.items[0]
		}
	}
	return nil
}

// typeOf returns the type of the example: the first that is not null, or what
// the keywords speak of.
func (s *skeleton) typeOf(v view) string {
	if t := v.get("type"); t != nil {
		if t.kind == str {
			return t.text
		}
		for _, item := range t.items {
			if item.text != "null" {
				return item.text
			}
		}
		if len(t.items) > 0 {
			return "null"
		}
	}
	switch {
	case v.get("properties") != nil, v.get("required") != nil:
		return "object"
	case v.get("items") != nil, v.get("prefixItems") != nil:
		return "array"
	case v.get("minimum") != nil, v.get("maximum") != nil:
		return "number"
	}
	return ""
}

// object writes an object with its required properties.
func (s *skeleton) object(v view, depth int) {
	var required []string
	for _, part := range v {
		if names := part.get("required"); names != nil {
			for _, name := range names.items {
				if name.kind == str && !slices.Contains(required, name.text) {
					required = append(required, name.text)
				}
			}
		}
	}
	s.out = append(s.out, '{')
	first := true
	write := func(name string, schema *value) {
		if !first {
			s.out = append(s.out, ',')
		}
		first = false
		s.out = appendString(s.out, name)
		s.out = append(s.out, ':')
		s.value(schema, depth+1)
	}
	for _, part := range v {
		properties := part.get("properties")
		if properties == nil {
			continue
		}
		for _, property := range properties.members {
			if i := slices.Index(required, property.name); i >= 0 && len(s.out) <= maxSkeletonBytes {
				required = slices.Delete(required, i, i+1)
				write(property.name, property.value)
			}
		}
	}
	for _, name := range required {
		if len(s.out) <= maxSkeletonBytes {
			write(name, v.get("additionalProperties"))
		}
	}
	s.out = append(s.out, '}')
}

// array writes an array with as many items as there must be, three at most.
func (s *skeleton) array(v view, depth int) {
	least := 0
	if n := v.get("minItems"); n != nil {
		least, _ = strconv.Atoi(n.text)
	}
	s.out = append(s.out, '[')
	prefix, every := v.get("prefixItems"), v.get("items")
	if every != nil && every.kind == array {
		prefix, every = every, v.get("additionalItems")
	}
	for i := range min(least, 3) {
		if i > 0 {
			s.out = append(s.out, ',')
		}
		if prefix != nil && i < len(prefix.items) {
			s.value(prefix.items[i], depth+1)
		} else {
			s.value(every, depth+1)
		}
	}
	s.out = append(s.out, ']')
}

// number writes 0, or the bound nearest to it that excludes 0.
func (s *skeleton) number(v view) {
	bound := func(keyword string) (float64, bool) {
		n := v.get(keyword)
		if n == nil || n.kind != number {
			return 0, false
		}
		f, err := strconv.ParseFloat(n.text, 64)
		return f, err == nil
	}
	switch low, high := v.get("minimum"), v.get("maximum"); {
	case low != nil && low.kind == number && !strings.HasPrefix(low.text, "-"):
		s.out = append(s.out, low.text...)
		return
	case high != nil && high.kind == number && strings.HasPrefix(high.text, "-"):
		s.out = append(s.out, high.text...)
		return
	}
	f := 0.0
	if low, ok := bound("exclusiveMinimum"); ok && low >= 0 {
		f = math.Floor(low) + 1
	} else if high, ok := bound("exclusiveMaximum"); ok && high <= 0 {
		f = math.Ceil(high) - 1
	}
	s.out = strconv.AppendFloat(s.out, f, 'f', -1, 64)
}

// copy writes a value of the schema, numbers as they are written there.
func (s *skeleton) copy(v *value) {
	switch v.kind {
	case str:
		s.out = appendString(s.out, v.text)
	case array:
		s.out = append(s.out, '[')
		for i, item := range v.items {
			if i > 0 {
				s.out = append(s.out, ',')
			}
			s.copy(item)
		}
		s.out = append(s.out, ']')
	case object:
		s.out = append(s.out, '{')
		for i, m := range v.members {
			if i > 0 {
				s.out = append(s.out, ',')
			}
			s.out = appendString(s.out, m.name)
			s.out = append(s.out, ':')
			s.copy(m.value)
		}
		s.out = append(s.out, '}')
	case notFinite:
		s.out = append(s.out, "null"...)
	default:
		s.out = append(s.out, v.text...)
	}
}

// appendString appends a string as JSON. Characters that are not safe to draw
// are escaped; when the others are not safe beside each other, all beyond ASCII
// are.
//
// SECURITY: the text comes from a server and goes into an input line of the
// terminal.
func appendString(dst []byte, text string) []byte {
	start := len(dst)
	dst = appendEscaped(dst, text, func(r rune) bool { return model.Sanitize(string(r)) == string(r) })
	if written := string(dst[start:]); model.Sanitize(written) != written {
		dst = appendEscaped(dst[:start], text, func(r rune) bool { return ' ' <= r && r <= '~' })
	}
	return dst
}

// appendEscaped appends a string as JSON, with the characters escaped that must
// not stay as they are.
func appendEscaped(dst []byte, text string, stays func(rune) bool) []byte {
	const digits = "0123456789abcdef"
	unit := func(u rune) {
		dst = append(dst, '\\', 'u', digits[u>>12], digits[u>>8&15], digits[u>>4&15], digits[u&15])
	}
	dst = append(dst, '"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r == '\n':
			dst = append(dst, '\\', 'n')
		case r == '\t':
			dst = append(dst, '\\', 't')
		case stays(r):
			dst = utf8.AppendRune(dst, r)
		case r > 0xFFFF:
			unit(0xD800 + (r-0x10000)>>10)
			unit(0xDC00 + (r-0x10000)&0x3FF)
		default:
			unit(r)
		}
	}
	return append(dst, '"')
}
