package confusion

import (
	"cmp"
	"slices"
	"strings"
)

// arrange puts the tools and their links in order.
func (m *Map) arrange(a *asking, links [][]Link) {
	confusion := func(from, to int) float64 {
		if l := find(links[from], to); l != nil {
			return l.Confusion
		}
		return 0
	}
	alike := func(x, y int) float64 { return (confusion(x, y) + confusion(y, x)) / 2 }
	var edges []edge
	for from, list := range links {
		for _, l := range list {
			if from < l.To || confusion(l.To, from) == 0 { // each pair once
				edges = append(edges, edge{min(from, l.To), max(from, l.To), alike(from, l.To)})
			}
		}
	}
	order := seriate(len(a.tools), edges, alike)
	m.catalog = order
	position := make([]int, len(order))
	for p, tool := range order {
		position[tool] = p
	}
	m.links = make([][]Link, len(order))
	for p, tool := range order {
		t := a.tools[tool]
		m.Tools = append(m.Tools, Tool{Name: t.Qualified, Shown: t.ShownName, Toolset: t.Toolset, Tokens: a.s.ToolTokens(t), Labelled: len(a.labelled[tool])})
		list := links[tool]
		for i := range list {
			list[i].To = position[list[i].To]
		}
		slices.SortFunc(list, func(x, y Link) int { return cmp.Compare(x.To, y.To) })
		m.links[p] = list
	}
}

// pair finds the twins and the shadows.
func (m *Map) pair() {
	for from, list := range m.links {
		for _, l := range list {
			back := m.Link(l.To, from)
			switch {
			case l.Confusion >= Answers && back.Confusion >= Answers:
				if m.Tools[from].Name < m.Tools[l.To].Name {
					m.Pairs = append(m.Pairs, Pair{from, l.To, (l.Confusion + back.Confusion) / 2, Twin})
				}
			case l.Above >= outranked:
				m.Pairs = append(m.Pairs, Pair{l.To, from, l.Confusion, Shadow})
			}
		}
	}
	slices.SortFunc(m.Pairs, func(x, y Pair) int {
		return cmp.Or(cmp.Compare(y.Confusion, x.Confusion), -strings.Compare(string(x.Kind), string(y.Kind)),
			strings.Compare(m.Tools[x.A].Name, m.Tools[y.A].Name), strings.Compare(m.Tools[x.B].Name, m.Tools[y.B].Name))
	})
}
