package jsontree

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	_ "caliper/model/require"
)

// drawText draws a text that is nearly JSON, or is.
func drawText(t *rapid.T) string {
	tokens := []string{
		"{", "}", "[", "]", ",", ":", `"a"`, `"a":`, `"\u00e9\n"`, `"\x"`, `"`, `\`, "1", "-2.5e3", "0", "-", "e", "1.", "true", "fals", "null",
		" ", "\n", "x", "\xff", "\x01", `{"a":[1,"x"],"a":2}`, `[[],{}]`, "]}",
	}
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(tokens), 1, 12).Draw(t, "tokens"), "")
}

// Parse takes what encoding/json takes, a scanner too, and a node equals what its
// text parses to.
func TestParseAgreesWithEncodingJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawText(t)
		n, err := Parse([]byte(text), Strict)
		if (err == nil) != json.Valid([]byte(text)) {
			t.Fatalf("%q: %v", text, err)
		}
		s := NewScanner(context.Background(), iotest.OneByteReader(strings.NewReader(text)), 0)
		from, to, ok := s.Value()
		if ok = ok && s.AtEnd(); ok != (err == nil) {
			t.Fatalf("%q: parsed with %v, scanned with %v", text, err, s.Err())
		}
		if err != nil {
			if err.At < 0 || err.At > int64(len(text)) || err.From > err.At || err.Error() == "" {
				t.Fatalf("%q: %+v", text, err)
			}
			return
		}
		if string(n.Raw) != text[from:to] || n.At != int(from) {
			t.Fatalf("%q: %s at %d, scanned from %d to %d", text, n.Raw, n.At, from, to)
		}
		again, err := Parse(n.AppendTo(nil), Strict)
		if err != nil || !again.Equal(n) {
			t.Fatalf("%q: written %s: %v", text, n.AppendTo(nil), err)
		}
		var check func(n *Node)
		check = func(n *Node) {
			if !strings.HasPrefix(text[n.At:], string(n.Raw)) {
				t.Fatalf("%q: no %s at %d", text, n.Raw, n.At)
			}
			for _, c := range n.Children {
				check(c.Node)
			}
		}
		check(n)
	})
}

func TestParse(t *testing.T) {
	for _, c := range []struct {
		name, text string
		dialect    Dialect
		want       string // as it is written, or the error
	}{
		{"the last of equal names", `{"a":[1,"x"],"b":0,"a":2}`, Strict, `{"a":2,"b":0}`},
		{"many names", "{" + strings.Repeat(`"k":0,"k1":1,`, 40) + `"k":7}`, Strict, `{"k":7,"k1":1}`},
		{"not finite", `[NaN,-Infinity]`, Python, `[NaN,-Infinity]`},
		{"not finite, strictly", `[NaN]`, Strict, "byte 1: a value is missing"},
		{"comments", "{/* , */\"a\":1, // x\n}", Comments, `{"a":1}`},
		{"a comma too many", `[1,]`, Strict, "byte 2: a comma that nothing follows"},
		{"a number that goes on", `[1.x]`, Strict, "byte 2: a comma is missing"},
		{"half a pair and a bad byte", "[\"\\ud83d\xff\"]", Strict, "[\"\ufffd\ufffd\"]"},
		{"too deep", strings.Repeat("[", 1001), Python, "byte 1000: nested too deep"},
		{"more", `1 2`, Strict, "byte 2: text after the end of the value"},
	} {
		t.Run(c.name, func(t *testing.T) {
			n, err := Parse([]byte(c.text), c.dialect)
			got := ""
			if err != nil {
				got = err.Error()
			} else {
				got = string(n.AppendTo(nil))
			}
			if got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

func TestParseNoting(t *testing.T) {
	var names []string
	if _, err := ParseNoting([]byte(`{"a":1,"b":{"c":1,"c":2},"a":3,"a":4}`), Strict, 9, func(_ *Node, name string) { names = append(names, name) }); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(names, " "); got != "c a a" {
		t.Errorf("repeated: %s", got)
	}
}

func TestFind(t *testing.T) {
	n, err := Parse([]byte(`{"a/b":[{"~":"x"}]}`), Strict)
	if err != nil {
		t.Fatal(err)
	}
	tokens := PointerTokens("/a~1b/0/~0")
	if found := n.Find(tokens); found == nil || found.Text != "x" || Pointer(tokens) != "/a~1b/0/~0" {
		t.Errorf("%v, %s", found, Pointer(tokens))
	}
	for _, pointer := range []string{"/a", "/a~1b/1", "/a~1b/x", "/a~1b/0/~0/y"} {
		if found := n.Find(PointerTokens(pointer)); found != nil {
			t.Errorf("%s: %s", pointer, found.Raw)
		}
	}
}

// A skimmer walks over the values that a tree holds.
func TestSkimmerAgreesWithTree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(drawText(t))
		s := Skimmer{Data: text}
		raw := s.Skip() // ends whatever the text
		if n, err := Parse(text, Strict); err == nil && !bytes.Equal(raw, n.Raw) {
			t.Fatalf("%s: skipped %s", text, raw)
		}
	})
}

// TestNodes: how large and deep a value is, what it holds, and which values are the same.
func TestNodes(t *testing.T) {
	for _, c := range []struct {
		text              string
		kind              string
		count, depth      int
		elements, members int
	}{
		{`null`, "null", 1, 0, 0, 0}, {`true`, "a boolean", 1, 0, 0, 0}, {`-1`, "a number", 1, 0, 0, 0}, {`"x"`, "a string", 1, 0, 0, 0},
		{`[]`, "an array", 1, 1, 0, 0}, {`{}`, "an object", 1, 1, 0, 0}, {`[1,[],[[2]],3]`, "an array", 7, 3, 4, 0}, {`{"a":{"b":[1]},"c":1}`, "an object", 5, 3, 0, 2},
	} {
		n, err := Parse([]byte(c.text), Strict)
		if err != nil {
			t.Fatal(err)
		}
		if n.Kind.String() != c.kind || n.Count() != c.count || n.Depth() != c.depth || len(n.Elements()) != c.elements || len(n.Members()) != c.members {
			t.Errorf("%s: %s of %d values, %d deep, with %d elements and %d members", c.text, n.Kind, n.Count(), n.Depth(), len(n.Elements()), len(n.Members()))
		}
	}
	var none *Node
	if (&Node{Kind: Number, Text: "1"}).AsText() != "" || (&Node{Kind: String, Text: "1"}).AsText() != "1" || none.AsText() != "" {
		t.Error("a number is a text")
	}
	if n, _ := Parse([]byte("\"a\xff\""), Comments); n.AsText() != "a\uFFFD" {
		t.Errorf("a text that is not UTF-8 is %q", n.AsText())
	}
	if none.Elements() != nil || none.Members() != nil || none.Member("a") != nil {
		t.Error("nothing holds something")
	}
	for _, c := range []struct {
		a, b  string
		equal bool
	}{
		{`{"a":1,"b":[2,"x"]}`, `{ "b":[2,"\u0078"], "a":1 }`, true}, {`[1,2]`, `[2,1]`, false}, {`[1]`, `[1,1]`, false}, {`1`, `1.0`, false}, {`"1"`, `1`, false},
		{`{"a":1}`, `{"b":1}`, false}, {`{"a":1}`, `{"a":2}`, false}, {`{"a":1,"b":1}`, `{"a":1}`, false}, {`[[]]`, `[{}]`, false},
	} {
		a, _ := Parse([]byte(c.a), Strict)
		b, _ := Parse([]byte(c.b), Strict)
		if a.Equal(b) != c.equal || b.Equal(a) != c.equal {
			t.Errorf("%s and %s: %v", c.a, c.b, a.Equal(b))
		}
	}
	n, _ := Parse([]byte(`{"a":1,"b":2}`), Strict)
	n.Set("a", &Node{Kind: Number, Text: "3"})
	n.Set("c", &Node{Kind: Null, Text: "null"})
	if got := string(n.AppendTo(nil)); got != `{"a":3,"b":2,"c":null}` {
		t.Error(got)
	}
}

// An object that repeats a name keeps the first place of the name and its last value, whether
// it has few members or many.
func TestNamesOfLargeObjects(t *testing.T) {
	for _, n := range []int{1, 15, 16, 17, 18, 40} {
		var text, want strings.Builder
		for i := range n {
			fmt.Fprintf(&text, `"k%d":%d,`, i, i)
			fmt.Fprintf(&want, `"k%d":%d,`, i, i+100)
		}
		for i := n - 1; i >= 0; i-- {
			fmt.Fprintf(&text, `"k%d":%d,`, i, i+100)
		}
		tree, err := Parse([]byte("{"+text.String()+`"end":0}`), Strict)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(tree.AppendTo(nil)); got != "{"+want.String()+`"end":0}` {
			t.Errorf("%d names: %s", n, got)
		}
	}
}
