package fetch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"caliper/config"
	"caliper/engine/rescue"
	"caliper/model/jsontree"
	"caliper/model/require"
)

func outlineOf(t testing.TB, text string, kind rescue.Kind, pointer string) string {
	t.Helper()
	a, err := Do([]byte(text), rescue.Meta{Kind: kind}, Request{Mode: Outline, Pointer: pointer}, config.Default().Rescue)
	require.NoError(t, err)
	return a.Text
}

func TestOutlineJSON(t *testing.T) {
	for _, c := range []struct{ name, text, pointer, want string }{
		{"records", `[{"id":1,"tags":["a","b"]},{"tags":[],"id":null,"x/y":{"z":true}},{"id":2.5}]`, "", `
(root): array, 3 items
/*: object ×3, 3 keys
/*/id: number ×2 | null
/*/tags: array ×2, 0 to 2 items, 2 in all
/*/tags/*: string ×2
/*/x~1y: object, 1 key
/*/x~1y/z: boolean
`},
		{"below a pointer", `{"a":{"b":[{"c":1},{"c":"s"}]},"d":0}`, "/a/b", `
/a/b: array, 2 items
/a/b/*: object ×2, 1 key
/a/b/*/c: string | number
`},
		{"lines of JSON", "{\"a\":1}\n{\"a\":2}\n", "", `
2 JSON values one after the other, outlined together; a pointer needs a single one
(root): object ×2, 1 key
/a: number ×2
`},
		{"cut off", `[{"a":1},{"a":2},{"b`, "", `
no JSON from byte 20: the text ends inside a string; this is what comes before it
(root): array, 3 items
/*: object ×3, 1 key
/*/a: number ×2
`},
		{"a key cannot forge an entry", `{"a\n(root)":1}`, "", `
(root): object, 1 key
"/a\n(root)": number
`},
		{"empty", `{"a":[],"b":{}}`, "", `
(root): object, 2 keys
/a: array, 0 items
/b: object
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := "\n" + outlineOf(t, c.text, rescue.JSONArray, c.pointer); got != c.want {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestOutlineOfDeepAndWideJSON: depth and width are bounded, and the part left
// out is said.
func TestOutlineOfDeepAndWideJSON(t *testing.T) {
	deep := outlineOf(t, strings.Repeat("[", 20000)+strings.Repeat("]", 20000), rescue.JSONArray, "")
	if strings.Count(deep, "\n") != 13 || !strings.Contains(deep, "deeper parts left out") {
		t.Errorf("got %s", deep)
	}
	var b strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&b, `"key%d":%d,`, i, i)
	}
	r := reader{[]byte("{" + b.String() + `"end":0}`), rescue.Meta{Kind: rescue.JSONObject}}
	var all strings.Builder
	follow(t, r, Request{Mode: Outline}, limits(300), func(a Answer) { all.WriteString(a.Text) })
	if n := strings.Count(all.String(), "\n"); n != 302 || !strings.Contains(all.String(), "4701 more values under other keys") {
		t.Errorf("%d entries: %s", n, all.String()[len(all.String())-100:])
	}
	if !strings.HasPrefix(all.String(), "(root): object, more than 300 keys\n") {
		t.Errorf("%.80s", all.String())
	}
}

func TestOutlineText(t *testing.T) {
	for _, c := range []struct {
		name, text string
		kind       rescue.Kind
		want       string
	}{
		{"markdown", "# One\ntext\n### Two é\n#no\n####### no\n###### Six\n##\n", rescue.Text, `
text of 7 lines and 50 chars
headings: 3
  1: # One
  3: ### Two é
  6: ###### Six
`},
		{"errors", "ok\n12:00 ERROR job 7 failed\r\nok\n12:01 ERROR job 81 failed\nValueError: x\nan ERR x\n0 errors\n", rescue.Text, `
text of 7 lines and 90 chars
lines that look like errors: 4, of 3 shapes
  2 in lines 2-4: 12:00 ERROR job 7 failed
  line 5: ValueError: x
  line 6: an ERR x
`},
		{"code", "package p\n\nfunc f() {\n\tclass := 1\n}\nexport default class A {\n  async def g(x):\ntype T struct{}\n", rescue.Code, `
code of 8 lines and 95 chars
definitions: 4
  3: func f() {
  6: export default class A {
  7:   async def g(x):
  8: type T struct{}
`},
		{"HTML", "<html><title>A &amp; B</title>\n<H2 class=x>Two <b>bold</b></H2><hr><h1>One</h1>", rescue.HTML, `
HTML of 2 lines and 79 chars
headings: 3
  1, char 6: title A & B
  2, char 31: h2 Two bold
  2, char 67: h1 One
`},
		{"nothing", "a\nb\n", rescue.Text, `
text of 2 lines and 4 chars
no headings and no errors; 2 places begin so:
  line 1: a
  line 2: b
`},
		{"a log that begins like JSON", "[12] start\n[13] stop\n", "", `
text of 2 lines and 21 chars
no headings and no errors; 2 places begin so:
  line 1: [12] start
  line 2: [13] stop
`},
		{"one line", "a\n", rescue.Text, `
text of 1 line and 2 chars
no headings and no errors; 1 place begins so:
  line 1: a
`},
		{"diff", "--- a\n+++ b\n@@ -1 +1 @@\n-# x\n+# y\n@@ -9 +9 @@\n # z\n", rescue.Diff, `
diff of 7 lines and 51 chars
headings: 3
  2: +++ b
  3: @@ -1 +1 @@
  6: @@ -9 +9 @@
`},
		{"JSON lines", "{\"a\":1}\n{\"a\":\"x\"}\n", rescue.JSONLines, `
2 JSON values one after the other, outlined together; a pointer needs a single one
(root): object ×2, 1 key
/a: string | number
`},
		{"empty", "", rescue.Text, "\ntext of 0 lines and 0 chars\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := "\n" + outlineOf(t, c.text, c.kind, ""); got != c.want {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestErrorLinesAcrossWindows counts every error line once, wherever windows
// end.
func TestErrorLinesAcrossWindows(t *testing.T) {
	text := logText(768 << 10)
	want := strings.Count(string(text), " ERROR ")
	got := outlineOf(t, string(text), rescue.Text, "")
	if !strings.Contains(got, fmt.Sprintf("lines that look like errors: %d,", want)) {
		t.Errorf("want %d: %s", want, got)
	}
	giant := strings.Repeat("an error in one line ", 60000)
	if got := outlineOf(t, giant, rescue.Text, ""); !strings.Contains(got, "lines that look like errors: 1,") {
		t.Errorf("got %s", got)
	}
}

// TestClusters: lines of one shape are one entry; of a long line what stands before its word
// counts, once.
func TestClusters(t *testing.T) {
	long := strings.Repeat("long line ", 80)
	c := clustersOf([]byte("bad 1\nok\nbad 2\n"+long+"bad 3\nother "+long+"bad 4\nbad 5 bad again"), []string{"bad"})
	var got []string
	for _, k := range c.order {
		got = append(got, fmt.Sprint(k.first, "-", k.last, " ", k.lines))
	}
	if want := "1-3 2|4-5 2|6-6 1"; strings.Join(got, "|") != want || c.lines != 5 {
		t.Errorf("%d lines, %q", c.lines, got)
	}
}

// TestOutlinePages: a page has as many entries as were asked for, or as there is room for with their
// line breaks, in characters; it says where the next begins.
func TestOutlinePages(t *testing.T) {
	const text = "# é\n\n# bb\n\n# ccc\n"
	r := reader{[]byte(text), rescue.Meta{Kind: rescue.Text}}
	whole, err := r.Do(Request{Mode: Outline}, config.Default().Rescue)
	require.NoError(t, err)
	lines := strings.SplitAfter(whole.Text, "\n")
	lines = lines[:len(lines)-1]
	if len(lines) != 5 || whole.Total != 5 || whole.From != 1 || whole.To != 5 || whole.Next != nil {
		t.Fatalf("%+v", whole)
	}
	for start := range lines {
		for end := start; end <= len(lines); end++ {
			want := strings.Join(lines[start:end], "")
			for more := range 2 { // room of which nothing is left, or all but one of the next entry
				l := config.Default().Rescue
				l.FetchMaxChars = utf8.RuneCountInString(want)
				if more > 0 && end < len(lines) {
					l.FetchMaxChars += utf8.RuneCountInString(lines[end]) - 1
				}
				for count := range 3 {
					a, err := r.Do(Request{Mode: Outline, Start: int64(start + 1), Count: int64(count)}, l)
					if l.FetchMaxChars < 1 || err != nil {
						continue
					}
					to := end
					if count > 0 {
						to = min(end, start+count)
					}
					if a.Text != strings.Join(lines[start:to], "") || a.From != int64(start+1) || a.To != int64(to) || (a.Next == nil) != (to == len(lines)) || a.Next != nil && a.Next.Start != int64(to+1) {
						t.Errorf("from %d, %d of them, in %d characters: %+v, want %q", start+1, count, l.FetchMaxChars, a, lines[start:to])
					}
				}
			}
		}
	}
}

// TestPointerNeedsOneValue: a pointer says nothing of a text that only begins
// like JSON, and tells where it stops being JSON.
func TestPointerNeedsOneValue(t *testing.T) {
	for _, c := range []struct{ name, text, says string }{
		{"a log of dates", "2026-03-04T05:06:07Z INFO a\n2026-03-04T05:06:08Z INFO b\n", "not JSON at byte 4: "},
		{"numbers in brackets", "[12] start\n[13] stop\n", "not JSON at byte 5: after 1 value, 's' begins no value"},
		{"only a date in brackets", "[2026-01-02]", "not JSON at byte 5: a comma is missing"},
		{"a list", "- item", "not JSON at byte 1: a digit of a number is missing"},
		{"truth", "trust", "not JSON at byte 3: a word begins like true and is not"},
		{"values without a gap", `{"a":1}{"a":2}`, "not JSON at byte 7: '{' follows"},
		{"a trailing comma", `{"a":1,}`, "not JSON at byte 7: a key is missing"},
		{"a leading zero", `{"a":01}`, "not JSON at byte 6: "},
		{"a line in a string", "{\"a\":\"x\ny\"}", "not JSON at byte 7: a string has a line break"},
		{"an escape", `{"a":"\x"}`, "not JSON at byte 7: no such escape"},
		{"cut off", `{"a":1,"b":[1,`, "not JSON at byte 14: the text ends inside a value"},
		{"cut off in a string", `{"a":1,"b`, "not JSON at byte 9: the text ends inside a string"},
		{"nothing", " \n", "not JSON at byte 2: there is no value"},
		{"lines of JSON", "{\"a\":1}\n{\"a\":2}\r\n\n[]\n", "is 3 JSON values, one per line, and a pointer needs a single one; " +
			"the second begins at byte 8: use range with count 1 and the number of a line as start"},
		{"values in one line", "{\"a\":1} {\"a\":2}\n[]", "is 3 JSON values, one after the other, and a pointer needs a single one; the second begins at byte 8: use range, grep"},
		{"lines of JSON and words", "{\"a\":1}\n{\"a\":2}\nand so on", "not JSON at byte 16: after 2 values, 'a' begins no value"},
	} {
		t.Run(c.name, func(t *testing.T) {
			// Neither the kind nor what was asked before makes a difference.
			r := reader{[]byte(c.text), rescue.Meta{Kind: rescue.JSONArray}}
			for _, q := range []Request{{Mode: Pointer, Pointer: "/0"}, {Mode: Pointer}, {Mode: Range, Pointer: "/3"}, {Mode: Outline, Pointer: "/a"}} {
				_, err := r.Do(q, config.Default().Rescue)
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
