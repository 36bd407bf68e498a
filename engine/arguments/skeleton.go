package arguments

import (
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"caliper/model/jsontree"
	"caliper/model/safetext"
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
	root, err := jsontree.Parse(schema, jsontree.Python)
	if err != nil || root.Kind != jsontree.Object {
		return []byte("{}")
	}
	s := skeleton{root: root}
	s.object(s.view(root), 0)
	return s.out
}

// skeleton writes an example.
type skeleton struct {
	root *jsontree.Node
	out  []byte
}

// view is a schema once its references and combinations are
// followed: its parts, the most direct first.
type view []*jsontree.Node

// get returns the first value that a part gives to a keyword.
func (v view) get(keyword string) *jsontree.Node {
	for _, part := range v {
		if found := part.Member(keyword); found != nil {
			return found
		}
	}
	return nil
}

// view follows the references and combinations of a schema.
func (s *skeleton) view(schema *jsontree.Node) view {
	var v view
	s.gather(schema, &v)
	return v
}

// gather adds a schema and what it stands for to a view. A schema that is
// there already is not added again, which ends circles.
func (s *skeleton) gather(schema *jsontree.Node, v *view) {
	const most = 64
	if !schema.Is(jsontree.Object) || len(*v) == most || slices.Contains(*v, schema) {
		return
	}
	*v = append(*v, schema)
	if ref := schema.Member("$ref"); ref.Is(jsontree.String) {
		if pointer, ok := strings.CutPrefix(ref.Text, "#"); ok && (pointer == "" || pointer[0] == '/') {
			if pointer, err := url.PathUnescape(pointer); err == nil {
				s.gather(s.root.Find(jsontree.PointerTokens(pointer)), v)
			}
		}
	}
	for _, part := range schema.Member("allOf").Elements() {
		s.gather(part.Node, v)
	}
	for _, keyword := range []string{"oneOf", "anyOf"} {
		if some := schema.Member(keyword).Elements(); len(some) > 0 {
			s.gather(some[0].Node, v)
		}
	}
}

// value writes an example of what a schema allows.
func (s *skeleton) value(schema *jsontree.Node, depth int) {
	v := s.view(schema)
	if len(s.out) > maxSkeletonBytes || depth > maxSkeletonDepth {
		s.out = append(s.out, "null"...)
		return
	}
	if given := s.given(v); given != nil {
		s.out = given.AppendWith(s.out, func(dst []byte, v *jsontree.Node) []byte {
			switch v.Kind {
			case jsontree.String:
				return appendString(dst, v.Text)
			case jsontree.NotFinite:
				return append(dst, "null"...)
			}
			return v.AppendTo(dst)
		})
		return
	}
	switch s.typeOf(v) {
	case "object":
		s.object(v, depth)
	case "array":
		// As many items as there must be, three at most.
		least := 0
		if n := v.get("minItems"); n != nil {
			least, _ = strconv.Atoi(n.Text)
		}
		s.out = append(s.out, '[')
		prefix, every := v.get("prefixItems"), v.get("items")
		if every.Is(jsontree.Array) {
			prefix, every = every, v.get("additionalItems")
		}
		for i := range min(least, 3) {
			if i > 0 {
				s.out = append(s.out, ',')
			}
			if fixed := prefix.Elements(); i < len(fixed) {
				s.value(fixed[i].Node, depth+1)
			} else {
				s.value(every, depth+1)
			}
		}
		s.out = append(s.out, ']')
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
func (s *skeleton) given(v view) *jsontree.Node {
	if constant := v.get("const"); constant != nil {
		return constant
	}
	enum := v.get("enum")
	if byDefault := v.get("default"); byDefault != nil {
		isDefault := func(c jsontree.Child) bool { return c.Equal(byDefault) }
		if enum == nil && byDefault.Kind != jsontree.Null || slices.ContainsFunc(enum.Elements(), isDefault) {
			return byDefault
		}
	}
	for _, values := range []*jsontree.Node{enum, v.get("examples")} {
		if values := values.Elements(); len(values) > 0 && values[0].Count() < 100 {
			return values[0].Node
		}
	}
	return nil
}

// typeOf returns the type of the example: the first that is not null, or what
// the keywords speak of.
func (s *skeleton) typeOf(v view) string {
	if t := v.get("type"); t != nil {
		if t.Kind == jsontree.String {
			return t.Text
		}
		for _, item := range t.Elements() {
			if item.Text != "null" {
				return item.Text
			}
		}
		if len(t.Elements()) > 0 {
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
		for _, name := range part.Member("required").Elements() {
			if name.Kind == jsontree.String && !slices.Contains(required, name.Text) {
				required = append(required, name.Text)
			}
		}
	}
	s.out = append(s.out, '{')
	first := true
	write := func(name string, schema *jsontree.Node) {
		if !first {
			s.out = append(s.out, ',')
		}
		first = false
		s.out = appendString(s.out, name)
		s.out = append(s.out, ':')
		s.value(schema, depth+1)
	}
	for _, part := range v {
		for _, property := range part.Member("properties").Members() {
			if i := slices.Index(required, property.Name); i >= 0 && len(s.out) <= maxSkeletonBytes {
				required = slices.Delete(required, i, i+1)
				write(property.Name, property.Node)
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

// number writes 0, or the bound nearest to it that excludes 0.
func (s *skeleton) number(v view) {
	bound := func(keyword string) (float64, bool) {
		n := v.get(keyword)
		if !n.Is(jsontree.Number) {
			return 0, false
		}
		f, err := strconv.ParseFloat(n.Text, 64)
		return f, err == nil
	}
	switch low, high := v.get("minimum"), v.get("maximum"); {
	case low.Is(jsontree.Number) && !strings.HasPrefix(low.Text, "-"):
		s.out = append(s.out, low.Text...)
		return
	case high.Is(jsontree.Number) && strings.HasPrefix(high.Text, "-"):
		s.out = append(s.out, high.Text...)
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

// appendString appends a string as JSON. Characters that are not safe to draw
// are escaped; when the others are not safe beside each other, all beyond ASCII
// are.
//
// SECURITY: the text comes from a server and goes into an input line of the
// terminal.
func appendString(dst []byte, text string) []byte {
	start := len(dst)
	dst = appendEscaped(dst, text, func(r rune) bool { return safetext.Line(string(r)) == string(r) })
	if written := string(dst[start:]); safetext.Line(written) != written {
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

// exampleOf holds a string that satisfies each format of JSON Schema that has
// a shape of its own.
var exampleOf = map[string]string{
	"date":      "2026-01-31",
	"time":      "09:00:00Z",
	"date-time": "2026-01-31T09:00:00Z",
	"duration":  "PT1H",
	"email":     "name@example.com",
	"hostname":  "example.com",
	"ipv4":      "192.0.2.1",
	"ipv6":      "2001:db8::1",
	"uri":       "https://example.com",
	"iri":       "https://example.com",
	"uuid":      "00000000-0000-4000-8000-000000000000",
}

// text writes a string: an example of its format, else as many letters as it
// must have, up to a limit that keeps the line readable.
func (s *skeleton) text(v view) {
	const most = 40
	if format := v.get("format"); format != nil && exampleOf[format.Text] != "" {
		s.out = appendString(s.out, exampleOf[format.Text])
		return
	}
	least := 0
	if n := v.get("minLength"); n != nil {
		least, _ = strconv.Atoi(n.Text)
	}
	s.out = appendString(s.out, strings.Repeat("x", min(max(least, 0), most)))
}
