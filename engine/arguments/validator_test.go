package arguments

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"caliper/model/jsontree"
	"caliper/model/require"
	"caliper/model/safetext"
)

// lines writes problems one a line; what was not checked begins with a "?".
func lines(found []Problem) string {
	var out []string
	for _, p := range found {
		line := p.String()
		if p.Uncheckable {
			line = "? " + line
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

// Durations are ISO 8601's, where the last number may have a fraction.
func TestDurations(t *testing.T) {
	schema := []byte(`{"properties":{"for":{"type":"string","format":"duration"}}}`)
	for text, fits := range map[string]bool{
		"PT1.5S": true, "PT0,5H": true, "P1.5D": true, "PT20M": true, "P1Y2M3DT4H5M6S": true, "P2W": true, "P0D": true, "P1Y2D": true, "PT36H": true,
		"P": false, "PT": false, "P1DT": false, "1D": false, "PT1.5H30M": false, "PT.5S": false, "P1D2Y": false, "PT1D": false, "P1": false, "-P1D": false, "P1W2D": false,
	} {
		if problems := NewValidator().Validate(schema, []byte(`{"for":"`+text+`"}`)); len(problems) == 0 != fits {
			t.Errorf("%s: %v", text, problems)
		}
	}
}

// Null fits where the schema says nullable, at any depth, and nowhere else.
func TestValidateNullable(t *testing.T) {
	schema := []byte(`{"properties":{"n":{"type":"integer","nullable":true},"list":{"type":"array","items":{"type":"string","nullable":true}},"m":{"type":"integer","nullable":false}}}`)
	for args, want := range map[string]string{
		`{"n":null,"list":["a",null]}`: "",
		`{"m":null}`:                   "m: expected integer, got null",
		`{"n":"x"}`:                    "n: expected null or integer, got string",
	} {
		if got := lines(NewValidator().ValidateNullable(schema, []byte(args))); got != want {
			t.Errorf("%s: %s, want %s", args, got, want)
		}
	}
}

func TestValidate(t *testing.T) {
	const issue = `{"type":"object","properties":{
		"repo":{"type":"string","minLength":1,"pattern":"^[a-z]+/[a-z]+$"},
		"labels":{"type":"array","items":{"type":"string"},"maxItems":2,"uniqueItems":true},
		"state":{"enum":["open","closed"]},
		"limit":{"type":"integer","minimum":1,"maximum":100},
		"since":{"type":"string","format":"date-time"},
		"author":{"type":["object","null"],"properties":{"name":{"type":"string"}},"required":["name"]}},
		"required":["repo"],"additionalProperties":false}`
	tests := []struct{ name, schema, args, want string }{
		{"fits", issue, `{"repo":"a/b","labels":["x"],"state":"open","limit":1.0,"since":"2026-06-11T10:00:00Z","author":null}`, ""},
		{"required", issue, `{}`, "repo: required"},
		{"type", issue, `{"repo":"a/b","labels":[1]}`, "labels[0]: expected string, got number"},
		{"two types", issue, `{"repo":"a/b","author":"me"}`, "author: expected null or object, got string"},
		{"enum", issue, `{"repo":"a/b","state":"opened"}`, "state: must be one of open, closed"},
		{"nested required", issue, `{"repo":"a/b","author":{}}`, "author.name: required"},
		{"unknown property", issue, `{"repo":"a/b","\u001blabel":1,"label":2}`,
			`["` + safetext.Line("\x1blabel") + `"]: is not a known property; known are author, labels, limit, repo, since, state` + "\n" +
				"label: is not a known property; known are author, labels, limit, repo, since, state"},
		{"bounds", issue, `{"repo":"a/b","limit":1000}`, "limit: must be at most 100"},
		{"fraction", issue, `{"repo":"a/b","limit":1.5}`, "limit: expected integer, got number"},
		{"format", issue, `{"repo":"a/b","since":"yesterday"}`, "since: is not a valid date-time"},
		{"several", issue, `{"repo":"","labels":["x","y","x"],"limit":0}`,
			"labels: items 0 and 2 are equal\nlabels: must have at most 2 items, has 3\nlimit: must be at least 1\n" +
				"repo: must have at least 1 character, has 0\nrepo: must match ^[a-z]+/[a-z]+$"},
		{"items in order", `{"properties":{"a":{"items":{"type":"null"}}}}`, `{"a":[0,null,2,3,4,5,6,7,8,9,10]}`,
			"a[0]: expected null, got number\na[2]: expected null, got number\na[3]: expected null, got number\na[4]: expected null, got number\n" +
				"a[5]: expected null, got number\na[6]: expected null, got number\na[7]: expected null, got number\na[8]: expected null, got number\n" +
				"a[9]: expected null, got number\na[10]: expected null, got number"},
		{"not an object", issue, `[1]`, "expected object, got array"},
		{"not JSON", issue, `{`, "arguments is not valid JSON, at 1:2: the end of the text where a name is expected; if the text was cut off, send it whole"},
		{"repeated name", issue, `{"repo":1,"repo":"a/b"}`, ""},
		{"odd names", `{"properties":{"a b":{"properties":{"0":{"type":"null"},"":{"type":"null"}}}}}`, `{"a b":{"0":1,"":1}}`,
			`["a b"][""]: expected null, got number` + "\n" + `["a b"].0: expected null, got number`},

		{"no schema", ``, `{"a":1}`, ""},
		{"null schema", `null`, `{"a":1}`, ""},
		{"true", `true`, `{"a":1}`, ""},
		{"empty schema", `{}`, `{"a":1}`, ""},
		{"schema that is not JSON", `{"a"`, `{}`, "? the schema is not JSON: the end of the text where a colon is expected; arguments are not checked"},

		{"const", `{"properties":{"v":{"const":1}}}`, `{"v":"1"}`, "v: must be 1"},
		{"const equal as a number", `{"properties":{"v":{"const":1}}}`, `{"v":1.0}`, ""},
		{"enum of one", `{"properties":{"v":{"enum":["x"]}}}`, `{"v":"y"}`, "v: must be x"},
		{"enum of many kinds", `{"properties":{"v":{"enum":["1",1,null,"a b",true]}}}`, `{"v":"y"}`, `v: must be one of "1", 1, null, "a b", true`},
		{"long enum", `{"properties":{"v":{"enum":[0,1,2,3,4,5,6,7,8,9,10,11,12,13]}}}`, `{"v":"y"}`, "v: must be one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 2 more"},
		{"big integers", `{"properties":{"v":{"maximum":9007199254740993}}}`, `{"v":9007199254740994}`, "v: must be at most 9007199254740993"},
		{"exclusive bounds", `{"properties":{"v":{"exclusiveMinimum":0},"w":{"exclusiveMaximum":0.5}}}`, `{"v":0,"w":0.5}`, "v: must be more than 0\nw: must be less than 0.5"},
		{"multiple", `{"properties":{"v":{"multipleOf":0.1}}}`, `{"v":0.25}`, "v: must be a multiple of 0.1"},
		{"length", `{"properties":{"v":{"maxLength":1},"w":{"minLength":2}}}`, `{"v":"éé","w":"🚢"}`, "v: must have at most 1 character, has 2\nw: must have at least 2 characters, has 1"},
		{"items", `{"properties":{"v":{"minItems":1},"w":{"prefixItems":[true],"items":false}}}`, `{"v":[],"w":[1,2]}`, "v: must have at least 1 item, has 0\nw[1]: is not allowed"},
		{"members", `{"minProperties":3,"maxProperties":1}`, `{"a":1,"b":2}`, "must have at least 3 members, has 2\nmust have at most 1 member, has 2"},
		{"contains", `{"properties":{"v":{"contains":{"const":1}},"w":{"contains":{"const":1},"minContains":2},"x":{"contains":{"const":1},"maxContains":1}}}`,
			`{"v":[2],"w":[1],"x":[1,1]}`,
			"v: has no item of the kind that it must contain\nw: must contain at least 2 items of a kind, has 1\nx: must contain at most 1 items of a kind, has 2"},
		{"not", `{"properties":{"v":{"not":{"type":"string"}}}}`, `{"v":"x"}`, "v: has a form that is not allowed"},
		{"false schema", `{"properties":{"v":false}}`, `{"v":1}`, "v: is not allowed"},
		{"dependent", `{"dependentRequired":{"a":["b"]}}`, `{"a":1}`, "b: required when a is given"},
		{"dependency of draft 7", `{"$schema":"http://json-schema.org/draft-07/schema#","dependencies":{"a":["b"]}}`, `{"a":1}`, "b: required when a is given"},
		{"reference of draft 7 stands alone", `{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"v":{"$ref":"#/definitions/n","const":1,"maxLength":1}},"definitions":{"n":{"type":"string"}}}`, `{"v":"xx"}`, ""},
		{"additional items of draft 7", `{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"v":{"items":[true],"additionalItems":false}}}`, `{"v":[1,2]}`, "v: has 1 item too many"},
		{"exclusive bound of draft 4", `{"$schema":"http://json-schema.org/draft-04/schema#","properties":{"v":{"minimum":1,"exclusiveMinimum":true}}}`, `{"v":1}`, "v: must be more than 1"},
		{"names", `{"properties":{"v":{"propertyNames":{"enum":["x"]}},"w":{"propertyNames":{"maxLength":1}}}}`, `{"v":{"x":1,"y":2},"w":{"aa":1,"b":2}}`,
			"v.y: as a name: must be x\nw.aa: as a name: must have at most 1 character, has 2"},
		{"unevaluated", `{"allOf":[{"properties":{"a":true}}],"unevaluatedProperties":false}`, `{"a":1,"b":2}`, "b: is not allowed"},
		{"condition", `{"if":{"properties":{"a":{"const":1}}},"then":{"required":["b"]},"else":{"required":["c"]}}`, `{"a":2}`, "c: required"},
		{"reference", `{"properties":{"v":{"$ref":"#/$defs/n"}},"$defs":{"n":{"type":"integer"}}}`, `{"v":"1"}`, "v: expected integer, got string"},
		{"recursive reference", `{"properties":{"v":{"type":"integer"},"next":{"$ref":"#"}}}`, `{"next":{"next":{"v":"1"}}}`, "next.next.v: expected integer, got string"},
		{"anchor", `{"properties":{"v":{"$ref":"#n"}},"$defs":{"x":{"$anchor":"n","type":"integer"}}}`, `{"v":"1"}`, "v: expected integer, got string"},
		{"reference by the schema's own address", `{"$id":"https://x.test/s","properties":{"v":{"$ref":"https://x.test/s#/$defs/n"}},"$defs":{"n":{"type":"integer"}}}`, `{"v":"1"}`, "v: expected integer, got string"},
		{"reference to an odd place", `{"properties":{"v":{"$ref":"#/components/a~1b%20c"}},"components":{"a/b c":{"type":"integer"}}}`, `{"v":"1"}`, "v: expected integer, got string"},
		{"dynamic reference", `{"$dynamicAnchor":"top","properties":{"next":{"$dynamicRef":"#top"},"v":{"type":"integer"}}}`, `{"next":{"v":"1"}}`, "next.v: expected integer, got string"},

		{"alternatives of types", `{"properties":{"v":{"anyOf":[{"type":"string"},{"type":"null"}]}}}`, `{"v":1}`, "v: expected string or null, got number"},
		{"alternatives by a tag", `{"properties":{"v":{"oneOf":[
			{"type":"object","properties":{"kind":{"const":"ship"},"name":{"type":"string"}},"required":["kind","name"]},
			{"type":"object","properties":{"kind":{"const":"berth"},"number":{"type":"integer"},"quay":{"type":"string"}},"required":["kind","number","quay"]}]}}}`,
			`{"v":{"kind":"berth"}}`, "v: fits none of 2 alternatives; the nearest is number 2\nv.number: required\nv.quay: required"},
		{"alternatives, one of the type", `{"properties":{"v":{"anyOf":[{"type":"string"},{"type":"integer","minimum":5}]}}}`, `{"v":1}`,
			"v: fits none of 2 alternatives; the nearest is number 2\nv: must be at least 5"},
		{"alternatives of alternatives", `{"properties":{"v":{"anyOf":[{"anyOf":[{"required":["a"]},{"required":["b","c"]}]},{"type":"string"}]}}}`, `{"v":{}}`,
			"v: fits none of 2 alternatives; the nearest is number 1\nv.a: required"},
		{"one alternative", `{"anyOf":[{"required":["a"]}]}`, `{}`, "a: required"},
		{"two of oneOf", `{"properties":{"v":{"oneOf":[{"type":"integer"},{"type":"string"},{"minimum":1}]}}}`, `{"v":1}`, "v: fits alternatives 1 and 3; only one may fit"},

		{"NaN", `{"properties":{"v":{"type":"number","minimum":1},"w":{"type":"string"}}}`, `{"v":NaN,"w":-Infinity}`,
			"w: expected string, got number\n? v: NaN is not JSON: the server may refuse it; not checked further\n? w: -Infinity is not JSON: the server may refuse it; not checked further"},
		{"huge number", `{"properties":{"v":{"type":"integer","maximum":1}}}`, `{"v":1e999999999}`, "? v: 1e999999999 is too large to be checked"},
		{"huge bound", `{"properties":{"v":{"maximum":-1e999999999},"w":{"maxLength":1e30}}}`, `{"v":1,"w":"x"}`, "? v: maximum -1e999999999 is out of range; not checked"},
		{"regular expression as an argument", `{"properties":{"v":{"format":"regex"}}}`, `{"v":"(?=x)"}`, ""},
	}
	v := NewValidator()
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for range 3 { // the library walks maps: the order must not show
				if got := lines(v.Validate([]byte(test.schema), []byte(test.args))); got != test.want {
					t.Fatalf("got\n%s\nwant\n%s", got, test.want)
				}
			}
		})
	}
}

