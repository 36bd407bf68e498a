package retrieval

import (
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
