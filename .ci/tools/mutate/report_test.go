package main

import "testing"

func TestShares(t *testing.T) {
	tests := []struct {
		name            string
		group           string
		noticed, unseen int
		untestable      int
		enough          bool
	}{
		{"all", "engine", 30, 0, 0, true},
		{"just enough", "engine", 17, 3, 0, true},
		{"too few", "engine", 16, 4, 0, false},
		{"too small a sample", "engine", 5, 3, 0, true},
		{"every one of the gates", "gates", 7, 1, 0, false},
		{"tests that fail anyway", "config", 20, 0, 1, false},
	}
	for _, test := range tests {
		r := &report{}
		m := &mutant{pkg: &pkg{folder: test.group}, group: test.group}
		for range test.noticed {
			r.add(m, noticed)
		}
		for range test.unseen {
			r.add(m, survived)
		}
		for range test.untestable {
			r.add(m, untestable)
		}
		r.add(m, invalid)
		if got := r.print(r.groups, 1, 0, nil); got != test.enough {
			t.Errorf("%s: enough is %t", test.name, got)
		}
	}
}
