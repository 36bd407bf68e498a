package lint

import (
	"cmp"
	"slices"
	"strings"
)

// server is the tools of one toolset.
type server struct {
	name  string
	tools []int // positions
}

// compareServers finds the toolsets that do what another does.
func (m *ConfusionMap) compareServers(a *asking) {
	at := map[string]int{}
	var servers []server
	for p, t := range m.Tools {
		i, known := at[t.Toolset]
		if !known {
			i = len(servers)
			at[t.Toolset] = i
			servers = append(servers, server{name: t.Toolset})
		}
		servers[i].tools = append(servers[i].tools, p)
	}
	answered := map[[2]int]int{} // tools of the second server whose queries the first answers
	alone := make([][]int, len(servers))
	for i, s := range servers {
		for _, tool := range s.tools {
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
		overlap := float64(n) / float64(len(servers[drop].tools))
		back := float64(answered[[2]int{drop, keep}]) / float64(len(servers[keep].tools))
		// The server to drop is the one that the other can stand in for more fully.
		drops := cmp.Or(cmp.Compare(overlap, back), strings.Compare(servers[drop].name, servers[keep].name)) > 0
		if n < leastAnswered || overlap < Duplicates || !drops || servers[keep].name == "" || servers[drop].name == "" {
			continue
		}
		s := ConfusedServers{A: servers[keep].name, B: servers[drop].name, Overlap: overlap, Lost: alone[drop]}
		for _, tool := range servers[drop].tools {
			s.Saved += m.Tools[tool].Tokens
		}
		s.LostQueries = m.lostQueries(a, alone[drop])
		m.Servers = append(m.Servers, s)
	}
	slices.SortFunc(m.Servers, func(x, y ConfusedServers) int {
		return cmp.Or(cmp.Compare(y.Overlap, x.Overlap), cmp.Compare(y.Saved, x.Saved), strings.Compare(x.A, y.A), strings.Compare(x.B, y.B))
	})
}

// lostQueries returns how many labelled queries have an answer among some tools.
func (m *ConfusionMap) lostQueries(a *asking, tools []int) int {
	lost := map[int]bool{}
	for _, p := range tools {
		for _, q := range a.labelled[m.catalog[p]] {
			lost[q] = true
		}
	}
	return len(lost)
}
