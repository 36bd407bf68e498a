package retrieval

import (
	"testing"

	"pgregory.net/rapid"
)

// TestDictionary: numbers follow the order of first sight, a frozen copy
// knows what was known when it was made and nothing else.
func TestDictionary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := NewDictionary()
		var frozen Dictionary
		terms := rapid.SliceOfN(rapid.StringN(0, 4, 8), 0, 300).Draw(t, "terms")
		freeze := rapid.IntRange(0, len(terms)).Draw(t, "freeze")
		want := map[string]uint32{}
		known := 0
		for i, term := range terms {
			if i == freeze {
				frozen, known = d.Freeze(), len(want)
			}
			if _, ok := want[term]; !ok {
				want[term] = uint32(len(want))
			}
			if id := d.Intern([]byte(term)); id != want[term] {
				t.Fatalf("intern(%q) = %d, want %d", term, id, want[term])
			}
		}
		if freeze == len(terms) {
			frozen, known = d.Freeze(), len(want)
		}
		if d.Len() != len(want) || frozen.Len() != known {
			t.Fatalf("%d and %d terms, want %d and %d", d.Len(), frozen.Len(), len(want), known)
		}
		for term, id := range want {
			if got, ok := d.Find([]byte(term)); !ok || got != id || string(d.Term(id)) != term {
				t.Fatalf("find(%q) = %d, %v, want %d", term, got, ok, id)
			}
			got, ok := frozen.Find([]byte(term))
			if ok != (int(id) < known) || ok && got != id {
				t.Fatalf("frozen at %d: find(%q) = %d, %v, want %d", known, term, got, ok, id)
			}
		}
	})
}
