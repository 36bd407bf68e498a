//go:build race

package embed_test

// A race-enabled sync.Pool drops what it is given at random.
func init() { raceEnabled = true }
