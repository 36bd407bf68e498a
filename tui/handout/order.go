package handout

import (
	"cmp"
	"slices"

	"caliper/engine"
)

// largest returns the n toolsets with the most tokens, ties by name.
func largest(all []engine.ToolsetBudget, n int) []engine.ToolsetBudget {
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b engine.ToolsetBudget) int {
		return cmp.Or(cmp.Compare(b.Tokens, a.Tokens), cmp.Compare(a.Name, b.Name))
	})
	return all[:min(len(all), n)]
}

// sortByX sorts points so that a line through them goes to the right.
func sortByX(points []Point) {
	slices.SortStableFunc(points, func(a, b Point) int {
		return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y))
	})
}
