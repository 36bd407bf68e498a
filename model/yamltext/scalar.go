package yamltext

import (
	"encoding/base64"
	"math"
	"strings"

	"go.yaml.in/yaml/v3"

	"caliper/model/words"
)

// Kind is the kind of a value by the rules of YAML 1.1.
type Kind uint8

// The kinds of values.
const (
	Null Kind = iota
	Boolean
	Integer
	Decimal
	Text
	Date
	Binary
	List
	Mapping
	Special // the plain scalar << or =, which has a meaning as a key only
)

// Value is a resolved value.
type Value struct {
	Kind   Kind
	Text   string // the scalar, as between the quotes if there are any
	Quoted bool
	Yes    bool    // of a Boolean
	Int    int64   // of an Integer, the nearest int64
	Float  float64 // of an Integer (infinite beyond the range of float64) or Decimal
	Node   *yaml.Node
}

// Resolve returns the value of a node or alias, and why the reference's loader refuses it, mostly
// "".
func Resolve(n *yaml.Node) (v Value, problem string) {
	target := Follow(n)
	switch target.Kind {
	case yaml.MappingNode:
		v.Kind = Mapping
	case yaml.SequenceNode:
		v.Kind = List
	default:
		v, problem = resolveScalar(target)
	}
	v.Node = n
	return v, problem
}

// Items returns the values of the items of a list.
func Items(n *yaml.Node) []Value {
	content := Follow(n).Content
	items := make([]Value, len(content))
	for i, item := range content {
		items[i], _ = Resolve(item)
	}
	return items
}

// Follow returns the node that an alias stands for, or n itself.
func Follow(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// QuotedStyles are the styles of scalars that are text whatever they hold.
const QuotedStyles = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle

func resolveScalar(n *yaml.Node) (v Value, problem string) {
	switch {
	case n.Style&yaml.TaggedStyle == 0 && n.Style&QuotedStyles != 0:
		v = Value{Kind: Text}
	case n.Style&yaml.TaggedStyle == 0:
		v, problem = Plain(n.Value)
	default:
		switch tag := n.ShortTag(); tag {
		case "!!str":
			v.Kind = Text
		case "!!null":
		case "!!bool":
			if v = plainWords[strings.ToLower(n.Value)]; v.Kind != Boolean {
				v, problem = Value{Kind: Text}, "not a boolean"
			}
		case "!!int":
			v, problem = integerValue(n.Value)
		case "!!float":
			v, problem = decimalValue(n.Value)
		case "!!timestamp":
			v, problem = dateValue(n.Value)
		case "!!binary":
			v.Kind = Binary
		default:
			v.Kind, problem = Text, "the tag "+Printable(tag)+" is unknown or does not fit a scalar"
		}
	}
	v.Text = n.Value
	if v.Kind == Binary {
		b, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(v.Text), ""))
		if v.Text = string(b); err != nil {
			v.Text = ""
		}
	}
	v.Quoted = n.Style&QuotedStyles != 0
	return v, problem
}

// plainWords are the words that are not text without quotes. Source: YAML 1.1 types bool and null, as the reference's loader
// has them, without y and n.
var plainWords = map[string]Value{
	"": {}, "~": {}, "null": {}, "Null": {}, "NULL": {},
	"<<": {Kind: Special}, "=": {Kind: Special},
	"yes": {Kind: Boolean, Yes: true}, "Yes": {Kind: Boolean, Yes: true}, "YES": {Kind: Boolean, Yes: true},
	"true": {Kind: Boolean, Yes: true}, "True": {Kind: Boolean, Yes: true}, "TRUE": {Kind: Boolean, Yes: true},
	"on": {Kind: Boolean, Yes: true}, "On": {Kind: Boolean, Yes: true}, "ON": {Kind: Boolean, Yes: true},
	"no": {Kind: Boolean}, "No": {Kind: Boolean}, "NO": {Kind: Boolean},
	"false": {Kind: Boolean}, "False": {Kind: Boolean}, "FALSE": {Kind: Boolean},
	"off": {Kind: Boolean}, "Off": {Kind: Boolean}, "OFF": {Kind: Boolean},
}

// Patterns of plain scalars. Source: YAML 1.1 types int and float, as the
// reference's loader has them: an exponent needs a point and a sign, so 1e1
// is text.
var (
	plainInteger = words.LazyRegexp(`^[-+]?(?:0b[01_]+|0[0-7_]+|0|[1-9][0-9_]*|0x[0-9a-fA-F_]+|[1-9][0-9_]*(?::[0-5]?[0-9])+)$`)
	plainDecimal = words.LazyRegexp(`^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$`)
)

// Plain returns the value of a scalar without quotes or tag.
func Plain(s string) (v Value, problem string) {
	if v, ok := plainWords[s]; ok {
		return v, ""
	}
	if strings.IndexByte("+-.0123456789", s[0]) < 0 {
		return Value{Kind: Text}, ""
	}
	switch {
	case s[0] != '0' && strings.Trim(s, "0123456789") == "": // most numbers, without the patterns
		return integerValue(s)
	case plainDecimal().MatchString(s):
		return decimalValue(s)
	case plainInteger().MatchString(s):
		return integerValue(s)
	case plainDate().MatchString(s):
		return dateValue(s)
	}
	return Value{Kind: Text}, ""
}

// Saturated returns the integer nearest to f, which is not NaN.
func Saturated(f float64) int64 {
	switch {
	case f >= math.MaxInt64:
		return math.MaxInt64
	case f <= math.MinInt64:
		return math.MinInt64
	}
	return int64(f)
}

// Truthy reports whether a value is true in Python.
func (v Value) Truthy() bool {
	switch v.Kind {
	case Null:
		return false
	case Boolean:
		return v.Yes
	case Integer:
		return v.Int != 0
	case Decimal:
		return v.Float != 0
	case Text, Binary:
		return v.Text != ""
	case List, Mapping:
		return v.Node == nil || len(Follow(v.Node).Content) > 0
	}
	return true
}
