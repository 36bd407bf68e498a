package shapes

import (
	"strings"
	"testing"

	"caliper/model/jsontree"

	"pgregory.net/rapid"
)

func TestTypesOfPython(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"int":                                `{"type":"integer"}`,
		"int, optional":                      `{"type":"integer"}`,
		"str, optional, default=\"a,b\"":     `{"type":"string"}`,
		"List[int]":                          `{"type":"array","items":{"type":"integer"}}`,
		"list[int]":                          `{"type":"array","items":{"type":"integer"}}`,
		"typing.List[ int ], optional":       `{"type":"array","items":{"type":"integer"}}`,
		"List":                               `{"type":"array"}`,
		"List[Any]":                          `{"type":"array"}`,
		"List[List[float]]":                  `{"type":"array","items":{"type":"array","items":{"type":"number"}}}`,
		"List[Dict[str, int]]":               `{"type":"array","items":{"type":"object","additionalProperties":{"type":"integer"}}}`,
		"Tuple[int, str]":                    `{"type":"array","prefixItems":[{"type":"integer"},{"type":"string"}],"minItems":2,"maxItems":2}`,
		"Tuple[float, ...]":                  `{"type":"array","items":{"type":"number"}}`,
		"Tuple[List[int], Tuple[int, bool]]": `{"type":"array","prefixItems":[{"type":"array","items":{"type":"integer"}},{"type":"array","prefixItems":[{"type":"integer"},{"type":"boolean"}],"minItems":2,"maxItems":2}],"minItems":2,"maxItems":2}`,
		"tuple":                              `{"type":"array"}`,
		"set":                                `{"type":"array","uniqueItems":true}`,
		"Set[str]":                           `{"type":"array","items":{"type":"string"},"uniqueItems":true}`,
		"Dict":                               `{"type":"object"}`,
		"Dict[str, Any]":                     `{"type":"object"}`,
		"Dict[str, Union[int, List[int]]]":   `{"type":"object","additionalProperties":{"anyOf":[{"type":"integer"},{"type":"array","items":{"type":"integer"}}]}}`,
		"Optional[int]":                      `{"type":["integer","null"]}`,
		"Optional[List[int]]":                `{"anyOf":[{"type":"array","items":{"type":"integer"}},{"type":"null"}]}`,
		"Union[int, float, int]":             `{"type":["integer","number"]}`,
		"Union[str, Any]":                    `{}`,
		"int | None":                         `{"type":["integer","null"]}`,
		"int or str":                         `{"type":["integer","string"]}`,
		"Literal['a', 'b, c']":               `{"enum":["a","b, c"]}`,
		"Literal[Color.RED]":                 `{"type":"string"}`,
		"list of integers":                   `{"type":"array","items":{"type":"integer"}}`,
		"int[]":                              `{"type":"array","items":{"type":"integer"}}`,
		"Callable[[float], float]":           `{"type":"string"}`,
		"Literal['a','b,c',3,True]":          `{"enum":["a","b,c",3,true]}`,
		"Union[int,'x']":                     `{"type":["integer","string"]}`,
		"Union":                              `{"type":"string"}`,
		"Optional":                           `{"type":"string"}`,
		"Literal":                            `{"type":"string"}`,
		"int[]|str":                          `{"anyOf":[{"type":"array","items":{"type":"integer"}},{"type":"string"}]}`,
		"any":                                `{}`,
		"datetime":                           `{"type":"string"}`,
		"List[int":                           `{"type":"array","items":{"type":"integer"}}`,
		"":                                   `{}`,
	} {
		if got := string(typeSchema(in, 0).AppendTo(nil)); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

// The members of a schema itself hold against those that its type means.
func TestTypeBesideItems(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`{"items":{"type":"str"},"type":"List[int]","description":"d"}`:                                                         `{"items":{"type":"string"},"type":"array","description":"d"}`,
		`{"additionalProperties":false,"properties":{"a":true,"b":{"type":"int"}},"items":[{"type":"int"}],"type":["x","int"]}`: `{"additionalProperties":false,"properties":{"a":true,"b":{"type":"integer"}},"items":[{"type":"int"}],"type":["x","int"]}`,
		`{"properties":5,"not":{"properties":{"a":{"type":"dict"}}},"default":{"type":"int"}}`:                                  `{"properties":5,"not":{"properties":{"a":{"type":"object"}}},"default":{"type":"int"}}`,
	} {
		n, err := jsontree.Parse([]byte(in), jsontree.Strict)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(translated(n).AppendTo(nil)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// Whatever a type is, its schema is JSON, and reading it ends.
func TestAnyTypeIsASchema(t *testing.T) {
	t.Parallel()
	pieces := []string{"int", "str", "List", "Dict", "Tuple", "Union", "Optional", "Literal", "[", "]", ",", " ", "|", " or ", " of ", "'", `"`, "...", "("}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 24).Draw(t, "pieces"), "")
		schema := typeSchema(text, 0).AppendTo(nil)
		if _, err := jsontree.Parse(schema, jsontree.Strict); err != nil {
			t.Fatalf("%q: %s: %v", text, schema, err)
		}
	})
	for n, want := range map[int]string{100: `{"type":"integer"}`, 101: `{}`} {
		if got := string(typeSchema(strings.TrimSuffix(strings.Repeat("int|", n), "|"), 0).AppendTo(nil)); got != want {
			t.Errorf("%d alternatives: %s", n, got)
		}
	}
	if got := string(typeSchema(strings.Repeat("List[", 1000)+"int", 0).AppendTo(nil)); strings.Count(got, "array") != 16 {
		t.Errorf("too deep: %s", got)
	}
}
