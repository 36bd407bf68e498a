package jsontree

import (
	"fmt"
	"strings"
	"testing"
)

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
