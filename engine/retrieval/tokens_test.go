package retrieval

import (
	"hash/maphash"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestTokens(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"empty", "", nil},
		{"nothing but separators", "_ -…🚢\n", nil},
		{"case is folded, not split", "listFerries HTTPGet", []string{"listferries", "httpget"}},
		{"digits belong to words", "s3 csv2 2026", []string{"s3", "csv2", "2026"}},
		{"names", "mcp_harbor.create-berth:now", []string{"mcp", "harbor", "create", "berth", "now"}},
		{"letters beyond ASCII separate", "café naïve", []string{"caf", "na", "ve"}},
		{"the Kelvin sign is no k", "4\u212a", []string{"4"}},
		{"bytes that are not UTF-8", "a\xffb\x80", []string{"a", "b"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Tokens(c.text); !slices.Equal(got, c.want) {
				t.Errorf("Tokens(%q) = %q, want %q", c.text, got, c.want)
			}
		})
	}
}

// TestTokensEqualExpression: tokens are what the definition says.
func TestTokensEqualExpression(t *testing.T) {
	word := regexp.MustCompile(`[A-Za-z0-9]+`)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		want := word.FindAllString(text, -1)
		for i := range want {
			want[i] = strings.ToLower(want[i])
		}
		if got := Tokens(text); !slices.Equal(got, want) {
			t.Fatalf("Tokens(%q) = %q, want %q", text, got, want)
		}
	})
}

// TestDictionary: numbers follow the order of first sight, a frozen copy
// knows what was known when it was made and nothing else.
func TestDictionary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := newDictionary(maphash.MakeSeed())
		var frozen dictionary
		terms := rapid.SliceOfN(rapid.StringN(0, 4, 8), 0, 300).Draw(t, "terms")
		freeze := rapid.IntRange(0, len(terms)).Draw(t, "freeze")
		want := map[string]uint32{}
		known := 0
		for i, term := range terms {
			if i == freeze {
				frozen, known = d.freeze(), len(want)
			}
			if _, ok := want[term]; !ok {
				want[term] = uint32(len(want))
			}
			if id := d.intern([]byte(term), d.hash([]byte(term))); id != want[term] {
				t.Fatalf("intern(%q) = %d, want %d", term, id, want[term])
			}
		}
		if freeze == len(terms) {
			frozen, known = d.freeze(), len(want)
		}
		if d.len() != len(want) || frozen.len() != known {
			t.Fatalf("%d and %d terms, want %d and %d", d.len(), frozen.len(), len(want), known)
		}
		for term, id := range want {
			if got, ok := d.find([]byte(term), d.hash([]byte(term))); !ok || got != id || string(d.term(id)) != term {
				t.Fatalf("find(%q) = %d, %v, want %d", term, got, ok, id)
			}
			got, ok := frozen.find([]byte(term), frozen.hash([]byte(term)))
			if ok != (int(id) < known) || ok && got != id {
				t.Fatalf("frozen at %d: find(%q) = %d, %v, want %d", known, term, got, ok, id)
			}
		}
	})
}
