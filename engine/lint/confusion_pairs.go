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
	edges := edgesOf(links)
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

// edgesOf returns every two tools where one has a link to the other, once.
func edgesOf(links [][]ConfusedLink) []edge {
	back := linksTo(links)
	n := 0
	for _, list := range links {
		n += len(list)
	}
	edges := make([]edge, 0, n)
	for from, list := range links {
		others := back[from]
		for len(list) > 0 || len(others) > 0 {
			e := edge{a: int32(from)}
			listed := len(others) == 0 || len(list) > 0 && list[0].To <= others[0]
			if listed {
				e.b, e.alike = list[0].To, list[0].Confusion/2
			} else {
				e.b = others[0]
			}
			if len(others) > 0 && others[0] == e.b {
				e.alike = (2*e.alike + find(links[e.b], from).Confusion) / 2
				others = others[1:]
			}
			if listed {
				list = list[1:]
			}
			if e.a < e.b { // the other tool has it too
				edges = append(edges, e)
			}
		}
	}
	return edges
}

// linksTo returns, for every tool, the tools that have a link to it, sorted.
func linksTo(links [][]ConfusedLink) [][]int32 {
	count := make([]int, len(links))
	all := 0
	for _, list := range links {
		all += len(list)
		for _, l := range list {
			count[l.To]++
		}
	}
	room, out := make([]int32, all), make([][]int32, len(links))
	for to, n := range count {
		out[to], room = room[:0:n], room[n:]
	}
	for from, list := range links {
		for _, l := range list {
			out[l.To] = append(out[l.To], int32(from))
		}
	}
	return out
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