func TestUncheckable(t *testing.T) {
	tests := []struct{ name, schema, args, want string }{
		{"look-ahead", `{"properties":{"v":{"type":"string","pattern":"^(?=x)"}}}`, `{"v":1}`,
			"v: expected string, got number\n" + `? v: pattern "^(?=x)" is not checked: it has syntax that Go's regular expressions lack`},
		{"look-ahead for names", `{"patternProperties":{"(?=x)":{"type":"null"},"^y":{"type":"null"}},"additionalProperties":false}`, `{"x":1,"y":1}`,
			"y: expected null, got number\n? additionalProperties is not checked, because patternProperties is not\n" +
				`? names like "(?=x)" are not checked: it has syntax that Go's regular expressions lack`},
		{"unknown type", `{"properties":{"v":{"type":"strnig","maxLength":1}},"required":["w"]}`, `{"v":"xx"}`,
			"v: must have at most 1 character, has 2\nw: required\n" + `? v: type cannot be "strnig"; not checked`},
		{"unknown type of items", `{"properties":{"v":{"items":{"anyOf":[{"type":["string","flaot"]},{"type":"null"}]}}}}`, `{"v":[1]}`,
			`? v[]: type cannot be ["string","flaot"]; not checked`},
		{"required of draft 3", `{"properties":{"v":{"type":"string","required":true}}}`, `{"v":1}`,
			"v: expected string, got number\n? v: required cannot be true; not checked"},
		{"property that is no schema", `{"properties":{"v":"string","w":{"type":"null"}}}`, `{"v":1,"w":1}`,
			"w: expected null, got number\n" + `? v: "string" is where a schema is expected; not checked`},
		{"properties that are none", `{"properties":["v"],"additionalProperties":false}`, `{"v":1}`,
			"? additionalProperties is not checked, because properties is not\n" + `? properties cannot be ["v"]; not checked`},
		{"items of another dialect", `{"properties":{"v":{"type":"array","items":[{"type":"string"}]}}}`, `{"v":1}`,
			"v: expected array, got number\n" + `? v: items cannot be [{"type":"string"}]; not checked`},
		{"unknown dialect", `{"$schema":"https://x.test/schema","required":["v"]}`, `{}`,
			"v: required\n" + `? dialect "https://x.test/schema" is not known; read as draft 2020-12`},
		{"dangling reference", `{"properties":{"v":{"$ref":"#/$defs/none","maxLength":1}}}`, `{"v":"xx"}`,
			"v: must have at most 1 character, has 2\n" + `? v: $ref "#/$defs/none" leads nowhere`},
		{"file reference", `{"properties":{"v":{"$ref":"file:///etc/hostname"}}}`, `{"v":1}`,
			`? v: $ref "file:///etc/hostname" leads out of the schema, and is not followed`},
		{"web reference", `{"allOf":[{"$ref":"https://x.test/s.json#/a"},{"required":["v"]}]}`, `{}`,
			"v: required\n" + `? $ref "https://x.test/s.json#/a" leads out of the schema, and is not followed`},
		{"relative reference", `{"items":{"$ref":"other.json"}}`, `{}`, `? []: $ref "other.json" leads out of the schema, and is not followed`},
		{"embedded resource", `{"properties":{"v":{"$id":"https://x.test/v","$ref":"#/$defs/n"}},"$defs":{"n":{"type":"null"}}}`, `{"v":1}`,
			`? v: $ref "#/$defs/n" is not followed, inside an embedded $id`},
		{"ambiguous anchor", `{"properties":{"v":{"$ref":"#n"}},"$defs":{"a":{"$anchor":"n"},"b":{"$anchor":"n"}}}`, `{"v":1}`, `? v: $ref "#n" leads nowhere`},
		{"two references", `{"$ref":"#/$defs/a","$dynamicRef":"#/$defs/a","$defs":{"a":{"required":["v"]}}}`, `{}`,
			"v: required\n" + `? $dynamicRef "#/$defs/a" is not followed, beside $ref`},
		{"fault in a referred place", `{"properties":{"v":{"$ref":"#/components/n"}},"components":{"n":{"type":"strnig","maxLength":1}}}`, `{"v":"xx"}`,
			"v: must have at most 1 character, has 2\n" + `? #/components/n: type cannot be "strnig"; not checked`},
		{"fault in a referred place with a blank", `{"properties":{"v":{"$ref":"#/components/n%20n"}},"components":{"n n":{"type":"strnig","maxLength":1}}}`, `{"v":"xx"}`,
			"v: must have at most 1 character, has 2\n" + `? #/components/n n: type cannot be "strnig"; not checked`},
		{"fault in a definition", `{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"v":{"$ref":"#/$defs/n"}},"$defs":{"n":{"type":"strnig","maxLength":1}}}`, `{"v":"xx"}`,
			"v: must have at most 1 character, has 2\n" + `? $defs.n: type cannot be "strnig"; not checked`},
		{"names that are no schema", `{"propertyNames":{"type":"strnig","maxLength":1}}`, `{"vv":1}`,
			"vv: as a name: must have at most 1 character, has 2\n" + `? *: type cannot be "strnig"; not checked`},
		{"circle", `{"properties":{"v":{"$ref":"#/properties/v"}}}`, `{"v":1}`, "? v: the schema refers to itself in a circle here; not checked"},

		// The rest must not refuse what the whole would allow.
		{"under not", `{"not":{"required":["v"],"properties":{"v":{"pattern":"(?=x)"}}}}`, `{"v":"y"}`,
			"? not is not checked, because it rests on something that is not\n" + `? v: pattern "(?=x)" is not checked: it has syntax that Go's regular expressions lack`},
		{"under oneOf", `{"oneOf":[{"properties":{"v":{"pattern":"(?=x)"}}},{"properties":{"v":{"type":"string"}}}]}`, `{"v":"y"}`,
			"? oneOf is checked as anyOf, because it rests on something that is not checked\n" + `? v: pattern "(?=x)" is not checked: it has syntax that Go's regular expressions lack`},
		{"under if", `{"if":{"properties":{"v":{"pattern":"(?=x)"}}},"then":{"required":["w"]}}`, `{"v":"y"}`,
			"? if is not checked, because it rests on something that is not\n" + `? v: pattern "(?=x)" is not checked: it has syntax that Go's regular expressions lack`},
		{"under maxContains", `{"properties":{"v":{"contains":{"pattern":"(?=x)"},"maxContains":1}}}`, `{"v":["y","z"]}`,
			"? v: maxContains is not checked, because it rests on something that is not\n" + `? v[]: pattern "(?=x)" is not checked: it has syntax that Go's regular expressions lack`},
		{"under a reference of not", `{"not":{"$ref":"#/$defs/n"},"$defs":{"n":{"required":["v"],"type":"obejct"}}}`, `{"v":1}`,
			"? not is not checked, because it rests on something that is not\n" + `? $defs.n: type cannot be "obejct"; not checked`},
		{"unevaluated", `{"allOf":[{"$ref":"x.json"}],"unevaluatedProperties":false}`, `{"v":1}`,
			`? $ref "x.json" leads out of the schema, and is not followed` + "\n? unevaluatedProperties is not checked, because it rests on something that is not"},
		{"reference into what is left out", `{"properties":{"v":{"$ref":"#/properties/w/items/0"},"w":{"items":[{"type":"null"}]}}}`, `{"v":1}`,
			`? v: $ref "#/properties/w/items/0" leads to what is not checked` + "\n" + `? w: items cannot be [{"type":"null"}]; not checked`},
	}
	v := NewValidator()
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			found := v.Validate([]byte(test.schema), []byte(test.args))
			if got := lines(found); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
			for _, p := range found {
				broken := strings.Contains(p.Message, " cannot be ") || strings.Contains(p.Message, "where a schema is expected") || strings.HasSuffix(p.Message, ", because properties is not")
				if p.Broken != broken {
					t.Errorf("%s: broken is %t", p, p.Broken)
				}
			}
		})
	}
}

