package report

import (
	"cmp"
	"slices"
	"strings"

	"caliper/engine/diff"
)

// The most that a terminal shows of each kind of change. JSON has all of it.
const (
	shownTools    = 12 // more are counted by toolset
	shownToolsets = 12
	shownRanks    = 20
)

// Diff returns the report of what differs between two registries, which were
// read from two paths.
func Diff(d diff.Diff, oldPath, newPath string) *Report {
	x := TwoStates{Old: "old", New: "new", Diff: d}
	r := new(Report)
	r.Head(diffTitle(d), "%s → %s, session %s, agent of %s", Name(oldPath), Name(newPath), Name(d.New.Session), d.New.Generation)
	r.Add(x.BudgetView(shownRanks))
	toolChanges(r, d)
	if d.Compared > 0 {
		r.Blank()
		r.Say("Of %s, %s with other hits within the limit of %d.", LabelledQueries(d.Compared), textOf(orNone(len(d.Queries), "none")), d.NewLimit)
		x.crossed(r, shownRanks)
	}
	return r
}

// diffTitle returns the outcome in a few words.
func diffTitle(d diff.Diff) Text {
	tools := len(d.Added) + len(d.Removed) + len(d.Changed)
	differ := Textf("%s differ", Count(tools, "tool"))
	switch tools {
	case 0:
		differ = textOf("no tool differs")
	case 1:
		differ = textOf("1 tool differs")
	}
	switch {
	case d.Compared == 0:
		return differ
	case d.Regressions == 0:
		return Textf("no regression, %s", differ)
	}
	return Textf("%s, %s", Count(d.Regressions, "regression"), differ)
}

// toolChanges adds the tools that differ.
func toolChanges(r *Report, d diff.Diff) {
	t := Columns("", "", "…")
	for _, kind := range []struct {
		sign string
		list []diff.ToolChange
	}{{"+", d.Added}, {"−", d.Removed}, {"~", d.Changed}} {
		if len(kind.list) > shownTools {
			changesByToolset(t, kind.sign, kind.list)
			continue
		}
		for _, c := range kind.list {
			t.Row(kind.sign, Name(c.Name), changed(c))
		}
	}
	if !t.Empty() {
		section(r, "tools that differ")
		r.Table(t)
	}
}

// changed returns what changed in a tool, or the toolset of one that came or
// went.
func changed(c diff.ToolChange) Text {
	if len(c.Parts) == 0 {
		return Name(c.Toolset)
	}
	var out Text
	for i, part := range c.Parts {
		if i > 0 {
			out = append(out, textOf(", ")...)
		}
		out = append(out, textOf(string(part))...)
		if part == diff.ChangedToolset {
			out = append(out, Textf(" (now %s)", Name(c.Toolset))...)
		}
	}
	return out
}

// changesByToolset adds the number of changes in each toolset, most first.
func changesByToolset(t *Table, sign string, list []diff.ToolChange) {
	counts := map[string]int{}
	for _, c := range list {
		counts[c.Toolset]++
	}
	names := make([]string, 0, len(counts))
	for name := range counts {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b))
	})
	rest := len(list)
	for _, name := range names[:min(shownToolsets, len(names))] {
		t.Row(sign, Name(name), Count(counts[name], "tool"))
		rest -= counts[name]
	}
	if rest > 0 {
		t.FaintRow(sign, Textf("in %s", Count(len(names)-shownToolsets, "more toolset")), Count(rest, "tool"))
	}
}
