package report

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"caliper/engine/diff"
	"caliper/model"
	"caliper/model/words"
)

// The most that a terminal shows of each kind of change. JSON has all of it.
const (
	shownTools    = 12 // more are counted by toolset
	shownToolsets = 12
	shownRanks    = 20
)

// Diff returns the report of what differs between two registries, which were
// read from two paths.
func Diff(d diff.Diff, before, after *model.Registry, oldPath, newPath string) *Report {
	r := new(Report)
	r.Head(diffTitle(d), "%s → %s, session %s, agent of %s", Name(oldPath), Name(newPath), Name(d.New.Session), d.New.Generation)
	r.Blank()
	t := Columns("", "", "")
	t.Row("tools", fromTo(len(before.Tools), len(after.Tools), ""), Textf("+%d −%d ~%d", len(d.Added), len(d.Removed), len(d.Changed)))
	t.Row("tokens", fromTo(d.Old.EagerTokens, d.New.EagerTokens, ""), tokenDelta(d))
	search := onOff(d.New.Active)
	if d.Old.Active != d.New.Active {
		search = onOff(d.Old.Active) + " → " + search
	}
	t.Row("search", search, Textf("deferrable %s, threshold %s", fromTo(d.Old.DeferredTokens, d.New.DeferredTokens, ""),
		fromTo(d.Old.ThresholdTokens, d.New.ThresholdTokens, "")))
	if d.ModelBytesChanged {
		t.Row("sent", "changed", "the bytes of the tools array: a prompt cache is lost")
	} else {
		t.Row("sent", "the same", "to the byte: a prompt cache holds")
	}
	r.Table(t)
	toolChanges(r, d)
	rankChanges(r, d)
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

// onOff returns whether search is active, so that being active stands out.
func onOff(active bool) string {
	if active {
		return "ON"
	}
	return "off"
}

// tokenDelta returns how many tokens came or went, and how they are counted.
func tokenDelta(d diff.Diff) Text {
	delta := d.New.EagerTokens - d.Old.EagerTokens
	if delta == 0 {
		return Textf("by %s", d.New.Tokenizer)
	}
	sign := "+"
	if delta < 0 {
		sign, delta = "−", -delta
	}
	share := ""
	if d.Old.EagerTokens > 0 {
		share = " (" + sign + Percent(100*float64(delta)/float64(d.Old.EagerTokens)) + ")"
	}
	return Textf("%s%d%s by %s", sign, delta, share, d.New.Tokenizer)
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
		r.Blank()
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

// rankChanges adds the relevant tools that crossed the limit, lost ones first,
// and how many queries changed at all.
func rankChanges(r *Report, d diff.Diff) {
	if d.Compared == 0 {
		return
	}
	r.Blank()
	r.Say("Of %s labelled queries, %s with other hits within the limit of %s.", words.Thousands(d.Compared),
		textOf(orNone(len(d.Queries), "none")), strconv.Itoa(d.NewLimit))
	t := Columns("", "", "", "…")
	rest := 0
	add := func(word string, crossed func(diff.RankChange) bool) {
		for _, q := range d.Queries {
			for _, rank := range q.Ranks {
				switch {
				case !crossed(rank):
				case len(t.rows) < shownRanks:
					t.Row(word, Name(rank.Tool), arrow(rank.Old, rank.New, "none"), Name(q.Text))
				default:
					rest++
				}
			}
		}
	}
	add("lost", func(c diff.RankChange) bool { return c.Regressed })
	add("found", func(c diff.RankChange) bool { return c.Regained })
	if rest > 0 {
		t.FaintRow("", Textf("and %d more", rest), "", "")
	}
	if !t.Empty() {
		r.Blank()
		r.Table(t)
	}
}
