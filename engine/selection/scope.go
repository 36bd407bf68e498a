package selection

import (
	"caliper/engine"
	"caliper/model"
)

// scope is the tools that a session lets a selection choose from.
type scope struct {
	engine.Preselection
	snapshot *engine.Snapshot
	numbers  []int    // by Tool.Index: index in Candidates plus 1; 0: not a candidate
	names    mentions // of candidates and excluded tools
	budget   engine.Budget
}

// newScope returns the scope of a snapshot.
//
// SECURITY: tools come from the snapshot's Preselection, which holds granted
// tools only: neither a core name, nor a mention, nor a history reaches a tool
// that the session is not granted.
func newScope(s *engine.Snapshot, set Settings) *scope {
	c := &scope{
		Preselection: s.Preselection(set.Core, set.Exclude),
		snapshot:     s,
		numbers:      make([]int, len(s.Registry.Tools)),
		budget:       s.Budget(false),
	}
	for i, t := range c.Candidates {
		c.numbers[t.Index] = i + 1
	}
	always := make(map[*model.Tool]bool, len(c.Always))
	for _, t := range c.Always {
		always[t] = true
	}
	var named []*model.Tool
	for _, t := range s.ByName() {
		if s.Granted(t) && !engine.IsBridge(t.Name) && !always[t] {
			named = append(named, t)
		}
	}
	c.names = newMentions(named)
	return c
}

// remembered returns the indexes of the candidates of a history, in its order,
// each once. A history may have names of the agent's other generation.
func (c *scope) remembered(history []string) (docs []int) {
	seen := map[int]bool{}
	for _, name := range history {
		for _, t := range c.snapshot.Registry.Called(name) {
			if number := c.numbers[t.Index]; number > 0 && !seen[number-1] {
				seen[number-1] = true
				docs = append(docs, number-1)
			}
		}
	}
	return docs
}
