package fetch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/engine/rescue"
	"caliper/model/jsontree"
)

// TestPointerNeedsOneValue: a pointer says nothing of a text that only begins
// like JSON, and tells where it stops being JSON.
func TestPointerNeedsOneValue(t *testing.T) {
	for _, c := range []struct{ name, text, says string }{
		{"a log of dates", "2026-03-04T05:06:07Z INFO a\n2026-03-04T05:06:08Z INFO b\n", "not JSON at byte 4: "},
		{"dates in brackets", "[2026-01-02] log\n[2026-01-03] log\n", "not JSON at byte 5: a comma is missing"},
		{"numbers in brackets", "[12] start\n[13] stop\n", "not JSON at byte 5: after 1 value, 's' begins no value"},
		{"only a date in brackets", "[2026-01-02]", "not JSON at byte 5: a comma is missing"},
		{"apples", "12 apples", "not JSON at byte 3: after 1 value, 'a' begins no value"},
		{"a list", "- item", "not JSON at byte 1: a digit of a number is missing"},
		{"a story", "true story", "not JSON at byte 5: "},
		{"trueness", "truely", "not JSON at byte 4: 'l' follows the end of the value"},
		{"truth", "trust", "not JSON at byte 3: a word begins like true and is not"},
		{"words in quotes", `"quoted" words`, "not JSON at byte 9: "},
		{"values without a gap", `{"a":1}{"a":2}`, "not JSON at byte 7: '{' follows"},
		{"a trailing comma", `{"a":1,}`, "not JSON at byte 7: a key is missing"},
		{"a trailing bracket", `{"a":1}]`, "not JSON at byte 7: "},
		{"the wrong bracket", `{"a":[1}`, "not JSON at byte 7: "},
		{"a leading zero", `{"a":01}`, "not JSON at byte 6: "},
		{"a line in a string", "{\"a\":\"x\ny\"}", "not JSON at byte 7: a string has a line break"},
		{"an escape", `{"a":"\x"}`, "not JSON at byte 7: no such escape"},
		{"a short escape", `{"a":"\u12"}`, "not JSON at byte 10: "},
		{"cut off", `{"a":1,"b":[1,`, "not JSON at byte 14: the text ends inside a value"},
		{"cut off in a string", `{"a":1,"b`, "not JSON at byte 9: the text ends inside a string"},
		{"cut off in a word", `{"a":1,"b":tr`, "not JSON at byte 13: "},
		{"nothing", " \n", "not JSON at byte 2: there is no value"},
		{"lines of JSON", "{\"a\":1}\n{\"a\":2}\r\n\n[]\n", "is 3 JSON values, one per line, and a pointer needs a single one; " +
			"the second begins at byte 8: use range with count 1 and the number of a line as start"},
		{"lines of numbers", "1\n2\n", "is 2 JSON values, one per line"},
		{"values in one line", "{\"a\":1} {\"a\":2}\n[]", "is 3 JSON values, one after the other, and a pointer needs a single one; the second begins at byte 8: use range, grep"},
		{"values of several lines", "{\n}\n{\n}\n", "is 2 JSON values, one after the other"},
		{"lines of JSON and words", "{\"a\":1}\n{\"a\":2}\nand so on", "not JSON at byte 16: after 2 values, 'a' begins no value"},
	} {
		t.Run(c.name, func(t *testing.T) {
			// Neither the kind nor what was asked before makes a difference.
			r := reader{[]byte(c.text), rescue.Meta{Kind: rescue.JSONArray}}
			for _, q := range []Request{{Mode: Pointer, Pointer: "/0"}, {Mode: Pointer}, {Mode: Range, Pointer: "/3"}, {Mode: Outline, Pointer: "/a"}} {
				_, err := r.Do(q, rescue.Default())
				var fault *rescue.Error
				if !errors.As(err, &fault) || fault.Code != CodeNotJSON || !strings.Contains(fault.Text, c.says) {
					t.Errorf("%+v: %v", q, err)
				}
			}
		})
	}
}

// TestPointerInOneValue: a value of any sort, with white space around it, is
// JSON.
func TestPointerInOneValue(t *testing.T) {
	for _, text := range []string{"12", "-0.5e+3", "true", " null\r\n", `"quoted words"`, "[ ]", "{\n}", `["\u00e9\/\\", 0, 10, 1.0E9]`, "\t{\"a\" :[{}, []] }\n"} {
		if a := do(t, text, Request{Mode: Pointer}, limits(4000)); a.Text != strings.TrimSpace(text) {
			t.Errorf("%q: %+v", text, a)
		}
	}
}

// TestDeepPointer: depth takes neither a stack of calls nor much memory.
func TestDeepPointer(t *testing.T) {
	const depth = 1 << 20
	deep := strings.Repeat(`[{"":`, depth) + "7" + strings.Repeat("}]", depth)
	if a := do(t, `{"deep":`+deep+`,"k":"found"}`, Request{Mode: Pointer, Pointer: "/k"}, limits(99)); a.Text != `"found"` {
		t.Errorf("%+v", a)
	}
	_, err := Do([]byte(deep[:len(deep)-depth/2]+"}"), rescue.Meta{}, Request{Mode: Pointer, Pointer: "/0"}, limits(99))
	var fault *rescue.Error
	if !errors.As(err, &fault) || fault.Code != CodeNotJSON {
		t.Errorf("%v", err)
	}
}

