//go:build race

package whynot

// raceEnabled reports whether the tests run under the race detector.
const raceEnabled = true
