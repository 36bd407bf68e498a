package jsontree

import (
	"fmt"
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
