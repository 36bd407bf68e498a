package fielded

import "slices"

// collector is the memory in which many documents are scanned at a time. It is used
// again by the next query.
type collector struct {
	places    []uint32 // of each document of the index: its place in the list that is scanned or gains + 1; 0 between lists
	collected []uint64 // what was found: place + 1, index of the term, and note, in 16 bits each
	ends      []uint32 // by place + 1: where what was found there ends in byPlace
	byPlace   []uint64 // what was found as sum reads it
}

// recordCost is how many postings are read in the time in which one record is scanned.
const recordCost = 128

// collectable reports whether it costs less to read the postings of the query than the
// records of n documents.
func (s *searcher) collectable(n int) bool {
	work := 0
	for i := range s.terms {
		if t := s.x.lists.Term(s.terms[i].term); t.Dense {
			work += n
		} else {
			work += int(t.DF)
		}
	}
	return work <= n*recordCost
}

// collect scans documents as scanDocument does, and adds them to scanned. It reads the postings of the query with their notes.
func (s *searcher) collect(docs []uint32) {
	c := &s.collector
	c.number(docs, s.x.Len())
	c.collected = c.collected[:0]
	for i := range s.terms {
		switch t := s.x.lists.Term(s.terms[i].term); {
		case t.DF == 0:
		case t.Dense:
			c.collectDense(uint64(i), docs, s.x.lists.DenseNotes(t))
		default:
			having, notes := s.x.lists.SparseNotes(t)
			c.collectSparse(uint64(i), having, notes)
		}
	}
	c.forgetPlaces(docs)
	s.orderByPlace(docs)
	n, from := len(s.scanned), uint32(0)
	s.scanned = slices.Grow(s.scanned, len(docs))[:n+len(docs)]
	for i, doc := range docs {
		r := &s.scanned[n+i]
		s.sum(r, doc, c.byPlace[from:c.ends[i+1]])
		s.largest = max(s.largest, r.bm25f)
		from = c.ends[i+1]
	}
}

// placesOf returns the places of the documents of an index of so many.
func (c *collector) placesOf(size int) []uint32 {
	if len(c.places) < size {
		c.places = make([]uint32, size)
	}
	return c.places
}

// number sets the places of documents of an index of so many.
func (c *collector) number(docs []uint32, size int) {
	places := c.placesOf(size)
	for i, doc := range docs {
		places[doc] = uint32(i + 1)
	}
}

// forgetPlaces undoes number.
func (c *collector) forgetPlaces(docs []uint32) {
	for _, doc := range docs {
		c.places[doc] = 0
	}
}

// collectSparse collects the documents of a sparse term that are in the list. Every
// document is written; the place moves on only if it is in the list. A branch here
// would often be mispredicted.
func (c *collector) collectSparse(term uint64, docs []uint32, notes []uint16) {
	n := len(c.collected)
	c.collected = slices.Grow(c.collected, len(docs))
	out, places, kept := c.collected[n:n+len(docs)], c.places, 0
	notes = notes[:len(docs)]
	for i, doc := range docs {
		place := uint64(places[doc])
		out[kept] = place<<32 | term<<16 | uint64(notes[i])
		kept += isSet(place)
	}
	c.collected = c.collected[:n+kept]
}

// collectDense collects the documents of the list that have a dense term.
func (c *collector) collectDense(term uint64, docs []uint32, notes []uint16) {
	n := len(c.collected)
	c.collected = slices.Grow(c.collected, len(docs))
	out, kept := c.collected[n:n+len(docs)], 0
	for i, doc := range docs {
		note := uint64(notes[doc])
		out[kept] = uint64(i+1)<<32 | term<<16 | note
		kept += isSet(note)
	}
	c.collected = c.collected[:n+kept]
}

// isSet returns 1 for a number of up to 32 bits that is not 0, without a branch.
func isSet(number uint64) int { return int((number + 1<<32 - 1) >> 32) }

// orderByPlace sorts what was collected by place, and leaves the terms of a place in
// their order (a counting sort).
func (s *searcher) orderByPlace(docs []uint32) {
	c := &s.collector
	c.ends = slices.Grow(c.ends[:0], len(docs)+1)[:len(docs)+1]
	clear(c.ends)
	for _, f := range c.collected {
		c.ends[f>>32]++
	}
	sum := uint32(0)
	for i, n := range c.ends { // where each begins
		c.ends[i], sum = sum, sum+n
	}
	c.byPlace = slices.Grow(c.byPlace[:0], len(c.collected))[:len(c.collected)]
	for _, f := range c.collected {
		place, at, tally := f>>32, f>>16&(1<<16-1), f&(1<<16-1)-1
		if tally == manyTallies-1 {
			tally = uint64(s.tallyOf(docs[place-1], s.terms[at].term))
		}
		c.byPlace[c.ends[place]] = at<<32 | tally
		c.ends[place]++
	}
}

// tallyOf returns the number of the tally of a term that a document has more than
// once.
func (s *searcher) tallyOf(doc, term uint32) uint32 {
	r := s.x.documents[doc].record
	return r.tallies()[slices.Index(r.often(), term)]
}
