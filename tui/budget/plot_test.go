package budget

import "testing"

// Short numbers are rounded to nearest, and go on to the next unit where they reach it.
func TestShortNumbersAreRounded(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name            string
		n               int
		tokens, context string
	}{
		{"none", 0, "0", "0"},
		{"below a thousand", 999, "999", "999"},
		{"a thousand", 1000, "1k", "1k"},
		{"up to a tenth", 1280, "1.3k", "1k"},
		{"down to a tenth", 1249, "1.2k", "1k"},
		{"half goes up", 1250, "1.3k", "1k"},
		{"a tenth", 9566, "9.6k", "10k"},
		{"a whole number", 9960, "10k", "10k"},
		{"a power of two", 32_768, "32.8k", "33k"},
		{"the last with a tenth", 99_949, "99.9k", "100k"},
		{"the first without", 99_950, "100k", "100k"},
		{"hundreds", 257_751, "258k", "258k"},
		{"the last in thousands", 999_499, "999k", "999k"},
		{"the first in millions", 999_500, "1M", "1M"},
		{"nearly a million", 999_600, "1M", "1M"},
		{"a million and a bit", 1_048_576, "1M", "1M"},
		{"millions", 1_250_000, "1.3M", "1.3M"},
		{"nearly ten millions", 9_960_000, "10M", "10M"},
		{"more", 12_500_000, "13M", "13M"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := nearly(tt.n); got != tt.tokens {
				t.Errorf("%d tokens are %s, want %s", tt.n, got, tt.tokens)
			}
			if got := shortContext(tt.n); got != tt.context {
				t.Errorf("a context of %d is %s, want %s", tt.n, got, tt.context)
			}
		})
	}
}
