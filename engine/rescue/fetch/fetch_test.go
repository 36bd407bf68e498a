package fetch

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"caliper/engine/rescue"
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
		{"start", doc, Request{Mode: Range, Start: -1}, CodeStart, "from 1"},
		{"count", doc, Request{Mode: Range, Count: -1}, CodeCount, "leave it out"},
		{"past the last line", doc, Request{Mode: Range, Start: 2}, CodePastEnd, "has 1 line,"},
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
		{"bracket", doc, Request{Mode: Grep, Pattern: "a["}, CodePattern, "backslash"},
		{"no words", doc, Request{Mode: Search, Query: "…"}, CodeNoQuery, "grep"},
		{"pointer without slash", doc, Request{Mode: Pointer, Pointer: "a"}, CodePointer, "begin with /"},
		{"pointer with a tilde", doc, Request{Mode: Pointer, Pointer: "/~2"}, CodePointer, "~0"},
		{"no key", doc, Request{Mode: Pointer, Pointer: "/a/1/c"}, CodeNoValue, `no key "c" in the object at "/a/1": it has 1 key, the first: "b"`},
		{"no item", doc, Request{Mode: Pointer, Pointer: "/a/2"}, CodeNoValue, `the array at "/a": it has 2 items`},
		{"no index", doc, Request{Mode: Pointer, Pointer: "/a/01"}, CodeNoValue, "no index"},
		{"below a string", doc, Request{Mode: Pointer, Pointer: "/s/x"}, CodeNoValue, `"/s" exists and is a string`},
		{"not JSON", "hello", Request{Mode: Pointer, Pointer: "/a"}, CodeNotJSON, "grep"},
		{"cut JSON", `{"a":[1,`, Request{Mode: Pointer, Pointer: "/a/5"}, CodeNotJSON, "ends inside"},
		{"start outside the value", doc, Request{Mode: Pointer, Pointer: "/s", Start: 3}, CodePastEnd, "chars 23 to 25"},
		{"start outside a short value", doc, Request{Mode: Pointer, Pointer: "/a/0", Start: 3}, CodePastEnd, "has the char 6 of"},
		{"start 0 outside the value", doc, Request{Mode: Pointer, Pointer: "/s", StartGiven: true}, CodePastEnd, "start is 0 and"},
		{"line 0", doc, Request{Mode: Range, StartGiven: true}, CodeStart, "start is 0 and lines count from 1"},
		{"line 0 for none", doc, Request{Mode: Range, StartGiven: true, CountGiven: true}, CodeStart, "lines count from 1"},
		{"line 0 by name", doc, Request{Mode: Range, StartGiven: true, Unit: Lines}, CodeStart, "lines count from 1"},
		{"no lines", doc, Request{Mode: Range, Start: 1, CountGiven: true}, CodeCount, "count is 0, which asks for nothing"},
		{"no chars", doc, Request{Mode: Range, CountGiven: true, Unit: Chars}, CodeCount, "use 1 or more"},
		{"grep from line 0", doc, Request{Mode: Grep, Pattern: "a", StartGiven: true}, CodeStart, "lines count from 1"},
		{"no hits", doc, Request{Mode: Grep, Pattern: "a", CountGiven: true}, CodeCount, "count is 0"},
		{"entry 0", doc, Request{Mode: Outline, StartGiven: true}, CodeStart, "entries count from 1"},
		{"passage 0", doc, Request{Mode: Search, Query: "b", StartGiven: true}, CodeStart, "passages count from 1"},
		{"no part of a value", doc, Request{Mode: Pointer, CountGiven: true}, CodeCount, "count is 0"},
		{"pointer in lines", doc, Request{Pointer: "/s", Start: 3, Unit: Lines}, CodeUnit, "chars of the blob"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Do(t.Context(), blob(c.text), rescue.Meta{}, c.q, rescue.Default())
			var fault *Error
			if !errors.As(err, &fault) || fault.Code != c.code || !strings.Contains(fault.Text, c.says) {
				t.Errorf("got %#v", err)
			}
		})
	}
	_, err := Do(t.Context(), blob(doc), rescue.Meta{}, Request{Mode: Grep, Pattern: "a"}, limits(199))
	var fault *Error
	if !errors.As(err, &fault) || fault.Code != CodeBudget {
		t.Errorf("small budget: %v", err)
	}
}

// broken is a source whose reads fail after a byte.
type broken struct{ Source }

var errDisk = errors.New("disk gone")

func (broken) ReadAt(p []byte, off int64) (int, error) { return 0, errDisk }

