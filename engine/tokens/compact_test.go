package tokens

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	_ "caliper/model/require"
)

func TestCompact(t *testing.T) {
	deep := strings.Repeat("[", 1000) + strings.Repeat("]", 1000)
	tests := []struct{ name, src, want string }{
		{"white space", " {\t\"a\" :\r\n[ 1 , 2 ] }\n", `{"a":[1,2]}`},
		{"white space in strings", `{"a b":" c "}`, `{"a b":" c "}`},
		{"empty", `[{},[], "" ]`, `[{},[],""]`},
		{"literals", `[true, false,null]`, `[true,false,null]`},
		{"integers", `[0,-0,-7,123456789012345678901234567890]`, `[0,0,-7,123456789012345678901234567890]`},
		{"plain floats", `[1.0,1.50,-0.0,0.0001,1e0,1E+5]`, `[1.0,1.5,-0.0,0.0001,1.0,100000.0]`},
		{"exponents", `[0.00001,1e16,1.5e300,9999999999999998.0]`, `[1e-05,1e+16,1.5e+300,9999999999999998.0]`},
		{"float range", `[1e400,-1e400,1e-400,-1e-400,5e-324]`, `[Infinity,-Infinity,0.0,-0.0,5e-324]`},
		{"escapes undone", `"\u0063\/\u00e9\u2028"`, "\"c/é\u2028\""},
		{"escapes kept", `"\"\\\b\f\n\r\t\u0000\u001B"`, `"\"\\\b\f\n\r\t\u0000\u001b"`},
		{"escapes shortened", `"\u0022\u005c\u000a\u0008"`, `"\"\\\n\b"`},
		{"surrogate pair", `"\ud83d\udea2"`, `"🚢"`},
		{"lone high", `"\ud83dx"`, "\"\uFFFDx\""},
		{"lone low", `"\udea2"`, "\"\uFFFD\""},
		{"high before pair", `"\ud83d\ud83d\udea2"`, "\"\uFFFD🚢\""},
		{"high before other escape", `"\ud83d\u0041\n"`, "\"\uFFFDA\\n\""},
		{"raw DEL and C1", "\"\x7f\u009b\"", "\"\x7f\u009b\""},
		{"bytes that are not UTF-8", "\"a\xff\xc3b\xed\xa0\x80\"", "\"a\uFFFD\uFFFDb\uFFFD\uFFFD\uFFFD\""},
		{"repeated name", `{"a":1,"b":2,"a":{"c":3}}`, `{"a":{"c":3},"b":2}`},
		{"repeated three times", `{"a":1,"a":2,"b":0,"a":3}`, `{"a":3,"b":0}`},
		{"repeated by an escape", `{"a":1,"\u0061":2}`, `{"a":2}`},
		{"repeated in a dropped value", `{"a":{"b":1,"b":2},"a":3}`, `{"a":3}`},
		{"repeated in the value that stays", `{"a":3,"a":{"b":1,"b":2}}`, `{"a":{"b":2}}`},
		{"the same name in two objects", `{"a":{"a":1},"b":{"a":1}}`, `{"a":{"a":1},"b":{"a":1}}`},
		{"different lone surrogates", `{"\ud800":1,"\ud801":2}`, "{\"\uFFFD\":1,\"\uFFFD\":2}"},
		{"bytes that are not UTF-8 in names", "{\"\xff\":1,\"\xfe\":2}", "{\"\uFFFD\":2}"},
		{"letter before a lone low", `"\u0041\udea2"`, "\"A\uFFFD\""},
		{"deep", strings.ReplaceAll(deep, "[", "[ "), deep},
		{"deep objects", strings.Repeat(`{"a": `, 1000) + "1" + strings.Repeat("}", 1000), strings.Repeat(`{"a":`, 1000) + "1" + strings.Repeat("}", 1000)},
		{"objects too deep are kept", strings.Repeat(`{"a": `, 1001) + "1" + strings.Repeat("}", 1001), strings.Repeat(`{"a": `, 1001) + "1" + strings.Repeat("}", 1001)},

		{"too deep is kept", " [" + deep + "]", " [" + deep + "]"},
		{"nothing", "", ""},
		{"two values", `{} {}`, `{} {}`},
		{"trailing comma in an array", `[1, ]`, `[1, ]`},
		{"trailing comma in an object", `{"a": 1, }`, `{"a": 1, }`},
		{"no comma", `[1 2]`, `[1 2]`},
		{"no colon", `{"a" 1}`, `{"a" 1}`},
		{"no name", `{ , }`, `{ , }`},
		{"cut off", `{"a": [1, "x`, `{"a": [1, "x`},
		{"raw control character", "[\"\n\" ]", "[\"\n\" ]"},
		{"wrong escape", `[ "\x"]`, `[ "\x"]`},
		{"cut escape", `[ "\u12`, `[ "\u12`},
		{"leading zero", `[ 01]`, `[ 01]`},
		{"lone minus", `[ -]`, `[ -]`},
		{"no digits after the point", `[ 1.]`, `[ 1.]`},
		{"no digits in the exponent", `[ 1e+]`, `[ 1e+]`},
		{"not a number", `[ NaN]`, `[ NaN]`},
		{"wrong bracket", `[ 1}`, `[ 1}`},
		{"not JSON, not UTF-8", "\xff ", "\uFFFD "},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := Compact([]byte("before"), []byte(test.src)); string(got) != "before"+test.want {
				t.Errorf("got  %.500q\nwant %.500q", got, "before"+test.want)
			}
			if got, want := Chars([]byte(test.src)), utf8.RuneCountInString(test.want); got != want {
				t.Errorf("%d chars, want %d", got, want)
			}
		})
	}
}

