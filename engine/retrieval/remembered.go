package retrieval

import "sync"

// Remembered keeps lists of hits by key, such as the best hits of a term (its champion
// list): queries of one term are the most frequent, and gain most. It is safe for concurrent use; the zero value is empty.
type Remembered[Hit any] struct {
	mu    sync.RWMutex
	lists map[string][]Hit
}

const (
	// championHits is how many hits a champion list should have: more than a search
	// asks for in practice.
	championHits = 64
	// maxRemembered is how many lists are kept: 4 MB of 64 hits of 16 bytes each.
	maxRemembered = 4096
)

// Find returns the list of a key, and whether it is remembered.
func (r *Remembered[Hit]) Find(key []byte) (list []Hit, known bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	list, known = r.lists[string(key)]
	return list, known
}

// Keep sets the list of a key, unless the key is new and there are enough. The list must
// not be changed any more.
func (r *Remembered[Hit]) Keep(key []byte, list []Hit) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lists == nil {
		r.lists = map[string][]Hit{}
	}
	if _, known := r.lists[string(key)]; known || len(r.lists) < maxRemembered {
		r.lists[string(key)] = list
	}
}

// A crowd is the crowded terms of a query, such as the one word that all names begin
// with. Where all documents tie for these, a query for the words of each of them that
// scored all would cost the square of their number. So a query is divided into its crowded
// terms and the others. The best hits of the first are searched for once, and the documents
// that have one of the others get a score. Both together have the best hits of the query: a
// document with none of the others has the same score for the crowded terms alone, and no
// document has less for the whole query than for a part.

const (
	// crowdedFrom is the number of documents from which on a term is crowded.
	crowdedFrom = 1000
	// fewHolders is the number of documents with another term of a query that all get a
	// score, or a share of those with crowded terms: one in holderShare.
	fewHolders  = 256
	holderShare = 64
)

// Crowded reports whether a term that so many documents have is crowded.
func Crowded(df uint32) bool { return df >= crowdedFrom }

// WorthCrowd reports whether a query is cheaper to divide, given how many documents have
// its crowded terms and how many the others, as sums over the terms.
func WorthCrowd(crowded, others int) bool {
	return crowded > 0 && (others <= fewHolders || others <= crowded/holderShare)
}

// OfCrowd returns the best hits of a crowd, for which search looks once. ok is false when
// the crowd is asked for the first time: only the second time is it worth searching for them.
func (r *Remembered[Hit]) OfCrowd(crowd []byte, search func() []Hit) (best []Hit, ok bool) {
	best, again := r.Find(crowd)
	switch {
	case !again:
		r.Keep(crowd, nil)
	case best == nil:
		best = search()
		r.Keep(crowd, best)
	}
	return best, again
}
