package words_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"caliper/model/words"
)

// TestUnits: JavaScript counts in UTF-16, in which a character beyond the first plane has two
// units; a cut leaves no half of one.
func TestUnits(t *testing.T) {
	const text = "aé文😀b"
	if got := words.Units(text); got != 6 || words.Units("") != 0 {
		t.Errorf("%d units", got)
	}
	for n, want := range []string{"", "a", "aé", "aé文", "aé文", "aé文😀", text, text} {
		if got := words.CutUnits(text, n); got != want {
			t.Errorf("the first %d units: %q, want %q", n, got, want)
		}
	}
}

func TestCompareLetters(t *testing.T) {
	sorted := []string{"", "_", "__", "_a", "-", "-a", "0", "9", "a", "A", "a_", "a-", "a9", "aa", "aA", "Aa", "AA", "az", "b", "Zz"}
	for i, a := range sorted {
		for j, b := range sorted {
			if got := words.CompareLetters(a, b); cmp.Compare(got, 0) != cmp.Compare(i, j) {
				t.Errorf("%q and %q: %d", a, b, got)
			}
		}
	}
}

func TestDistinct(t *testing.T) {
	if got := words.Distinct(strings.FieldsSeq("b a b c a")); !slices.Equal(got, []string{"b", "a", "c"}) {
		t.Errorf("%q", got)
	}
	if got := words.Distinct(strings.FieldsSeq("")); got != nil {
		t.Errorf("of none %q", got)
	}
	if got := words.Set(" a b\n a"); len(got) != 2 || !got["a"] || !got["b"] {
		t.Errorf("%v", got)
	}
}