func TestCompactManyNames(t *testing.T) {
	var src, want strings.Builder
	for i := range 300 {
		src.WriteString(`, "n` + strconv.Itoa(i) + `": 0`)
		want.WriteString(`,"n` + strconv.Itoa(i) + `":` + strconv.Itoa(i))
	}
	for i := range 300 {
		src.WriteString(`, "n` + strconv.Itoa(i) + `": ` + strconv.Itoa(i))
	}
	def := []byte("{" + src.String()[1:] + "}")
	if got := string(Compact(nil, def)); got != "{"+want.String()[1:]+"}" {
		t.Errorf("got %s", got)
	}
	if got := Chars(def); got != want.Len()+1 {
		t.Errorf("%d chars, want %d", got, want.Len()+1)
	}
}

// TestCompactProperty checks values against a serialization that is made with
// them, and that counting and writing agree.
func TestCompactProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := samples(3).Draw(t, "value")
		src := []byte(blanks(t) + s.source + blanks(t))
		if got := string(Compact(nil, src)); got != s.compact {
			t.Fatalf("%s\ngot  %s\nwant %s", src, got, s.compact)
		}
		if got, want := Chars(src), utf8.RuneCountInString(s.compact); got != want {
			t.Fatalf("%s\n%d chars, want %d", src, got, want)
		}
	})
}

func FuzzCompact(f *testing.F) {
	for _, seed := range []string{`{"a":[1,2.50,"x\u00e9\ud800"],"a":{}}`, `[1e400,-0,"\"` + "\xff" + `"]`, ` [ `, "{\"\x80\":1,\"\xff\":2,\"k\":NaN}"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		out := Compact(nil, src)
		if !utf8.Valid(out) {
			t.Fatalf("not UTF-8: %q", out)
		}
		if got, want := Chars(src), utf8.RuneCount(out); got != want {
			t.Fatalf("%d chars, want %d: %q", got, want, out)
		}
		nested := bytes.Count(src, []byte("["))+bytes.Count(src, []byte("{")) > 1000
		switch {
		case nested:
		case !json.Valid(src):
			if want := strings.ToValidUTF8(string(bytes.Clone(src)), "\uFFFD"); len(out) < len(want) {
				t.Fatalf("not JSON, but cut: %q", out)
			}
		case bytes.Contains(out, []byte("Infinity")):
		case !json.Valid(out):
			t.Fatalf("not JSON any more: %q", out)
		default:
			var plain bytes.Buffer
			if err := json.Compact(&plain, out); err != nil || plain.Len() != len(out) {
				t.Fatalf("not compact: %q", out)
			}
			if again := Compact(nil, out); !bytes.Contains(src, []byte(`\u`)) && !bytes.Equal(again, out) {
				t.Fatalf("%q, then %q", out, again)
			}
		}
	})
}
