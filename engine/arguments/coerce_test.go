package arguments

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"caliper/model/jsontree"
	"caliper/model/require"

	"pgregory.net/rapid"
)

// coercionCase is a case of coercion.json: what becomes of the arguments of a
// call before the tool gets them, measured on the June 2026 agent.
type coercionCase struct {
	Case, Source string
	Tool         struct{ Parameters json.RawMessage }
	Registered   json.RawMessage `json:"registered_parameters"`
	Arguments    json.RawMessage
	Text         *string         `json:"arguments_text"`
	Dispatched   json.RawMessage `json:"dispatched_arguments"`
	NotJSON      *string         `json:"dispatched_text"`
	Changed      bool
	Error        string

	Refuses      *bool `json:"strict_refuses"`
	RefusesAfter *bool `json:"strict_refuses_after"`
	Invalid      bool  `json:"strict_schema_invalid"`
}

// raw returns the arguments value as the model sends it.
func (c coercionCase) raw() []byte {
	if c.Text == nil {
		return c.Arguments
	}
	return jsontree.Encode(*c.Text)
}

// coercionCases returns the cases of the vectors in testdata.
func coercionCases(t testing.TB) []coercionCase {
	t.Helper()
	packed, err := os.Open("testdata/coercion.json.gz")
	require.NoError(t, err)
	defer packed.Close()
	unpacked, err := gzip.NewReader(packed)
	require.NoError(t, err)
	var file struct{ Cases []coercionCase }
	require.NoError(t, json.NewDecoder(unpacked).Decode(&file))
	if len(file.Cases) != 826 {
		t.Fatalf("%d cases, want 826", len(file.Cases))
	}
	return file.Cases
}

func TestCoercionVectors(t *testing.T) {
	for i, c := range coercionCases(t) {
		checkCoercion(t, i, c)
	}
}

// checkCoercion holds what Coerce and Registered do against a case.
func checkCoercion(t *testing.T, i int, c coercionCase) {
	t.Helper()
	schema := []byte(c.Tool.Parameters)
	if c.Source == "mcp" {
		schema = Registered(schema)
		want := c.Registered
		if want == nil {
			want = c.Tool.Parameters
		}
		if !equalJSON(t, schema, want) {
			t.Errorf("case %d (%s): registered as %s, want %s", i, c.Case, schema, want)
		}
		if again := Registered(schema); !bytes.Equal(again, schema) {
			t.Errorf("case %d (%s): registered twice as %s, once as %s", i, c.Case, again, schema)
		}
	}
	args, fault := Parse(c.raw())
	if fault != nil {
		t.Errorf("case %d (%s): %s", i, c.Case, fault)
		return
	}
	got, changed, fault := Coerce(schema, args)
	if c.Error != "" {
		if fault == nil || fault.Code != CodeCoercion {
			t.Errorf("case %d (%s): %s of %s by %s, want it to fail", i, c.Case, got, args, schema)
		}
		return
	}
	if fault != nil {
		t.Errorf("case %d (%s): %s", i, c.Case, fault)
		return
	}
	want := []byte(c.Dispatched)
	if c.NotJSON != nil {
		want = []byte(*c.NotJSON)
	}
	if !equalJSON(t, got, want) {
		t.Errorf("case %d (%s): %s of %s by %s, want %s", i, c.Case, got, args, schema, want)
	}
	if (len(changed) > 0) != c.Changed {
		t.Errorf("case %d (%s): changed %v, want %t", i, c.Case, changed, c.Changed)
	}
	for _, one := range changed {
		if !json.Valid(one.Given) || !json.Valid(one.Coerced) || bytes.Equal(one.Given, one.Coerced) && c.NotJSON == nil {
			t.Errorf("case %d (%s): %s -> %s", i, c.Case, one.Given, one.Coerced)
		}
	}
}

// equalJSON reports whether two texts are the same value: 4 and 4.0 are not.
func equalJSON(t testing.TB, a, b []byte) bool {
	t.Helper()
	x, err := jsontree.Parse(a, jsontree.Python)
	if err != nil {
		t.Fatalf("%s: %v", a, err)
	}
	y, err := jsontree.Parse(b, jsontree.Python)
	if err != nil {
		t.Fatalf("%s: %v", b, err)
	}
	return x.Equal(y)
}

