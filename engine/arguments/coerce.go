package arguments

import (
	"encoding/json"
	"math"
	"math/big"
	"strings"

	"caliper/config"
)

// Coerced is one argument that was converted. Given and Coerced are JSON; a
// value that holds NaN or an infinity, which JSON does not have, is a string
// with its text.
type Coerced struct {
	Path    string          `json:"path"` // as in a Problem
	Given   json.RawMessage `json:"given"`
	Coerced json.RawMessage `json:"coerced"`
}

// Coerce returns the arguments as the June 2026 agent hands them to a tool,
// and what it converted, in the order of the arguments. args is an object as
// Parse returns it, schema the tool's parameters as they are registered; see
// Registered for those of an MCP server. What is returned is one line, each
// name in it once; it holds NaN and infinities as words, and is then not JSON
// to others.
//
// A Fault of code CodeCoercion says that the agent fails over a part of the
// schema that is no schema, so that the tool is never called.
func Coerce(schema, args []byte) ([]byte, []Coerced, *Fault) {
	given, err := parse(args)
	if err != nil || given.kind != object {
		return args, nil, nil
	}
	if len(given.members) == 0 {
		return []byte("{}"), nil, nil
	}
	properties, f := propertiesOf(schema)
	if f != nil {
		return nil, nil, f
	}
	var changed []Coerced
	for i := range given.members {
		m := &given.members[i]
		property := properties.get(m.name)
		if property.falsy() {
			continue
		}
		path := into("", m.name)
		if property.kind != object {
			return nil, nil, coercionFault(path, "its schema is "+property.kind.String()+", which is no schema")
		}
		v, reason := coerceArgument(property, m.value)
		if reason != "" {
			return nil, nil, coercionFault(path, reason)
		}
		if v != m.value {
			changed = append(changed, Coerced{Path: path, Given: m.value.echo(), Coerced: v.echo()})
			m.value = v
		}
	}
	return given.append(nil), changed, nil
}

// coercionFault returns the fault of a call that the agent fails over.
func coercionFault(path, reason string) *Fault {
	if path != "" {
		path += ": "
	}
	return &Fault{Code: CodeCoercion, Message: path + "the agent fails to convert the arguments: " + reason}
}

// propertiesOf returns the properties that a schema declares, nil when it
// declares none.
func propertiesOf(schema []byte) (*value, *Fault) {
	if len(schema) == 0 {
		return nil, nil
	}
	s, err := parse(schema)
	if err != nil || s.falsy() {
		return nil, nil
	}
	if s.kind != object {
		return nil, coercionFault("", "the parameters are "+s.kind.String()+", which is no schema")
	}
	properties := s.get("properties")
	if properties.falsy() {
		return nil, nil
	}
	if properties.kind != object {
		return nil, coercionFault("", "the properties are "+properties.kind.String()+", and not an object")
	}
	return properties, nil
}

// coerceArgument returns what an argument becomes by the schema of its
// property, the very value when nothing; the reason says why the agent fails.
func coerceArgument(property, v *value) (out *value, reason string) {
	want := property.get("type")
	if want.is("array") && v.kind != null && v.kind != array {
		if v.kind == str {
			if out, _ = coerceText(property, want, v); out != v {
				return out, ""
			}
		}
		return &value{kind: array, items: []*value{v}}, ""
	}
	if v.kind != str || want.falsy() && !property.allowsNull() {
		return v, ""
	}
	return coerceText(property, want, v)
}

// coerceText returns what a text becomes where a type is wanted.
func coerceText(property, want, v *value) (out *value, reason string) {
	word := strings.ToLower(Trim(v.text))
	if word == "null" && property.allowsNull() {
		return &value{kind: null, text: "null"}, ""
	}
	if want == nil {
		return v, ""
	}
	switch want.kind {
	case array: // the first that converts
		for _, one := range want.items {
			if out, reason = coerceText(property, one, v); reason != "" || out != v {
				return out, reason
			}
		}
		return v, ""
	case object:
		return v, "a type that is an object"
	case str:
	default:
		return v, ""
	}
	switch want.text {
	case "integer", "number":
		return coerceNumber(v, want.text == "integer"), ""
	case "boolean":
		if word == "true" || word == "false" {
			return &value{kind: boolean, text: word}, ""
		}
	case "array":
		return coerceJSON(v, array), ""
	case "object":
		return coerceJSON(v, object), ""
	}
	return v, ""
}

// coerceNumber returns the number that a text stands for, through a float64 as
// the agent takes it: without a fraction it is an integer, with all its digits.
func coerceNumber(v *value, whole bool) *value {
	f, ok := config.ReadFloat(v.text)
	switch {
	case !ok || math.IsNaN(f) || math.IsInf(f, 0):
		return v
	case f == math.Trunc(f):
		n, _ := big.NewFloat(f).Int(nil)
		return &value{kind: number, text: n.String()}
	case whole:
		return v
	}
	return &value{kind: number, text: floatText(f)}
}

// coerceJSON returns the array or the object that a text is the JSON of.
func coerceJSON(v *value, want kind) *value {
	parsed, err := parse([]byte(v.text))
	if err != nil || parsed.kind != want || parsed.tooLong() {
		return v
	}
	return parsed
}

// maxDigits is the longest integer that Python reads, see
// sys.set_int_max_str_digits.
const maxDigits = 4300

// tooLong reports whether v holds an integer that Python refuses to read.
func (v *value) tooLong() bool {
	if v.kind == number && len(v.text) > maxDigits && !strings.ContainsAny(v.text, ".eE") {
		return len(strings.TrimPrefix(v.text, "-")) > maxDigits
	}
	for _, item := range v.items {
		if item.tooLong() {
			return true
		}
	}
	for _, m := range v.members {
		if m.value.tooLong() {
			return true
		}
	}
	return false
}

// is reports whether v is that text.
func (v *value) is(text string) bool { return v != nil && v.kind == str && v.text == text }

// allowsNull reports whether a property's schema names null as a type, itself
// or in one of its direct alternatives.
func (v *value) allowsNull() bool {
	want := v.get("type")
	if want.is("null") {
		return true
	}
	if want != nil && want.kind == array {
		for _, one := range want.items {
			if one.is("null") {
				return true
			}
		}
	}
	if nullable := v.get("nullable"); nullable != nil && nullable.kind == boolean && nullable.text == "true" {
		return true
	}
	for _, keyword := range unions {
		for _, one := range v.get(keyword).list() {
			if one.kind == object && one.get("type").is("null") {
				return true
			}
		}
	}
	return false
}

// unions are the keywords whose alternatives may be null.
var unions = []string{"anyOf", "oneOf"}

// list returns the items of an array; of anything else none.
func (v *value) list() []*value {
	if v == nil {
		return nil
	}
	return v.items
}
