package model

import "testing"

func TestWhole(t *testing.T) {
	for _, c := range []struct {
		in   string
		want bool
	}{
		{``, false}, {`{}`, true}, {`[{"a":"]"}]`, true}, {`{"a":"\""}`, true}, {`[1,2`, false}, {`{"a":"b`, false},
		{`{"a":"b\`, false}, {"{}\n{", false}, {"{}\n{}\n", true}, {`]`, false}, {`a: 1`, true},
	} {
		if got := Whole([]byte(c.in)); got != c.want {
			t.Errorf("%s: %v, want %v", c.in, got, c.want)
		}
	}
}