// TestStrictVectors compares the verdict of a Validator with the verdict of another
// implementation of JSON Schema 2020-12, on the arguments as given and as
// converted. Formats are left out, which ours asserts and the other does not.
func TestStrictVectors(t *testing.T) {
	v := NewValidator()
	asked := 0
	for i, c := range coercionCases(t) {
		if c.Invalid || c.Refuses == nil || c.Error != "" || bytes.Contains(c.Tool.Parameters, []byte(`"format"`)) {
			continue
		}
		args, _ := Parse(c.raw())
		got, _, _ := Coerce(c.Tool.Parameters, args)
		if c.Source == "mcp" {
			got, _, _ = Coerce(Registered(c.Tool.Parameters), args)
		}
		for _, test := range []struct {
			args []byte
			want *bool
		}{{args, c.Refuses}, {got, c.RefusesAfter}} {
			if test.want == nil || !json.Valid(test.args) {
				continue
			}
			asked++
			refused := slices.ContainsFunc(v.Validate(c.Tool.Parameters, test.args), func(p Problem) bool { return !p.Uncheckable })
			if refused != *test.want {
				t.Errorf("case %d (%s): %s by %s: refused %t, want %t", i, c.Case, test.args, c.Tool.Parameters, refused, *test.want)
			}
		}
	}
	if asked < 1400 {
		t.Errorf("only %d verdicts were asked for", asked)
	}
}

// texts are arguments as models send them, and schemas of properties, both
// from the vectors' families.
var (
	someValues = []string{`"42"`, `" 4.0 "`, `"1e400"`, `"４２"`, `"true"`, `"null"`, `"[1]"`, `"{\"a\":1}"`, `"bug"`, `""`,
		`42`, `4.50`, `true`, `null`, `["x"]`, `{"a":"1"}`, `NaN`, `1e400`, `-0`, `"[NaN]"`}
	someSchemas = []string{`{"type":"integer"}`, `{"type":"number"}`, `{"type":"boolean"}`, `{"type":"array"}`, `{"type":"object"}`,
		`{"type":"string"}`, `{"type":["integer","null"]}`, `{"type":["string","array"]}`, `{"nullable":true}`, `{}`, `true`, `5`,
		`{"anyOf":[{"type":"integer"},{"type":"null"}]}`, `{"type":{"a":1}}`, `{"type":["boolean",{}]}`, `false`, `null`}
	someNames = []string{"a", "b", "c", "type", "definitions"}
)

// drawMembers draws an object with some of the names and values.
func drawMembers(t *rapid.T, label string, values []string) []byte {
	out := []byte{'{'}
	for i, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(someNames), 0, 4, rapid.ID).Draw(t, label) {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(out, jsontree.Encode(name)...), ':')
		out = append(out, rapid.SampledFrom(values).Draw(t, label+" value")...)
	}
	return append(out, '}')
}

func TestCoerceProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		properties := drawMembers(t, "properties", someSchemas)
		schema := slices.Concat([]byte(`{"type":"object","properties":`), properties, []byte("}"))
		args := drawMembers(t, "arguments", someValues)
		if rapid.Bool().Draw(t, "of a server") {
			schema = Registered(schema)
		}
		before := bytes.Clone(args)
		got, changed, f := Coerce(schema, args)
		if !bytes.Equal(before, args) {
			t.Fatalf("the arguments given became %s", args)
		}
		if f != nil {
			if f.Code != CodeCoercion || got != nil || changed != nil {
				t.Fatalf("a fault %s beside %s", f.Code, got)
			}
			return
		}
		checkCoerced(t, schema, args, got, changed)
	})
}