// A schema that is plain has nothing that cannot be checked, and those of most tools are plain.
func TestIsPlain(t *testing.T) {
	keywords := []string{"type", "description", "format", "properties", "items", "propertyNames", "anyOf", "oneOf", "additionalProperties", "required",
		"enum", "const", "default", "minimum", "exclusiveMaximum", "minLength", "uniqueItems", "$schema"}
	scalars := []string{`"string"`, `"object"`, `"b"`, `"http://json-schema.org/draft-07/schema#"`, `"(?=x)"`, "true", "null", "NaN", "0", "3", "-1", "1.5", "1e400", "1E-9999"}
	rapid.Check(t, func(t *rapid.T) {
		var value func(depth int) string
		value = func(depth int) string {
			kind := rapid.IntRange(0, 3).Draw(t, "kind")
			if depth > 0 && kind < 2 || depth > 4 {
				return rapid.SampledFrom(scalars).Draw(t, "scalar")
			}
			var parts []string
			for range rapid.IntRange(0, 3).Draw(t, "parts") {
				part := value(depth + 1)
				if depth == 0 || kind == 3 {
					part = fmt.Sprintf("%q:%s", rapid.SampledFrom(keywords).Draw(t, "keyword"), part)
				}
				parts = append(parts, part)
			}
			if depth == 0 || kind == 3 {
				return "{" + strings.Join(parts, ",") + "}"
			}
			return "[" + strings.Join(parts, ",") + "]"
		}
		schema := value(0)
		root, err := jsontree.Parse([]byte(schema), jsontree.Python)
		if err != nil || !isPlain(root, 0) {
			return
		}
		for _, p := range NewValidator().Validate([]byte(schema), []byte("{}")) {
			if p.Uncheckable {
				t.Fatalf("%s is plain, but: %s", schema, p)
			}
		}
	})
	usual := `{"type":"object","properties":{"to":{"type":["string","null"],"description":"Who","enum":["a","b"]},"at":{"anyOf":[{"type":"integer","minimum":1},{"type":"null"}],"default":null}},"required":["to"],"additionalProperties":false}`
	if root, _ := jsontree.Parse([]byte(usual), jsontree.Python); !isPlain(root, 0) {
		t.Errorf("%s is not plain", usual)
	}
	if found := NewValidator().Uncheckable([]byte(`{"required":["v"],"items":{"type":"strnig"}}`)); lines(found) != `? []: type cannot be "strnig"; not checked` {
		t.Errorf("uncheckable: %v", found)
	}
}

