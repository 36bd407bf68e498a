package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"caliper/engine"
	"caliper/model"
)

// What a diff for a person shows of each kind of change. JSON has all of it.
const (
	shownTools    = 12 // more are counted by toolset
	shownToolsets = 12
	shownRanks    = 20
)

// diffText prints a diff for a person; paths are those of OLD and NEW.
func (r *run) diffText(d engine.Diff, old, new *model.Registry, paths []string) {
	p := r.page()
	p.line(p.strong(diffHeadline(d)), p.faint(fmt.Sprintf("  %s → %s, session %s",
		model.Sanitize(paths[0]), model.Sanitize(paths[1]), model.Sanitize(d.New.Session))))
	p.blank()
	t := table{columns: []column{{}, {}, {}}}
	t.add("tools", fromTo(grouped(len(old.Tools)), grouped(len(new.Tools))),
		fmt.Sprintf("+%s −%s ~%s", grouped(len(d.Added)), grouped(len(d.Removed)), grouped(len(d.Changed))))
	t.add("tokens", fromTo(grouped(d.Old.EagerTokens), grouped(d.New.EagerTokens)), tokenDelta(d))
	t.add("search", fromTo(activeWord(d.Old.Active), activeWord(d.New.Active)),
		fmt.Sprintf("deferrable %s, threshold %s", fromTo(grouped(d.Old.DeferredTokens), grouped(d.New.DeferredTokens)),
			fromTo(grouped(d.Old.ThresholdTokens), grouped(d.New.ThresholdTokens))))
	if d.ModelBytesChanged {
		t.add("sent", "changed", "the bytes of the tools array: a prompt cache is lost")
	} else {
		t.add("sent", "the same", "to the byte: a prompt cache holds")
	}
	t.print(p)
	toolChanges(p, d)
	rankChanges(p, d)
}

// diffHeadline says the outcome in a few words.
func diffHeadline(d engine.Diff) string {
	tools := len(d.Added) + len(d.Removed) + len(d.Changed)
	line := counted(tools, "tool") + " differ"
	switch tools {
	case 0:
		line = "no tool differs"
	case 1:
		line += "s"
	}
	switch {
	case d.Compared == 0:
		return line
	case d.Regressions == 0:
		return "no regression, " + line
	}
	return counted(d.Regressions, "regression") + ", " + line
}

// fromTo returns a change in words, or what it is when there is none.
func fromTo(old, new string) string {
	if old == new {
		return new
	}
	return old + " → " + new
}

// activeWord says whether search is active.
func activeWord(active bool) string {
	if active {
		return "ON"
	}
	return "off"
}

// tokenDelta says how many tokens came or went, and how they are counted.
func tokenDelta(d engine.Diff) string {
	by := "by " + string(d.New.Tokenizer)
	delta := d.New.EagerTokens - d.Old.EagerTokens
	if delta == 0 {
		return by
	}
	sign := "+"
	if delta < 0 {
		sign, delta = "−", -delta
	}
	text := sign + grouped(delta)
	if d.Old.EagerTokens > 0 {
		text += " (" + sign + percent(100*float64(delta)/float64(d.Old.EagerTokens)) + ")"
	}
	return text + " " + by
}

// toolChanges prints the tools that differ.
func toolChanges(p *page, d engine.Diff) {
	t := table{columns: []column{{}, {}, {grow: true}}}
	for _, kind := range []struct {
		sign string
		list []engine.ToolChange
	}{{"+", d.Added}, {"−", d.Removed}, {"~", d.Changed}} {
		if len(kind.list) > shownTools {
			toolsetRows(&t, kind.sign, kind.list)
			continue
		}
		for _, c := range kind.list {
			t.add(kind.sign, model.Sanitize(c.Name), changeText(c))
		}
	}
	if len(t.rows) > 0 {
		p.blank()
		t.print(p)
	}
}

// changeText says what changed in a tool, or where one is that came or went.
func changeText(c engine.ToolChange) string {
	if len(c.Parts) == 0 {
		return model.Sanitize(c.Toolset)
	}
	words := make([]string, len(c.Parts))
	for i, part := range c.Parts {
		words[i] = string(part)
		if part == engine.ChangedToolset {
			words[i] += " (now " + model.Sanitize(c.Toolset) + ")"
		}
	}
	return strings.Join(words, ", ")
}

// toolsetRows adds the number of changes in each toolset, most first.
func toolsetRows(t *table, sign string, list []engine.ToolChange) {
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
		t.add(sign, model.Sanitize(name), counted(counts[name], "tool"))
		rest -= counts[name]
	}
	if rest > 0 {
		t.rows = append(t.rows, row{faint: true,
			cells: []string{sign, "in " + counted(len(names)-shownToolsets, "more toolset"), counted(rest, "tool")}})
	}
}

// rankChanges prints the relevant tools that crossed the limit, lost ones
// first, and how many queries changed at all.
func rankChanges(p *page, d engine.Diff) {
	if d.Compared == 0 {
		return
	}
	p.blank()
	changed := "none"
	if len(d.Queries) > 0 {
		changed = grouped(len(d.Queries))
	}
	p.paragraph(0, fmt.Sprintf("Of %s labelled queries, %s with other hits within the limit of %d.", grouped(d.Compared), changed, d.NewLimit))
	t := table{columns: []column{{}, {}, {}, {grow: true}}}
	rest := 0
	add := func(word string, crossed func(engine.RankChange) bool) {
		for _, q := range d.Queries {
			for _, rank := range q.Ranks {
				switch {
				case !crossed(rank):
				case len(t.rows) < shownRanks:
					t.add(word, model.Sanitize(rank.Tool), rankWord(rank.Old)+" → "+rankWord(rank.New), model.Sanitize(q.Text))
				default:
					rest++
				}
			}
		}
	}
	add("lost", func(c engine.RankChange) bool { return c.Regressed })
	add("found", func(c engine.RankChange) bool { return c.Regained })
	if rest > 0 {
		t.rows = append(t.rows, row{faint: true, cells: []string{"", "and " + grouped(rest) + " more", "", ""}})
	}
	if len(t.rows) > 0 {
		p.blank()
		t.print(p)
	}
}

// rankWord returns a rank, or that there is none.
func rankWord(rank int) string {
	if rank == 0 {
		return "none"
	}
	return grouped(rank)
}
