package fetch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"caliper/config"
	"caliper/engine/rescue"
	_ "caliper/model/require"
)

func TestRange(t *testing.T) {
	text := "one\r\ntwo\n\nlast é"
	for _, c := range []struct {
		name   string
		q      Request
		budget int
		want   Answer
	}{
		{"all", Request{Mode: Range}, 4000, Answer{Range, text, 1, 4, 4, Lines, nil}},
		{"one line", Request{Mode: Range, Start: 2, Count: 1}, 4000, Answer{Range, "two\n", 2, 2, 4, Lines, &Request{Mode: Range, Start: 3, Count: 1, Unit: Lines}}},
		{"count past the end", Request{Mode: Range, Start: 4, Count: 9}, 4000, Answer{Range, "last é", 4, 4, 4, Lines, nil}},
		{"budget cuts a break", Request{Mode: Range, Start: 1}, 4, Answer{Range, "one\r", 0, 3, 16, Chars, &Request{Mode: Range, Start: 4, Unit: Chars}}},
		{"budget cuts lines", Request{Mode: Range, Count: 3}, 9, Answer{Range, "one\r\ntwo\n", 1, 2, 4, Lines, &Request{Mode: Range, Start: 3, Count: 3, Unit: Lines}}},
		{"line longer than the budget", Request{Mode: Range, Start: 4}, 3, Answer{Range, "las", 10, 12, 16, Chars, &Request{Mode: Range, Start: 13, Unit: Chars}}},
		{"chars", Request{Mode: Range, Start: 14, Count: 1, Unit: Chars}, 9, Answer{Range, " ", 14, 14, 16, Chars, &Request{Mode: Range, Start: 15, Count: 1, Unit: Chars}}},
		{"last char", Request{Mode: Range, Start: 15, Unit: Chars}, 9, Answer{Range, "é", 15, 15, 16, Chars, nil}},
	} {
		t.Run(c.name, func(t *testing.T) { equal(t, do(t, text, c.q, limits(c.budget)), c.want) })
	}
	equal(t, do(t, "", Request{Mode: Range}, limits(9)), Answer{Range, "", 1, 0, 0, Lines, nil})
	equal(t, do(t, "", Request{Mode: Range, Unit: Chars}, limits(9)), Answer{Range, "", 0, -1, 0, Chars, nil})
	equal(t, do(t, "a\xffb", Request{Mode: Range}, limits(9)), Answer{Range, "a\uFFFDb", 1, 1, 1, Lines, nil})
}

// equal compares by the JSON that is printed.
func equal(t *testing.T, got, want Answer) {
	t.Helper()
	g, _ := json.Marshal(got)
	w, _ := json.Marshal(want)
	if string(g) != string(w) {
		t.Errorf("got  %s\nwant %s", g, w)
	}
}

