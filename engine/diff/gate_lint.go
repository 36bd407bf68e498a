package diff

import (
	"context"
	"maps"
	"slices"
	"strings"

	"caliper/engine/lint"
	"caliper/engine/retrieval"
)

// judgeLint compares the errors of lint, and tests whether fewer tools of both catalogs are found by
// their own words. A description that went is no error, but said.
func (j *judging) judgeLint(context.Context) error {
	described := map[string]bool{}
	for _, t := range j.old.Registry.Tools {
		described[t.Qualified] = strings.TrimSpace(t.Description) != ""
	}
	for _, t := range j.new.Registry.Tools {
		if described[t.Qualified] && strings.TrimSpace(t.Description) == "" {
			j.out.Undescribed = append(j.out.Undescribed, t.Qualified)
		}
	}
	for _, code := range lint.Codes() {
		was, is := j.was.errors[code], j.is.errors[code]
		j.out.LintErrors.Old += len(was)
		j.out.LintErrors.New += len(is)
		known := map[string]bool{}
		for _, tool := range was {
			known[tool] = true
		}
		var tools, lost []string // new errors, and tools that were found and are not
		for _, tool := range is {
			_, both := j.was.findable[tool]
			switch {
			case known[tool]:
			case both && code == lint.DarkTool:
				lost = append(lost, tool)
			default:
				tools = append(tools, tool)
			}
		}
		slices.Sort(tools)
		if len(tools) > 0 {
			j.fail(Reason{Kind: KindLint, Code: code, Tools: slices.Compact(tools)})
		}
		if len(lost) == 0 {
			continue
		}
		var before, after []float64
		var clusters []int
		value := map[bool]float64{true: 1}
		for _, name := range slices.Sorted(maps.Keys(j.was.findable)) {
			if now, both := j.is.findable[name]; both {
				clusters = append(clusters, len(clusters))
				before, after = append(before, value[j.was.findable[name]]), append(after, value[now])
			}
		}
		d := retrieval.ComparePaired(before, after, clusters)
		if d.Mean < 0 && d.P <= j.o.Alpha {
			slices.Sort(lost)
			j.fail(Reason{Kind: KindLint, Code: lint.DarkTool, Tools: lost, Tested: true, P: d.P, Old: mean(before), New: mean(after)})
		}
	}
	return nil
}

// mean returns the mean of values, 0 of none.
func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(max(1, len(values)))
}