// checkCoerced checks the invariants of a result of Coerce.
func checkCoerced(t interface {
	Helper()
	Fatalf(string, ...any)
}, schema, args, got []byte, changed []Coerced) {
	t.Helper()
	given, err := jsontree.Parse(args, jsontree.Python)
	if err != nil {
		t.Fatalf("%s: %v", args, err)
	}
	out, err := jsontree.Parse(got, jsontree.Python)
	if err != nil {
		t.Fatalf("%s of %s: %v", got, args, err)
	}
	declared, _ := propertiesOf(schema)
	if len(out.Children) != len(given.Children) {
		t.Fatalf("%s of %s: names came or went", got, args)
	}
	paths := map[string]bool{}
	for _, c := range changed {
		paths[c.Path] = true
		if !json.Valid(c.Given) || !json.Valid(c.Coerced) {
			t.Fatalf("%s -> %s is not JSON", c.Given, c.Coerced)
		}
	}
	for i, m := range given.Children {
		now := out.Children[i]
		same := bytes.Equal(appendValue(nil, m.Node), appendValue(nil, now.Node))
		switch {
		case now.Name != m.Name:
			t.Fatalf("%s of %s: the order of the names changed", got, args)
		case same == paths[into("", m.Name)]:
			t.Fatalf("%s of %s: changed %v", got, args, changed)
		case !same && falsy(declared.Member(m.Name)):
			t.Fatalf("%s of %s: %s is not declared and changed", got, args, m.Name)
		case !same && m.Kind != jsontree.String && (now.Kind != jsontree.Array || len(now.Children) != 1):
			t.Fatalf("%s of %s: only text is converted, all else is put in a list", got, args)
		case m.Kind == jsontree.Null && !same:
			t.Fatalf("%s of %s: null stays null", got, args)
		}
	}
	if again, twice, f := Coerce(schema, got); f != nil || len(twice) > 0 || !bytes.Equal(again, got) {
		// What was converted is no text any more, and a list stays one; only a
		// text out of a list of types may go on, and none does.
		t.Fatalf("converting %s again gives %s (%v)", got, again, f)
	}
}

// FuzzCoerce checks the invariants for any schema and arguments.
func FuzzCoerce(f *testing.F) {
	for _, c := range coercionCases(f) {
		f.Add([]byte(c.Tool.Parameters), c.raw(), c.Source == "mcp")
	}
	f.Fuzz(func(t *testing.T, schema, raw []byte, server bool) {
		args, fault := Parse(raw)
		if fault != nil {
			return
		}
		if server {
			schema = Registered(schema)
			if !bytes.Equal(Registered(schema), schema) {
				t.Fatalf("registered twice: %s", Registered(schema))
			}
		}
		if got, changed, fault := Coerce(schema, args); fault == nil {
			checkCoerced(t, schema, args, got, changed)
		}
	})
}

func TestText(t *testing.T) {
	tests := []struct{ raw, want string }{
		{`"  berth "`, "berth"}, {`0`, ""}, {`-0.0`, ""}, {`[]`, ""}, {`{}`, ""}, {`false`, ""}, {``, ""}, {`null`, ""}, {`x`, ""},
		{`true`, "True"}, {`1.0`, "1.0"}, {`1e5`, "100000.0"}, {`1e22`, "1e+22"}, {`1e-7`, "1e-07"}, {`1e400`, "inf"}, {`-1e400`, "-inf"},
		{`NaN`, "nan"}, {`[NaN,-Infinity]`, "[nan, -inf]"}, {`12345678901234567890`, "12345678901234567890"},
		{`["berth"]`, "['berth']"}, {`["it's"]`, `["it's"]`}, {`["it's \"\""]`, `['it\'s ""']`},
		{"[\"a\\u001b[2J\\u200b\\u00a0\\u00ad\\ue000\\ud83d\\ude80\\udb40\\udc01\"]", `['a\x1b[2J\u200b\xa0\xad\ue000🚀\U000e0001']`},
		{`{"a\n":[true,null]}`, `{'a\n': [True, None]}`}, {`{"a":1,"b":{}}`, `{'a': 1, 'b': {}}`},
	}
	for _, test := range tests {
		if got := Text([]byte(test.raw)); got != test.want {
			t.Errorf("%s: %q, want %q", test.raw, got, test.want)
		}
	}
}

