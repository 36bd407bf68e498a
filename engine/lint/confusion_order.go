package lint

import (
	"cmp"
	"slices"
	"strings"

	"caliper/model"
)

// The order of the tools. It is the order of the leaves of a single-linkage clustering,
// with the clusters joined at the ends that are the most alike (Gruvaeus and Wainer, "Two
// additions to hierarchical cluster analysis", British Journal of Mathematical and
// Statistical Psychology 25, 1972). A row of tools is a path: each tool knows its at most
// two neighbours, so that joining two rows at any ends takes one step, without turning
// either around.

// edge is two tools with their similarity.
type edge struct {
	alike float64
	a, b  int32 // a < b
}

// before orders edges: the most alike first, then by name.
func (e edge) before(o edge) int {
	switch {
	case e.alike > o.alike:
		return -1
	case e.alike < o.alike:
		return 1
	case e.a != o.a:
		return int(e.a) - int(o.a)
	}
	return int(e.b) - int(o.b)
}

// rows are rows of tools.
type rows struct {
	beside [][2]int // by tool: its neighbours, -1 for none
	parent []int    // by tool, of a disjoint-set forest
	ends   [][2]int // by root
	best   []float64
}

// seriate returns n tools, which are numbered by name, so that similar ones are beside
// each other: rows that have the most similar pair first, tools that are like none last, each row
// from the end whose name is first.
func seriate(n int, edges []edge, alike func(a, b int) float64) []int {
	r := &rows{beside: make([][2]int, n), parent: make([]int, n), ends: make([][2]int, n), best: make([]float64, n)}
	for i := range n {
		r.beside[i], r.parent[i], r.ends[i] = [2]int{-1, -1}, i, [2]int{i, i}
	}
	slices.SortFunc(edges, edge.before)
	for _, e := range edges {
		if a, b := r.root(int(e.a)), r.root(int(e.b)); a != b {
			r.join(a, b, e.alike, alike)
		}
	}
	var roots []int
	for i := range r.parent {
		if r.root(i) == i {
			roots = append(roots, i)
		}
	}
	first := func(root int) int { return min(r.ends[root][0], r.ends[root][1]) }
	slices.SortFunc(roots, func(a, b int) int {
		return cmp.Or(cmp.Compare(r.best[b], r.best[a]), cmp.Compare(first(a), first(b)))
	})
	var out []int
	for _, root := range roots {
		for last, at := -1, first(root); at >= 0; {
			out = append(out, at)
			next := r.beside[at][0]
			if next == last && last >= 0 || next < 0 {
				next = r.beside[at][1]
			}
			if next == last {
				next = -1
			}
			last, at = at, next
		}
	}
	return out
}

// root returns the row of a tool.
func (r *rows) root(tool int) int {
	for r.parent[tool] != tool {
		r.parent[tool] = r.parent[r.parent[tool]]
		tool = r.parent[tool]
	}
	return tool
}

// join joins two rows at the ends that are the most alike, the first by name of equal
// ones.
func (r *rows) join(a, b int, strength float64, alike func(a, b int) float64) {
	best := edge{alike: -1}
	left, right := 0, 0
	for i, x := range r.ends[a] {
		for k, y := range r.ends[b] {
			if e := (edge{alike(x, y), int32(min(x, y)), int32(max(x, y))}); e.before(best) < 0 {
				best, left, right = e, i, k
			}
		}
	}
	x, y := r.ends[a][left], r.ends[b][right]
	r.touch(x, y)
	r.touch(y, x)
	ends := [2]int{r.ends[a][1-left], r.ends[b][1-right]}
	into, from := min(a, b), max(a, b)
	r.parent[from] = into
	r.ends[into] = ends
	r.best[into] = max(r.best[a], r.best[b], strength)
}

// touch notes that y is beside x.
func (r *rows) touch(x, y int) {
	if r.beside[x][0] < 0 {
		r.beside[x][0] = y
	} else {
		r.beside[x][1] = y
	}
}

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
	model.Sort(m.Pairs, func(x, y ConfusedPair) int {
		return cmp.Or(cmp.Compare(y.Confusion, x.Confusion), -strings.Compare(string(x.Kind), string(y.Kind)),
			strings.Compare(m.Tools[x.A].Name, m.Tools[y.A].Name), strings.Compare(m.Tools[x.B].Name, m.Tools[y.B].Name))
	})
}
