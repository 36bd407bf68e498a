package selection

import (
	"cmp"
	"slices"

	"caliper/config"
)

// combination is a value for every setting that is searched.
type combination struct {
	values  []int // of each axis
	changed int   // settings that differ from those in force
	steps   int   // how far they are from those, all together
	rises   bool  // it lists more than the settings in force

	column int     // of the scores
	tokens float64 // of a turn, the mean of the queries
}

// combinations returns every combination of the values of axes that can differ, the one in
// force first, then those that are nearer before those that are farther. What one ranker
// alone reads varies only under that ranker.
func combinations(axes []axis, ranker, learnOver string) []combination {
	all := []combination{{}}
	for _, a := range axes {
		var longer []combination
		for _, c := range all {
			for v := range a.values {
				n := c
				n.values = append(slices.Clone(c.values), v)
				n.steps += a.steps(v)
				if v != a.base {
					n.changed++
				}
				n.rises = n.rises || a.rises(v)
				longer = append(longer, n)
			}
		}
		all = longer
	}
	all = slices.DeleteFunc(all, func(c combination) bool {
		by := ranker
		for i, a := range axes {
			if a.key == config.KeyRanker {
				by = a.values[c.values[i]].(string)
			}
		}
		return slices.ContainsFunc(axes, func(a axis) bool {
			return !a.read(by, learnOver) && c.values[axisOf(axes, a.key)] != a.base
		})
	})
	slices.SortStableFunc(all, func(a, b combination) int {
		return cmp.Or(cmp.Compare(a.changed, b.changed), cmp.Compare(a.steps, b.steps), slices.Compare(a.values, b.values))
	})
	return all
}

// axisOf returns the number of the axis of a key, -1 for none.
func axisOf(axes []axis, key string) int {
	return slices.IndexFunc(axes, func(a axis) bool { return a.key == key })
}

// settings returns the settings of a candidate, in the order of the axes.
func (c combination) settings(axes []axis) []TunedSetting {
	out := make([]TunedSetting, len(axes))
	for i, a := range axes {
		out[i] = TunedSetting{a.key, a.values[c.values[i]]}
	}
	return out
}

// only reports whether a candidate differs from the settings in force in one axis at
// most.
func (c combination) only(axes []axis, axis int) bool {
	for i, a := range axes {
		if i != axis && c.values[i] != a.base {
			return false
		}
	}
	return true
}

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
