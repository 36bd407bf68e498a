package lint

import (
	"cmp"
	"slices"
	"strings"
)

// arrange puts the tools and their links in order.
func (m *ConfusionMap) arrange(a *asking, links [][]ConfusedLink, asked []int) {
	confusion := func(from, to int) float64 {
		if l := find(links[from], to); l != nil {
			return l.Confusion
		}
		return 0
	}
	alike := func(x, y int) float64 { return (confusion(x, y) + confusion(y, x)) / 2 }
	var edges []edge // every two tools where one has a link to the other, once
	for from, list := range links {
		for _, l := range list {
			e := edge{a: min(int32(from), l.To), b: max(int32(from), l.To), alike: l.Confusion / 2}
			if back := find(links[l.To], from); back != nil {
				if int(l.To) < from { // the other tool has it too
					continue
				}
				e.alike = (l.Confusion + back.Confusion) / 2
			}
			edges = append(edges, e)
		}
	}
	order := seriate(len(a.tools), edges, alike)
	m.catalog = order
	position := make([]int, len(order))
	for p, tool := range order {
		position[tool] = p
	}
	m.links = make([][]ConfusedLink, len(order))
	for p, tool := range order {
		t := a.tools[tool]
		m.Tools = append(m.Tools, ConfusedTool{Name: t.Qualified, Shown: t.ShownName, Toolset: t.Toolset, Tokens: a.s.ToolTokens(t), Labelled: len(a.labelled[tool])})
		list := links[tool]
		for i := range list {
			list[i].To = int32(position[list[i].To])
		}
		slices.SortFunc(list, func(x, y ConfusedLink) int { return cmp.Compare(x.To, y.To) })
		m.links[p] = list
		m.asked = append(m.asked, asked[tool])
	}
}

// pair finds the twins and the shadows.
func (m *ConfusionMap) pair() {
	for from, list := range m.links {
		for _, l := range list {
			to, back := int(l.To), 0.0
			if l.Confusion >= ConfusedFrom {
				back = m.Link(to, from).Confusion
			}
			switch {
			case back >= ConfusedFrom:
				if m.Tools[from].Name < m.Tools[to].Name {
					m.Pairs = append(m.Pairs, ConfusedPair{from, to, (l.Confusion + back) / 2, Twin})
				}
			case m.above(from, l) >= outranked:
				m.Pairs = append(m.Pairs, ConfusedPair{to, from, l.Confusion, Shadow})
			}
		}
	}
	slices.SortFunc(m.Pairs, func(x, y ConfusedPair) int {
		return cmp.Or(cmp.Compare(y.Confusion, x.Confusion), -strings.Compare(string(x.Kind), string(y.Kind)),
			strings.Compare(m.Tools[x.A].Name, m.Tools[y.A].Name), strings.Compare(m.Tools[x.B].Name, m.Tools[y.B].Name))
	})
}
