package arguments

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/model/jsontree"
	"caliper/model/require"
	"caliper/model/safetext"
)

func TestVectors(t *testing.T) {
	data, err := os.ReadFile("testdata/calls.json")
	require.NoError(t, err)
	var vectors struct {
		Cases []struct {
			Note string
			Call struct {
				Arguments struct{ Arguments json.RawMessage }
			}
			Want struct {
				Code          string
				RealArguments json.RawMessage `json:"real_arguments"`
				NotJSON       bool            `json:"real_arguments_not_json"`
			}
		}
	}
	require.NoError(t, json.Unmarshal(data, &vectors))
	if len(vectors.Cases) < 42 {
		t.Fatalf("%d cases: the file is not whole", len(vectors.Cases))
	}
	for _, c := range vectors.Cases {
		raw := c.Call.Arguments.Arguments
		object, fault := Parse(raw)
		code := "ok"
		if fault != nil {
			code = fault.Code
		}
		if code != c.Want.Code {
			t.Errorf("%s: %s %s, want %s", raw, code, c.Note, c.Want.Code)
			continue
		}
		switch {
		case code != "ok":
		case c.Want.NotJSON:
			if json.Valid(object) {
				t.Errorf("%s: %s is JSON", raw, object)
			}
		case !reflect.DeepEqual(decode(t, object), decode(t, c.Want.RealArguments)):
			t.Errorf("%s: %s, want %s", raw, object, c.Want.RealArguments)
		}
	}
}

// decode decodes JSON with numbers as they are written.
func decode(t require.T, text []byte) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(string(text), err)
	}
	return v
}

func TestParse(t *testing.T) {
	deep := func(n int) string { return `{"a":` + strings.Repeat("[", n-1) + strings.Repeat("]", n-1) + `}` }
	tests := []struct{ name, raw, want string }{
		{"absent", "", "{}"},
		{"blank", " \n", "{}"},
		{"null", " null ", "{}"},
		{"object", ` {"a": 1.50, "b": 1E2} `, `{"a": 1.50, "b": 1E2}`},
		{"text of an object", `" {\"a\": 12345678901234567890}\n"`, `{"a": 12345678901234567890}`},
		{"numbers that JSON lacks", `"{\"a\": [NaN, -Infinity, Infinity]}"`, `{"a": [NaN, -Infinity, Infinity]}`},
		{"repeated name", `{"a":1,"a":2}`, `{"a":1,"a":2}`},
		{"lone surrogate", `"{\"a\": \"\\ud83d\"}"`, `{"a": "\ud83d"}`},
		{"as deep as it goes", deep(1000), deep(1000)},
		{"white space of all kinds", "{\t\"a\"\r:\n[ ] }", "{\t\"a\"\r:\n[ ] }"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, fault := Parse([]byte(test.raw))
			if fault != nil || string(got) != test.want {
				t.Errorf("%s, %v; want %s", got, fault, test.want)
			}
		})
	}
}

