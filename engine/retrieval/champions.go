package retrieval

import (
	"slices"
	"sync"
)

const (
	championHits = 64   // hits in a list: more than a search asks for in practice
	maxChampions = 4096 // lists of one index: 4 MB
)

// champions remembers the best hits of single terms, found when a term is
// first asked for alone: the query that people type most, and the one that
// gains most. It is safe for concurrent use.
type champions struct {
	mu    sync.RWMutex
	lists map[uint32][]Hit // by term number: its championHits best, or all it has
}

// champions returns the best hits of a query that is one term, or nil when it
// is not, when k is more than a list holds, or when there is no room for more
// lists.
func (s *searcher) champions(k int) []Hit {
	if len(s.order) != 1 || k > championHits {
		return nil
	}
	c, id := &s.x.champions, s.terms[0].id
	c.mu.RLock()
	list, full := c.lists[id], len(c.lists) >= maxChampions
	c.mu.RUnlock()
	if list != nil || full {
		return list
	}
	best := s.best(championHits)
	list = slices.Clone(best[:min(championHits, len(best))])
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lists == nil {
		c.lists = make(map[uint32][]Hit)
	}
	c.lists[id] = list
	return list
}
