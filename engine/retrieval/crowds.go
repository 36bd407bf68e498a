package retrieval

import "sync"

const (
	// crowdedFrom is the number of documents from which on a term is crowded.
	crowdedFrom = 1000
	// fewHolders is the number of documents with another term of a query that all get a
	// score, or a share of those with crowded terms: one in holderShare.
	fewHolders  = 256
	holderShare = 64
	// maxCrowds is how many crowds are remembered: 7 MB for 100 hits of 16 bytes each.
	maxCrowds = 4096
)

// Crowds remembers the best hits of crowds: the crowded terms of a query, such as the one
// word that all names begin with. Where all documents tie for these, a query for the words
// of each of them that scored all would cost the square of their number. So a query is
// divided into its crowded terms and the others. The best hits of the first are searched
// for once, and the documents that have one of the others get a score. Both together have
// the best hits of the query: a document with none of the others has the same score for the
// crowded terms alone, and no document has less for the whole query than for a part.
//
// Crowds is safe for concurrent use; the zero value is empty.
type Crowds[Hit any] struct {
	mu   sync.Mutex
	best map[string][]Hit // by crowd; nil: it was asked for once, and its hits are not known
}

// Crowded reports whether a term that so many documents have is crowded.
func Crowded(df uint32) bool { return df >= crowdedFrom }

// WorthCrowd reports whether a query is cheaper to divide, given how many documents have
// its crowded terms and how many the others, as sums over the terms.
func WorthCrowd(crowded, others int) bool {
	return crowded > 0 && (others <= fewHolders || others <= crowded/holderShare)
}

// Find returns the hits of a crowd, nil when they are not known. again reports whether it
// was asked for before: only then is it worth searching for them.
func (c *Crowds[Hit]) Find(crowd []byte) (hits []Hit, again bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	hits, again = c.best[string(crowd)]
	if !again && len(c.best) < maxCrowds {
		if c.best == nil {
			c.best = map[string][]Hit{}
		}
		c.best[string(crowd)] = nil
	}
	return hits, again
}

// Keep keeps the hits of a crowd that Find was asked for. They must not be changed any more.
func (c *Crowds[Hit]) Keep(crowd []byte, hits []Hit) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.best[string(crowd)] = hits
}
