package transcript

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

func TestSkips(t *testing.T) {
	t.Parallel()
	s := new(Skips)
	s.Know("mode")
	for i, what := range []string{"torn", "mode", "torn", "", strings.Repeat("x", 101)} {
		s.Add("a", i+1, what)
	}
	s.Add("b", 1, "torn")
	want := []Skipped{{"a", 1, "torn", 2, false}, {"a", 2, "mode", 1, true}, {"a", 4, "unknown", 2, false}, {"b", 1, "torn", 1, false}}
	if !reflect.DeepEqual(s.List(), want) {
		t.Errorf("got %v, want %v", s.List(), want)
	}
}

// A log that calls every line otherwise does not make the list grow with its lines.
func TestSkipsOfManyKinds(t *testing.T) {
	t.Parallel()
	s := new(Skips)
	for i := range 5000 {
		s.Add("a", i, fmt.Sprint("kind ", i))
	}
	all := 0
	for _, k := range s.List() {
		all += k.Count
	}
	if n := len(s.List()); n > 110 || all != 5000 {
		t.Errorf("%d kinds with %d lines", n, all)
	}
	s.Add("b", 1, "torn")
	if last := s.List()[len(s.List())-1]; last.File != "b" || last.What != "torn" {
		t.Errorf("another file has %v", last)
	}
}
