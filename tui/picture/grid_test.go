package picture

import (
	"testing"

	_ "caliper/model/require"
)

func TestCloneIsDeep(t *testing.T) {
	g := Parse([]byte("ab"), 2, 1)
	c := g.Clone()
	c.SetRow(0, []Cell{{Text: "x", Width: 1}})
	if got := g.String() + c.String(); got != "ab\nx\n" {
		t.Errorf("got %q", got)
	}
	if g.Equal(c) || !g.Equal(g.Clone()) || g.Equal(NewGrid(2, 2)) {
		t.Error("Equal is wrong")
	}
}
