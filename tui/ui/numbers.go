package ui

import (
	"strconv"

	"caliper/model/words"
)

// Percent formats a percentage with one decimal. It never rounds a value below
// 100 to 100.
func Percent(p float64) string {
	if p < 100 {
		p = min(p, 99.9)
	}
	return words.Minus(strconv.FormatFloat(p, 'f', 1, 64)) + "%"
}

// Count returns a number with its noun, in the plural unless it is 1: "2
// tools".
func Count(n int, noun string) string { return Thousands(n) + " " + words.Plural(n, noun) }

// Thousands formats a whole number with commas and a minus sign (U+2212).
func Thousands(n int) string { return words.Thousands(n) }

// LabelledQueries returns the number n of labelled queries with its noun.
func LabelledQueries(n int) string {
	if n == 1 {
		return "1 labelled query"
	}
	return Thousands(n) + " labelled queries"
}