func TestErrors(t *testing.T) {
	doc := `{"a":[1,{"b":"x"}],"s":"t"}`
	for _, c := range []struct {
		name, text string
		q          Request
		code, says string
	}{
		{"mode", doc, Request{Mode: "head"}, CodeMode, "use stat, range"},
		{"unit", doc, Request{Mode: Range, Unit: "bytes"}, CodeUnit, "use lines or chars"},
		{"past the last char", doc, Request{Mode: Range, Start: 27, Unit: Chars}, CodePastEnd, "the last is 26"},
		{"grep past the end", doc, Request{Mode: Grep, Pattern: "a", Start: 2}, CodePastEnd, "has 1 line,"},
		{"outline past the end", doc, Request{Mode: Outline, Start: 99}, CodePastEnd, "entries"},
		{"search past the end", doc, Request{Mode: Search, Query: "b", Start: 2}, CodePastEnd, "1 passage holds a word"},
		{"full", strings.Repeat("x", 50001), Request{Mode: Full}, CodeFull, "50001 characters in 1 line and"},
		{"no pattern", doc, Request{Mode: Grep}, CodeNoPattern, "RE2"},
		{"long pattern", doc, Request{Mode: Grep, Pattern: strings.Repeat("é", 81)}, CodePatternLong, "81 characters"},
		{"lookahead", doc, Request{Mode: Grep, Pattern: "a(?=b)"}, CodeUnsupported, "foo.*bar"},
		{"negative lookahead", doc, Request{Mode: Grep, Pattern: "a(?!b)"}, CodeUnsupported, "pass over"},
		{"lookbehind", doc, Request{Mode: Grep, Pattern: "(?<=a)b"}, CodeUnsupported, "text before"},
		{"backreference", doc, Request{Mode: Grep, Pattern: `(a)\1`}, CodeUnsupported, `\1`},
		{"possessive", doc, Request{Mode: Grep, Pattern: `a++`}, CodeUnsupported, "last +"},
		{"atomic", doc, Request{Mode: Grep, Pattern: `(?>a)`}, CodeUnsupported, "(?:...)"},
		{"escaped colon", doc, Request{Mode: Grep, Pattern: `(\:`}, CodePattern, "backslash"},
		{"bracket", doc, Request{Mode: Grep, Pattern: "a["}, CodePattern, "backslash"},
		{"no words", doc, Request{Mode: Search, Query: "…"}, CodeNoQuery, "grep"},
		{"pointer without slash", doc, Request{Mode: Pointer, Pointer: "a"}, CodePointer, "begin with /"},
		{"pointer with a tilde", doc, Request{Mode: Pointer, Pointer: "/~2"}, CodePointer, "~0"},
		{"no key", doc, Request{Mode: Pointer, Pointer: "/a/1/c"}, CodeNoValue, `no key "c" in the object at "/a/1": it has 1 key, the first: "b"`},
		{"no item", doc, Request{Mode: Pointer, Pointer: "/a/2"}, CodeNoValue, `the array at "/a": it has 2 items`},
		{"no index", doc, Request{Mode: Pointer, Pointer: "/a/01"}, CodeNoValue, "not an index"},
		{"below a string", doc, Request{Mode: Pointer, Pointer: "/s/x"}, CodeNoValue, `"/s" exists and is a string`},
		{"not JSON", "hello", Request{Mode: Pointer, Pointer: "/a"}, CodeNotJSON, "grep"},
		{"cut JSON", `{"a":[1,`, Request{Mode: Pointer, Pointer: "/a/5"}, CodeNotJSON, "ends inside"},
		{"start outside the value", doc, Request{Mode: Pointer, Pointer: "/s", Start: 3}, CodePastEnd, "chars 23 to 25"},
		{"start at the end of the value", doc, Request{Mode: Pointer, Pointer: "/s", Start: 26}, CodePastEnd, "chars 23 to 25"},
		{"start before the value", doc, Request{Mode: Pointer, Pointer: "/s", Start: 22}, CodePastEnd, "chars 23 to 25"},
		{"start outside a short value", doc, Request{Mode: Pointer, Pointer: "/a/0", Start: 3}, CodePastEnd, "has the char 6 of"},
		{"pointer in lines", doc, Request{Pointer: "/s", Start: 3, Unit: Lines}, CodeUnit, "chars of the blob"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Do([]byte(c.text), rescue.Meta{}, c.q, config.Default().Rescue)
			var fault *rescue.Error
			if !errors.As(err, &fault) || fault.Code != c.code || !strings.Contains(fault.Text, c.says) {
				t.Errorf("got %#v", err)
			}
		})
	}
	_, err := Do([]byte(doc), rescue.Meta{}, Request{Mode: Grep, Pattern: "a"}, limits(199))
	var fault *rescue.Error
	if !errors.As(err, &fault) || fault.Code != CodeBudget {
		t.Errorf("small budget: %v", err)
	}
}

func TestStat(t *testing.T) {
	m := rescue.Meta{ID: strings.Repeat("a1", 32), Tool: "evil\nid: 0000", Kind: rescue.Text, Stored: time.Unix(0, 0)}
	a, err := Do([]byte("é\nb"), m, Request{Mode: Stat}, limits(200))
	if err != nil || a.Next != nil {
		t.Fatal(a, err)
	}
	for _, want := range []string{"id: " + m.ID + "\n", `tool: "evil\nid: 0000"`, "type: text\n", "4 bytes, 3 chars, 2 lines"} {
		if !strings.Contains(a.Text, want) {
			t.Errorf("%q is not in %q", want, a.Text)
		}
	}
}

func TestFull(t *testing.T) {
	l := limits(5)
	l.FullFetchMaxChars = 10
	equal(t, do(t, "0123456789", Request{Mode: Full}, l), Answer{Full, "0123456789", 0, 9, 10, Chars, nil})
	l.RefuseFullFetch = false
	equal(t, do(t, "0123456789é", Request{Mode: Full}, l), Answer{Full, "0123456789", 0, 9, 11, Chars, &Request{Mode: Range, Start: 10, Unit: Chars}})
}