// TestHostile checks that neither schemas nor arguments can make a check long,
// deep or large. It would not end, or crash, where they could.
func TestHostile(t *testing.T) {
	repeat := func(n int, format string) string {
		out := make([]string, n)
		for i := range out {
			out[i] = strings.ReplaceAll(format, "#", fmt.Sprint(i))
		}
		return strings.Join(out, ",")
	}
	nest := func(n int, open, inner, shut string) string {
		return strings.Repeat(open, n) + inner + strings.Repeat(shut, n)
	}
	doubling := `"$defs":{"a60":{"type":"string"}`
	for i := range 60 {
		doubling += fmt.Sprintf(`,"a%d":{"allOf":[{"$ref":"#/$defs/a%d"},{"$ref":"#/$defs/a%d"}]}`, i, i+1, i+1)
	}
	doubling += "}"
	const tooLong = "? checking these arguments against this schema would take too long; they are not checked"
	tests := []struct{ name, schema, args, want string }{
		{"doubling references", `{"$ref":"#/$defs/a0",` + doubling + `}`, `{}`, tooLong},
		{"doubling under not", `{"not":{"$ref":"#/$defs/a0"},` + doubling + `}`, `{}`, tooLong},
		{"every member twice", `{"properties":{"a":{"$ref":"#"}},"patternProperties":{"a":{"$ref":"#"}}}`, nest(500, `{"a":`, `1`, `}`), tooLong},
		{"every item twice", `{"properties":{"v":{"$ref":"#/$defs/l"}},"$defs":{"l":{"items":{"$ref":"#/$defs/l"},"contains":{"$ref":"#/$defs/l"}}}}`, `{"v":` + nest(60, `[`, `1`, `]`) + `}`, tooLong},
		{"long chain at every level", `{"$defs":{"a0":{"properties":{"x":{"$ref":"#/$defs/a1"}}},` + repeat(900, `"b#":true`) + `,"a1":` + nest(120, `{"allOf":[`, `{"$ref":"#/$defs/a0"}`, `]}`) + `},"$ref":"#/$defs/a0"}`,
			nest(900, `{"x":`, `1`, `}`), "? the schema is nested more than 128 deep; arguments are not checked"},
		{"large pattern, long text", `{"properties":{"v":{"pattern":"(x?){1000}y"}}}`, `{"v":"` + strings.Repeat("x", 20_000) + `"}`, tooLong},
		{"backtracking pattern", `{"properties":{"v":{"pattern":"(x+x+)+y"}}}`, `{"v":"` + strings.Repeat("x", 20_000) + `"}`, "v: must match (x+x+)+y"},
		{"large patterns", `{"properties":{` + repeat(1200, `"p#":{"pattern":"a{1000}#"}`) + `}}`, `{"v":1}`, "*"},
		{"large enums of large values", `{"items":{},"properties":{"v":{"items":{"enum":[` + repeat(2000, `[#]`) + `]}}}}`, `{"v":[` + repeat(4000, `[-1#]`) + `]}`, tooLong},
		{"deep schema", nest(500, `{"not":`, `{}`, `}`), `{}`, "? the schema is nested more than 128 deep; arguments are not checked"},
		{"deeper schema", nest(100_000, `{"not":`, `{}`, `}`), `{}`, "? the schema is larger than 256 KiB; arguments are not checked"},
		{"many values", `{"enum":[` + repeat(6000, "#") + `]}`, `{}`, "? the schema has more than 5000 values; arguments are not checked"},
		{"large arguments", `{"required":["v"]}`, `{"v":"` + strings.Repeat("x", 1<<20) + `"}`, "? the arguments are larger than 1024 KiB, and are not checked"},
		{"deep arguments", `{"required":["v"]}`, nest(2000, `{"a":`, `1`, `}`), "*"},
		{"many wrong types", `{"properties":{` + repeat(1600, `"p#":{"type":"strnig"}`) + `}}`, `{}`, "*"},
		{"many dangling references", `{"properties":{` + repeat(1600, `"p#":{"$ref":"#/x/p#"}`) + `}}`, `{}`, "*"},
		{"circle of two", `{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}},"$ref":"#/$defs/a"}`, `{}`, "? the schema refers to itself in a circle here; not checked"},
		{"control characters everywhere", `{"properties":{"\u001b[2J":{"type":"\u001b]0;x\u0007","pattern":"(?=\u202e)","$ref":"\u009b"}},"required":["\u0007"]}`, `{"\u0000":1}`, "*"},
	}
	v := NewValidator()
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			found := v.Validate([]byte(test.schema), []byte(test.args))
			if got := lines(found); test.want != "*" && got != test.want {
				t.Errorf("got\n%.500s\nwant\n%s", got, test.want)
			}
			checkProblems(t, found)
		})
	}
}

