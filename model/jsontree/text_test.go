package jsontree

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/model/require"
)

// checkOrigins fails unless every byte of a text leads to one that equals it or
// was replaced.
func checkOrigins(t *testing.T, data []byte, text *Text) {
	last := -1
	for i, b := range text.Data {
		at := text.Origin(i)
		if at < last || at > len(data) {
			t.Fatalf("%q: byte %d stands at %d, behind one at %d", data, i, at, last)
		}
		if last = at; b < 0x80 && data[at] != b {
			t.Fatalf("%q: byte %d is %q, in the source %q", data, i, b, data[at])
		}
	}
}

func TestMend(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"nothing to do", `{"a":1,"a":2}`, `{"a":1,"a":2}`},
		{"comments", "{\"a\":1, // one\n/* two\r\n*/\"b\":2,}", "{\"a\":1,       \n      \r\n  \"b\":2 }"},
		{"a slash that begins none", `[1/2,/* x */3]`, `[1/2,       3]`},
		{"a comment without an end", `[1 /* 2,]`, `[1 /* 2,]`},
		{"a bracket that closes nothing", `]`, `]`},
		{"commas that end nothing", `{"a":[,],"b":{,},"c":[1,,],"d":,}`, `{"a":[,],"b":{,},"c":[1,,],"d":,}`},
		{"no comment", `{"a":"// /* ,}"}`, `{"a":"// /* ,}"}`},
		{"bad bytes", "{\"a\":\"\xff\"}", "{\"a\":\"\uFFFD\"}"},
		{"half a pair", `{"a":"\ud83d"}`, "{\"a\":\"\uFFFD\"}"},
		{"the first and the last half", `["\ud800","\udbff","\udc00","\udfff"]`, `["` + strings.Repeat("\uFFFD\",\"", 3) + "\uFFFD\"]"},
		{"no halves", `["\ud7ff","\ue000","\ud800\ue000","\ud800\udbff"]`, `["\ud7ff","\ue000","` + "\uFFFD" + `\ue000","` + "\uFFFD\uFFFD\"]"},
		{"the last pair", `"\udbff\udfff\ud800\udc00"`, `"\udbff\udfff\ud800\udc00"`},
		{"a pair", `{"a":"\ud83d\ude00"}`, `{"a":"\ud83d\ude00"}`},
		{"more behind", `{"a":1},{`, `{"a":1},{`},
		{"empty", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := []byte(c.in)
			if got := string(Mend(in)); got != c.want || string(in) != c.in {
				t.Errorf("%q, want %q; the text is %q", got, c.want, in)
			}
		})
	}
}

// TestEvents: the lines of data of the events that hold JSON, each from its place.
func TestEvents(t *testing.T) {
	for in, want := range map[string]string{
		"data: {\"a\":\ndata: 1}\n\nid: 2\ndata: [2]\n\n": " {\"a\":\n 1}\n [2]\n", "data: {}\r\n\r\ndata: x\r\ndata: {}\r\n\r\n": " {}\r\n",
		"data:[1\rdata:]\r\rdata: {}": "[1\r]\r {}", "data: {}\r\rdata: [DONE]\rdata: 1\r\rdata:[]\r": " {}\r[]\r", "data: x\nid: 1\ndata: {}\n": "",
		"datax: {}\n": "", "": "", "data: {}\n\r\ndata: x": " {}\n",
	} {
		source := NewText([]byte(in))
		got := source.Events()
		if string(got.Data) != want {
			t.Errorf("%q: %q, want %q", in, got.Data, want)
		}
		checkOrigins(t, []byte(in), got)
	}
}

