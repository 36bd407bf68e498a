package config

import (
	"math/big"
	"slices"
	"strings"

	"caliper/model/words"
	"caliper/model/yamltext"
)

// maxNesting bounds how deep a value is written. An alias may stand for what it is in.
const maxNesting = 50

// setDefer takes the core tools that are deferred, as the agent does: the items of a list or a YAML
// set, Python's str of each, trimmed, sorted, each once. Anything else leaves the curated list, with a
// warning.
func setDefer(r row, c *Config, v value) outcome {
	var items []value
	switch {
	case v.Kind == yamltext.Null:
		return outcome{}
	case v.Kind == yamltext.List:
		items = v.elements()
	case v.Kind == yamltext.Mapping && yamltext.Follow(v.Node).Tag == "!!set":
		for _, e := range yamltext.Entries(v.Node) {
			items = append(items, v.resolve(e.Key))
		}
	default:
		return outcome{status: rejected, code: "not_a_list", problem: v.source() + " is not a list of names", instead: "; " + r.instead}
	}
	names := []string{}
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
	c.Defer = slices.Compact(names)
	return outcome{}
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
		n, ok := new(big.Int).SetString(strings.ReplaceAll(v.Text, "_", ""), 0)
		if !ok { // in base 60
			n = big.NewInt(v.Int)
		}
		b.WriteString(n.String())
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
