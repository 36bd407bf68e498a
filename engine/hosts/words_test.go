package hosts

import (
	"cmp"
	"strings"
	"testing"

	"caliper/model"
	"caliper/model/words"
)

// TestNamed: every host is found by its name, and no other name finds one.
func TestNamed(t *testing.T) {
	for _, h := range All {
		if Named(h.Name) != h || h.Called() == h.Title != (h.Generation != "") {
			t.Errorf("%s is %v, called %s", h.Name, Named(h.Name), h.Called())
		}
	}
	if Named("") != nil || Named("hermes") != nil {
		t.Error("a name of no host finds one")
	}
}

// TestWords: what hosts make of texts and names, at the edges of ASCII and of UTF-16.
func TestWords(t *testing.T) {
	for in, want := range map[string]string{"getX9Y_é2-Ü": "get x9 y é2 ü", "": "", "ABc": "abc", "½a": "½a", "ΣΑΣ": "σας", "İ": "i"} {
		if got := strings.Join(camelWords(in), " "); got != want {
			t.Errorf("words of %q: %q", in, got)
		}
	}
	for in, want := range map[string]string{"a_Z09": "a_Z09", "a.b": "a-b", "é\u0171\u017f": "---", "\x7f@[`{/:": "-------"} {
		if got := hyphened(in); got != want {
			t.Errorf("%q with hyphens: %q", in, got)
		}
		if got := masked(in, "."); got != strings.ReplaceAll(strings.ReplaceAll(want, "a-b", "a.b"), "-", "_") {
			t.Errorf("%q masked: %q", in, got)
		}
	}
	for _, c := range []struct {
		text, word string
		want       bool
	}{{"a ship", "ship", true}, {"ships", "ship", false}, {"aship", "ship", false}, {"ships ship", "ship", true}, {"a", "", false}, {"", "a", false}, {"c++ -x", "-x", false}, {"a-x", "-x", true}, {"_a", "a", false}, {"éa", "a", true}} {
		if got := hasWord(c.text, c.word); got != c.want {
			t.Errorf("%q has %q: %v", c.text, c.word, got)
		}
	}
	for n, want := range []string{"", "a", "a", "a🐳", "a🐳b", "a🐳b"} {
		if got := words.CutUnits("a🐳b", n); got != want || words.Units("a🐳b") != 4 {
			t.Errorf("%d units: %q", n, got)
		}
	}
	sorted := []string{"", "_a", "-a", "0", "a", "A", "a_", "a-", "aa", "aA", "Aa", "b", "B"}
	for i, a := range sorted {
		for j, b := range sorted {
			if got := words.CompareLetters(a, b); cmp.Compare(got, 0) != cmp.Compare(i, j) {
				t.Errorf("%q and %q compare as %d", a, b, got)
			}
		}
	}
	if got := numbered(&Host{}, []*model.Tool{{Name: "a"}, {Name: "abcde"}, {Name: "abcdf"}, {Name: "abcdg"}}, 4); strings.Join(got, " ") != "a abcd abc2 abc3" {
		t.Errorf("names %q", got)
	}
}
