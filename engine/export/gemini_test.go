package export

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Every keyword of JSON Schema is translated, or told to be lost.
func TestGeminiSchema(t *testing.T) {
	for _, c := range []struct {
		name, in, want string
		lost           []string
	}{
		{"types", `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"number"},"c":{"type":"integer"},"d":{"type":"boolean"},"e":{"type":"array","items":{"type":"string"}}}}`,
			`{"type":"OBJECT","properties":{"a":{"type":"STRING"},"b":{"type":"NUMBER"},"c":{"type":"INTEGER"},"d":{"type":"BOOLEAN"},"e":{"type":"ARRAY","items":{"type":"STRING"}}}}`, nil},
		{"order of members and numbers", `{"required":["b"],"properties":{"b":{"maximum":1e308,"minimum":-0.0,"description":"<&>","type":"number","default":9007199254740993}},"title":"T","type":"object"}`,
			`{"required":["b"],"properties":{"b":{"maximum":1e308,"minimum":-0.0,"description":"<&>","type":"NUMBER","default":9007199254740993}},"title":"T","type":"OBJECT"}`, nil},
		{"properties named as keywords", `{"type":"object","properties":{"type":{"type":"string"},"$ref":{"type":"string"},"properties":{"type":"object","properties":{"":{"type":"string"}}},"anyOf":{"type":"string"}}}`,
			`{"type":"OBJECT","properties":{"type":{"type":"STRING"},"$ref":{"type":"STRING"},"properties":{"type":"OBJECT","properties":{"":{"type":"STRING"}}},"anyOf":{"type":"STRING"}}}`,
			[]string{`!parameter "$ref": Gemini takes names of letters, digits and _, not a digit first, and 64 characters`}},
		{"null in a type", one(`{"type":["string","null"]}`), two(`{"type":"STRING","nullable":true}`), nil},
		{"null in anyOf", one(`{"anyOf":[{"type":"string"},{"type":"null"}],"default":null}`), two(`{"default":null,"type":"STRING","nullable":true}`), nil},
		{"null among choices", one(`{"anyOf":[{"type":"string"},{"type":"integer"},{"type":"null"}]}`), two(`{"anyOf":[{"type":"STRING"},{"type":"INTEGER"}],"nullable":true}`), nil},
		{"null in an enum", one(`{"enum":["a",null]}`), two(`{"type":"STRING","enum":["a"],"nullable":true}`), nil},
		{"null that the type forbids", one(`{"type":"string","enum":["a",null]}`), two(`{"type":"STRING","enum":["a"]}`), nil},
		{"null that the enum forbids", one(`{"type":["string","null"],"enum":["a"]}`), two(`{"type":"STRING","enum":["a"]}`), nil},
		{"null behind a reference", `{"type":"object","properties":{"a":{"$ref":"#/$defs/n"}},"$defs":{"n":{"type":["integer","null"]}}}`, two(`{"type":"INTEGER","nullable":true}`), nil},
		{"null alone", one(`{"type":"null"}`), two(`{"type":"STRING","nullable":true}`), []string{"type null, written as a string at /properties/a"}},
		{"nullable of OpenAPI", one(`{"type":"string","nullable":true}`), two(`{"type":"STRING","nullable":true}`), nil},
		{"not nullable", one(`{"type":"string","nullable":false}`), two(`{"type":"STRING"}`), nil},
		{"several types", one(`{"type":["string","integer","null"],"minLength":1,"maximum":9,"description":"d"}`),
			two(`{"anyOf":[{"type":"STRING","minLength":1},{"type":"INTEGER","maximum":9}],"description":"d","nullable":true}`), nil},
		{"several types and values", one(`{"type":["string","integer"],"enum":["a",1]}`), two(`{"type":"STRING","enum":["a","1"]}`),
			[]string{"type string or integer, written as string at /properties/a", "values in enum that are not text, written as text at /properties/a"}},
		{"an unknown type", one(`{"type":"strnig"}`), two(`{"type":"STRING"}`), []string{`type "strnig" at /properties/a`, "no type, written as string at /properties/a"}},
		{"no type", one(`{"description":"d"}`), two(`{"type":"STRING","description":"d"}`), []string{"no type, written as string at /properties/a"}},
		{"no type but properties", `{"properties":{"a":{"properties":{}}}}`, `{"type":"OBJECT","properties":{"a":{"type":"OBJECT"}}}`,
			[]string{"no type, written as object at the top of the parameters and 1 more"}},
		{"no type but items", one(`{"items":{"type":"string"}}`), two(`{"type":"ARRAY","items":{"type":"STRING"}}`), []string{"no type, written as array at /properties/a"}},
		{"true and false", `{"type":"object","properties":{"a":true,"b":false}}`, `{"type":"OBJECT","properties":{"a":{"type":"STRING"},"b":{"type":"STRING"}}}`,
			[]string{"a schema that is true, written as a string at /properties/a", "a schema that is false, written as a string at /properties/b"}},
		{"const", one(`{"const":"x"}`), two(`{"type":"STRING","enum":["x"]}`), nil},
		{"const beside enum", one(`{"enum":["x","y"],"const":"x"}`), two(`{"type":"STRING","enum":["x"]}`), []string{"enum beside const at /properties/a"}},
		{"numbers in an enum", one(`{"type":"integer","enum":[1,2e0]}`), two(`{"type":"STRING","enum":["1","2e0"]}`),
			[]string{"values in enum that are not text, written as text at /properties/a and 1 more", "type integer of an enum, written as strings at /properties/a"}},
		{"the empty text in an enum", one(`{"enum":["","a"]}`), two(`{"type":"STRING","enum":["a"]}`), []string{"the empty text in enum at /properties/a"}},
		{"an empty enum", one(`{"enum":[]}`), two(`{"type":"STRING"}`), []string{"enum without text at /properties/a"}},
		{"an enum that is none", one(`{"type":"string","enum":"a"}`), two(`{"type":"STRING"}`), []string{`enum, which is "a" at /properties/a`}},
		{"keywords that there are not", `{"$schema":"x","type":"object","properties":{},"additionalProperties":false,"if":{},"x-y":1}`, ``,
			[]string{"$schema at the top of the parameters", "additionalProperties at the top of the parameters", "if at the top of the parameters", "x-y at the top of the parameters"}},
		{"keywords of another type", one(`{"type":"string","minimum":1,"items":{"$ref":"#/nowhere"},"properties":{},"required":["x"],"minItems":1}`), two(`{"type":"STRING"}`), nil},
		{"keywords of another kind", one(`{"type":"string","minLength":"1","description":5,"pattern":null}`), two(`{"type":"STRING"}`),
			[]string{`minLength, which is "1" at /properties/a`, "description, which is 5 at /properties/a", "pattern, which is null at /properties/a"}},
		{"formats", `{"type":"object","properties":{"a":{"type":"string","format":"date-time"},"b":{"type":"string","format":"uri"},"c":{"type":"integer","format":"int64"}}}`,
			`{"type":"OBJECT","properties":{"a":{"type":"STRING","format":"date-time"},"b":{"type":"STRING"},"c":{"type":"INTEGER","format":"int64"}}}`, []string{`format "uri" at /properties/b`}},
		{"required without a property", `{"type":"object","properties":{"a":{"type":"string"}},"required":["a","b","a"]}`, `{"type":"OBJECT","properties":{"a":{"type":"STRING"}},"required":["a"]}`,
			[]string{"a required name without a property at /required"}},
		{"required that is no list", `{"type":"object","properties":{},"required":true}`, ``, []string{"required, which is true at /required"}},
		{"an array of anything", one(`{"type":"array"}`), two(`{"type":"ARRAY","items":{"type":"STRING"}}`), []string{"items of any type, written as strings at /properties/a"}},
		{"items one by one", one(`{"type":"array","items":[{"type":"string"}]}`), two(`{"type":"ARRAY","items":{"type":"STRING"}}`),
			[]string{"items one by one at /properties/a", "items of any type, written as strings at /properties/a"}},
		{"a reference", `{"type":"object","properties":{"a":{"$ref":"#/$defs/x%20y~1z"}},"$defs":{"x y/z":{"type":"string","title":"T"}}}`, two(`{"type":"STRING","title":"T"}`), nil},
		{"a reference with more beside", `{"type":"object","properties":{"a":{"$ref":"#/$defs/x","description":"mine"}},"$defs":{"x":{"type":"string","description":"its"}}}`,
			two(`{"description":"mine","type":"STRING"}`), []string{"description of $ref, which says another at /properties/a"}},
		{"a reference into a list", `{"type":"object","properties":{"a":{"$ref":"#/x/1"}},"x":[{},{"type":"string"}]}`, two(`{"type":"STRING"}`), []string{"x at the top of the parameters"}},
		{"a reference elsewhere", one(`{"$ref":"https://example.com/s.json","type":"string"}`), two(`{"type":"STRING"}`), []string{`$ref "https://example.com/s.json", which leads nowhere at /properties/a`}},
		{"a reference to nothing", one(`{"$ref":"#/$defs/none"}`), two(`{"type":"STRING"}`), []string{`$ref "#/$defs/none", which leads nowhere at /properties/a`, "no type, written as string at /properties/a"}},
		{"a reference to itself", `{"type":"object","properties":{"a":{"$ref":"#/$defs/t"}},"$defs":{"t":{"type":"object","properties":{"next":{"$ref":"#/$defs/t"}}}}}`,
			`{"type":"OBJECT","properties":{"a":{"type":"OBJECT","properties":{"next":{"type":"OBJECT"}}}}}`, []string{`$ref "#/$defs/t", which leads back to itself at /properties/a/properties/next`}},
		{"a reference to all", `{"type":"object","properties":{"a":{"$ref":"#"}}}`, two(`{"type":"OBJECT"}`), []string{`$ref "#", which leads back to itself at /properties/a`}},
		{"a ring of references", `{"type":"object","properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"$ref":"#/$defs/y"},"y":{"$ref":"#/$defs/x"}}}`,
			two(`{"type":"STRING"}`), []string{`$ref "#/$defs/x", which leads back to itself at /properties/a`, "no type, written as string at /properties/a"}},
		{"allOf", one(`{"allOf":[{"type":"object","properties":{"x":{"type":"string"}},"required":["x"]},{"properties":{"y":{"type":"string"}},"required":["y"]}],"description":"d"}`),
			two(`{"description":"d","type":"OBJECT","properties":{"x":{"type":"STRING"},"y":{"type":"STRING"}},"required":["x","y"]}`), nil},
		{"allOf of a reference", `{"type":"object","properties":{"a":{"allOf":[{"$ref":"#/$defs/x"}],"default":"q"}},"$defs":{"x":{"type":"string","enum":["q"]}}}`, two(`{"default":"q","type":"STRING","enum":["q"]}`), nil},
		{"allOf that disagrees", one(`{"type":"string","allOf":[{"minLength":2},{"minLength":3},true]}`), two(`{"type":"STRING","minLength":2}`),
			[]string{"minLength of allOf, which says another at /properties/a", "allOf[2], which is true at /properties/a"}},
		{"allOf of the same property", one(`{"type":"object","properties":{"x":{"type":"string"}},"allOf":[{"properties":{"x":{"minLength":1}}}]}`), two(`{"type":"OBJECT","properties":{"x":{"type":"STRING"}}}`),
			[]string{"what allOf says of a property besides at /properties/a/properties/x"}},
		{"oneOf of different types", one(`{"oneOf":[{"type":"string"},{"type":"integer"}]}`), two(`{"anyOf":[{"type":"STRING"},{"type":"INTEGER"}]}`), nil},
		{"oneOf of like types", one(`{"oneOf":[{"type":"number"},{"type":"integer"}]}`), two(`{"anyOf":[{"type":"NUMBER"},{"type":"INTEGER"}]}`), []string{"oneOf, written as anyOf at /properties/a"}},
		{"oneOf beside anyOf", one(`{"oneOf":[{"type":"string"}],"anyOf":[{"type":"string"},{"type":"integer"}]}`), two(`{"anyOf":[{"type":"STRING"},{"type":"INTEGER"}]}`), []string{"oneOf at /properties/a"}},
		{"anyOf without type", one(`{"type":"object","properties":{"x":{"type":"string"}},"anyOf":[{"required":["x"]},{"properties":{"y":{"type":"string"}}}]}`),
			two(`{"type":"OBJECT","properties":{"x":{"type":"STRING"}},"anyOf":[{"type":"OBJECT"},{"type":"OBJECT","properties":{"y":{"type":"STRING"}}}]}`),
			[]string{"a required name without a property at /properties/a/anyOf/0/required"}},
		{"anyOf of nothing", one(`{"type":"string","anyOf":[]}`), two(`{"type":"STRING"}`), []string{"anyOf, which is [] at /properties/a"}},
		{"anyOf at the top", `{"anyOf":[{"type":"object"},{"type":"string"}]}`, `{"anyOf":[{"type":"OBJECT"},{"type":"STRING"}]}`, []string{"!parameters without a type: Gemini wants an object"}},
		{"no object", `{"type":"array","items":{"type":"string"}}`, `{"type":"ARRAY","items":{"type":"STRING"}}`, []string{"!parameters of type ARRAY: Gemini wants an object"}},
		{"nothing", `{}`, ``, nil},
		{"a reference beside one of the same target", `{"type":"object","properties":{"a":{"$ref":"#/$defs/x","properties":{"b":{"$ref":"#/$defs/x"}}}},"$defs":{"x":{"type":"object","title":"T"}}}`,
			two(`{"properties":{"b":{"type":"OBJECT","title":"T"}},"type":"OBJECT","title":"T"}`), nil},
		{"all that forbids null", one(`{"allOf":[{"anyOf":[{"type":"string"},{"type":["integer","null"]}]},{"anyOf":[{"type":"string"}]}]}`), two(`{"anyOf":[{"type":"STRING"},{"type":"INTEGER"}]}`),
			[]string{"anyOf of allOf, which says another at /properties/a"}},
		{"odd names", `{"type":"object","properties":{"a-b":{"type":"string"},"ok":{"type":"string"},"ü":{"type":"string"}}}`, `{"type":"OBJECT","properties":{"a-b":{"type":"STRING"},"ok":{"type":"STRING"},"ü":{"type":"STRING"}}}`,
			[]string{`!parameter "a-b" and 1 more: Gemini takes names of letters, digits and _, not a digit first, and 64 characters`}},
		{"a long value", one(`{"type":"string","enum":"` + strings.Repeat("é", 99) + `"}`), two(`{"type":"STRING"}`), []string{`enum, which is "` + strings.Repeat("é", 59) + "… at /properties/a"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := parse(t, `[{"name":"t","description":"d","inputSchema":`+c.in+`}]`)
			data, lost := written(t, Gemini, r, Options{})
			want := `[{"functionDeclarations":[{"name":"t","description":"d"}]}]`
			if c.want != "" {
				want = `[{"functionDeclarations":[{"name":"t","description":"d","parameters":` + c.want + `}]}]`
			}
			if data != want {
				t.Errorf("%s, want\n%s", data, want)
			}
			for i := range c.lost {
				if what, ok := strings.CutPrefix(c.lost[i], "!"); ok {
					c.lost[i] = "!t: " + what
				} else {
					c.lost[i] = "t: " + what
				}
			}
			if !slices.Equal(lost, c.lost) {
				t.Errorf("lost %q, want %q", lost, c.lost)
			}
			parse(t, data)
		})
	}
}