// checkProblems checks what holds for every list of problems.
func checkProblems(t require.T, found []Problem) {
	t.Helper()
	if len(found) > 50 {
		t.Fatal(len(found), "problems")
	}
	for _, p := range found {
		if text := p.String(); text != safetext.Line(text) || len(text) > 4000 || p.Message == "" {
			t.Fatal(fmt.Sprintf("%.300q", text))
		}
	}
}

// TestNothingIsLoaded checks the loader itself, which no schema reaches.
func TestNothingIsLoaded(t *testing.T) {
	if _, err := (noLoader{}).Load("file:///etc/hostname"); err == nil {
		t.Error("loaded")
	}
}

func TestManyProblems(t *testing.T) {
	found := NewValidator().Validate([]byte(`{"properties":{"v":{"items":{"type":"null"}}}}`), []byte(`{"v":[`+strings.Repeat("0,", 199)+`0]}`))
	if len(found) != 50 || found[49].Message != "and 151 more" {
		t.Errorf("%d: %v", len(found), found[len(found)-1])
	}
}

// TestDeepPath checks that a deep path is short.
func TestDeepPath(t *testing.T) {
	found := NewValidator().Validate([]byte(`{"properties":{"a":{"$ref":"#"},"b":{"type":"null"}}}`), []byte(strings.Repeat(`{"a":`, 100)+`{"b":1}`+strings.Repeat("}", 100)))
	if got := lines(found); got != "a.a.a.a.a.a.a.a….a.a.a.a.a.a.a.b: expected null, got number" {
		t.Error(got)
	}
}