func TestParseFaults(t *testing.T) {
	text := func(s string) string {
		raw, _ := json.Marshal(s)
		return string(raw)
	}
	deep := `{"a":` + strings.Repeat("[", 1000) + strings.Repeat("]", 1000) + `}`
	tests := []struct{ name, raw, code, message string }{
		{"array", `[1]`, CodeNotObject, `arguments is an array, not an object; send an object with the parameters by name, such as {"name": "value"}`},
		{"number", `5`, CodeNotObject, "arguments is a number, not an object"},
		{"false", `false`, CodeNotObject, "arguments is a boolean, not an object"},
		{"bare NaN", `NaN`, CodeNotObject, "arguments is a number, not an object"},
		{"text of an array", text("[]"), CodeNotObject, "arguments is a text that holds an array, not an object"},
		{"text of null", text("null"), CodeNotObject, `arguments is the text "null"; leave arguments out, or send {}`},
		{"text of NaN", text("NaN"), CodeNotObject, "arguments is a text that holds a number"},
		{"encoded twice", text(text("{}")), CodeNotObject, "arguments was encoded as JSON twice; send the object itself"},
		{"encoded twice, not an object", text(text("{")), CodeNotObject, "arguments is a text that holds a string"},
		{"empty text", text(""), CodeBadJSON, "arguments is a text that is not valid JSON, at 1:1: there is nothing in it; send {}"},
		{"blank text", text(" \n"), CodeBadJSON, "there is nothing in it; send {}"},
		{"byte order mark", text("\uFEFF{}"), CodeBadJSON, "it begins with a byte order mark; leave that out"},
		{"code fence", text("```json\n{}\n```"), CodeBadJSON, "it is in a Markdown code fence; send the object alone"},
		{"prose", text("day is Monday"), CodeBadJSON, `at 1:1: d where a value is expected; send an object with the parameters by name`},
		{"single quotes", text("{'day': 1}"), CodeBadJSON, "at 1:2: ' where a name is expected; names take plain double quotes"},
		{"single quotes of a value", text(`{"day": 'x'}`), CodeBadJSON, "at 1:9: ' where a value is expected; strings take plain double quotes"},
		{"typographic quotes", text(`{"day": “x”}`), CodeBadJSON, "“ where a value is expected; strings take plain double quotes"},
		{"bare name", text("{day: 1}"), CodeBadJSON, "at 1:2: d where a name is expected; names take plain double quotes"},
		{"bare value", text(`{"day": monday}`), CodeBadJSON, "at 1:9: m where a value is expected; strings take double quotes"},
		{"trailing comma", text("{\"day\": 1,\n}"), CodeBadJSON, "at 1:10: a comma before }; remove that comma"},
		{"trailing comma in an array", text("{\"a\": [1,]}"), CodeBadJSON, "at 1:9: a comma before ]; remove that comma"},
		{"no comma", text("{\"a\": 1\n \"b\": 2}"), CodeBadJSON, `at 2:2: " in an object where a comma or } is expected; put a comma between elements`},
		{"no colon", text(`{"a" 1}`), CodeBadJSON, "at 1:6: 1 where a colon is expected"},
		{"quote in a string", text(`{"a": "say "ahoy""}`), CodeBadJSON, `a in an object where a comma or } is expected; write a double quote in a string as \"`},
		{"cut off in a string", text(`{"day": "Mon`), CodeBadJSON, "at 1:13: the end of the text in a string; the string that begins at 1:9 is not closed"},
		{"cut off in an escape", text(`{"day": "Mon\`), CodeBadJSON, "the end of the text in a string; if it was cut off, send it whole"},
		{"cut off in an object", text(`{"day": 1`), CodeBadJSON, "the end of the text in an object where a comma or } is expected; if the text was cut off, send it whole"},
		{"cut off before a value", text(`{"day":`), CodeBadJSON, "the end of the text where a value is expected; if the text was cut off"},
		{"cut off before a name", text(`{"day":1, `), CodeBadJSON, "the end of the text where a name is expected; if the text was cut off"},
		{"too deep", text(strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000)), CodeBadJSON, "; send fewer levels"},
		{"two objects", text(`{} {}`), CodeBadJSON, "at 1:4: { after the end of an object; send one object and nothing after it"},
		{"line break in a string", text("{\"a\": \"line\nbreak\"}"), CodeBadJSON, `at 1:12: a raw line break in a string; write it as \n`},
		{"tab in a string", text("{\"a\": \"\t\"}"), CodeBadJSON, `a raw tab in a string; write it as \t`},
		{"carriage return in a string", text("{\"a\": \"\r\"}"), CodeBadJSON, `a raw carriage return in a string; write it as \r`},
		{"escape character in a string", text("{\"a\": \"\x1b[2J\"}"), CodeBadJSON, `a raw control character 0x1b in a string; write it as \u001b`},
		{"wrong escape", text(`{"a": "C:\dock"}`), CodeBadJSON, `at 1:10: \d in a string, which is not an escape; write a backslash as \\`},
		{"wrong \\u escape", text(`{"a": "C:\unload"}`), CodeBadJSON, `\u without four hexadecimal digits; write a backslash as \\`},
		{"Python words", text(`{"a": True, "b": None}`), CodeBadJSON, "T where a value is expected; write true, not True"},
		{"comment", text("{\"a\": 1 // one\n}"), CodeBadJSON, "/ in an object where a comma or } is expected; JSON has no comments"},
		{"comment before a name", text("{# one\n}"), CodeBadJSON, "# where a name is expected; JSON has no comments"},
		{"comment before a value", text(`{"a": /* one */ 1}`), CodeBadJSON, "/ where a value is expected; JSON has no comments"},
		{"plus sign", text(`{"a": +1}`), CodeBadJSON, "+ where a value is expected; a number begins with a digit or a minus"},
		{"lone minus", text(`{"a": -}`), CodeBadJSON, "a minus without a number"},
		{"leading zero", text(`{"a": 01}`), CodeBadJSON, "at 1:8: 1 in an object where a comma or } is expected"},
		{"point without digits", text(`{"a": 1.}`), CodeBadJSON, "at 1:8: . in an object where a comma or } is expected"},
		{"exponent without digits", text(`{"a": 1e+}`), CodeBadJSON, "at 1:8: e in an object where a comma or } is expected"},
		{"too deep", text(deep), CodeBadJSON, "nested more than 1000 deep"},
		{"control character outside a string", text("{\x1b}"), CodeBadJSON, "where a name is expected"},
		{"bytes that are not UTF-8", "{\xff}", CodeBadJSON, "arguments is not valid JSON, at 1:2: byte 0xff where a name is expected"},
		{"not JSON outside", `{`, CodeBadJSON, "arguments is not valid JSON, at 1:2: the end of the text where a name is expected"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			object, fault := Parse([]byte(test.raw))
			if object != nil || fault == nil {
				t.Fatalf("no fault: %s", object)
			}
			if fault.Code != test.code || !strings.Contains(fault.Error(), test.message) {
				t.Errorf("%s: %s\nwant %s: %s", fault.Code, fault.Message, test.code, test.message)
			}
			if safe := safetext.Line(fault.Message); safe != fault.Message {
				t.Errorf("not safe for a terminal: %q", fault.Message)
			}
		})
	}
}

func TestFaultPosition(t *testing.T) {
	_, fault := Parse([]byte(`"{\n  \"day\": 1,\n  \"week\" 2\n}"`))
	if fault == nil || fault.Line != 3 || fault.Col != 10 || fault.Offset != 23 {
		t.Errorf("%+v", fault)
	}
}

// TestParseProperty checks that every way to send an object gives that object.
func TestParseProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawObject(t, 3)
		text, err := json.Marshal(want)
		require.NoError(t, err)
		if rapid.Bool().Draw(t, "indented") {
			var b bytes.Buffer
			_ = json.Indent(&b, text, "\t", " ")
			text = b.Bytes()
		}
		if rapid.Bool().Draw(t, "as text") {
			text, _ = json.Marshal(string(text))
		}
		got, fault := Parse(text)
		if fault != nil {
			t.Fatal(string(text), fault)
		}
		if !reflect.DeepEqual(decode(t, got), decode(t, mustMarshal(want))) {
			t.Fatalf("%s: %s", text, got)
		}
	})
}

// drawObject draws an object as encoding/json would decode it.
func drawObject(t *rapid.T, depth int) map[string]any {
	out := map[string]any{}
	for range rapid.IntRange(0, 4).Draw(t, "members") {
		out[rapid.StringN(0, 6, -1).Draw(t, "name")] = drawValue(t, depth-1)
	}
	return out
}

// drawValue draws any value.
func drawValue(t *rapid.T, depth int) any {
	switch n := rapid.IntRange(0, 6).Draw(t, "kind"); {
	case n == 0 && depth > 0:
		return drawObject(t, depth)
	case n == 1 && depth > 0:
		out := []any{}
		for range rapid.IntRange(0, 3).Draw(t, "items") {
			out = append(out, drawValue(t, depth-1))
		}
		return out
	case n == 2:
		return rapid.Bool().Draw(t, "boolean")
	case n == 3:
		return nil
	case n == 4:
		return json.Number(rapid.StringMatching(`-?(0|[1-9][0-9]{0,25})(\.[0-9]{1,5})?([eE][+-]?[0-9]{1,3})?`).Draw(t, "number"))
	}
	return rapid.String().Draw(t, "string")
}

// mustMarshal encodes a drawn value.
func mustMarshal(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{`{"a":[1,NaN,"\u00e9"]}`, `"{\"a\": {}}"`, `null`, `"null"`, "\"{\\\"a\\\": \\\"\\u001b\\\"}\"", `{'a':1,}`, "{\"\xff\": -Infinity}"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		object, fault := Parse(raw)
		if (object == nil) == (fault == nil) {
			t.Fatalf("object %q, fault %v", object, fault)
		}
		if fault != nil && (fault.Message != safetext.Line(fault.Message) || len(fault.Message) > 500) {
			t.Fatalf("message %q", fault.Message)
		}
		if fault != nil && fault.Line > 0 && (fault.Col < 1 || fault.Offset < 0) {
			t.Fatalf("position %+v", fault)
		}
		if again, fault := Parse(object); object != nil && (fault != nil || !bytes.Equal(again, object)) {
			t.Fatalf("%q, then %q, %v", object, again, fault)
		}
		// encoding/json nests ten times as deep.
		if v, err := jsontree.Parse(raw, jsontree.Python); err != nil && json.Valid(raw) && err.Problem != jsontree.TooDeep {
			t.Fatalf("refused JSON: %v", err)
		} else if err == nil && !json.Valid(raw) && !bytes.Contains(raw, []byte("NaN")) && !bytes.Contains(raw, []byte("Infinity")) {
			t.Fatalf("took what is not JSON: %v", v)
		}
	})
}

func TestPlace(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text, path, want string }{
		{"a member", `{"a":1,"reason":"late"}`, "reason", `"late"`},
		{"blanks", `{ "a" : [ 1 , true ] }`, "a[1]", "true"},
		{"nested", `{"labels":[{"name":"x"},{"name":{"y":2}}]}`, "labels[1].name", `{"y":2}`},
		{"no plain word", `{"a b":{"c":3}}`, `["a b"].c`, "3"},
		{"the whole", ` {"a":1} `, "", `{"a":1}`},
		{"a missing one", `{"a":1}`, "b", "none"},
		{"the last of equal names", `{"a":1,"a":2}`, "a", "2"},
		{"no JSON", `{"a":`, "a", "none"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			start, end, ok := Place(tt.text, tt.path)
			got := "none"
			if ok {
				got = tt.text[start:end]
			}
			if got != tt.want {
				t.Errorf("%s in %s: %s, want %s", tt.path, tt.text, got, tt.want)
			}
		})
	}
}