func TestReadFault(t *testing.T) {
	_, err := Do(t.Context(), broken{blob("text")}, rescue.Meta{}, Request{Mode: Stat}, rescue.Default())
	var fault *Error
	if !errors.As(err, &fault) || fault.Code != CodeRead || !errors.Is(err, errDisk) {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Do(ctx, blob("text"), rescue.Meta{}, Request{Mode: Stat}, rescue.Default()); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestStat(t *testing.T) {
	m := rescue.Meta{ID: strings.Repeat("a1", 32), Tool: "evil\nid: 0000", Kind: rescue.Text, Stored: time.Unix(0, 0)}
	a, err := Do(t.Context(), blob("é\nb"), m, Request{Mode: Stat}, limits(200))
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
		"": strings.TrimSpace(text), "/a~1b/0": "1", "/a~1b/1/m~0n": `"x\"}]"`, "/a~1b/1/": "null", "/é": "2.5e1",
		"/kA": `{"deep": [[[]]]}`, "/kA/deep/0/0": "[]",
	} {
		a := do(t, text, Request{Mode: Pointer, Pointer: pointer}, limits(4000))
		if a.Text != want || a.Next != nil || a.To-a.From+1 != int64(utf8.RuneCountInString(want)) {
			t.Errorf("%q: %+v", pointer, a)
		}
	}
	var all strings.Builder
	follow(t, NewReader(blob(text), rescue.Meta{}), Request{Mode: Range, Pointer: "/kA"}, limits(3), func(a Answer) { all.WriteString(a.Text) })
	if all.String() != `{"deep": [[[]]]}` {
		t.Errorf("got %q", all.String())
	}
}

// TestPointerAcrossWindows finds a value behind keys and strings that are cut
// by the scanner's windows.
func TestPointerAcrossWindows(t *testing.T) {
	for shift := range 40 {
		pad := strings.Repeat("p", scanWindow-shift)
		text := `{"` + pad + `":"` + pad + `\"","k\"ey":[` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + `,"found"]}`
		if a := do(t, text, Request{Mode: Pointer, Pointer: `/k"ey/1`}, limits(99)); a.Text != `"found"` {
			t.Fatalf("shift %d: %+v", shift, a)
		}
	}
}

func TestReaderIsSafeForConcurrentUse(t *testing.T) {
	r := NewReader(blob(string(logText(1<<20))), rescue.Meta{Kind: rescue.Text})
	var wg sync.WaitGroup
	for _, q := range []Request{{Mode: Stat}, {Mode: Range, Start: 900}, {Mode: Grep, Pattern: "ERROR"}, {Mode: Outline}, {Mode: Search, Query: "refused"}, {Mode: Full}} {
		for range 3 {
			wg.Go(func() {
				l := rescue.Default()
				l.RefuseFullFetch = false
				if _, err := r.Do(context.Background(), q, l); err != nil {
					t.Error(q, err)
				}
			})
		}
	}
	wg.Wait()
}

// TestZerosThatMeanSomething: a 0 that is given is the first character, and is
// nothing to the modes that do not ask for a place.
func TestZerosThatMeanSomething(t *testing.T) {
	text := "[1]\n"
	for _, q := range []Request{
		{Mode: Range, Unit: Chars, StartGiven: true}, {Mode: Grep, Pattern: "1", Unit: Chars, StartGiven: true},
		{Mode: Pointer, StartGiven: true}, {Mode: Stat, StartGiven: true, CountGiven: true}, {Mode: Full, StartGiven: true, CountGiven: true},
		{Mode: Range}, {Mode: Range, Start: 1, Count: 1, StartGiven: true, CountGiven: true},
	} {
		if a := do(t, text, q, limits(4000)); a.Text == "" || a.Next != nil {
			t.Errorf("%+v: %+v", q, a)
		}
	}
	if a := do(t, text, Request{Mode: Pointer, StartGiven: true}, limits(1)); a.Next == nil || *a.Next != (Request{Mode: Pointer, Start: 1, Unit: Chars}) {
		t.Errorf("%+v", a.Next)
	}
}

// TestRequestOfJSON: arguments of a call tell a 0 from nothing.
func TestRequestOfJSON(t *testing.T) {
	for text, want := range map[string]Request{
		`{"mode":"range"}`:                                                    {Mode: Range},
		`{"mode":"range","start":0,"count":0}`:                                {Mode: Range, StartGiven: true, CountGiven: true},
		`{"mode":"range","start":3,"count":4}`:                                {Mode: Range, Start: 3, Count: 4},
		`{"mode":"range","start":null,"count":-1}`:                            {Mode: Range, Count: -1},
		`{"pattern":"p","query":"q","pointer":"/r","unit":"chars","start":0}`: {Pattern: "p", Query: "q", Pointer: "/r", Unit: Chars, StartGiven: true},
	} {
		var got Request
		if err := json.Unmarshal([]byte(text), &got); err != nil || got != want {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	var got Request
	if err := json.Unmarshal([]byte(`{"start":"1"}`), &got); err == nil {
		t.Errorf("a start in quotes: %+v", got)
	}
}

func TestStatOfOne(t *testing.T) {
	if a := do(t, "x", Request{Mode: Stat}, limits(4000)); !strings.Contains(a.Text, "size: 1 byte, 1 char, 1 line\n") {
		t.Errorf("%s", a.Text)
	}
}