// TestOrigin: an offset of a translated text leads to the mark before it, through what
// the text itself was made of.
func TestOrigin(t *testing.T) {
	text := NewText([]byte("\uFEFFab\xff\xffc\u00e9d"))
	mended, faults := text.repairEncoding()
	if len(faults) != 1 || faults[0].At != 5 || mended.Origin(len(mended.Data)) != len(text.Data)+3 {
		t.Errorf("%+v, the end at %d", faults, mended.Origin(len(mended.Data)))
	}
	if _, faults := NewText([]byte("// one\n[1, // two\n]")).Repair(); len(faults) != 1 || faults[0].At != 0 {
		t.Errorf("%+v, want the first comment", faults)
	}
	_, faults = NewText([]byte("[" + strings.Repeat(`{"a":1,"a":2},`, MaxFaults+2) + "0]")).Repair()
	if last := faults[len(faults)-1]; len(faults) != MaxFaults+1 || last.Message != "and 2 more places like this" {
		t.Errorf("%d faults, the last %+v", len(faults), last)
	}
	var got []int
	for i := range mended.Data {
		got = append(got, mended.Origin(i))
	}
	if fmt.Sprint(got) != "[3 4 5 5 5 6 6 6 7 8 9 10]" {
		t.Errorf("%v", got)
	}
	said := mended.Translated([]byte("xxyyy"), []Mark{{0, 1}, {2, 8}})
	if got := fmt.Sprint(said.Origin(0), said.Origin(1), said.Origin(2), said.Origin(4)); got != "4 4 7 7" {
		t.Errorf("translated: %s", got)
	}
	for in, want := range map[string]bool{"\xfe\xff": true, "\xff\xfe": true, "\x00a": true, "a\x00": true, "\x00\x00": false, "ab": false, "a": false, "\xfea": false, "\xffa": false} {
		if IsUTF16([]byte(in)) != want {
			t.Errorf("%q is UTF-16: %v", in, !want)
		}
	}
}

// TestPosition: lines and columns from 1, in bytes, behind the byte order mark and up to
// the end.
func TestPosition(t *testing.T) {
	for _, c := range []struct {
		text string
		want string // of each offset, and of one past the end
	}{
		{"", "1:1 1:1"}, {"ab\nc\n", "1:1 1:2 1:3 2:1 2:2 3:1 3:1"}, {"\n\n", "1:1 2:1 3:1 3:1"},
		{"\uFEFFa\n\u00e9b", "1:1 1:1 1:1 1:1 1:2 2:1 2:2 2:3 2:4 2:4"},
	} {
		var got []string
		lines := NewLines([]byte(c.text))
		for at := range len(c.text) + 2 {
			line, col := lines.Position(at)
			got = append(got, fmt.Sprint(line, ":", col))
			if l, k := Position([]byte(c.text), at); (l != line || k != col) && !strings.HasPrefix("\uFEFF", c.text[:min(at, len(c.text))]) {
				t.Errorf("%q: %d is alone at %d:%d", c.text, at, l, k)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q: %q", c.text, got)
		}
	}
}

// TestPaths: a pointer's tokens are those it was made of, and a path quotes names that
// are no plain words.
func TestPaths(t *testing.T) {
	for want, tokens := range map[string][]string{"": nil, "/": {""}, "/a~1b/~0": {"a/b", "~"}, "/~01/0": {"~1", "0"}} {
		if got := Pointer(tokens); got != want || fmt.Sprint(PointerTokens(got)) != fmt.Sprint(tokens) || len(PointerTokens(got)) != len(tokens) {
			t.Errorf("%q: %q, back %q", tokens, got, PointerTokens(got))
		}
	}
	for name, want := range map[string]string{"a": "p.a", "_$-9": "p._$-9", "9a": `p["9a"]`, "": `p[""]`, "a b": `p["a b"]`, "zZaA09": "p.zZaA09", "@": `p["@"]`, "[": `p["["]`, "`": "p[\"`\"]", "{": `p["{"]`, "a:": `p["a:"]`, "a/": `p["a/"]`} {
		if got := JoinName("p", name); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if got := JoinName("", "a") + JoinName("", "") + JoinIndex("a", 7); got != `a[""]a[7]` {
		t.Errorf("without a path: %s", got)
	}
}

// TestIsEvents: an event stream begins with a field, and some of its data is JSON.
func TestIsEvents(t *testing.T) {
	for in, want := range map[string]bool{
		"data: {": true, " \n\tdata:\t[": true, "event: a\ndata: {": true, "id: 1\rdata:{": true, ": c\n\nretry: 5\ndata: x\ndata: [": true, "": false, "{\"data: {\"": false,
		"data: x": false, "event: data: {": false, "event: a\n data: {": false, "data: x\ndatas: {": false, "datum: {": false, "data:": false, "id: 1\nxdata: {\ndata: 1": false,
	} {
		if got := NewText([]byte(in)).IsEvents(); got != want {
			t.Errorf("%q is an event stream: %v", in, got)
		}
	}
}

// TestWholeIsByteByByte compares with a reader that looks at every byte.
func TestWholeIsByteByByte(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := rapid.SliceOf(rapid.SampledFrom([]byte(`"\\{}[]a,`))).Draw(t, "data")
		depth, inString := 0, false
		for i := 0; i < len(data); i++ {
			switch c := data[i]; {
			case inString && c == '\\':
				i++
			case c == '"':
				inString = !inString
			case inString:
			case c == '{' || c == '[':
				depth++
			case c == '}' || c == ']':
				depth--
			}
		}
		if want := depth == 0 && !inString && len(data) > 0; Whole(data) != want {
			t.Fatalf("%s is whole: %v", data, !want)
		}
	})
}

