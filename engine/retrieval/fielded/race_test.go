//go:build race

package fielded

// A race-enabled sync.Pool drops what it is given at random.
func init() { raceEnabled = true }
