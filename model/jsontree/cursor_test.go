package jsontree

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

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
