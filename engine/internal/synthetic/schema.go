package synthetic

import (
	"slices"
	"strconv"
)

// types are the parameter types, as often as schemas have them.
var types = []string{"string", "string", "string", "integer", "boolean", "array", "object"}

// schema makes a parameter schema of n properties with distinct names. About
// a third of them are required.
func (g *generator) schema(n int) []byte {
	text := append(make([]byte, 0, n*96), `{"type":"object","properties":{`...)
	names := make([]string, 0, n)
	for i := range n {
		name := g.parameter(names)
		names = append(names, name)
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, '"')
		text = append(text, name...)
		text = append(text, `":{"type":"`...)
		text = append(text, g.pick(types)...)
		text = append(text, `","description":"`...)
		text = append(text, g.sentence(3+g.rand.IntN(7))...)
		text = append(text, `"}`...)
	}
	text = append(text, `},"required":[`...)
	for i, name := range names[:(n+2)/3] {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, '"')
		text = append(text, name...)
		text = append(text, '"')
	}
	return append(text, `]}`...)
}

// parameter draws a name that is not in names.
func (g *generator) parameter(names []string) string {
	name := g.pick(parameters)
	if g.rand.IntN(3) == 0 {
		name = g.word() + "_" + g.pick(parameters)
	}
	for i, try := 2, name; ; i++ {
		if !slices.Contains(names, try) {
			return try
		}
		try = name + strconv.Itoa(i)
	}
}
