package diff

import (
	"context"
	"maps"
	"slices"

	"caliper/engine/lint"
	"caliper/engine/retrieval"
)

// judgeLint compares the errors of lint.
func (j *judging) judgeLint(context.Context) error {
	j.out.LintErrors = Sizes{len(j.was.errors), len(j.is.errors)}
	known := map[lintError]bool{}
	for _, e := range j.was.errors {
		known[e] = true
	}
	for _, code := range lint.Codes() {
		var tools, others []string
		for _, e := range j.is.errors {
			if e.code != code || known[e] {
				continue
			}
			if _, both := j.was.findable[e.tool]; both && code == lint.DarkTool {
				others = append(others, e.tool)
			} else {
				tools = append(tools, e.tool)
			}
		}
		slices.Sort(tools)
		if len(tools) > 0 {
			j.fail(Reason{Kind: KindLint, Code: code, Tools: slices.Compact(tools)})
		}
		j.judgeFindable(others)
	}
	return nil
}

// judgeFindable tests whether fewer tools of both catalogs are found by their own words.
// lost are those that were found and are not.
func (j *judging) judgeFindable(lost []string) {
	if len(lost) == 0 {
		return
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

// mean returns the mean of values, 0 of none.
func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(max(1, len(values)))
}
