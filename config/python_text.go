package config

import (
	"slices"
	"strconv"
	"strings"

	"caliper/model/words"
	"caliper/model/yamltext"
)

// maxNesting bounds how deep a value is written. An alias may stand for what it is in.
const maxNesting = 50

// texts returns the items of a list or YAML set as the agent makes names of them: Python's str of
// each, trimmed, sorted, each once. ok is false for anything else.
func (v value) texts() (names []string, ok bool) {
	var items []value
	switch {
	case v.Kind == yamltext.List:
		items = v.elements()
	case v.Kind == yamltext.Mapping && yamltext.Follow(v.Node).Tag == "!!set":
		for _, e := range yamltext.Entries(v.Node) {
			items = append(items, v.resolve(e.Key))
		}
	default:
		return nil, false
	}
	names = []string{}
	for _, item := range items {
		text := item.Text
		if item.Kind != yamltext.Text && item.Kind != yamltext.Special {
			var b strings.Builder
			item.writePython(&b, 0)
			text = b.String()
		}
		if text = words.Strip(text); text != "" {
			names = append(names, text)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), true
}

// digits returns an integer in base 10; one beyond int64 as it is written in base 10.
func (v value) digits() string {
	plain := strings.TrimPrefix(strings.ReplaceAll(v.Text, "_", ""), "+")
	if float64(v.Int) != v.Float && strings.Trim(plain, "-0123456789") == "" {
		return plain
	}
	return strconv.FormatInt(v.Int, 10)
}

// writePython writes a value as Python's repr shows it inside a list.
func (v value) writePython(b *strings.Builder, depth int) {
	if depth > maxNesting {
		b.WriteString("...")
		return
	}
	switch v.Kind {
	case yamltext.Null:
		b.WriteString("None")
	case yamltext.Boolean:
		b.WriteString(map[bool]string{true: "True", false: "False"}[v.Yes])
	case yamltext.Integer:
		b.WriteString(v.digits())
	case yamltext.Decimal:
		text := words.PythonFloatText(v.Float)
		b.WriteString(strings.ToLower(strings.ReplaceAll(text, "Infinity", "inf")))
	case yamltext.Date:
		b.WriteString(v.Text)
	case yamltext.List:
		b.WriteByte('[')
		for i, item := range v.elements() {
			if i > 0 {
				b.WriteString(", ")
			}
			item.writePython(b, depth+1)
		}
		b.WriteByte(']')
	case yamltext.Mapping:
		b.WriteByte('{')
		for i, e := range yamltext.Entries(v.Node) {
			if i > 0 {
				b.WriteString(", ")
			}
			v.resolve(e.Key).writePython(b, depth+1)
			b.WriteString(": ")
			v.resolve(e.Val).writePython(b, depth+1)
		}
		b.WriteByte('}')
	default:
		words.AppendPythonQuoted(b, v.Text)
	}
}