// one returns parameters with one property.
func one(property string) string { return `{"type":"object","properties":{"a":` + property + `}}` }

// two returns parameters as Gemini takes them with one property.
func two(property string) string { return `{"type":"OBJECT","properties":{"a":` + property + `}}` }

// Definitions that refer to each other do not grow without bound, and neither
// does what is nested.
func TestGeminiBounds(t *testing.T) {
	var defs []string
	for i := range 30 {
		defs = append(defs, fmt.Sprintf(`"d%d":{"anyOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]}`, i, i+1, i+1))
	}
	bomb := `{"type":"object","properties":{"a":{"$ref":"#/$defs/d0"}},"$defs":{` + strings.Join(defs, ",") + `}}`
	nested := func(n int) string {
		return strings.Repeat(`{"type":"array","items":`, n) + `{"type":"string"}` + strings.Repeat("}", n)
	}
	if _, lost := written(t, Gemini, parse(t, `[{"name":"t","description":"d","inputSchema":`+one(nested(198))+`}]`), Options{}); lost != nil {
		t.Errorf("lost %q", lost)
	}
	for _, c := range []struct{ name, in, lost string }{
		{"references", bomb, "$ref, of which there are too many to write out"},
		{"depth", one(nested(199)), "what is nested deeper than 200 levels, written as a string at /properties/a/items/"},
		{"great depth", one(nested(3000)), "what is nested deeper than 200 levels, written as a string"},
		{"allOf", strings.Replace(bomb, "anyOf", "allOf", -1), "leads nowhere"},
	} {
		t.Run(c.name, func(t *testing.T) {
			data, lost := written(t, Gemini, parse(t, `[{"name":"t","description":"d","inputSchema":`+c.in+`}]`), Options{})
			if len(data) > 100<<10 {
				t.Errorf("%d bytes", len(data))
			}
			if !strings.Contains(strings.Join(lost, "\n"), c.lost) {
				t.Errorf("lost %.500q", lost)
			}
			if back := parse(t, data); strings.Contains(string(back.Tools[0].Parameters), `"STRING"`) {
				t.Error("a type of Gemini's came back")
			}
		})
	}
}