func TestWhole(t *testing.T) {
	tests := []struct {
		raw  string
		want int
		ok   bool
	}{
		{`3`, 3, true}, {`2.9`, 2, true}, {`-2.9`, -2, true}, {`true`, 1, true}, {`false`, 0, true}, {`"３"`, 3, true}, {`" 3 "`, 3, true},
		{`"\u00853"`, 3, true}, {`"\u001c3"`, 0, false}, {`"1_0"`, 10, true}, {`"_1"`, 0, false}, {`"1_"`, 0, false}, {`"1__0"`, 0, false},
		{`"+7"`, 7, true}, {`"3.0"`, 0, false}, {`"1e1"`, 0, false}, {`""`, 0, false}, {`NaN`, 0, false}, {`Infinity`, 0, false},
		{`1e400`, 0, false}, {`99999999999999999999`, 1<<63 - 1, true}, {`-99999999999999999999`, -1 << 63, true}, {`"-99999999999999999999"`, -1 << 63, true}, {`-1e400`, 0, false}, {`"99999999999999999999"`, 1<<63 - 1, true}, {`[]`, 0, false}, {`null`, 0, false}, {``, 0, false},
	}
	for _, test := range tests {
		if got, ok := Whole([]byte(test.raw)); got != test.want || ok != test.ok {
			t.Errorf("%s: %d, %t, want %d, %t", test.raw, got, ok, test.want, test.ok)
		}
	}
}

