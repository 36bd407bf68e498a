package changes

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"caliper/engine/diff"
	"caliper/tui/report"
)

// The most that a terminal shows of each kind of change. JSON has all of it.
const (
	shownTools    = 12 // more are counted by toolset
	shownToolsets = 12
	shownRanks    = 20
)

// Diff returns the report of what differs between two registries, which were
// read from two paths.
func Diff(d diff.Diff, oldPath, newPath string) *report.Report {
	x := TwoStates{Old: "old", New: "new", Diff: d}
	r := new(report.Report)
	tools := len(d.Added) + len(d.Removed) + len(d.Changed)
	title := report.Textf("%s differ", report.Count(tools, "tool"))
	switch tools {
	case 0:
		title = report.TextOf("no tool differs")
	case 1:
		title = report.TextOf("1 tool differs")
	}
	switch {
	case d.Compared == 0:
	case d.Regressions == 0:
		title = report.Textf("no regression, %s", title)
	default:
		title = report.Textf("%s, %s", report.Count(d.Regressions, "regression"), title)
	}
	r.Head(title, "%s → %s, session %s, agent of %s", report.Name(oldPath), report.Name(newPath), report.Name(d.New.Session), d.New.Generation)
	r.Add(x.BudgetView(shownRanks, true))
	t := report.Columns("", "", "…")
	for i, list := range [][]diff.ToolChange{d.Added, d.Removed, d.Changed} {
		if len(list) > shownTools { // the number of changes in each toolset, most first
			counts := map[string]int{}
			for _, c := range list {
				counts[c.Toolset]++
			}
			names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
				return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b))
			})
			rest := len(list)
			for _, name := range names[:min(shownToolsets, len(names))] {
				t.Row(signs[i], report.Name(name), report.Count(counts[name], "tool"))
				rest -= counts[name]
			}
			if rest > 0 {
				t.FaintRow(signs[i], report.Textf("in %s", report.Count(len(names)-shownToolsets, "more toolset")), report.Count(rest, "tool"))
			}
			continue
		}
		for _, c := range list {
			changed := report.Name(c.Toolset) // of one that came or went
			for i, part := range c.Parts {
				switch {
				case i == 0:
					changed = report.TextOf(string(part))
				default:
					changed = report.Textf("%s, %s", changed, string(part))
				}
				if part == diff.ChangedToolset {
					changed = report.Textf("%s (now %s)", changed, report.Name(c.Toolset))
				}
			}
			t.Row(signs[i], report.Name(c.Name), changed)
		}
	}
	if !t.Empty() {
		section(r, "tools that differ")
		r.Table(t)
	}
	if d.Compared > 0 {
		r.Blank()
		r.Say("Of %s, %s with other hits within the limit of %d.", report.LabelledQueries(d.Compared), report.TextOf(report.OrNone(len(d.Queries), "none")), d.NewLimit)
		x.crossed(r, shownRanks)
	}
	return r
}

// signs mark tools that came, went and changed.
var signs = [3]string{"+", "−", "~"}
