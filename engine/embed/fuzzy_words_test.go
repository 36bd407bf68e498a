package embed_test

import (
	"slices"
	"strings"
	"testing"

	"caliper/engine/embed"
	"caliper/engine/internal/fixture"
)

func TestWords(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"getHTTPFile2 ÜberGröße", "get http file 2 über größe"},
		{"HTTPs", "htt ps"}, // nothing tells a plural from a capital
		{"天気予報 カード", "天気 気予 予报 カー ード"},
		{strings.Repeat("a", 100), strings.Repeat("a", 40)},
	} {
		if got := strings.Join(embed.Words(c.text), " "); got != c.want {
			t.Errorf("words of %q: %q, want %q", c.text, got, c.want)
		}
	}
}

func TestAlike(t *testing.T) {
	var among []string
	for _, tool := range fixture.Tools(200, 1) {
		among = append(among, embed.Words(tool.Name+" "+tool.Description)...)
	}
	for _, c := range []struct {
		kind, word, other string
		least, most       float64
	}{
		{"same", "branch", "branch", 1, 1},
		{"same", "x", "x", 1, 1},
		{"same", "天気", "天気", 1, 1},
		{"letter left out", "brnch", "branch", 0.75, 0.75},
		{"letter added", "braanch", "branch", 1 - 1.5/7, 1 - 1.5/7},
		{"letter replaced", "bronch", "branch", 0.75, 0.75},
		{"letters swapped", "brnach", "branch", 0.75, 0.75},
		{"letters swapped", "tieds", "tides", 0.7, 0.7},
		{"form", "branches", "branch", 0.3, 0.7},
		{"form", "creating", "create", 0.12, 0.5},
		{"form", "repositories", "repository", 0.3, 0.8},
		{"part", "pull", "pullrequest", 0.1, 0.3},
		{"two slips in a long word", "authentcaton", "authentication", 0.12, 0.7},
		{"first letter wrong", "cello", "hello", 0.1, 0.5},
		{"short", "teh", "the", 0, 0},
		{"short", "list", "last", 0, 0},
		{"unlike", "hello", "shell", 0, 0},
		{"unlike", "hello", "yellow", 0, 0},
		{"unlike", "hello", "help", 0, 0},
		{"unlike", "branch", "issue", 0, 0},
	} {
		t.Run(c.kind+"/"+c.word+"/"+c.other, func(t *testing.T) {
			if got := embed.Alike(c.word, c.other, among); got < c.least || got > c.most {
				t.Errorf("%.3f, want %.2f to %.2f", got, c.least, c.most)
			}
		})
	}
}

func TestGrams(t *testing.T) {
	for word, want := range map[string]string{
		"x":   "^x^",
		"ab":  "^ab ab^ ^ab^",
		"abc": "^ab abc bc^ ^abc abc^ ^abc^",
		"天気":  "^天気 天気^ ^天気^",
	} {
		var got []string
		for _, g := range embed.Grams(word) {
			got = append(got, strings.ReplaceAll(g, " ", "^"))
		}
		if !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("grams of %s: %q, want %s", word, got, want)
		}
	}
}
