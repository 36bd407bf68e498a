package selection

import (
	"cmp"
	"slices"
)

// frontier returns the numbers of the candidates that no other beats, the cheapest first:
// none that costs as little scores as much. Of equal ones the nearest to the settings in
// force is there. means has the score of each column.
func frontier(list []combination, allowed []int, means []float64) []int {
	order := slices.Clone(allowed)
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(list[a].tokens, list[b].tokens), cmp.Compare(means[list[b].column], means[list[a].column]), cmp.Compare(a, b))
	})
	var out []int
	for _, i := range order {
		if len(out) == 0 || means[list[i].column] > means[list[out[len(out)-1]].column] {
			out = append(out, i)
		}
	}
	return out
}
