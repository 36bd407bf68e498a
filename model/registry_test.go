package model

import (
	"fmt"
	"slices"
	"testing"

	"caliper/model/safetext"
)

// Tools that share a name are all found by it, and each by a name of its own.
func TestTwins(t *testing.T) {
	tools := []*Tool{{Name: "a", Toolset: "x"}, {Name: "b", Toolset: "x"}, {Name: "a", Toolset: "y"}, {Name: "a", Toolset: "x"}}
	r := NewRegistry(tools, []*Toolset{{Name: "x"}, {Name: "y"}})
	if got, want := r.Lookup("a"), []*Tool{tools[0], tools[2], tools[3]}; !slices.Equal(got, want) {
		t.Errorf("a: %v", got)
	}
	for i, name := range []string{"x/a", "b", "y/a", "x/a#2"} {
		if got := r.Lookup(name); tools[i].Qualified != name || !slices.Equal(got, tools[i:i+1]) || r.Named(name) != tools[i] {
			t.Errorf("%s: %v, and the tool is %s", name, got, tools[i].Qualified)
		}
	}
	if got := r.Lookup("c"); got != nil || r.Named("c") != nil || r.Named("a") != nil {
		t.Errorf("c: %v", got)
	}
	set, ok := r.Toolset("y")
	if none, found := r.Toolset("z"); !ok || set != r.Toolsets[1] || none != nil || found {
		t.Errorf("toolsets %v and %v", set, none)
	}
}

// Definitions in three sources: two in one, one behind other text, one that is only named.
func TestPlaces(t *testing.T) {
	sources := []Source{{Name: "a.json", Data: []byte("[\n  {\"a\":1},\n {\"b\":2}]")}, {Name: "b.json", Data: []byte(`- {}`)}, {Name: "c.json", Data: []byte(`"d"`)}}
	tools := []*Tool{{Name: "a", At: Offset{0, 4}}, {Name: "b", At: Offset{0, 14}}, {Name: "c", At: Offset{1, 2}}, {Name: "d", At: Offset{2, 0}}, {Name: "e", At: Offset{0, 4}, Operation: true}, {Name: "f", At: Offset{2, 3}}}
	r := NewRegistry(tools, nil)
	r.Sources = sources
	for i, want := range []string{"a.json:2:3 {\"a\":1},\n ", "a.json:3:2 {\"b\":2}]", "b.json:1:3 {}", "c.json:1:1 ", "a.json:2:3 ", "c.json:1:4 "} {
		file, line, col := r.Where(tools[i])
		if got := fmt.Sprintf("%s:%d:%d %s", file, line, col, r.Entry(tools[i])); got != want {
			t.Errorf("%s: %q, want %q", tools[i].Name, got, want)
		}
	}
	for _, other := range []*Tool{{Index: 0, At: Offset{0, 4}}, {Index: 6, At: Offset{0, 4}}} {
		if got := r.Entry(other); got != nil {
			t.Errorf("another registry's: %q", got)
		}
	}
}

// The hash of a definition covers what is sent around the function, and is kept.
func TestContent(t *testing.T) {
	plain, envelope := Tool{Function: []byte(`{}`)}, Envelope{`{"x":1,"function":`, `,"y":2}`}
	around := Tool{Function: []byte(`{}`), Envelope: &envelope}
	shifted := Tool{Function: []byte(`{}`), Envelope: &Envelope{envelope.Before + ",", envelope.After[1:]}}
	seen := map[Hash]bool{}
	for _, x := range []*Tool{&plain, &around, &shifted, {Function: []byte(`{ }`)}} {
		if sum := x.Content(); sum == (Hash{}) || sum != x.Content() || seen[sum] {
			t.Errorf("%v: %x", x, sum)
		} else {
			seen[sum] = true
		}
	}
	if kept := (&Tool{Hash: Hash{7}}); kept.Content() != kept.Hash {
		t.Error("a hash that is known is made again")
	}
	for x, want := range map[*Tool]Envelope{&plain: {`{"type":"function","function":`, `}`}, &around: envelope} {
		if before, after := x.Around(); before != want.Before || after != want.After {
			t.Errorf("around it stand %q and %q", before, after)
		}
	}
	odd := Tool{Toolset: "a\x1b[31m", Description: "b\n"}
	if odd.ShownToolset() != safetext.Line(odd.Toolset) || odd.ShownDescription() != safetext.Line(odd.Description) {
		t.Error("shown as it is")
	}
}

// A diagnostic leaves out what is unknown.
func TestDiagnostics(t *testing.T) {
	for _, c := range []struct {
		d           Diagnostic
		text, brief string
	}{
		{Diagnostic{File: "/a/b.json", Line: 2, Col: 3, Path: "tools[4]", Message: "bad"}, "/a/b.json:2:3: tools[4]: bad", "b.json:2:3: tools[4]: bad"},
		{Diagnostic{File: "/a/b.json", Message: "bad"}, "/a/b.json: bad", "b.json: bad"},
		{Diagnostic{Line: 2, Col: 3, Message: "bad"}, "2:3: bad", "2:3: bad"},
		{Diagnostic{Path: "x", Message: "bad"}, "x: bad", "x: bad"},
	} {
		if c.d.Error() != c.text || c.d.Brief() != c.brief {
			t.Errorf("%q, briefly %q; want %q and %q", c.d.Error(), c.d.Brief(), c.text, c.brief)
		}
	}
}
