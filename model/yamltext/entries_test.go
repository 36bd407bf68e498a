package yamltext

import (
	"strings"
	"testing"

	"caliper/model/require"
)

// keys returns the entries of the first value of a file, as name=value.
func keys(t *testing.T, text string) string {
	t.Helper()
	d, err := Load("", []byte(text))
	require.NoError(t, err)
	all := Entries(d.Root)
	var out []string
	for _, e := range Entries(all[len(all)-1].Val) {
		name := e.Name
		if !e.IsText {
			name = "(" + name + ")"
		}
		if e.First != nil {
			name += "!"
		}
		v, _ := Resolve(e.Val)
		out = append(out, name+"="+v.Source())
	}
	return strings.Join(out, " ")
}

func TestEntries(t *testing.T) {
	for _, c := range []struct{ name, yaml, want string }{
		{"in order", "m: {b: 1, a: 2}", "b=1 a=2"},
		{"the last of two, at the place of the first", "m: {a: 1, b: 2, a: 3}", "a!=3 b=2"},
		{"a number is not a text", "m: {1: a, '1': b}", "(1)=a 1=b"},
		{"a boolean is not a text", "m: {on: a, 'on': b}", "(on)=a on=b"},
		{"a merged mapping comes first", "m: {b: 1, <<: {a: 2}}", "a=2 b=1"},
		{"the mapping wins over a merged one", "m: {<<: {a: 1}, a: 2}", "a=2"},
		{"a later merge wins", "m: {<<: {a: 1}, b: 0, <<: {a: 2}}", "a=2 b=0"},
		{"the first of a list wins", "m: {<<: [{a: 1}, {a: 2, c: 3}]}", "a=1 c=3"},
		{"an alias", "x: &x {a: 1}\nm: {<<: *x, b: 2}", "a=1 b=2"},
		{"an alias of a list", "x: &x [{a: 1}, {b: 2}]\nm: {<<: *x}", "b=2 a=1"},
		{"merged in turn", "x: &x {a: 1}\ny: &y {<<: *x, b: 2}\nm: {<<: *y, c: 3}", "a=1 b=2 c=3"},
		{"the same mapping twice", "x: &x {a: 1}\nm: {<<: [*x, *x]}", "a=1"},
		{"a mapping that merges itself", "m: &m {a: 1, <<: *m}", "a=1"},
		{"no mapping", "m: [a]", ""},
	} {
		if got := keys(t, c.yaml); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestPlace(t *testing.T) {
	for text, want := range map[string]string{"a:": "a", "a: b": "b", "a: ''": "", "a: |\n  ": ""} {
		d, err := Load("", []byte(text))
		require.NoError(t, err)
		if got := Entries(d.Root)[0].Place().Value; got != want {
			t.Errorf("%q: the place of %q, want %q", text, got, want)
		}
	}
}

func TestSource(t *testing.T) {
	for _, c := range []struct{ yaml, want string }{
		{"plain text", "plain text"}, {"'it''s'", `"it's"`}, {"~", "null"}, {"", "null"}, {"0x1F", "0x1F"},
		{"[a, 'b', 3]", `[a, "b", 3]`}, {"{a: 1, b: [c]}", "{a: 1, b: [c]}"}, {"- a\n- b: c", "[a, {b: c}]"},
		{"[[[[[a]]]]]", "[[[[…]]]]"}, {"[]", "[]"}, {"{}", "{}"}, {"&x [*x]", "[[[[…]]]]"},
		{"[" + strings.Repeat("aaaa, ", 200) + "b]", "[" + strings.Repeat("aaaa, ", 13) + "a…"},
	} {
		d, err := Load("", []byte(c.yaml))
		if err != nil {
			t.Fatal(c.yaml, err)
		}
		v := Value{}
		if d.Root != nil {
			v, _ = Resolve(d.Root)
		}
		if got := v.Source(); got != c.want {
			t.Errorf("%.40q: %s, want %s", c.yaml, got, c.want)
		}
	}
}

// TestJoin: names on a path are quoted where they could be read as two, or as none.
func TestJoin(t *testing.T) {
	for _, c := range [][3]string{{"", "a", "a"}, {"a", "b", "a.b"}, {"a", "", `a.""`}, {"a", "b.c", `a."b.c"`}, {"", "b c", `"b c"`}, {"a", "[0]", `a."[0]"`}, {"a", `it's`, `a."it's"`}} {
		if got := Join(c[0], c[1]); got != c[2] {
			t.Errorf("%s, want %s", got, c[2])
		}
	}
	d, err := Load("f", []byte("é: x\nb: &l [1, yes, 'no', ~]\nc: *l\n"))
	require.NoError(t, err)
	for i, place := range [][2]int{{1, 1}, {2, 1}, {3, 1}} {
		e := Entries(d.Root)[i]
		if line, col := d.Position(e.Key); line != place[0] || col != place[1] {
			t.Errorf("%s is at %d:%d", e.Name, line, col)
		}
		if i == 0 {
			continue
		}
		var items []string
		for _, v := range Items(e.Val) {
			items = append(items, v.Source())
		}
		if strings.Join(items, " ") != `1 yes "no" null` {
			t.Errorf("%s has the items %q", e.Name, items)
		}
	}
}
