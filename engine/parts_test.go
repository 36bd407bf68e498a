package engine

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/engine/tokens"
	"caliper/model/jsontree"
)

func TestPartsAddUp(t *testing.T) {
	s := snapshotOf(t, "wide")
	for _, tool := range s.Registry.Tools {
		p := s.Parts(tool)
		if sum := p.Name + p.Description + p.Descriptions + p.Structure; sum != s.ToolTokens(tool) {
			t.Errorf("%s: parts %+v add up to %d of %d", tool.Name, p, sum, s.ToolTokens(tool))
		}
	}
}

// drawSchema draws a value that a schema may hold, with white space.
func drawSchema(t *rapid.T, depth int) string {
	space := rapid.SampledFrom([]string{"", "", " ", "\n\t"}).Draw(t, "space")
	kinds := 5
	if depth == 0 {
		kinds = 1
	}
	switch rapid.IntRange(0, kinds).Draw(t, "kind") {
	case 0:
		return rapid.SampledFrom([]string{`null`, `-1.5e3`, `true`, `[]`, `{}`}).Draw(t, "scalar")
	case 1:
		return `"` + rapid.SampledFrom([]string{"", "a text", "description", "é€", "\u2028", `\u0041\/`, `\"<&>\\`, `]}`, `{\"description\":1`, "\x7f", `\ud83d\ude00`}).Draw(t, "text") + `"`
	case 2:
		var elements []string
		for range rapid.IntRange(0, 3).Draw(t, "elements") {
			elements = append(elements, space+drawSchema(t, depth-1))
		}
		return "[" + strings.Join(elements, ",") + space + "]"
	}
	names := rapid.Permutation([]string{"description", "type", `d\u0065scription2`, "properties", ""}).Draw(t, "names")
	if rapid.Bool().Draw(t, "escaped") {
		names = []string{`d\u0065scription`, "type"}
	}
	var members []string
	for _, name := range names[:rapid.IntRange(0, len(names)).Draw(t, "members")] {
		members = append(members, fmt.Sprintf(`%s"%s"%s:%s%s`, space, name, space, space, drawSchema(t, depth-1)))
	}
	return "{" + strings.Join(members, ",") + space + "}"
}

// Descriptions are the texts that a reader of the whole schema finds, each encoded anew.
func TestDescriptionsOfParameters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schema := drawSchema(t, 4)
		root, fault := jsontree.Parse([]byte(schema), jsontree.Strict)
		if fault != nil {
			t.Fatal(fault, schema)
		}
		for _, m := range []tokens.Method{tokens.Chars4, tokens.O200k} {
			units := 0
			var walk func(*jsontree.Node)
			walk = func(n *jsontree.Node) {
				for _, c := range n.Children {
					if c.Name == "description" && c.Kind == jsontree.String {
						if units += m.Units(jsontree.Encode(c.Text)); m == tokens.Chars4 {
							units -= 2
						}
						continue
					}
					walk(c.Node)
				}
			}
			walk(root)
			s, got := Snapshot{Tokenizer: m}, 0
			eachDescription([]byte(schema), func(written []byte) { got += s.writtenUnits(written) })
			if got != units {
				t.Fatalf("%s counts %d, want %d: %s", m, got, units, schema)
			}
		}
	})
}
