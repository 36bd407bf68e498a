package fielded

import (
	"slices"
	"strings"
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

func TestTrigrams(t *testing.T) {
	for _, c := range []struct{ word, want string }{
		{"a", "[ a ]"},
		{"ab", "[ ab|ab ]"},
		{"file", "[ fi|fil|ile|le ]"},
		{"港口", "[ 港口|港口 ]"},
		{"é", "[ é ]"},
	} {
		var all []string
		var g trigrams
		g.cut([]byte(c.word))
		for trigram := g.next(); trigram != nil; trigram = g.next() {
			all = append(all, string(trigram))
		}
		if got := "[" + strings.Join(all, "|") + "]"; got != c.want {
			t.Errorf("trigrams of %q: %s, want %s", c.word, got, c.want)
		}
		if !slices.Equal(all, oracleGrams(c.word)) {
			t.Errorf("trigrams of %q: %q, want %q", c.word, all, oracleGrams(c.word))
		}
	}
}

func TestSentences(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"one", "one"},
		{"a.b c. d", "a.b c.| d"},
		{"what? yes! no;\nend.", "what?| yes!| no;\n|end."},
		{"\r\n", "\r|\n"},
	} {
		var all []string
		for rest := []byte(c.text); len(rest) > 0; {
			n := sentenceEnd(rest)
			all, rest = append(all, string(rest[:n])), rest[n:]
		}
		if got := strings.Join(all, "|"); got != c.want {
			t.Errorf("sentences of %q: %q, want %q", c.text, got, c.want)
		}
	}
}
