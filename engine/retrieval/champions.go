package retrieval

import "sync"

// Champions remembers the best hits of single terms (their champion lists). A query
// of one term is the most frequent one, and the one that gains most. Champions is
// safe for concurrent use; the zero value is empty.
type Champions[Hit any] struct {
	mu    sync.RWMutex
	lists map[uint32][]Hit // by term
}

const (
	// ChampionHits is how many hits a list should have: more than a search
	// asks for in practice.
	ChampionHits = 64
	// MaxChampions is how many lists are kept: 4 MB of hits of 16 bytes.
	MaxChampions = 4096
)

// Find returns the list of a term, nil when there is none. hasRoom reports whether
// Keep would keep one.
func (c *Champions[Hit]) Find(term uint32) (list []Hit, hasRoom bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.lists[term], len(c.lists) < MaxChampions
}

// Keep keeps the list of a term, unless there is no room. The list must not be
// changed any more.
func (c *Champions[Hit]) Keep(term uint32, list []Hit) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lists == nil {
		c.lists = make(map[uint32][]Hit)
	}
	if len(c.lists) < MaxChampions {
		c.lists[term] = list
	}
}

// Len returns how many lists are kept.
func (c *Champions[Hit]) Len() int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return len(c.lists)
}
