//go:build !race

package shapes

const isRace = false