// TestLossless: how a value is written may change to fit a schema, and which value it is
// may not; what cannot fit is named, and what would be lost.
func TestLossless(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, schema, args, want, unfit string }{
		{"fits", `{"a":{"type":"integer"}}`, `{"a": 7}`, `{"a": 7}`, ""},
		{"numbers in texts", `{"ids":{"type":"array","items":{"type":"integer"}}}`, `{"ids":["7","9"]}`, `{"ids":[7,9]}`, ""},
		{"one that is none", `{"ids":{"type":"array","items":{"type":"integer"}}}`, `{"ids":["7","x"]}`, "", "ids[1]"},
		{"a truth value", `{"a":{"type":"boolean"}}`, `{"a":"True"}`, `{"a":true}`, ""},
		{"null", `{"a":{"type":"null"}}`, `{"a":"null"}`, `{"a":null}`, ""},
		{"a list in a text", `{"a":{"type":"array","items":{"type":"integer"}}}`, `{"a":"[1, 2]"}`, `{"a":[1, 2]}`, ""},
		{"texts in a list in a text", `{"a":{"type":"array","items":{"type":"integer"}}}`, `{"a":"[\"1\",2]"}`, `{"a":[1,2]}`, ""},
		{"an object in a text", `{"a":{"type":"object","properties":{"b":{}}}}`, `{"a":"{\"b\":1}"}`, `{"a":{"b":1}}`, ""},
		{"capitals", `{"a":{"enum":["open","closed"]}}`, `{"a":"OPEN"}`, `{"a":"open"}`, ""},
		{"capitals of a constant", `{"a":{"const":"Open"}}`, `{"a":"open"}`, `{"a":"Open"}`, ""},
		{"capitals of two", `{"a":{"enum":["open","Open"]}}`, `{"a":"OPEN"}`, "", "a"},
		{"capitals of what is listed for another", `{"b":{"enum":["open"]},"a":{"pattern":"^[a-z]+$"}}`, `{"a":"OPEN"}`, "", "a"},
		{"capitals in a list", `{"a":{"items":{"$ref":"#/properties/b"}},"b":{"enum":["open"]}}`, `{"a":["OPEN"]}`, `{"a":["open"]}`, ""},
		{"capitals of a fixed place", `{"a":{"prefixItems":[{"enum":["open"]}]}}`, `{"a":["OPEN"]}`, `{"a":["open"]}`, ""},
		{"capitals under other names", `{"a":{"additionalProperties":{"enum":["open"]}},"b":{"patternProperties":{"^b":{"const":"Shut"}}}}`, `{"a":{"x":"OPEN"},"b":{"b1":"SHUT"}}`, `{"a":{"x":"open"},"b":{"b1":"Shut"}}`, ""},
		{"none of the listed", `{"a":{"enum":["open"]}}`, `{"a":"opened"}`, "", "a"},
		{"text of a number", `{"a":{"type":"string"}}`, `{"a":7.50}`, `{"a":"7.50"}`, ""},
		{"text of a truth value", `{"a":{"type":"string"}}`, `{"a":false}`, `{"a":"false"}`, ""},
		{"one where a list is wanted", `{"a":{"type":"array","items":{"type":"string"}}}`, `{"a":"x"}`, `{"a":["x"]}`, ""},
		{"a list of others in a text", `{"a":{"type":"array","items":{"type":"string"}}}`, `{"a":"[7, \"x y\"]"}`, "", "a"},
		{"a list in a text where lists are wanted", `{"a":{"type":"array","items":{"type":"array"}}}`, `{"a":"[1]"}`, `{"a":[[1]]}`, ""},
		{"what is no list in a text", `{"a":{"type":"array","items":{"type":"string"}}}`, `{"a":"[a-z]"}`, `{"a":["[a-z]"]}`, ""},
		{"a number where a list is wanted", `{"a":{"type":"array","items":{"type":"integer"}}}`, `{"a":"7"}`, `{"a":[7]}`, ""},
		{"an object where a list is wanted", `{"a":{"type":"array","items":{"type":"object"}}}`, `{"a":{"b":1}}`, `{"a":[{"b":1}]}`, ""},
		{"of a union", `{"a":{"anyOf":[{"type":"array","items":{"type":"integer"}},{"type":"null"}]}}`, `{"a":["1","2"]}`, `{"a":[1,2]}`, ""},
		{"all digits stay", `{"a":{"type":"integer"}}`, `{"a":"123456789012345678901234567890"}`, `{"a":123456789012345678901234567890}`, ""},
		{"several", `{"a":{"type":"integer"},"b":{"type":"boolean"}}`, `{"a":"1","b":"false"}`, `{"a":1,"b":false}`, ""},
		{"no null of an object", `{"a":{"type":"object"}}`, `{"a":null}`, "", "a"},
		{"not finite", `{"a":{}}`, `{"a":NaN}`, "", "a"},
		{"not finite in a list", `{"a":{}}`, `{"a":[1,Infinity]}`, "", "a[1]"},
		{"twice", `{"a":{}}`, `{"a":1,"a":2}`, "", ""},
		{"undeclared", `{"dry_run":{}}`, `{"dryRun":true}`, "", "dryRun"},
		{"undeclared, inside", `{"a":{"type":"array","items":{"properties":{"b":{}}}}}`, `{"a":[{"b":1},{"c":2}]}`, "", "a[1].c"},
		{"declared in a part", `{"a":{"anyOf":[{"properties":{"b":{}}},{"properties":{"c":{}}}],"if":{"properties":{"d":{}}}}}`, `{"a":{"b":1,"c":2,"d":3}}`, `{"a":{"b":1,"c":2,"d":3}}`, ""},
		{"an object that declares nothing", `{"a":{"type":"object"}}`, `{"a":{"b":1}}`, `{"a":{"b":1}}`, ""},
		{"an object that takes more", `{"a":{"properties":{"b":{}},"additionalProperties":true}}`, `{"a":{"c":1}}`, `{"a":{"c":1}}`, ""},
		{"an object that takes names of a pattern", `{"a":{"properties":{"b":{}},"patternProperties":{"^c":{}}}}`, `{"a":{"c":1}}`, `{"a":{"c":1}}`, ""},
		{"an object whose patterns are none", `{"a":{"properties":{"b":{}},"patternProperties":{}}}`, `{"a":{"c":1}}`, `{"a":{"c":1}}`, ""},
	} {
		v := NewValidator()
		schema := []byte(`{"type":"object","properties":` + c.schema + `}`)
		kept, unfit := v.Lossless(schema, []byte(c.args))
		var paths []string
		for _, p := range unfit {
			paths = append(paths, p.Path)
		}
		if got := strings.Join(paths, " "); string(kept) != c.want || (kept == nil) != (c.want == "") || (kept == nil) != (len(unfit) > 0) || got != c.unfit {
			t.Errorf("%s: %s, unfit %q; want %s, %q", c.name, kept, got, c.want, c.unfit)
		}
		if kept != nil && strings.Count(c.args, "[") == strings.Count(string(kept), "[") && !SameValues([]byte(c.args), kept) && !strings.Contains(c.name, "capitals") && !strings.Contains(c.name, "text of") {
			t.Errorf("%s: %s has other values than %s", c.name, kept, c.args)
		}
	}
	v := NewValidator()
	if kept, unfit := v.Lossless([]byte(`{"properties":{"a":{}},"required":["a"]}`), []byte(`{}`)); kept != nil || len(unfit) != 1 || unfit[0].Keyword != "required" {
		t.Errorf("nothing in the place of what is required: %s, %v", kept, unfit)
	}
	for n, fits := range map[int]bool{199: true, 201: false} {
		many := `{"a":[` + strings.TrimSuffix(strings.Repeat(`"1",`, n), ",") + `]}`
		if kept, _ := v.Lossless([]byte(`{"properties":{"a":{"items":{"type":"integer"}}}}`), []byte(many)); (kept != nil) != fits {
			t.Errorf("%d values: %s", n, kept)
		}
	}
}

