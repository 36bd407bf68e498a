package queries

import (
	"fmt"

	"caliper/engine/lint"
	"caliper/tui/ui"
)

// The view of the map lists the servers that do what another does, then the pairs of tools
// that are confused, the most confused first. Beside the list, or below it on a narrow
// terminal, is the heat map around the selected pair.

// mapped returns the pair of servers or of tools of a row: a row of servers has servers
// set.
func (s *Screen) mapped(i int) (servers *lint.ConfusedServers, pair *lint.ConfusedPair) {
	m := s.found.confused
	if i < len(m.Servers) {
		return &m.Servers[i], nil
	}
	return nil, &m.Pairs[i-len(m.Servers)]
}

// orderMap adds the rows of the view.
func (s *Screen) orderMap(add func(key string, i int, texts ...string)) {
	m := s.found.confused
	if m == nil {
		return
	}
	for i := range len(m.Servers) + len(m.Pairs) {
		if servers, pair := s.mapped(i); servers != nil {
			add("server\x00"+servers.A+"\x00"+servers.B, i, servers.A, servers.B)
		} else {
			a, b := m.Tools[pair.A], m.Tools[pair.B]
			add(a.Name+"\x00"+b.Name, i, a.Name, b.Name, string(pair.Kind))
		}
	}
}

// mapTool returns the tool that a row is about: of a pair the second one, which the first
// is taken for; of servers the first that dropping one loses, empty for none.
func (s *Screen) mapTool(i int) string {
	m := s.found.confused
	servers, pair := s.mapped(i)
	switch {
	case pair != nil:
		return m.Tools[pair.B].Name
	case len(servers.Lost) > 0:
		return m.Tools[servers.Lost[0]].Name
	}
	return ""
}

// mapCounts tells how many pairs there are of each kind, and what a large catalog narrows.
func (s *Screen) mapCounts() string {
	twins := 0
	for _, p := range s.found.confused.Pairs {
		if p.Kind == lint.Twin {
			twins++
		}
	}
	counts := ui.Count(twins, "twin") + ", " + ui.Count(len(s.found.confused.Pairs)-twins, "shadow")
	if b := s.found.confused.Bounds; b.Narrow() {
		counts += fmt.Sprintf(", of %d hits and the %d rarest words", b.Depth, b.Words)
	}
	if n := s.found.confused.Crowded; n > 0 {
		counts += fmt.Sprintf(", %s with more near hits than are compared", ui.Count(n, "tool"))
	}
	return counts
}
