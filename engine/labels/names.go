package labels

import (
	"slices"

	"caliper/model"
)

// AsCalled returns queries with the names that the tools have in a registry, where
// labels have the names of the agent's other generation.
func AsCalled(r *model.Registry, queries []Query) []Query {
	names := map[string]string{}
	for _, q := range queries {
		for _, list := range append([][]string{q.Relevant}, q.Groups...) {
			for _, name := range list {
				if found := r.Called(name); len(found) == 1 && r.Lookup(name) == nil {
					names[name] = found[0].Qualified
				}
			}
		}
	}
	if len(names) == 0 {
		return queries
	}
	renamed := func(list []string) []string {
		list = slices.Clone(list)
		for i, name := range list {
			if is, ok := names[name]; ok {
				list[i] = is
			}
		}
		return list
	}
	queries = slices.Clone(queries)
	for i := range queries {
		q := &queries[i]
		q.Relevant = renamed(q.Relevant)
		q.Groups = slices.Clone(q.Groups)
		for g, group := range q.Groups {
			q.Groups[g] = renamed(group)
		}
		grades := q.Grades
		if grades == nil {
			continue
		}
		q.Grades = map[string]float64{}
		for name, grade := range grades {
			if is, ok := names[name]; ok {
				name = is
			}
			q.Grades[name] = grade
		}
	}
	return queries
}
