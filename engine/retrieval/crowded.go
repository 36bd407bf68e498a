package retrieval

import (
	"encoding/binary"
	"slices"
	"sync"

	"caliper/engine/retrieval/postings"
)

const (
	// crowdedFrom is the number of tools from which on a word is crowded.
	crowdedFrom = 1000
	// fewHolders bounds the holders of the other words of a query, all of which get a score.
	fewHolders = 256
	// maxCrowds is how many queries of crowded words are remembered: 7 MB for 100 hits each.
	maxCrowds = 4096
)

// crowds remembers the best hits of crowded words, such as the one word that all names
// begin with. It is safe for concurrent use; the zero value is empty.
type crowds struct {
	mu   sync.Mutex
	best map[string][]Hit // by crowd; nil: it was asked for once, and its hits are not known
}

// find returns the hits of a crowd, nil when they are not known. again reports whether it
// was asked for before.
func (c *crowds) find(crowd []byte) (hits []Hit, again bool) {
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

// keep keeps the hits of a crowd, which must not be changed any more.
func (c *crowds) keep(crowd []byte, hits []Hit) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.best[string(crowd)] = hits
}

// BestInto appends to dst the hits of Search, for those who ask for many tools by their
// own words. Where all tools share a word, all of them tie for it in each of these queries,
// and scoring them every time costs the square of their number. So BestInto divides a query
// into the words that many tools have and the others. The best tools for the first are
// searched once and remembered, in up to 7 MB; those that have one of the others get their
// score. Both together have the k best: a tool with none of the others has the same score
// for the first words alone, and no tool has less for the whole query than for a part.
func (x *Index) BestInto(dst []Hit, query string, k int) []Hit {
	s := x.acquire(query)
	defer x.release(s)
	if !s.scoreCrowded(query, k) {
		return x.SearchInto(dst, query, k).Hits
	}
	return append(dst, s.hits[:min(k, len(s.hits))]...)
}

// scoreCrowded leaves in hits the best hits of a query with crowded words, sorted, k or
// more. It reports false when the query has no crowded words, when its other words are in many
// tools, and when its crowded words are asked for the first time.
func (s *searcher) scoreCrowded(query string, k int) bool {
	crowded, holders := 0, 0
	for i := range s.terms {
		if df := int(s.terms[i].df); df >= crowdedFrom {
			crowded++
		} else {
			holders += df
		}
	}
	if crowded == 0 || holders > fewHolders || k <= 0 || len(s.terms) > postings.MaxTerms {
		return false
	}
	crowd := binary.AppendUvarint(nil, uint64(k))
	for _, i := range s.order {
		if t := &s.terms[i]; t.df >= crowdedFrom {
			crowd = binary.LittleEndian.AppendUint32(crowd, t.id)
		}
	}
	best, again := s.x.crowds.find(crowd)
	if !again {
		return false
	}
	if best == nil {
		best = s.searchCrowd(query, k)
		s.x.crowds.keep(crowd, best)
	}
	s.docs = s.docs[:0]
	for _, h := range best {
		s.docs = append(s.docs, uint32(h.Doc))
	}
	for i := range s.terms {
		if t := &s.terms[i]; t.df < crowdedFrom {
			for doc := range s.x.lists.Postings(s.x.lists.Term(t.id)) {
				s.docs = append(s.docs, doc)
			}
		}
	}
	slices.Sort(s.docs)
	s.hits = s.hits[:0]
	for _, doc := range slices.Compact(s.docs) {
		s.hits = append(s.hits, Hit{Doc: int(doc), Score: s.score(doc)})
	}
	slices.SortFunc(s.hits, compareHits)
	return true
}

// searchCrowd returns the best hits of the crowded words of a query.
func (s *searcher) searchCrowd(query string, k int) []Hit {
	var text []byte
	var room [64]byte
	for token, i := nextToken(room[:0], query, 0); len(token) > 0; token, i = nextToken(token[:0], query, i) {
		if _, df := s.x.term(token); df >= crowdedFrom {
			text = append(append(text, token...), ' ')
		}
	}
	return s.x.Search(string(text), k).Hits
}
