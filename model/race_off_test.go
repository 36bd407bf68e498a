//go:build !race

package model

const isRace = false
