//go:build !race

package workbench

// raceEnabled reports whether the tests run under the race detector.
const raceEnabled = false
