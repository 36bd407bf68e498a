package ui

import "strconv"

// ShortContext returns a context length in few cells, rounded to nearest.
func ShortContext(n int) string {
	switch {
	case n >= million-thousand/2:
		return Short(n)
	case n < thousand:
		return strconv.Itoa(n)
	}
	return strconv.Itoa(rounded(n, thousand)) + "k"
}

// The units of a short number.
const (
	thousand = 1000
	million  = 1000 * thousand
)

// Short returns a number of tokens with two or three digits, rounded to nearest.
func Short(n int) string {
	tenths := func(unit int) string {
		return strconv.FormatFloat(float64(rounded(n, unit/10))/10, 'g', -1, 64)
	}
	switch {
	case n >= 10*million:
		return strconv.Itoa(rounded(n, million)) + "M"
	case n >= million-thousand/2:
		return tenths(million) + "M"
	case n >= 100*thousand:
		return strconv.Itoa(rounded(n, thousand)) + "k"
	case n >= thousand:
		return tenths(thousand) + "k"
	}
	return strconv.Itoa(n)
}

// rounded returns how many units a number is, rounded to nearest.
func rounded(n, unit int) int { return (n + unit/2) / unit }
