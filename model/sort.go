package model

import "sort"

// Sort sorts rows, and keeps the order of equal ones. It is one copy of code for every type of row:
// slices.SortStableFunc is compiled anew for each, into 10 to 20 kB, and is worth that where
// thousands of rows are sorted at every key.
func Sort[Row any](rows []Row, compare func(a, b Row) int) {
	sort.SliceStable(rows, func(i, j int) bool { return compare(rows[i], rows[j]) < 0 })
}