// TestRepeated: the last member of a name stays, and each one before it is named at the
// one that follows it.
func TestRepeated(t *testing.T) {
	t.Parallel()
	many := func(n int) (all string) {
		for i := range n {
			all += fmt.Sprintf(`"k%d":%d,`, i, i)
		}
		return all
	}
	for _, c := range []struct{ text, want, faults string }{
		{`{"a":1,"b":2}`, `{"a":1,"b":2}`, ``},
		{`{"a":1,"a":2}`, `{"a":2}`, `7 a`},
		{`{"a":1, "b":2, "\u0061":3}`, `{"b":2, "\u0061":3}`, `15 a`},
		{`{"a":1,"a":2,"a":3}`, `{"a":3}`, `7 a; 13 a`},
		{`{"b":0,"a":{"c":1,"c":2},"a":[{},{"d":1,"d":{}}]}`, `{"b":0,"a":[{},{"d":{}}]}`, `18 a.c; 25 a; 40 a[1].d`},
		{`[[0,{"x":[],"y":{},"x":1}]]`, `[[0,{"y":{},"x":1}]]`, `19 [0][1].x`},
		{`{"a":1,"b":1,"a":2,"b":2}`, `{"a":2,"b":2}`, `13 a; 19 b`},
		{`{` + many(16) + `"k0":1}`, `{` + many(16)[len(`"k0":0,`):] + `"k0":1}`, `125 k0`},
		{`{` + many(17) + `"k16":1}`, `{` + many(16) + `"k16":1}`, `134 k16`},
		{`{` + many(40) + `"k0":1,"k39":2,"k40":3,"k40":4}`, `{` + strings.TrimSuffix(many(39)[len(`"k0":0,`):], ",") + `,"k0":1,"k39":2,"k40":4}`, `341 k0; 348 k39; 364 k40`},
		{`{"a":1,"a":`, `{"a":`, `7 a`},
		{`{"a":1 "a":2}`, `{"a":1 "a":2}`, ``},
		{`{"a":1}{"a":2}`, `{"a":1}{"a":2}`, ``},
		{`{"a":1,"a":2} {"b":1,"b":2}`, `{"a":2} {"b":2}`, `7 a; 21 b`},
	} {
		text, list := NewText([]byte(c.text)).Repair()
		var faults []string
		for _, f := range list {
			faults = append(faults, fmt.Sprint(f.At, " ", f.Path))
			if f.Code != "duplicate_key" {
				t.Errorf("%s: %+v", c.text, f)
			}
		}
		if got := strings.Join(faults, "; "); string(text.Data) != c.want || got != c.faults {
			t.Errorf("%s becomes\n%s, faults %s; want\n%s, %s", c.text, text.Data, got, c.want, c.faults)
		}
		if rest := strings.LastIndex(c.text, `"`); len(list) > 0 && strings.HasSuffix(c.text, "}") && text.Origin(strings.LastIndex(string(text.Data), `"`)) != rest {
			t.Errorf("%s: the last quote comes from %d, want %d", c.text, text.Origin(strings.LastIndex(string(text.Data), `"`)), rest)
		}
	}
	text := `{` + strings.Repeat(`"a":1,`, 1003) + `"b":2}`
	_, list := NewText([]byte(text)).Repair()
	if last := list[len(list)-1]; len(list) != 1001 || last.Message != MorePlaces(2) || last.At != len(text) {
		t.Errorf("%d faults, the last is %+v", len(list), last)
	}
	deep := strings.Repeat(`{"a":`, 105) + `{"b":1,"b":2}` + strings.Repeat(`}`, 105)
	if _, list := NewText([]byte(deep)).Repair(); len(list) != 1 || list[0].Path != strings.Repeat(".a", 100)[1:]+"..." {
		t.Errorf("a deep one: %+v", list)
	}
}