// TestForgetting checks that a validator stays small and right.
func TestForgetting(t *testing.T) {
	v := NewValidator()
	for i := range 1000 {
		schema := fmt.Appendf(nil, `{"required":["p%d"]}`, i)
		want := fmt.Sprintf("p%d: required", i)
		if got := lines(v.Validate(schema, []byte(`{}`))); got != want {
			t.Fatalf("%s, want %s", got, want)
		}
		if n := len(v.young) + len(v.old); n > 256 {
			t.Fatalf("%d schemas kept", n)
		}
		// One that is used all the time is compiled once.
		always := v.compiled([]byte(`{"type":"object"}`))
		if i > 0 && always != v.compiled([]byte(`{"type":"object"}`)) {
			t.Fatal("compiled twice")
		}
	}
}

// TestConcurrently is for the race detector.
func TestConcurrently(t *testing.T) {
	v := NewValidator()
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for i := range 50 {
				schema := fmt.Appendf(nil, `{"properties":{"a":{"type":"string","pattern":"x"}},"required":["p%d"]}`, i%7)
				if got := len(v.Validate(schema, []byte(`{"a":"y"}`))); got != 2 {
					t.Errorf("%d problems", got)
				}
			}
		})
	}
	wait.Wait()
}

// TestValidateProperty checks generated schemas against values made to fit
// them, and against those with one thing broken.
func TestValidateProperty(t *testing.T) {
	v := NewValidator()
	rapid.Check(t, func(t *rapid.T) {
		schema, value := drawSchema(t, 3)
		text, args := mustMarshal(schema), mustMarshal(map[string]any{"v": value})
		whole := fmt.Appendf(nil, `{"type":"object","properties":{"v":%s},"required":["v"]}`, text)
		if found := v.Validate(whole, args); len(found) > 0 {
			t.Fatalf("%s\n%s\n%s", whole, args, lines(found))
		}
		if found := v.Validate(whole, []byte(`{"w":1}`)); lines(found) != "v: required" {
			t.Fatalf("%s\n%s", whole, lines(found))
		}
		if found := v.Validate(whole, []byte(`{"v":{"$nothing":[[]]}}`)); schema["type"] != "object" && len(found) == 0 {
			t.Fatalf("%s\nnot refused", whole)
		}
	})
}