// agrees compares checkJSON with encoding/json.
func agrees(t rapid.TB, text []byte) {
	err := checkJSON(text)
	if (err == nil) != json.Valid(text) {
		t.Fatalf("%q: %v", text, err)
	}
	var m *malformed
	if errors.As(err, &m) && (m.at < 0 || m.at > int64(len(text))) {
		t.Fatalf("%q: %v", text, err)
	}
	var several *rescue.Error
	if !errors.As(err, &several) {
		return
	}
	values, second := int64(0), int64(0)
	for d := json.NewDecoder(bytes.NewReader(text)); d.More(); values++ {
		var v json.RawMessage
		if err := d.Decode(&v); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if values == 1 {
			second = d.InputOffset() - int64(len(v))
		}
	}
	if !strings.HasPrefix(several.Text, fmt.Sprintf("the blob is %d JSON values, ", values)) || !strings.Contains(several.Text, fmt.Sprintf("begins at byte %d:", second)) {
		t.Fatalf("%q: %v, want %d values, the second at %d", text, err, values, second)
	}
}

func TestCheckAgreesWithJSON(t *testing.T) {
	piece := rapid.SampledFrom([]string{
		"{", "}", "[", "]", ",", ":", `"`, `"a"`, `"a":`, `\`, `\n`, `\u00e`, "9", "0", "-", "1.5", "e", "E+1", ".", "true", "false", "null", "nul",
		" ", "\n", "\t", "é", "\xff", "\x01", "[]", "{}", `{"a":[1,"x"]}`,
	})
	rapid.Check(t, func(t *rapid.T) {
		agrees(t, []byte(strings.Join(rapid.SliceOfN(piece, 0, 8).Draw(t, "pieces"), "")))
	})
}

func FuzzCheck(f *testing.F) {
	for _, text := range []string{`{"a":[1,-2.5e+3,{"b":"\u00e9\n"}],"c":null}`, "[2026-01-02] log", "1\n2\n", `"x`, "tru", "[[[", "{\"a\":1}\n{\"a\":2}\n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if bytes.Contains(text, []byte("NaN")) || bytes.Contains(text, []byte("Infinity")) {
			return // numbers to Python, and not to encoding/json
		}
		if len(text) < 5000 { // encoding/json gives up at a depth of 10000
			agrees(t, text)
		}
	})
}

func TestRepeatedKeys(t *testing.T) {
	pad := strings.Repeat("p", jsontree.Window)
	for _, c := range []struct{ name, text, pointer, want, outline string }{
		{"two", `{"a":1,"a":2}`, "/a", "2", "/a: number\n"},
		{"an escaped one", `{"a":1,"\u0061":"x"}`, "/a", `"x"`, "/a: string\n"},
		{"another in between", `{"a":1,"b":null,"a":"x"}`, "/a", `"x"`, "(root): object, 2 keys\n/a: string\n/b: null\n"},
		{"nested", `{"o":{"a":1},"o":{"a":[],"a":"x"}}`, "/o/a", `"x"`, "/o: object, 1 key\n/o/a: string\n"},
		{"in an item", `[{"a":1},{"a":1,"a":"x"}]`, "/1/a", `"x"`, "/*/a: string | number\n"},
		{"far apart", `{"a":1,"b":"` + pad + `","c":"` + pad + `","a":"x","d":"` + pad + `"}`, "/a", `"x"`, "/a: string\n"},
		{"parts of the first are gone", `{"a":{"gone":1},"a":2}`, "/a", "2", "(root): object, 1 key\n/a: number\n"},
		{"cut", `{"a":{"gone":1},"a":[1,2],"b":`, "", "", "/a: array, 2 items\n"},
		{"cut in an array", `{"a":1,"a":[1,2,`, "", "", "/a: array, 3 items\n/a/*: number ×2\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := reader{[]byte(c.text), rescue.Meta{Kind: rescue.JSONObject}}
			a, err := r.Do(Request{Mode: Outline}, limits(4000))
			if err != nil || !strings.Contains(a.Text, c.outline) || strings.Contains(a.Text, "gone") {
				t.Errorf("%v: %s", err, a.Text)
			}
			if c.want == "" {
				return
			}
			if a, err = r.Do(Request{Mode: Pointer, Pointer: c.pointer}, limits(4000)); err != nil || a.Text != c.want {
				t.Errorf("%v: %+v", err, a)
			}
		})
	}
	// The bounds hold while trees are made and thrown away.
	var b strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&b, `{"k%d":{"x":1},"k%d":{"y":[1,{"z":2}]}}`, i, i)
	}
	a := outlineOf(t, b.String(), rescue.Text, "")
	if !strings.Contains(a, "5000 JSON values") || !strings.Contains(a, "object ×5000, more than 300 keys") || strings.Contains(a, "/x:") {
		t.Errorf("%.300s", a)
	}
}

// TestNumbersOfPython: what Python's reader takes for a number is one.
func TestNumbersOfPython(t *testing.T) {
	text := `{"a":[NaN,Infinity,-Infinity,-1],"b":"NaN"}`
	for pointer, want := range map[string]string{"/a/0": "NaN", "/a/1": "Infinity", "/a/2": "-Infinity", "/a/3": "-1", "/b": `"NaN"`} {
		if a := do(t, text, Request{Mode: Pointer, Pointer: pointer}, limits(99)); a.Text != want {
			t.Errorf("%s: %+v", pointer, a)
		}
	}
	for _, text := range []string{"[Nan]", "[-Inf]", "[+Infinity]", "[-]", "[NaNN]", "[-NaN]", "[-", "[Infinit", "[-Infinity1]"} {
		if err := checkJSON([]byte(text)); err == nil {
			t.Errorf("%s is JSON", text)
		}
	}
}
