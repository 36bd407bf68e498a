package jsontree

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestMembers(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":1,"b": [ 2 ] ,"a":"x"} and more`: "a=1 b=[ 2 ] a=\"x\" true",
		"{\"\\u0061\":\"\xff\"}":               "a=\"\xff\" true",
		`{}`:                                   "true",
		`{"a":1,`:                              "a=1 false",
		`[1]`:                                  "false",
		``:                                     "false",
		`x`:                                    "false",
	} {
		var got []string
		ok := Members([]byte(text), func(name string, value []byte) { got = append(got, name+"="+string(value)) })
		if ok {
			got = append(got, "true")
		} else {
			got = append(got, "false")
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestMember(t *testing.T) {
	for _, c := range []struct {
		text string
		path []string
		want string
	}{
		{`{"a":1, "b" : [ 2, "]" ] }`, []string{"b"}, `[ 2, "]" ]`},
		{`{"a":{"b":"x\"}"},"c":3}`, []string{"a", "b"}, `"x\"}"`},
		{`{"a":1,"\u0061":2}`, []string{"a"}, `2`},
		{`{"a":{"c":1}}`, []string{"c"}, ``},
		{`{"a":1}`, []string{"a", "b"}, ``},
		{`{"A":1}`, []string{"a"}, ``},
		{`[{"a":1}]`, []string{"a"}, ``},
		{``, []string{"a"}, ``},
	} {
		v := Value{Raw: []byte(c.text), At: 5}.Member(c.path...)
		if string(v.Raw) != c.want || c.want != "" && c.text[v.At-5:][:len(c.want)] != c.want {
			t.Errorf("%s of %s: %s at %d, want %s", c.path, c.text, v.Raw, v.At, c.want)
		}
	}
}

// TestChars: Chars equals the count of the text that is made.
func TestChars(t *testing.T) {
	check := func(t interface{ Errorf(string, ...any) }, text string) {
		v := Value{Raw: []byte(`"` + text + `"`)}
		if got, want := v.Chars(), utf8.RuneCountInString(v.Text()); got != want {
			t.Errorf("%q has %d code points, want %d", text, got, want)
		}
	}
	for _, text := range []string{``, `a`, `\n`, `\\n`, `\\\\`, `a\"b`, `\u00e9`, `é`, `\ud83d\ude00`, `\ud83d`, `\ud83dx`, `\ude00\ud83d`, `\ud83d\ud83d\ude00`, `\ud83d\n`, "\xff\xfe", "\xe2\x82\\n", "\xe2\x82", `\uD83D\uDE00`} {
		check(t, text)
	}
	if n := (Value{Raw: []byte(`12`)}).Chars(); n != 0 {
		t.Errorf("a number has %d", n)
	}
	rapid.Check(t, func(r *rapid.T) {
		pieces := rapid.SliceOf(rapid.SampledFrom([]string{`\n`, `\\`, `\"`, `\ud83d`, `\ude00`, `\u0041`, "\xe2", "\x82", "é", "u", "d83d", " "})).Draw(r, "pieces")
		check(r, strings.Join(pieces, ""))
	})
}

// TestNameOf: a name is itself, the usual ones too, and elements come until nobody asks.
func TestNameOf(t *testing.T) {
	for _, name := range strings.Fields("type name description parameters inputSchema toolset source server original_name annotations input_schema strict title outputSchema toolSpec other") {
		if got := NameOf([]byte(name)); got != name {
			t.Errorf("%s is named %q", name, got)
		}
	}
	var got []string
	for v := range (Value{[]byte(`[1, "a" ,[2]]`), 10}).All() {
		if got = append(got, fmt.Sprintf("%s@%d", v.Raw, v.At)); v.IsString() {
			break
		}
	}
	if strings.Join(got, " ") != `1@11 "a"@14` {
		t.Errorf("%q", got)
	}
}

// TestValuesOfAText: what a value in a text is, what it holds, and that values of another
// kind hold nothing.
func TestValuesOfAText(t *testing.T) {
	const text = `{"s":"a\nb","n":-1.5,"zero":0,"nine":9,"l":[1, "x" ,{"k":[]}],"o":{"l":[],"t":{}},"t":true,"s":"last"}`
	v := Value{Raw: []byte(text), At: 10}
	var names []string
	v.Each(func(m Member) {
		names = append(names, m.Name)
		if at := m.At - 10; text[at:at+len(m.Raw)] != string(m.Raw) {
			t.Errorf("%s is at %d: %s", m.Name, m.At, m.Raw)
		}
	})
	if want := "s n zero nine l o t s"; strings.Join(names, " ") != want {
		t.Errorf("members %q", names)
	}
	for name, want := range map[string][4]bool{ // number, string, array, holds an array l
		"s": {false, true, false, false}, "n": {true, false, false, false}, "zero": {true, false, false, false}, "nine": {true, false, false, false},
		"l": {false, false, true, false}, "o": {false, false, false, true}, "t": {}, "none": {},
	} {
		m := v.Member(name)
		if got := [4]bool{m.IsNumber(), m.IsString(), m.IsArray(), m.HoldsArray("l")}; got != want || m.HoldsArray("t") {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
		if m.Text() != m.Shared() || !m.IsString() && m.Text() != "" {
			t.Errorf("%s: %q, shared %q", name, m.Text(), m.Shared())
		}
	}
	if text := (Value{Raw: []byte(`"a\nb"`)}).Shared(); text != "a\nb" {
		t.Errorf("%q", text)
	}
	var elements []string
	for e := range v.Member("l").All() {
		elements = append(elements, string(e.Raw))
		if at := e.At - 10; text[at:at+len(e.Raw)] != string(e.Raw) {
			t.Errorf("element at %d: %s", e.At, e.Raw)
		}
	}
	if strings.Join(elements, " ") != `1 "x" {"k":[]}` || len(v.Member("l").Elements()) != 3 || v.Member("o").Elements() != nil {
		t.Errorf("elements %q", elements)
	}
	for e := range v.Member("l").All() {
		if string(e.Raw) != "1" {
			t.Error("goes on after it was left")
		}
		break
	}
	v.Member("l").Each(func(m Member) { t.Error("an array has a member", m.Name) })
}

func TestCompact(t *testing.T) {
	for raw, want := range map[string]string{
		`{ "a b" : [ 1.0 , "\u0041" ] }`: `{"a b":[1.0,"\u0041"]}`, "[\n\t]": `[]`, `"a  b"`: `"a  b"`, `1e5`: `1e5`, ``: ``,
	} {
		text := []byte(raw)
		if got := string(Compact(text)); got != want || string(text) != raw {
			t.Errorf("%q becomes %q, want %q; the text is %q", raw, got, want, text)
		}
	}
}

// passed is what a cursor reads of the values of a text: of each its place, and what
// reads it how deep.
func passed(c *Cursor) (out []string, err error) {
	var value func() (Value, error)
	note := func(what string, v Value) {
		out = append(out, fmt.Sprintf("%s %s@%d^%d", what, v.Raw, v.At, c.dec.StackDepth()))
	}
	value = func() (v Value, err error) {
		switch c.Next() {
		case '{':
			v, err = c.Object(func(name []byte) error {
				note(string(name), Value{})
				_, err := value()
				return err
			})
		case '[':
			v, err = c.Array(func(i int) error {
				note(fmt.Sprint(i), Value{})
				_, err := value()
				return err
			})
		default:
			v, err = c.Value()
		}
		if err == nil {
			note("=", v)
		}
		return v, err
	}
	for err == nil && c.Next() != 0 {
		_, err = value()
	}
	return out, err
}

// TestCursor: values, names and indexes in order, at their places in a text that begins
// somewhere else.
func TestCursor(t *testing.T) {
	t.Parallel()
	const text = ` {"a":[1, {}],"\u0062" : "x"} -2 `
	want := []string{"a @0^1", "0 @0^2", "= 1@107^2", "1 @0^2", "= {}@110^2", "= [1, {}]@106^1", "b @0^1", `= "x"@125^1`, `= {"a":[1, {}],"\u0062" : "x"}@101^0`, "= -2@130^0"}
	c := NewCursor([]byte(text), 100)
	got, err := passed(c)
	if err != nil || strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%v, got\n%s\nwant\n%s", err, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestCursorIsStrict: a cursor refuses what Reread passes, and both what is no JSON.
func TestCursorIsStrict(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"a":1,"b":2}`: "true true", `{"a":1,"a":2}`: "false true", "[\"\xff\"]": "false true",
		`{"a":1`: "false false", `[1 2]`: "false false", `[1,]`: "false false", `{"a"}`: "false false", `{1:2}`: "false false", `nul`: "false false", `[nul]`: "false false",
	} {
		_, strict := passed(NewCursor([]byte(text), 0))
		_, other := passed(Reread([]byte(text), 0))
		if got := fmt.Sprint(strict == nil, " ", other == nil); got != want {
			t.Errorf("%s: %s, want %s (%v, %v)", text, got, want, strict, other)
		}
		if strict != nil && !IsSyntax(strict) {
			t.Errorf("%s: %v is not about the JSON", text, strict)
		}
	}
}

func TestFindFault(t *testing.T) {
	t.Parallel()
	deep := func(n int, rest string) string { return strings.Repeat(`{"a":`, n) + rest }
	for _, c := range []struct {
		text string
		want Fault
	}{
		{`{"a":[1,{"b c":tru}]}`, Fault{18, "json_syntax", `a[1]["b c"]`, "invalid character '}' in literal true (expecting 'e')"}},
		{`{"a":{"1":[0,x]}}`, Fault{13, "json_syntax", `a["1"][1]`, "invalid character 'x' at start of value"}},
		{`{"a":[1,`, Fault{8, "unexpected_end", "a", "unexpected end of input"}},
		{``, Fault{0, "unexpected_end", "", "unexpected end of input"}},
		{"{} \n x", Fault{5, "json_syntax", "", "text that is not JSON after the end of a JSON value"}},
		{` x`, Fault{1, "json_syntax", "", "invalid character 'x' at start of value"}},
		{deep(99, "x"), Fault{495, "json_syntax", strings.Repeat(".a", 99)[1:], "invalid character 'x' at start of value"}},
		{deep(100, "x"), Fault{500, "json_syntax", strings.Repeat(".a", 100)[1:], "invalid character 'x' at start of value"}},
		{deep(101, "x"), Fault{505, "json_syntax", strings.Repeat(".a", 100)[1:] + "...", "invalid character 'x' at start of value"}},
	} {
		if got := FindFault([]byte(c.text)); got != c.want {
			t.Errorf("%.40s: %#v, want %#v", c.text, got, c.want)
		}
	}
}

// TestWalker: a walker reads the values that a tree holds, and refuses what Parse refuses.
func TestWalker(t *testing.T) {
	for _, text := range []string{
		`{"a":1,"b" : [ "x" , {"c":[]} ] ,"d":null} `, `{}`, `[]`, ` [1,2 ]`, `"x"`, `-0.5e3`, `true`, ``, ` `, `{`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":1,}`, `{"a":[1,]}`,
		`{"a":[1`, `{"a" 1}`, `{a:1}`, `{"a":01}`, `{"a":1.}`, `{"a":tru}`, `{"a":[}]}`, "{\"a\":\"\x01\"}", "{\"a\":\"\xff\"}", `{"\u0061\n":"\ud800"}`, `{"a":"\x"}`, `{"a":"\u12"}`, `{"a":"b`, `{,}`, `[,]`, `{"a":1 "b":2}`, `]`, `NaN`, `1 2`,
		strings.Repeat(`[`, 10_001) + strings.Repeat(`]`, 10_001), strings.Repeat(`[`, 10_000) + strings.Repeat(`]`, 10_000), `{"a":` + strings.Repeat(`[`, 10_000) + strings.Repeat(`]`, 10_000) + `}`,
	} {
		var got, want []string
		w := Walk([]byte(text))
		var read func() bool
		read = func() bool {
			switch w.Next() {
			case '{':
				return w.Object(func(name []byte) bool { got = append(got, string(name)); return read() })
			case '[':
				return w.Array(read)
			}
			v, ok := w.Value()
			got = append(got, fmt.Sprintf("%s@%d", v.Raw, v.At))
			return ok
		}
		ok := read() && w.AtEnd()
		n, err := Parse([]byte(text), Strict)
		var flat func(n *Node)
		flat = func(n *Node) {
			for _, c := range n.Children {
				if n.Is(Object) {
					want = append(want, strings.ToValidUTF8(c.Name, "\ufffd"))
				}
				flat(c.Node)
			}
			if !n.Is(Object) && !n.Is(Array) {
				want = append(want, fmt.Sprintf("%s@%d", n.Raw, n.At))
			}
		}
		if err == nil {
			flat(n)
		}
		if ok != (err == nil) || ok && !slices.Equal(got, want) {
			t.Errorf("%.100q: a walker reads %v %.200q, a tree has %v %.200q", text, ok, got, err, want)
		}
	}
}
