package arguments

import (
	"math"
	"strconv"
	"strings"

	"caliper/model/jsontree"
	"caliper/model/words"
)

// Models put the wrong type where a name, a query or a limit belongs. The
// reference agent, written in Python, takes the text form of such a value, and
// treats values that are false in Python as missing. Text and Whole do the
// same.

// Text returns the text of a JSON value as Python's str gives it, trimmed as
// Python trims; empty for an absent, unreadable or false value.
func Text(raw []byte) string {
	v, err := jsontree.Parse(raw, jsontree.Python)
	if err != nil || falsy(v) {
		return ""
	}
	if v.Kind == jsontree.String {
		return words.Strip(v.Text)
	}
	var b strings.Builder
	repr(v, &b)
	return words.Strip(b.String())
}

// Whole returns the integer that Python's int makes of a JSON value, which is
// the nearest int when it is out of range: a fraction is cut off, but not in
// text. ok is false where int refuses.
func Whole(raw []byte) (n int, ok bool) {
	v, err := jsontree.Parse(raw, jsontree.Python)
	if err != nil {
		return 0, false
	}
	switch v.Kind {
	case jsontree.Boolean:
		if v.Text == "true" {
			return 1, true
		}
		return 0, true
	case jsontree.Number:
		f, _ := strconv.ParseFloat(v.Text, 64)
		if math.IsInf(f, 0) && strings.ContainsAny(v.Text, ".eE") {
			return 0, false // Python reads 1e400 as infinity, and int refuses it
		}
		switch {
		case f >= math.MaxInt:
			return math.MaxInt, true
		case f <= math.MinInt:
			return math.MinInt, true
		}
		return int(f), true
	case jsontree.String:
		whole, ok := words.PythonInt(v.Text)
		return int(min(max(whole, math.MinInt), math.MaxInt)), ok
	}
	return 0, false
}

// falsy reports whether Python would treat the value as false.
func falsy(v *jsontree.Node) bool {
	if v == nil {
		return true
	}
	switch v.Kind {
	case jsontree.Null:
		return true
	case jsontree.Boolean:
		return v.Text == "false"
	case jsontree.Number:
		f, err := strconv.ParseFloat(v.Text, 64)
		return err == nil && f == 0
	case jsontree.String:
		return v.Text == ""
	case jsontree.Array, jsontree.Object:
		return len(v.Children) == 0
	}
	return false
}

// repr writes a value as Python's repr shows it inside a container.
func repr(v *jsontree.Node, b *strings.Builder) {
	switch v.Kind {
	case jsontree.Null:
		b.WriteString("None")
	case jsontree.Boolean:
		b.WriteString(map[string]string{"true": "True", "false": "False"}[v.Text])
	case jsontree.NotFinite:
		b.WriteString(map[string]string{"NaN": "nan", "Infinity": "inf", "-Infinity": "-inf"}[v.Text])
	case jsontree.Number:
		b.WriteString(strings.Replace(strings.ToLower(numberText(v.Text)), "infinity", "inf", 1))
	case jsontree.String:
		words.AppendPythonQuoted(b, v.Text)
	case jsontree.Array:
		b.WriteByte('[')
		for i, item := range v.Children {
			if i > 0 {
				b.WriteString(", ")
			}
			repr(item.Node, b)
		}
		b.WriteByte(']')
	case jsontree.Object:
		b.WriteByte('{')
		for i, m := range v.Children {
			if i > 0 {
				b.WriteString(", ")
			}
			words.AppendPythonQuoted(b, m.Name)
			b.WriteString(": ")
			repr(m.Node, b)
		}
		b.WriteByte('}')
	}
}

// numberText writes a JSON number as Python does after reading it: an integer
// with all its digits, any other through a float64.
func numberText(text string) string {
	if !strings.ContainsAny(text, ".eE") {
		if text == "-0" {
			return "0"
		}
		return text
	}
	f, _ := strconv.ParseFloat(text, 64) // the only error is one of range, and then f is infinite
	return words.PythonFloatText(f)
}