func TestPointer(t *testing.T) {
	text := ` {"a/b": [1, {"m~n": "x\"}]", "": null}], "é": 2.5e1, "k\u0041": {"deep": [[[]]]}, "é": 3} `
	for pointer, want := range map[string]string{
		"": strings.TrimSpace(text), "/a~1b/0": "1", "/a~1b/1/m~0n": `"x\"}]"`, "/a~1b/1/": "null", "/é": "3",
		"/kA": `{"deep": [[[]]]}`, "/kA/deep/0/0": "[]",
	} {
		a := do(t, text, Request{Mode: Pointer, Pointer: pointer}, limits(4000))
		if a.Text != want || a.Next != nil || a.To-a.From+1 != int64(utf8.RuneCountInString(want)) {
			t.Errorf("%q: %+v", pointer, a)
		}
	}
	for start, want := range map[int64]string{0: "[1, 2]", 1: "[1, 2]", 2: "1, 2]", 6: "]"} {
		if a := do(t, " [1, 2]", Request{Mode: Pointer, Start: start}, limits(99)); a.Text != want || a.From != max(start, 1) {
			t.Errorf("from %d: %+v", start, a)
		}
	}
	var all strings.Builder
	follow(t, reader{[]byte(text), rescue.Meta{}}, Request{Mode: Range, Pointer: "/kA"}, limits(3), func(a Answer) { all.WriteString(a.Text) })
	if all.String() != `{"deep": [[[]]]}` {
		t.Errorf("got %q", all.String())
	}
}

// TestBeginnings: a start below the beginning is the beginning and a count below
// 1 is 1, in every mode that has them.
func TestBeginnings(t *testing.T) {
	text := "[1,\n2,\n3]\n"
	for _, q := range []Request{
		{Mode: Range}, {Mode: Range, Unit: Chars}, {Mode: Grep, Pattern: "."}, {Mode: Grep, Pattern: ".", Unit: Chars}, {Mode: Outline},
		{Mode: Search, Query: "1 2 3"}, {Mode: Pointer, Pointer: "/1"}, {Mode: Stat}, {Mode: Full},
	} {
		want := do(t, text, q, limits(4000))
		for _, start := range []int64{0, -1, -5} {
			q := q
			q.Start = start
			equal(t, do(t, text, q, limits(4000)), want)
		}
		if q.Mode == Stat || q.Mode == Full || q.Mode == Pointer {
			continue
		}
		q.Count = 1
		want = do(t, text, q, limits(4000))
		if q.Mode != Search && want.Next == nil {
			t.Errorf("%+v: a count of 1 is the whole: %+v", q, want)
		}
		q.Count = -3
		equal(t, do(t, text, q, limits(4000)), want)
		q.Count, q.CountGiven = 0, true
		equal(t, do(t, text, q, limits(4000)), want)
	}
	if a := do(t, text, Request{Mode: Pointer}, limits(1)); a.Next == nil || *a.Next != (Request{Mode: Pointer, Start: 1, Unit: Chars}) {
		t.Errorf("%+v", a.Next)
	}
}

// TestPastTheLastLine: a range that begins past the end is the last lines.
func TestPastTheLastLine(t *testing.T) {
	text := "one\ntwo\nthree\n"
	for _, c := range []struct{ start, count, from, to int64 }{
		{3, 1, 3, 3}, {4, 1, 3, 3}, {4, 2, 2, 3}, {1 << 62, 3, 1, 3}, {9, 4, 1, 3}, {9, 1 << 62, 1, 3}, {9, 0, 1, 3},
	} {
		a := do(t, text, Request{Mode: Range, Start: c.start, Count: c.count}, limits(4000))
		if a.From != c.from || a.To != c.to || a.Next != nil {
			t.Errorf("%+v: %+v", c, a)
		}
	}
	equal(t, do(t, "", Request{Mode: Range, Start: 7, Count: 2}, limits(9)), Answer{Range, "", 1, 0, 0, Lines, nil})
}

// TestCountsLeftOut: twenty lines and fifty hits.
func TestCountsLeftOut(t *testing.T) {
	text := strings.Repeat("x\n", 120)
	if a := do(t, text, Request{Mode: Range}, limits(4000)); a.To != 20 || a.Next == nil || a.Next.Start != 21 {
		t.Errorf("%+v", a)
	}
	if a := do(t, text, Request{Mode: Grep, Pattern: "x"}, limits(4000)); a.To != 50 || a.Next == nil || a.Next.Start != 51 {
		t.Errorf("%+v", a)
	}
	if a := do(t, text, Request{Mode: Grep, Pattern: "x", Count: 70}, limits(4000)); a.To != 70 {
		t.Errorf("%+v", a)
	}
	if a := do(t, text, Request{Mode: Range, Unit: Chars}, limits(4000)); a.To != 239 {
		t.Errorf("%+v", a)
	}
}

