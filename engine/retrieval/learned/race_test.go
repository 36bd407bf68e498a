//go:build race

package learned

// raceEnabled reports whether the tests run under the race detector.
const raceEnabled = true
