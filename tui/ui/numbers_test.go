package ui

import "testing"

// Short numbers are rounded to nearest, and go on to the next unit where they reach it.
func TestShortNumbersAreRounded(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		n               int
		tokens, context string
	}{
		{0, "0", "0"},
		{999, "999", "999"},
		{1000, "1k", "1k"},
		{1250, "1.3k", "1k"}, // half goes up
		{9566, "9.6k", "10k"},
		{99_949, "99.9k", "100k"}, // the last with a tenth
		{99_950, "100k", "100k"},
		{999_499, "999k", "999k"}, // the last in thousands
		{999_500, "1M", "1M"},
		{1_048_576, "1M", "1M"},
		{12_500_000, "13M", "13M"},
	} {
		if got := Short(tt.n); got != tt.tokens {
			t.Errorf("%d tokens are %s, want %s", tt.n, got, tt.tokens)
		}
		if got := ShortContext(tt.n); got != tt.context {
			t.Errorf("a context of %d is %s, want %s", tt.n, got, tt.context)
		}
	}
}
