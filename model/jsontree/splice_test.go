package jsontree

import "testing"

func TestSpliced(t *testing.T) {
	for _, c := range []struct {
		name, want string
		splices    []Splice
	}{
		{"none", "abcdef", nil},
		{"in any order", "aXdY", []Splice{{4, 6, []byte("Y")}, {1, 3, []byte("X")}}},
		{"an insertion before what replaces", "a12Xdef", []Splice{{1, 3, []byte("X")}, {1, 1, []byte("1")}, {1, 1, []byte("2")}}},
		{"at both ends", "[abcdef]", []Splice{{6, 6, []byte("]")}, {0, 0, []byte("[")}}},
	} {
		if got := string(Spliced([]byte("abcdef"), c.splices)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
