package lint

import (
	"cmp"
	"context"
	"strings"
	"sync"

	"caliper/engine"
	"caliper/engine/labels"
	"caliper/model"
)

const (
	// ConfusedFrom is the confusion from which on a tool answers the queries of another.
	ConfusedFrom = 0.8
	// Duplicates is the share of the tools of a server from which on another server that
	// answers their queries duplicates it.
	Duplicates = 0.5
	// outranked is the share of queries from which on a tool shadows another.
	outranked = 0.5
	// leastAnswered is how many tools of a server another must answer to duplicate it: one
	// is a pair.
	leastAnswered = 2
)

// ConfusionKind is the relation of two tools.
type ConfusionKind string

// The kinds of pairs.
const (
	Twin   ConfusionKind = "twin"   // each answers the queries of the other
	Shadow ConfusionKind = "shadow" // the first ranks above the second on the queries of the second
)

// ConfusedTool is one tool of a map.
type ConfusedTool struct {
	Name     string // qualified
	Shown    string // name for a screen
	Toolset  string
	Tokens   int // of its definition
	Labelled int // queries that it is an answer to; 0: it is known by its own words alone
}

// ConfusedLink is how a tool is confused with another: by the hits of its queries. It is small, since
// each of 100,000 equal tools has a hundred.
type ConfusedLink struct {
	To        int32 // position of the other tool
	Above     int32 // in how many queries the other is above, and within the limit
	Confusion float64
}

// ConfusedPair is two tools that are confused. Of a shadow A is above B.
type ConfusedPair struct {
	A, B      int // positions
	Confusion float64
	Kind      ConfusionKind
}

// ConfusedServers is two toolsets where B does nearly what A does.
type ConfusedServers struct {
	A, B        string
	Overlap     float64 // the share of the tools of B whose queries a tool of A answers
	Saved       int     // tokens of the tools of B
	Lost        []int   // positions of the tools of B whose queries nothing outside of B answers
	LostQueries int     // labelled queries of these
}

// ConfusionMap is which tools of a session are confused. Positions are indexes of Tools.
type ConfusionMap struct {
	Session string
	Ranker  string
	Bounds  ConfusionBounds
	Crowded int               // tools with a query that finds more others that answer it than are compared
	Tools   []ConfusedTool    // similar ones beside each other
	Pairs   []ConfusedPair    // the most confused first, then twins before shadows, then by name
	Servers []ConfusedServers // the largest overlap first, then the most saved, then by name

	links   [][]ConfusedLink // by position, sorted by To
	catalog []int            // by position: the index in the catalog
	asked   []int            // by position: how many queries were asked
}

// Link returns how the tool at a position is confused with another one; zero but for To
// when its queries do not find that.
func (m *ConfusionMap) Link(from, to int) ConfusedLink {
	if l := find(m.links[from], to); l != nil {
		return *l
	}
	return ConfusedLink{To: int32(to)}
}

// Above returns the share of the queries of the tool at a position that have another above it,
// and within the limit.
func (m *ConfusionMap) Above(from, to int) float64 { return m.above(from, m.Link(from, to)) }

// above is Above for a link of the tool.
func (m *ConfusionMap) above(from int, l ConfusedLink) float64 {
	return float64(l.Above) / float64(max(1, m.asked[from]))
}

// MapConfusion returns the map of the session's catalog. It calls progress, which may be nil, with
// how many tools are done, one call at a time. The error is ctx's.
func MapConfusion(ctx context.Context, s *engine.Snapshot, queries []labels.Query, progress func(done, total int)) (*ConfusionMap, error) {
	for _, w := range []engine.Work{engine.WorkCounting, engine.WorkIndexing} {
		if err := s.Prepare(ctx, w); err != nil {
			return nil, err
		}
	}
	a := newAsking(s, queries)
	links, asked := make([][]ConfusedLink, len(a.tools)), make([]int, len(a.tools))
	var mu sync.Mutex
	done, crowded := 0, 0
	err := parallel(ctx, len(a.tools), func(i int) {
		var isCrowded bool
		links[i], asked[i], isCrowded = a.ask(i)
		mu.Lock()
		defer mu.Unlock()
		if isCrowded {
			crowded++
		}
		if done++; progress != nil {
			progress(done, len(a.tools))
		}
	})
	if err != nil {
		return nil, err
	}
	m := &ConfusionMap{Session: s.Session.Name, Ranker: s.Config.ToolSearch.Ranker, Bounds: a.bounds, Crowded: crowded}
	m.arrange(a, links, asked)
	m.pair()
	m.compareServers(a)
	return m, nil
}

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
	model.Sort(m.Servers, func(x, y ConfusedServers) int {
		return cmp.Or(cmp.Compare(y.Overlap, x.Overlap), cmp.Compare(y.Saved, x.Saved), strings.Compare(x.A, y.A), strings.Compare(x.B, y.B))
	})
}
