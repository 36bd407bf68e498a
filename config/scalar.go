package config

import (
	"encoding/base64"
	"math"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// kind is what a YAML value is after resolution.
type kind uint8

const (
	null kind = iota
	boolean
	integer
	decimal
	text
	date
	binary
	list
	mapping
	// special is the plain scalar << or =, which has a meaning as a key only.
	special
)

// value is a resolved YAML value, or one that a flag gave.
type value struct {
	kind   kind
	text   string // the scalar, as between the quotes if there are any
	quoted bool
	yes    bool    // of a boolean
	int    int64   // of an integer, saturated
	float  float64 // of an integer (infinite beyond the range of float64) or decimal
	items  []value // of a list that a flag gave
	node   *yaml.Node

	environment *environment // that the values inside are expanded in; nil: none
	written     string       // text before variables were expanded, empty when none were
	unset       []string     // variables in text that are not set
}

// resolveNode returns the value of n by the rules of YAML 1.1, following
// aliases. A value that the reference's loader refuses has a problem.
func resolveNode(n *yaml.Node) (v value, problem string) {
	target := follow(n)
	switch target.Kind {
	case yaml.MappingNode:
		v.kind = mapping
	case yaml.SequenceNode:
		v.kind = list
	default:
		v, problem = resolveScalar(target)
	}
	v.node = n
	return v, problem
}

// follow returns the node that an alias stands for, or n itself.
func follow(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

const quotedStyles = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle

func resolveScalar(n *yaml.Node) (v value, problem string) {
	switch {
	case n.Style&yaml.TaggedStyle != 0:
		v, problem = resolveTagged(n.ShortTag(), n.Value)
	case n.Style&quotedStyles != 0:
		v = value{kind: text}
	default:
		v, problem = resolvePlain(n.Value)
	}
	v.text = n.Value
	if v.kind == binary {
		v.text = v.decodeBinary()
	}
	v.quoted = n.Style&quotedStyles != 0
	return v, problem
}

// plainWords are the plain scalars that are not text because of their
// spelling. Source: YAML 1.1 types bool and null, as the reference's loader
// has them, without y and n.
var plainWords = map[string]value{
	"": {}, "~": {}, "null": {}, "Null": {}, "NULL": {},
	"<<": {kind: special}, "=": {kind: special},
	"yes": {kind: boolean, yes: true}, "Yes": {kind: boolean, yes: true}, "YES": {kind: boolean, yes: true},
	"true": {kind: boolean, yes: true}, "True": {kind: boolean, yes: true}, "TRUE": {kind: boolean, yes: true},
	"on": {kind: boolean, yes: true}, "On": {kind: boolean, yes: true}, "ON": {kind: boolean, yes: true},
	"no": {kind: boolean}, "No": {kind: boolean}, "NO": {kind: boolean},
	"false": {kind: boolean}, "False": {kind: boolean}, "FALSE": {kind: boolean},
	"off": {kind: boolean}, "Off": {kind: boolean}, "OFF": {kind: boolean},
}

// Patterns of plain scalars. Source: YAML 1.1 types int and float, as the
// reference's loader has them: an exponent needs a point and a sign, so 1e1
// is text.
var (
	plainInteger = regexp.MustCompile(`^[-+]?(?:0b[01_]+|0[0-7_]+|0|[1-9][0-9_]*|0x[0-9a-fA-F_]+|[1-9][0-9_]*(?::[0-5]?[0-9])+)$`)
	plainDecimal = regexp.MustCompile(`^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$`)
)

// resolvePlain returns the value of a scalar without quotes or tag.
func resolvePlain(s string) (v value, problem string) {
	if v, ok := plainWords[s]; ok {
		return v, ""
	}
	if strings.IndexByte("+-.0123456789", s[0]) < 0 {
		return value{kind: text}, ""
	}
	switch {
	case s[0] != '0' && strings.Trim(s, "0123456789") == "": // most numbers, without the patterns
		return integerValue(s)
	case plainDecimal.MatchString(s):
		return decimalValue(s)
	case plainInteger.MatchString(s):
		return integerValue(s)
	case plainDate.MatchString(s):
		return dateValue(s)
	}
	return value{kind: text}, ""
}

// resolveTagged returns the value of a scalar with an explicit tag.
func resolveTagged(tag, s string) (v value, problem string) {
	switch tag {
	case "!!str":
		return value{kind: text}, ""
	case "!!null":
		return value{}, ""
	case "!!bool":
		if v := plainWords[strings.ToLower(s)]; v.kind == boolean {
			return v, ""
		}
		return value{kind: text}, "not a boolean"
	case "!!int":
		return integerValue(s)
	case "!!float":
		return decimalValue(s)
	case "!!timestamp":
		return dateValue(s)
	case "!!binary":
		return value{kind: binary}, ""
	}
	return value{kind: text}, "the tag " + printable(tag) + " is unknown or does not fit a scalar"
}

// decodeBinary returns the bytes of a !!binary scalar; none when it is not
// base64.
func (v value) decodeBinary() string {
	b, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(v.text), ""))
	if err != nil {
		return ""
	}
	return string(b)
}

// saturated returns the integer nearest to f, which is not NaN.
func saturated(f float64) int64 {
	switch {
	case f >= math.MaxInt64:
		return math.MaxInt64
	case f <= math.MinInt64:
		return math.MinInt64
	}
	return int64(f)
}
