package config

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"

	"caliper/model/words"
	"caliper/model/yamltext"
)

// value is a value of the file with its variables expanded, or one that a flag gave.
type value struct {
	yamltext.Value
	items []value // of a list that a flag gave

	environment *environment // that the values inside are expanded in; nil: none
	written     string       // text before variables were expanded, empty when none were
	unset       []string     // variables in text that are not set
}

// valueOf returns the value of a node. No variable is expanded.
func valueOf(n *yaml.Node) value {
	v, _ := yamltext.Resolve(n) // a problem would have kept the file from being loaded
	return value{Value: v}
}

// source returns v as the file has it, in the flow style and on one line.
func (v value) source() string {
	if v.Node == nil && v.Kind == yamltext.List {
		items := make([]string, len(v.items))
		for i, item := range v.items {
			items[i] = item.Text
		}
		return yamltext.Printable("[" + strings.Join(items, ", ") + "]")
	}
	v.Text = v.asWritten()
	return v.Source()
}

func textValue(s string) value { return value{Value: yamltext.Value{Kind: yamltext.Text, Text: s}} }

// flagValue returns the value of a flag; ok is false for a type that no flag has.
func flagValue(val any) (v value, ok bool) {
	switch x := val.(type) {
	case nil:
		return value{}, true
	case string:
		return textValue(x), true
	case bool:
		return value{Value: yamltext.Value{Kind: yamltext.Boolean, Yes: x, Text: strconv.FormatBool(x)}}, true
	case int:
		return flagValue(int64(x))
	case int64:
		return value{Value: yamltext.Value{Kind: yamltext.Integer, Int: x, Float: float64(x), Text: strconv.FormatInt(x, 10)}}, true
	case float64:
		return value{Value: yamltext.Value{Kind: yamltext.Decimal, Float: x, Text: fmt.Sprint(x)}}, true
	case []string:
		v = value{Value: yamltext.Value{Kind: yamltext.List}, items: make([]value, len(x))}
		for i, s := range x {
			v.items[i] = textValue(s)
		}
		return v, true
	}
	return value{}, false
}

// elements returns the items of a list.
func (v value) elements() []value {
	if v.Node == nil {
		return v.items
	}
	nodes := yamltext.Items(v.Node)
	items := make([]value, len(nodes))
	for i, item := range nodes {
		items[i] = value{Value: item}.in(v.environment)
	}
	return items
}

// names returns the names in a list as written; never nil. A boolean, a number or a date counts as
// its text, with a warning; what is no name is left out, with another.
func (v value) names() (names []string, warnings []itemOutcome) {
	names = []string{}
	for i, item := range v.elements() {
		switch {
		case item.Kind == yamltext.Text && item.Text != "":
			names = append(names, item.Text)
			if note := item.unsetNote(); note != "" {
				warnings = append(warnings, itemOutcome{index: i, at: item, code: unsetVariable, note: note})
			}
		case item.Kind == yamltext.Boolean || item.Kind == yamltext.Integer || item.Kind == yamltext.Decimal || item.Kind == yamltext.Date || item.Kind == yamltext.Special:
			names = append(names, item.Text)
			warnings = append(warnings, itemOutcome{index: i, at: item, code: "unquoted_name",
				note: item.source() + " is not text in YAML 1.1; it is taken as the name " + yamltext.Quote(item.Text)})
		default:
			warnings = append(warnings, itemOutcome{index: i, at: item, code: unnamed,
				note: item.source() + " is not a name and is left out"})
		}
	}
	return names, warnings
}

// unsetVariable is the code of the warning about a variable that is not set.
const unsetVariable = "unset_variable"

// unnamed is the code of the warning about an item that names left out.
const unnamed = "not_a_name"

// reading warns when v is read as n and its text means another number to most people.
func (v value) reading(n float64) outcome {
	reads := fmt.Sprintf("%s reads as %s", v.source(), formatNumber(n))
	code := ""
	decimal, isDecimal := words.PythonInt(v.Text)
	// Underscores are expected to group thousands, where a point may be meant else.
	grouped := !strings.Contains(v.Text, "_") || strings.HasPrefix(v.Text, "0x") || strings.HasPrefix(v.Text, "0b") || thousands().MatchString(v.Text)
	switch {
	case v.Kind == yamltext.Boolean:
		code = "boolean_number"
	case v.Kind == yamltext.Decimal && v.Float != n:
		code = "truncated"
	case v.Kind == yamltext.Binary:
		code = "unusual_number"
	case strings.Contains(v.Text, ":"):
		code, reads = "unusual_number", reads+", a YAML 1.1 number in base 60"
	case v.Kind == yamltext.Integer && isDecimal && decimal != v.Int:
		code, reads = "unusual_number", reads+", a YAML 1.1 octal number"
	case !grouped, strings.ContainsFunc(v.Text, func(r rune) bool { return r > unicode.MaxASCII }):
		code = "unusual_number"
	}
	if code == "" {
		return outcome{}
	}
	return outcome{code: code, problem: reads}
}

// read returns v as its text and, where reading warns, as the number n.
func (v value) read(n float64) string {
	if out := v.reading(n); out.code != "" {
		return out.problem + ", which"
	}
	return v.source()
}

var thousands = words.LazyRegexp(`^\s*[-+]?[0-9]{1,3}(_[0-9]{3})+(\.[0-9]*)?\s*$`)

// formatNumber returns a number without an exponent where it is a whole one.
func formatNumber(f float64) string {
	if f == math.Trunc(f) && math.Abs(f) < 1e15 {
		return strconv.FormatFloat(f, 'f', 0, 64)
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// number returns the float64 that the reference's float makes of v.
func (v value) number() (float64, status) {
	switch v.Kind {
	case yamltext.Boolean:
		return float64(v.asInteger()), accepted
	case yamltext.Integer:
		if math.IsInf(v.Float, 0) {
			return 0, fatal
		}
		return v.Float, accepted
	case yamltext.Decimal:
		return v.Float, accepted
	case yamltext.Text, yamltext.Binary:
		if f, ok := words.PythonFloat(v.Text); ok {
			return f, accepted
		}
	}
	return 0, rejected
}

// integer returns what the reference's int makes of v, or the nearest int64: a fraction is cut off
// but in text, and infinity fails.
func (v value) integer() (int64, status) {
	switch v.Kind {
	case yamltext.Boolean, yamltext.Integer:
		return v.asInteger(), accepted
	case yamltext.Decimal:
		switch {
		case math.IsNaN(v.Float):
			return 0, rejected
		case math.IsInf(v.Float, 0):
			return 0, fatal
		}
		return yamltext.Saturated(v.Float), accepted
	case yamltext.Text, yamltext.Binary:
		if n, ok := words.PythonInt(v.Text); ok {
			return n, accepted
		}
	}
	return 0, rejected
}

// word returns the text by which modes knows a value.
func (v value) word() string {
	switch v.Kind {
	case yamltext.Text:
		return strings.ToLower(words.Strip(v.Text))
	case yamltext.Boolean, yamltext.Integer:
		return fmt.Sprint(v.asInteger())
	}
	return ""
}

// asInteger returns the integer that a boolean or an integer is.
func (v value) asInteger() int64 {
	if v.Kind == yamltext.Boolean && v.Yes {
		return 1
	}
	return v.Int
}