func TestRequestOfJSON(t *testing.T) {
	for text, want := range map[string]Request{
		`{}`:                                       {Mode: Stat},
		`{"mode":null}`:                            {Mode: Stat},
		`{"mode":""}`:                              {},
		`{"MODE":"range"}`:                         {Mode: Stat},
		`{"mode":"full","mode":"range"}`:           {Mode: Range},
		`{"mode":"range"}`:                         {Mode: Range},
		`{"mode":"range","start":0,"count":0}`:     {Mode: Range, CountGiven: true},
		`{"mode":"range","start":3,"count":4}`:     {Mode: Range, Start: 3, Count: 4},
		`{"mode":"range","start":null,"count":-1}`: {Mode: Range, Count: -1},
		`{"pattern":"p","query":"q","pointer":"/r","unit":"chars","start":0}`: {Pattern: "p", Query: "q", Pointer: "/r", Unit: Chars},
		`{"mode":"m","start":"3","count":" +4_0\n"}`:                          {Mode: "m", Start: 3, Count: 40},
		`{"mode":"m","start":"３１","count":"-𝟙"}`:                              {Mode: "m", Start: 31, Count: -1},
		`{"mode":"m","start":2.9,"count":-1.9}`:                               {Mode: "m", Start: 2, Count: -1},
		`{"mode":"m","start":true,"count":false}`:                             {Mode: "m", Start: 1, CountGiven: true},
		`{"mode":"m","start":1e2,"count":1e30}`:                               {Mode: "m", Start: 100, Count: math.MaxInt64},
		`{"mode":"m","start":99999999999999999999,"count":-1e30}`:             {Mode: "m", Start: math.MaxInt64, Count: math.MinInt64},
		`{"id":1,"other":[]}`:                                                 {Mode: Stat},
	} {
		var got Request
		if err := json.Unmarshal([]byte(text), &got); err != nil || got != want {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for text, says := range map[string]string{
		`{"start":"x"}`: "start: want a whole number", `{"start":""}`: "start", `{"start":"_1"}`: "start", `{"start":"1_"}`: "start",
		`{"start":"1__0"}`: "start", `{"start":"2.5"}`: "start", `{"start":"+"}`: "start", `{"start":[]}`: "start", `{"count":{}}`: "count",
		`{"start":1e999}`: "start", `{"start":"1-"}`: "start", `{"mode":1}`: "mode: want a text", `{"pointer":[]}`: "pointer: want", `[]`: "array",
		`{"unit":1,"mode":2,"start":"x"}`: "mode: ",
	} {
		var got Request
		if err := json.Unmarshal([]byte(text), &got); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
}

// FuzzRequest: arguments of a call never panic, and a request that is read is written so
// that it is read again.
func FuzzRequest(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"mode":"range","start":"3","count":2.9}`, `{"mode":"grep","pattern":"a\u0000","count":0}`, `{"pointer":"/a~1b","start":-4}`,
		`{"mode":"search","query":"é","start":"１_0"}`, `[1]`, `{"mode":"full","mode":null}`, `{"start":1e400}`, `{"count":true}`, `{"start":"-\u0661"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var q Request
		if json.Unmarshal(data, &q) != nil {
			return
		}
		if q.CountGiven && q.Count != 0 {
			t.Fatalf("%+v", q)
		}
		a, err := Do([]byte("{\"a\":1}\nb\n"), rescue.Meta{}, q, limits(300))
		var fault *rescue.Error
		if err != nil && (!errors.As(err, &fault) || fault.Code == "") {
			t.Fatalf("%+v: %v", q, err)
		}
		if err != nil || a.Next == nil {
			return
		}
		written, err := json.Marshal(a.Next)
		var again Request
		if err == nil {
			err = json.Unmarshal(written, &again)
		}
		if err != nil || again != *a.Next {
			t.Fatalf("%s is read as %+v, %v", written, again, err)
		}
	})
}

func TestSmallRules(t *testing.T) {
	m := rescue.Meta{Kind: rescue.JSONArray, ID: "ab"}
	a, err := Do([]byte("x"), m, Request{Mode: Stat}, limits(4000))
	if err != nil || !strings.Contains(a.Text, "type: JSON array\n") || !strings.Contains(a.Text, "size: 1 byte, 1 char, 1 line\n") {
		t.Error(a, err)
	}
	// Words with digits are one shape, 9 among the digits.
	if o := outlineOf(t, "error in 9\nerror in 8\nerror in a9\n", rescue.Text, ""); !strings.Contains(o, "errors: 3, of 1 shape") {
		t.Error(o)
	}
	var shapes strings.Builder
	for i := range 60 {
		fmt.Fprintf(&shapes, "error %s\n", strings.Repeat("x", i+1))
	}
	if o := outlineOf(t, shapes.String(), rescue.Text, ""); strings.Contains(o, "left out") {
		t.Error(o)
	}
	l := limits(20000)
	shapes.WriteString("error of another shape\n")
	if a, err := Do([]byte(shapes.String()), rescue.Meta{Kind: rescue.Text}, Request{Mode: Outline}, l); err != nil || !strings.Contains(a.Text, "1 shape and 0 lines of others are left out") {
		t.Error(a, err)
	}
	// A break of two bytes has no beginning of a line in it.
	a = do(t, "one\r\ntwo", Request{Mode: Grep, Pattern: "^$", Unit: Chars, Start: 4}, limits(4000))
	if !strings.HasPrefix(a.Text, "no match") {
		t.Error(a.Text)
	}
	a = do(t, "one\r\ntwo", Request{Mode: Grep, Pattern: "^two", Unit: Chars, Start: 4}, limits(4000))
	if !strings.Contains(a.Text, "2: two") {
		t.Error(a.Text)
	}
	// A second hit that does not fit is left to the next answer, whole.
	text := strings.Repeat("x", 200) + "\n" + strings.Repeat("x", 190) + "\n"
	a = do(t, text, Request{Mode: Grep, Pattern: "x"}, limits(400))
	if strings.Count(a.Text, "\n") != 2 || a.Next == nil || a.Next.Start != 2 || a.Next.Unit != Lines || strings.Contains(a.Text, "at char") {
		t.Errorf("%+v", a)
	}
	// A limit of one character per line shows lines in parts.
	l = limits(4000)
	l.GrepMaxLineLen = 1
	if a := do(t, "ab\nb\n", Request{Mode: Grep, Pattern: "b"}, l); !strings.Contains(a.Text, "1: at char 1: ab\n2: b\n") {
		t.Errorf("%+v", a)
	}
	// Eight alternatives are looked for by their letters, nine are not.
	for n, want := range map[int]int{8: 8, 9: 0} {
		var words []string
		for i := range n {
			words = append(words, string(rune('a'+i))+"bcd")
		}
		p, err := compile("(?-i)"+strings.Join(words, "|"), config.Default().Rescue)
		if err != nil || len(p.near.set) != want {
			t.Errorf("%d: %d literals, %v", n, len(p.near.set), err)
		}
	}
}

// limits are the defaults with a budget.
func limits(budget int) rescue.Limits {
	l := config.Default().Rescue
	l.FetchMaxChars = budget
	return l
}

// reader answers requests for one blob.
type reader struct {
	blob []byte
	meta rescue.Meta
}

func (r reader) Do(q Request, l rescue.Limits) (Answer, error) { return Do(r.blob, r.meta, q, l) }

func do(t testing.TB, text string, q Request, l rescue.Limits) Answer {
	t.Helper()
	a, err := Do([]byte(text), rescue.Meta{}, q, l)
	if err != nil {
		t.Fatalf("%+v: %v", q, err)
	}
	return a
}

// each is the text of b with one U+FFFD for every byte that is no UTF-8.
func each(b string) string { return string([]rune(b)) }

// blobs draws texts of all the awkward sorts.
func blobs() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		piece := rapid.SampledFrom([]string{
			"a", "line of text\n", "\r\n", "\n", "\r", "é", "日本", "🎈", "\xff", "\xe2\x82", "\xf0\x9f", "needle", "ERROR x=12 failed\n",
			`{"a":1,"b":[2,3]}`, `"`, `\`, "\x00", "# Head\n", strings.Repeat("x", 300), strings.Repeat("né", 200) + "\n",
		})
		s := strings.Join(rapid.SliceOfN(piece, 0, 60).Draw(t, "pieces"), "")
		if rapid.IntRange(0, 9).Draw(t, "giant") == 0 {
			s += strings.Repeat("wide 日 \xfe", 15000)
		}
		return s
	})
}

// logText is n bytes of log lines, a few of them errors.
func logText(n int) []byte {
	var b bytes.Buffer
	b.Grow(n + 200)
	r := rand.New(rand.NewPCG(1, 2))
	for i := 0; b.Len() < n; i++ {
		level, what := "INFO", "request served from the cache"
		switch r.IntN(200) {
		case 0:
			level, what = "ERROR", "connection refused by upstream database"
		case 1:
			level, what = "WARN", "slow answer of the billing service"
		}
		fmt.Fprintf(&b, "2026-03-04T05:%02d:%02dZ %s worker-%d %s id=%d\n", i/60%60, i%60, level, i%16, what, r.IntN(1e6))
	}
	return b.Bytes()[:n]
}
