package jsontree

import (
	"bytes"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	_ "caliper/model/require"
)

// TestParseClosedKnown: a text whose closed arrays begin with what is known is read as
// without that, also where it is damaged behind it, and what is fresh is all but that.
func TestParseClosedKnown(t *testing.T) {
	known := []byte(`[{"a":"]"},[1,"\\"]`)
	t.Run("cases", func(t *testing.T) {
		for name, text := range map[string]string{
			"the same":      `{"x":[{"a":"]"},[1,"\\"]]}`,
			"more":          `{"x":[{"a":"]"},[1,"\\"] , 3],"y":[4]}`,
			"twice":         `{"x":[{"a":"]"},[1,"\\"],5],"z":{"x":[{"a":"]"},[1,"\\"]]}}`,
			"not closed":    `{"x":[{"a":"]"},[1,"\\"]`,
			"closed as {":   `{"x":[{"a":"]"},[1,"\\"]}}`,
			"a comma more":  `{"x":[{"a":"]"},[1,"\\"],]}`,
			"no comma":      `{"x":[{"a":"]"},[1,"\\"]3]}`,
			"damaged more":  `{"x":[{"a":"]"},[1,"\\"],{]]}`,
			"elsewhere too": `{"y":[{"a":"]"},[1,"\\"]],"x":[]}`,
		} {
			same(t, name, []byte(text), known)
		}
	})
	t.Run("any damage", rapid.MakeCheck(func(r *rapid.T) {
		text := []byte(`{"x":[{"a":"]"},[1,"\\"],{"b":["c"]},7],"y":"]"}`)
		at := rapid.IntRange(len(`{"x":`)+len(known), len(text)-1).Draw(r, "at")
		text[at] = rapid.SampledFrom([]byte("[]{},:\"\\ 1a\x00\xff")).Draw(r, "byte")
		same(r, "damaged", text, known)
	}))
}

// same fails where a text is read otherwise when something of it is known.
func same(t interface {
	Helper()
	Errorf(string, ...any)
}, name string, text, known []byte) {
	t.Helper()
	used := 0
	c := Closed{Names: []string{"x"}, Known: func(array []byte) int {
		if after, ok := bytes.CutPrefix(array, known); ok && len(after) > 0 && bytes.IndexByte([]byte(",] "), after[0]) >= 0 {
			used++
			return len(known)
		}
		return 0
	}}
	got, gotErr := ParseClosed(text, Strict, &c)
	want, wantErr := ParseClosed(text, Strict, &Closed{Names: []string{"x"}})
	if (gotErr == nil) != (wantErr == nil) || !reflect.DeepEqual(got, want) {
		t.Errorf("%s: %s is read as %v, %v, want %v, %v", name, text, got, gotErr, want, wantErr)
	}
	fresh := 0
	c.Fresh(text, func(part []byte) bool { fresh += len(part); return true })
	if fresh != len(text)-used*len(known) {
		t.Errorf("%s: %d of %d bytes are fresh, %d times known", name, fresh, len(text), used)
	}
}

// TestNodesBeginAtTheirFirstByte: the white space in front of a value is no part of it.
func TestNodesBeginAtTheirFirstByte(t *testing.T) {
	n, err := Parse([]byte(`{ "a" : null , "b": 1 ,"c" :"x", "d" : [ true, "y" ] }`), Strict)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	var visit func(n *Node)
	visit = func(n *Node) {
		for _, c := range n.Children {
			got = append(got, string(c.Raw))
			visit(c.Node)
		}
	}
	visit(n)
	if want := []string{"null", "1", `"x"`, `[ true, "y" ]`, "true", `"y"`}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
