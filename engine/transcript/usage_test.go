package transcript

import "testing"

// TestPossible: parts of an input may be below zero where another part makes up for it.
func TestPossible(t *testing.T) {
	const most = 1 << 40
	for u, want := range map[Usage]bool{
		{}:                                  true,
		{Input: 7, CacheRead: -3}:           true,
		{Input: -3, CacheWrite: 3}:          true,
		{Input: 2, CacheRead: -3}:           false,
		{Input: 2, Output: -1}:              false,
		{Input: most}:                       true,
		{Output: most}:                      true,
		{Input: most + 1}:                   false,
		{CacheRead: most + 1}:               false,
		{CacheWrite: most + 1}:              false,
		{Output: most + 1}:                  false,
		{Input: most, CacheRead: -most}:     true,
		{Input: most, CacheRead: -most - 1}: false,
	} {
		if got := u.Possible(); got != want {
			t.Errorf("%+v: %t, want %t", u, got, want)
		}
	}
}
