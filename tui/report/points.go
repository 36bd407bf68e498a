package report

import (
	"caliper/model/words"
	"cmp"
	"fmt"
	"strconv"
)

// Figure is one figure in two states, in words.
type Figure struct {
	Name, Old, New, Change string
	Rise                   int // of a share: 1 if it rises as printed, -1 if it falls; else 0
}

// ShareFigure returns a share before and after, and how many points it changed.
func ShareFigure(name string, old, now float64) Figure {
	f := Figure{Name: name, Old: Tenths(100 * old), New: Tenths(100 * now)}
	if f.Old != f.New {
		f.Rise = cmp.Compare(now, old)
		f.Change = PointsBetween(old, now) + " points"
	}
	return f
}

// Points returns a difference of shares in points, with its sign.
func Points(d float64) string { return words.Minus(fmt.Sprintf("%+.1f", 100*d+0)) }

// PointsBetween returns the difference of two shares in points, as Points does, but of the
// percentages with one decimal, so that it agrees with two figures that are printed beside
// it: from 83.54 % to 84.79 % is 83.5% → 84.8%, +1.3, not +1.2. Without two figures beside
// it a difference is for Points, which is nearer to the exact one.
func PointsBetween(before, after float64) string {
	return Points(PrintedDifference(before, after) / 100)
}

// PrintedDifference returns the difference of PointsBetween as a number of points; it is 0
// exactly where both percentages are printed alike.
func PrintedDifference(before, after float64) float64 {
	return printedPercent(after) - printedPercent(before)
}

// printedPercent returns the percentage of a share as tenths prints it.
func printedPercent(share float64) float64 {
	pct, _ := strconv.ParseFloat(strconv.FormatFloat(100*share, 'f', 1, 64), 64) // which it has formatted
	return pct
}
