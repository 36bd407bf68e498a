package fielded

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"caliper/model/words"
)

// cutWords returns the words of a text.
func cutWords(text string) []string {
	all := []string{}
	var c words.Cutter
	c.Cut([]byte(text))
	for w := c.Next(); w != nil; w = c.Next() {
		all = append(all, string(w))
		if len(c.Run()) > 0 && c.Last() {
			all = append(all, "="+string(c.Run())) // the whole of what was cut
		}
	}
	return all
}

// TestWordsEqualOracle: bytes and runes give the same words.
func TestWordsEqualOracle(t *testing.T) {
	letters := []rune("aabBC12 _-.éÉжЖßǅℂ\u0301ー港口ไ์한\xff")
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom(letters)).Draw(t, "text")
		if rapid.Bool().Draw(t, "any") {
			text = rapid.String().Draw(t, "text")
		}
		if got, want := cutWords(text), oracleCutWords(text); !slices.Equal(got, want) {
			t.Fatalf("words of %q: %q, want %q", text, got, want)
		}
	})
}
