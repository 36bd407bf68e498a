package arguments

import (
	"encoding/json"
	"math"
	"math/big"
	"slices"
	"strings"

	"caliper/model/jsontree"
	"caliper/model/words"
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
// Registered for an MCP server's. The result is one line, each
// name in it once; it holds NaN and infinities as words, and is then not JSON
// to others.
//
// A Fault of code CodeCoercion is that the agent fails over a part of the
// schema that is no schema, so that the tool is never called.
func Coerce(schema, args []byte) ([]byte, []Coerced, *Fault) {
	given, err := jsontree.Parse(args, jsontree.Python)
	if err != nil || given.Kind != jsontree.Object {
		return args, nil, nil
	}
	if len(given.Children) == 0 {
		return []byte("{}"), nil, nil
	}
	properties, f := propertiesOf(schema)
	if f != nil {
		return nil, nil, f
	}
	var changed []Coerced
	for i := range given.Children {
		m := &given.Children[i]
		property := properties.Member(m.Name)
		if falsy(property) {
			continue
		}
		path := into("", m.Name)
		if property.Kind != jsontree.Object {
			return nil, nil, coercionFault(path, "its schema is "+property.Kind.String()+", which is not a schema")
		}
		v, reason := coerceArgument(property, m.Node)
		if reason != "" {
			return nil, nil, coercionFault(path, reason)
		}
		if v != m.Node {
			changed = append(changed, Coerced{Path: path, Given: echo(m.Node), Coerced: echo(v)})
			m.Node = v
		}
	}
	return appendValue(nil, given), changed, nil
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
func propertiesOf(schema []byte) (*jsontree.Node, *Fault) {
	if len(schema) == 0 {
		return nil, nil
	}
	s, err := jsontree.Parse(schema, jsontree.Python)
	if err != nil || falsy(s) {
		return nil, nil
	}
	if s.Kind != jsontree.Object {
		return nil, coercionFault("", "the parameters are "+s.Kind.String()+", which is not a schema")
	}
	properties := s.Member("properties")
	if falsy(properties) {
		return nil, nil
	}
	if properties.Kind != jsontree.Object {
		return nil, coercionFault("", "the properties are "+properties.Kind.String()+", and not an object")
	}
	return properties, nil
}

// coerceArgument returns the argument as converted by the schema of its
// property, the very value when it stays; the reason is why the agent fails.
func coerceArgument(property, v *jsontree.Node) (out *jsontree.Node, reason string) {
	want := property.Member("type")
	if is(want, "array") && v.Kind != jsontree.Null && v.Kind != jsontree.Array {
		if v.Kind == jsontree.String {
			if out, _ = coerceText(property, want, v); out != v {
				return out, ""
			}
		}
		return &jsontree.Node{Kind: jsontree.Array, Children: []jsontree.Child{{Node: v}}}, ""
	}
	if v.Kind != jsontree.String || falsy(want) && !allowsNull(property) {
		return v, ""
	}
	return coerceText(property, want, v)
}

// coerceText returns what a text becomes where a type is wanted.
func coerceText(property, want, v *jsontree.Node) (out *jsontree.Node, reason string) {
	word := strings.ToLower(words.Strip(v.Text))
	if word == "null" && allowsNull(property) {
		return &jsontree.Node{Kind: jsontree.Null, Text: "null"}, ""
	}
	if want == nil {
		return v, ""
	}
	switch want.Kind {
	case jsontree.Array: // the first that converts
		for _, one := range want.Children {
			if out, reason = coerceText(property, one.Node, v); reason != "" || out != v {
				return out, reason
			}
		}
		return v, ""
	case jsontree.Object:
		return v, "a type that is an object"
	case jsontree.String:
	default:
		return v, ""
	}
	switch want.Text {
	case "integer", "number":
		return coerceNumber(v, want.Text == "integer"), ""
	case "boolean":
		if word == "true" || word == "false" {
			return &jsontree.Node{Kind: jsontree.Boolean, Text: word}, ""
		}
	case "array":
		return coerceJSON(v, jsontree.Array), ""
	case "object":
		return coerceJSON(v, jsontree.Object), ""
	}
	return v, ""
}

// coerceNumber returns the number that a text stands for, through a float64 as
// the agent takes it: without a fraction it is an integer, with all its digits.
func coerceNumber(v *jsontree.Node, whole bool) *jsontree.Node {
	f, ok := words.PythonFloat(v.Text)
	switch {
	case !ok || math.IsNaN(f) || math.IsInf(f, 0):
		return v
	case f == math.Trunc(f):
		n, _ := big.NewFloat(f).Int(nil)
		return &jsontree.Node{Kind: jsontree.Number, Text: n.String()}
	case whole:
		return v
	}
	return &jsontree.Node{Kind: jsontree.Number, Text: words.PythonFloatText(f)}
}

// coerceJSON returns the array or the object that a text is the JSON of.
func coerceJSON(v *jsontree.Node, want jsontree.Kind) *jsontree.Node {
	parsed, err := jsontree.Parse([]byte(v.Text), jsontree.Python)
	if err != nil || parsed.Kind != want || tooLong(parsed) {
		return v
	}
	return parsed
}

// maxDigits is the longest integer that Python reads, see
// sys.set_int_max_str_digits.
const maxDigits = 4300

// tooLong reports whether v holds an integer that Python refuses to read.
func tooLong(v *jsontree.Node) bool {
	if v.Kind == jsontree.Number && len(v.Text) > maxDigits && !strings.ContainsAny(v.Text, ".eE") {
		return len(strings.TrimPrefix(v.Text, "-")) > maxDigits
	}
	return slices.ContainsFunc(v.Children, func(c jsontree.Child) bool { return tooLong(c.Node) })
}

// is reports whether v is that text.
func is(v *jsontree.Node, text string) bool { return v.Is(jsontree.String) && v.Text == text }

// allowsNull reports whether a property's schema names null as a type, itself
// or in one of its direct alternatives.
func allowsNull(property *jsontree.Node) bool {
	want := property.Member("type")
	isNull := func(c jsontree.Child) bool { return is(c.Node, "null") }
	if is(want, "null") || slices.ContainsFunc(want.Elements(), isNull) {
		return true
	}
	if nullable := property.Member("nullable"); nullable.Is(jsontree.Boolean) && nullable.Text == "true" {
		return true
	}
	return slices.ContainsFunc(unions, func(keyword string) bool {
		return slices.ContainsFunc(property.Member(keyword).Elements(), admitsOnlyNull)
	})
}

// admitsOnlyNull reports whether an alternative is a schema of null.
func admitsOnlyNull(alternative jsontree.Child) bool { return is(alternative.Member("type"), "null") }

// unions are the keywords whose alternatives may be null.
var unions = []string{"anyOf", "oneOf"}
