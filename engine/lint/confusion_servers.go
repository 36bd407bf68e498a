package lint

import (
	"cmp"
	"slices"
	"strings"
)

// compareServers finds the toolsets that do what another does.
func (m *ConfusionMap) compareServers(a *asking) {
	at := map[string]int{}
	var names []string
	var tools [][]int // by server: positions
	for p, t := range m.Tools {
		i, known := at[t.Toolset]
		if !known {
			i = len(names)
			at[t.Toolset] = i
			names, tools = append(names, t.Toolset), append(tools, nil)
		}
		tools[i] = append(tools[i], p)
	}
	answered := map[[2]int]int{} // tools of the second server whose queries the first answers
	alone := make([][]int, len(names))
	for i, list := range tools {
		for _, tool := range list {
			by := map[int]bool{}
			for _, l := range m.links[tool] {
				if other := at[m.Tools[l.To].Toolset]; other != i && l.Confusion >= ConfusedFrom {
					by[other] = true
				}
			}
			for other := range by {
				answered[[2]int{other, i}]++
			}
			if len(by) == 0 {
				alone[i] = append(alone[i], tool)
			}
		}
	}
	for pair, n := range answered {
		keep, drop := pair[0], pair[1]
		overlap := float64(n) / float64(len(tools[drop]))
		back := float64(answered[[2]int{drop, keep}]) / float64(len(tools[keep]))
		// The server to drop is the one that the other can stand in for more fully.
		drops := cmp.Or(cmp.Compare(overlap, back), strings.Compare(names[drop], names[keep])) > 0
		if n < leastAnswered || overlap < Duplicates || !drops || names[keep] == "" || names[drop] == "" {
			continue
		}
		s := ConfusedServers{A: names[keep], B: names[drop], Overlap: overlap, Lost: alone[drop]}
		for _, tool := range tools[drop] {
			s.Saved += m.Tools[tool].Tokens
		}
		lost := map[int]bool{} // labelled queries
		for _, p := range alone[drop] {
			for _, q := range a.labelled[m.catalog[p]] {
				lost[q] = true
			}
		}
		s.LostQueries = len(lost)
		m.Servers = append(m.Servers, s)
	}
	slices.SortFunc(m.Servers, func(x, y ConfusedServers) int {
		return cmp.Or(cmp.Compare(y.Overlap, x.Overlap), cmp.Compare(y.Saved, x.Saved), strings.Compare(x.A, y.A), strings.Compare(x.B, y.B))
	})
}