// drawSchema draws a schema and a value that fits it.
func drawSchema(t *rapid.T, depth int) (schema map[string]any, value any) {
	kinds := []string{"string", "integer", "boolean", "enum"}
	if depth > 0 {
		kinds = append(kinds, "object", "array", "anyOf")
	}
	switch rapid.SampledFrom(kinds).Draw(t, "schema") {
	case "integer":
		low := rapid.IntRange(-50, 50).Draw(t, "low")
		return map[string]any{"type": "integer", "minimum": low, "maximum": low + 3}, low + rapid.IntRange(0, 3).Draw(t, "value")
	case "boolean":
		return map[string]any{"type": "boolean"}, rapid.Bool().Draw(t, "value")
	case "enum":
		words := rapid.SliceOfNDistinct(rapid.StringMatching("[a-z]{1,5}"), 1, 4, rapid.ID).Draw(t, "words")
		return map[string]any{"enum": words}, rapid.SampledFrom(words).Draw(t, "value")
	case "object":
		properties, members, required := map[string]any{}, map[string]any{}, []string{}
		for _, name := range rapid.SliceOfNDistinct(rapid.StringN(1, 4, -1), 0, 3, rapid.ID).Draw(t, "names") {
			properties[name], members[name] = drawSchema(t, depth-1)
			required = append(required, name)
		}
		return map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false}, members
	case "array":
		item, first := drawSchema(t, depth-1)
		return map[string]any{"type": "array", "items": item, "minItems": 1, "maxItems": 2}, []any{first}
	case "anyOf":
		one, value := drawSchema(t, depth-1)
		return map[string]any{"anyOf": []any{map[string]any{"type": "null"}, one}}, value
	}
	text := rapid.String().Draw(t, "value")
	n := len([]rune(text))
	return map[string]any{"type": "string", "minLength": n, "maxLength": n}, text
}