// TestEncodeText: a text is encoded as encoding/json does without escapes for HTML,
// whether it is plain or not.
func TestEncodeText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(
			rapid.StringMatching(`[ -~]{0,12}`), rapid.String(), rapid.StringOf(rapid.RuneFrom([]rune("a\"\\\u007f\u2028\u2029\x1f\b~ <"))),
			rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 6), func(b []byte) string { return string(b) }),
		).Draw(t, "text")
		var want bytes.Buffer
		e := json.NewEncoder(&want)
		e.SetEscapeHTML(false)
		require.NoError(t, e.Encode(s))
		if got := string(Encode(s)) + "\n"; got != want.String() {
			t.Fatalf("Encode(%q) = %s, want %s", s, got, want.Bytes())
		}
		if got := string(AppendText([]byte("x"), s)) + "\n"; got != "x"+want.String() {
			t.Fatalf("AppendText(%q) = %s, want x%s", s, got, want.Bytes())
		}
	})
}

func TestSpliced(t *testing.T) {
	for _, c := range []struct {
		name, want string
		splices    []Splice
	}{
		{"none", "abcdef", nil},
		{"in any order", "aXdY", []Splice{{4, 6, []byte("Y")}, {1, 3, []byte("X")}}},
		{"an insertion before what replaces", "a12Xdef", []Splice{{1, 3, []byte("X")}, {1, 1, []byte("1")}, {1, 1, []byte("2")}}},
		{"at both ends", "[abcdef]", []Splice{{6, 6, []byte("]")}, {0, 0, []byte("[")}}},
	} {
		if got := string(Spliced([]byte("abcdef"), c.splices)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// FuzzEvents is the reader of event streams: what it keeps stands in the
// source, in the same order.
func FuzzEvents(f *testing.F) {
	for _, seed := range []string{
		"data: {\"a\":1}\n\n", "event: x\r\ndata:[\r\ndata: 1]\r\n\r\n", ":\rdata: {}\r\rdata: x\r\rdata: {", "\uFEFFid: 1\ndata: {\"tools\":[]}", "data:[DONE]\n\ndata:{}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		source := NewText(data)
		source.IsEvents()
		checkOrigins(t, data, source.Events())
	})
}

// FuzzRepair is the reader of text that is not strict JSON: comments, bytes that are
// not UTF-8, repeated names.
func FuzzRepair(f *testing.F) {
	for _, seed := range []string{
		"{\"a\":1,/* x */\"a\":2,}", "[1,//\xff\n\"\xff\\ud800\",]", "\uFEFF{\"\\u0061\":{},\"a\":[{\"b\":1,\"b\":2}]}", "// \"\n[\"//\"]", "/*/[,]", `"\`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		source := NewText(data)
		repaired, findings := source.Repair()
		if repaired != source != (len(findings) > 0) {
			t.Fatalf("another text %v with %d findings", repaired != source, len(findings))
		}
		again, findings := repaired.Repair()
		if !bytes.Equal(again.Data, repaired.Data) {
			t.Fatalf("%q repaired again is %q, with %v", repaired.Data, again.Data, findings)
		}
		mended, _ := NewText(data).repairEncoding()
		checkOrigins(t, data, mended)
	})
}
