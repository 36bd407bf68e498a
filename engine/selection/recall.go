package selection

import (
	"slices"

	"caliper/engine"
	"caliper/engine/labels"
	"caliper/model"
)

// needs are the capabilities that a labelled query asks for, as package retrieval
// counts them: each group is one need; without groups each relevant tool is one.
type needs struct {
	groups map[string][]int // by name or qualified name of a tool
	count  int
}

// needsOf returns the needs of a query. A query without labels has none.
func needsOf(q labels.Query) needs {
	groups := q.Groups
	if groups == nil {
		for _, name := range q.Relevant {
			groups = append(groups, []string{name})
		}
	}
	n := needs{groups: map[string][]int{}, count: len(groups)}
	for g, names := range groups {
		for _, name := range names {
			n.groups[name] = append(n.groups[name], g)
		}
	}
	return n
}

// tally counts which needs are met.
type tally struct {
	needs
	met   []bool
	count int
}

func (n needs) tally() *tally { return &tally{needs: n, met: make([]bool, n.count)} }

// add marks the needs that a tool meets.
func (t *tally) add(tool *model.Tool) {
	t.name(tool.Name)
	if tool.Qualified != tool.Name {
		t.name(tool.Qualified)
	}
}

func (t *tally) name(name string) {
	for _, g := range t.groups[name] {
		if !t.met[g] {
			t.met[g] = true
			t.count++
		}
	}
}

// recall returns the share of the needs that are met; 0 when there are none.
func (t *tally) recall() float64 {
	return float64(t.count) / float64(max(t.needs.count, 1))
}

// recalls returns the share of the needs that the tools sent meet, and the share
// that they meet together with the tools behind the bridge.
func (s *Selector) recalls(n needs, a engine.Assembly) (sent, reachable float64) {
	now, later := n.tally(), n.tally()
	for name := range n.groups {
		for _, t := range s.scope.snapshot.Registry.Called(name) {
			switch in := slices.Contains(a.Tools, t); {
			case in:
				now.add(t)
				later.add(t)
			case a.Bridge && s.scope.snapshot.Granted(t) && !engine.IsBridge(t.Name):
				later.add(t)
			}
		}
	}
	return now.recall(), later.recall()
}
