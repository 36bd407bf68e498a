package fetch

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"caliper/engine/rescue"
	"caliper/model/require"
)

func outlineOf(t testing.TB, text string, kind rescue.Kind, pointer string) string {
	t.Helper()
	a, err := Do([]byte(text), rescue.Meta{Kind: kind}, Request{Mode: Outline, Pointer: pointer}, rescue.Default())
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
	if strings.Count(deep, "\n") != outlineDepth+1 || !strings.Contains(deep, "deeper parts left out") {
		t.Errorf("got %s", deep)
	}
	var b strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&b, `"key%d":%d,`, i, i)
	}
	r := reader{[]byte("{" + b.String() + `"end":0}`), rescue.Meta{Kind: rescue.JSONObject}}
	var all strings.Builder
	follow(t, r, Request{Mode: Outline}, limits(300), func(a Answer) { all.WriteString(a.Text) })
	if n := strings.Count(all.String(), "\n"); n != mostKeys+2 || !strings.Contains(all.String(), "4701 more values under other keys") {
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
		{"markdown", "# One\ntext\n### Two é\n#no\n####### no\n", rescue.Text, `
text of 5 lines and 36 chars
headings: 2
  1: # One
  3: ### Two é
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
		{"a log of dates in brackets", "[2026-01-02] start\n", "", `
text of 1 line and 19 chars
no headings and no errors; 1 place begins so:
  line 1: [2026-01-02] start
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
	whole, err := r.Do(Request{Mode: Outline}, rescue.Default())
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
				l := rescue.Default()
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
