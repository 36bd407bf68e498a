package jsontree

import (
	"fmt"
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

// walked writes what a walker reads of a text: the members of objects and the elements of
// arrays, two levels deep; then whether it read all.
func walked(text []byte) string {
	var b strings.Builder
	w := Walk(text)
	value := func() bool {
		v, ok := w.Value()
		fmt.Fprintf(&b, "%s@%d ", v.Raw, v.At)
		return ok
	}
	var ok bool
	switch w.Next() {
	case '{':
		ok = w.Object(func(name []byte) bool {
			fmt.Fprintf(&b, "%s=", name)
			if w.Next() == '[' {
				return w.Array(value)
			}
			return value()
		})
	case '[':
		ok = w.Array(value)
	default:
		ok = value()
	}
	return fmt.Sprint(ok, " ", b.String())
}

// cursed says the same of a cursor.
func cursed(text []byte) string {
	var b strings.Builder
	c := Reread(text, 0)
	value := func(int) error {
		v, err := c.Value()
		fmt.Fprintf(&b, "%s@%d ", v.Raw, v.At)
		return err
	}
	var err error
	switch c.Next() {
	case '{':
		_, err = c.Object(func(name []byte) error {
			fmt.Fprintf(&b, "%s=", name)
			if c.Next() == '[' {
				_, err := c.Array(value)
				return err
			}
			return value(0)
		})
	case '[':
		_, err = c.Array(value)
	default:
		err = value(0)
	}
	return fmt.Sprint(err == nil, " ", b.String())
}

var walks = []string{
	`{"a":1,"b" : [ "x" , {"c":[]} ] ,"a":null} and more`, `{}`, `[]`, ` [1,2 ]`, `"x"`, `-0.5e3`, `true`, ``, ` `, `{`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":1,}`, `{"a":[1,]}`,
	`{"a":[1`, `{"a" 1}`, `{a:1}`, `{"a":01}`, `{"a":1.}`, `{"a":tru}`, `{"a":[}]}`, "{\"a\":\"\x01\"}", "{\"a\":\"\xff\"}", `{"\u0061\n":"\ud800"}`, `{"a":"\x"}`, `{"a":"\u12"}`, `{"a":"b`, `{,}`, `[,]`, `{"a":1 "b":2}`, `]`, `NaN`,
}

// TestWalker: a walker reads what a cursor reads, and refuses what it refuses. What it read
// of a text that it refuses in the end is nobody's.
func TestWalker(t *testing.T) {
	for _, text := range append(walks, strings.Repeat(`[`, 10_001)+strings.Repeat(`]`, 10_001), strings.Repeat(`[`, 10_000)+strings.Repeat(`]`, 10_000), `{"a":`+strings.Repeat(`[`, 10_000)+strings.Repeat(`]`, 10_000)+`}`) {
		sameWalk(t, []byte(text))
	}
}

func sameWalk(t *testing.T, text []byte) {
	t.Helper()
	got, want := walked(text), cursed(text)
	if strings.HasPrefix(want, "false") {
		got, want = got[:5], want[:5]
	}
	if got != want {
		t.Errorf("%.100q: a walker reads %.200s, a cursor %.200s", text, got, want)
	}
}
