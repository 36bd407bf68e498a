package model

import (
	"slices"
	"testing"
)

// Tools that share a name are all found by it, and each by a name of its own.
func TestTwins(t *testing.T) {
	tools := []*Tool{{Name: "a", Toolset: "x"}, {Name: "b", Toolset: "x"}, {Name: "a", Toolset: "y"}, {Name: "a", Toolset: "x"}}
	r := NewRegistry(tools, []*Toolset{{Name: "x"}, {Name: "y"}})
	if got, want := r.Lookup("a"), []*Tool{tools[0], tools[2], tools[3]}; !slices.Equal(got, want) {
		t.Errorf("a: %v", got)
	}
	for i, name := range []string{"x/a", "b", "y/a", "x/a#2"} {
		if got := r.Lookup(name); tools[i].Qualified != name || !slices.Equal(got, tools[i:i+1]) {
			t.Errorf("%s: %v, and the tool is %s", name, got, tools[i].Qualified)
		}
	}
	if got := r.Lookup("c"); got != nil {
		t.Errorf("c: %v", got)
	}
}