// TestSameValues: what a text spells is the same value, and nothing else is.
func TestSameValues(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{`{"a":"7","b":[true]}`, `{"b":[true],"a":7}`, true}, {`"true"`, `true`, true}, {`"TRUE"`, `true`, true}, {`"[1,\"2\"]"`, `[1,2]`, true}, {`"x"`, `"x"`, true},
		{`7`, `7.0`, true}, {`7e1`, `70`, true}, {`0.1`, `0.10`, true}, {`7`, `7.1`, false}, {`9007199254740993`, `9007199254740992`, false},
		{`1e-320`, `1.0e-320`, false}, {`1e400`, `10e399`, false}, {strings.Repeat("1", 400), strings.Repeat("1", 400) + ".0", false}, {`0`, `0.0`, true}, {`0`, `-0`, true},
		{`7`, `"7"`, false}, {`"7"`, `8`, false}, {`"x"`, `7`, false}, {`"x"`, `"X"`, false}, {`[1]`, `[1,2]`, false}, {`[1,2]`, `[2,1]`, false},
		{`{"a":1}`, `{"b":1}`, false}, {`{"a":1}`, `{"a":1,"b":2}`, false}, {`true`, `false`, false}, {`null`, `false`, false}, {`x`, `1`, false}, {`1`, `x`, false},
	} {
		if got := SameValues([]byte(c.a), []byte(c.b)); got != c.same {
			t.Errorf("%.60s and %.60s: %v", c.a, c.b, got)
		}
	}
}

// TestCoerceLater: the later agent goes down into the values, for objects and lists alone.
func TestCoerceLater(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, properties, args, want, changed string }{
		{"a list in an object", `{"at":{"type":"object","properties":{"days":{"type":"array"}}}}`, `{"at":{"days":"[1]"}}`, `{"at":{"days":[1]}}`, `at={"days":"[1]"}>{"days":[1]}`},
		{"an object in a list", `{"at":{"type":"array","items":{"type":"object"}}}`, `{"at":["{\"a\":1}","x"]}`, `{"at":[{"a":1},"x"]}`, `at=["{\"a\":1}","x"]>[{"a":1},"x"]`},
		{"a text in a text", `{"at":{"type":"object","properties":{"b":{"type":"array"}}}}`, `{"at":"{\"b\":\"[2]\"}"}`, `{"at":{"b":[2]}}`, `at="{\"b\":\"[2]\"}">{"b":[2]}`},
		{"blank where an object is", `{"at":{"type":"object"}}`, `{"at":" "}`, `{"at":{}}`, `at=" ">{}`},
		{"blank where an object requires something", `{"at":{"type":"object","required":["a"]}}`, `{"at":" "}`, `{"at":" "}`, ""},
		{"blank where a list is", `{"at":{"type":"array"}}`, `{"at":""}`, `{"at":[""]}`, `at="">[""]`},
		{"numbers in an object stay", `{"at":{"type":"object","properties":{"n":{"type":"integer"}}}}`, `{"at":{"n":"7"}}`, `{"at":{"n":"7"}}`, ""},
		{"numbers at the top", `{"n":{"type":"integer"}}`, `{"n":"7"}`, `{"n":7}`, `n="7">7`},
		{"no type", `{"n":{}}`, `{"n":"7","m":"[]"}`, `{"n":"7","m":"[]"}`, ""},
		{"a text of something else", `{"at":{"type":"object"}}`, `{"at":"[1]"}`, `{"at":"[1]"}`, ""},
	} {
		got, changed, f := CoerceLater([]byte(`{"type":"object","properties":`+c.properties+`}`), []byte(c.args))
		var told []string
		for _, one := range changed {
			told = append(told, one.Path+"="+string(one.Given)+">"+string(one.Coerced))
		}
		if f != nil || !SameValues(got, []byte(c.want)) || !SameValues([]byte(c.want), got) || strings.Join(told, " ") != c.changed {
			t.Errorf("%s: %s, %q, %v; want %s, %q", c.name, got, told, f, c.want, c.changed)
		}
	}
}
