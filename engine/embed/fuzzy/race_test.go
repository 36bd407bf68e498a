//go:build race

package fuzzy_test

// A race-enabled sync.Pool drops what it is given at random.
func init() { raceEnabled = true }
