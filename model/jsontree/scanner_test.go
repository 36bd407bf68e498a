package jsontree

import (
	"context"
	"strings"
	"testing"
)

// Results of tools are arrays of very many values: what a value allocates is
// multiplied by them.
func TestValueAllocatesNothing(t *testing.T) {
	text := strings.Repeat(`{"a":[1,{"b":"c"}]} `, 101)
	s := NewScanner(context.Background(), strings.NewReader(text), 0)
	if n := testing.AllocsPerRun(100, func() {
		if _, _, ok := s.Value(); !ok {
			t.Fatal(s.Err())
		}
	}); n > 0 {
		t.Errorf("a value takes %v allocations", n)
	}
}