func FuzzValidate(f *testing.F) {
	for _, seed := range [][2]string{
		{`{"type":"object","properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"oneOf":[{"type":"strnig"},{"pattern":"(?=x)"}]}}}`, `{"a":"x"}`},
		{`{"not":{"$ref":"#"},"propertyNames":{"pattern":"^x"},"dependencies":{"a":["b"],"c":{"required":["d"]}}}`, `{"a":NaN,"c":[1e999999]}`},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"$id":"#n"}],"additionalItems":{"$ref":"#n"},"if":{"const":[]},"then":false}`, `{"a":[[],{}]}`},
		{`{"allOf":[{"unevaluatedProperties":false,"properties":{"a":{"format":"uuid","multipleOf":0.01}}}],"uniqueItems":5}`, `{"a":0.1,"b":"\ud800"}`},
		{`{"$id":"x","$dynamicAnchor":"n","$dynamicRef":"#n","properties":{"a":{"$recursiveRef":"#"}}}`, `{}`},
	} {
		f.Add([]byte(seed[0]), []byte(seed[1]))
	}
	f.Fuzz(func(t *testing.T, schema, args []byte) {
		first := NewValidator().Validate(schema, args)
		checkProblems(t, first)
		if second := NewValidator().Validate(schema, args); lines(first) != lines(second) {
			t.Fatalf("%s\nthen\n%s", lines(first), lines(second))
		}
		checkProblems(t, NewValidator().Validate(schema, Skeleton(schema)))
	})
}

// TestNumbersOutOfRange asks that a number which cannot be computed with takes
// its own keyword out, says so, and leaves the rest to be checked.
func TestNumbersOutOfRange(t *testing.T) {
	keywords := []string{`"maximum":1e999999999`, `"maximum":1e400`, `"minimum":-1e999999999`, `"exclusiveMaximum":1e9999`, `"multipleOf":1e-400`,
		`"multipleOf":1e-999999999`, `"enum":[1e999999999,2]`, `"const":{"a":[1e-400]}`, `"minLength":1e999999999`, `"maximum":NaN`, `"minimum":-Infinity`}
	for _, keyword := range keywords {
		schema := []byte(`{"type":"object","properties":{"n":{"type":"integer",` + keyword + `},"m":{"maximum":3}},"required":["n"]}`)
		for _, test := range []struct{ args, want string }{
			{`{}`, "n: required"},
			{`{"n":"x"}`, "n: expected integer, got string"},
			{`{"n":4,"m":4}`, "m: must be at most 3"},
			{`{"n":4,"m":3}`, ""},
		} {
			wrong, partly := "", false
			for _, p := range NewValidator().Validate(schema, []byte(test.args)) {
				if p.Uncheckable {
					partly = partly || p.Path == "n" && strings.Contains(p.Message, "not checked")
				} else {
					wrong += p.String()
				}
			}
			if wrong != test.want || !partly {
				t.Errorf("%s by %s: %q, want %q; partly %t", test.args, keyword, wrong, test.want, partly)
			}
		}
	}
	harmless := []byte(`{"properties":{"n":{"type":"integer","multipleOf":0.5,"maximum":0,"minimum":-5.0e0,"default":1e999999999,"examples":[1e-400]}}}`)
	if found := NewValidator().Validate(harmless, []byte(`{"n":-1}`)); len(found) > 0 {
		t.Errorf("a default out of range: %v", found)
	}
	if found := NewValidator().Validate([]byte(`{"not":{"properties":{"n":{"maximum":1e999999999}}}}`), []byte(`{"n":"x"}`)); len(found) != 2 || !found[0].Uncheckable {
		t.Errorf("what rests on such a number: %v", found)
	}
}
