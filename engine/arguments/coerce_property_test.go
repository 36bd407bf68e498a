package arguments

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"caliper/model/jsontree"

	"pgregory.net/rapid"
)

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
		{`1e400`, 0, false}, {`99999999999999999999`, 1<<63 - 1, true}, {`"99999999999999999999"`, 1<<63 - 1, true}, {`[]`, 0, false}, {`null`, 0, false}, {``, 0, false},
	}
	for _, test := range tests {
		if got, ok := Whole([]byte(test.raw)); got != test.want || ok != test.ok {
			t.Errorf("%s: %d, %t, want %d, %t", test.raw, got, ok, test.want, test.ok)
		}
	}
}
