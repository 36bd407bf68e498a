//go:build race

package shapes

// isRace: the race detector is on, under which pools lose things at
// random and allocations cannot be counted.
const isRace = true
