package retrieval

import (
	"context"
	"fmt"
	"math"
)

// Documents has the documents of which BuildLists makes lists. It is called from several
// goroutines at a time, for different documents. Each method either always appends
// to the slices that it is given, whose memory the next document uses again, or
// always returns its own memory, which is not changed.
type Documents interface {
	// Terms returns the distinct terms of a document, in any order.
	Terms(doc int, empty []uint32) []uint32
	// Postings returns the distinct terms of a document with their impacts, 1 to
	// 65535.
	Postings(doc int, terms []uint32, impacts []uint16) ([]uint32, []uint16)
}

// Notes returns what a caller wants to know of each term that Documents.Postings
// returns for a document, in the same order, as a number of 1 or more. It appends to
// the slice that it is given and is called as Documents is.
type Notes func(doc int, empty []uint16) []uint16

// builder makes Lists. The documents are split into parts, one per core, whose
// postings are first counted and then written, each part into its own range of
// every term's postings.
type builder struct {
	*Lists
	source Documents
	noted  Notes
	parts  []part
}

// part is a range of documents and, per term, where its next posting goes.
type part struct {
	counts  []uint32 // documents of the part that have the term
	cursors []cursor
	terms   []uint32 // memory of one document
	impacts []uint16
	notes   []uint16
}

// cursor is the state of one term while a part is written.
type cursor struct {
	next  uint32 // next posting, or the number of the column
	max   uint16
	dense bool
}

// BuildLists returns the lists of docs documents, whose terms have numbers below terms.
// noted may be nil: the postings have no notes then. It is an error when the context ends and when there are more than 2^32 sparse
// postings; more than 2^32 documents are not supported either.
func BuildLists(ctx context.Context, terms, docs int, source Documents, noted Notes) (*Lists, error) {
	l := builder{
		Lists:  &Lists{size: docs, terms: make([]Term, terms)},
		source: source,
		noted:  noted,
		parts:  make([]part, Parts(docs)),
	}
	for i := range l.parts {
		l.parts[i].counts = make([]uint32, terms)
	}
	if err := Parallel(ctx, docs, len(l.parts), l.count); err != nil {
		return nil, err
	}
	if err := l.allocate(); err != nil {
		return nil, err
	}
	if err := Parallel(ctx, docs, len(l.parts), l.write); err != nil {
		return nil, err
	}
	for _, p := range l.parts {
		for id, c := range p.cursors {
			l.terms[id].Max = max(l.terms[id].Max, c.max)
		}
	}
	return l.Lists, nil // searchers keep it, so it must not keep the builder and its source
}

// count counts the postings of some documents.
func (l *builder) count(i, from, to int) {
	p := &l.parts[i]
	counts, terms := p.counts, p.terms // parts are neighbours in memory, so they are written only here and below
	for doc := from; doc < to; doc++ {
		terms = l.source.Terms(doc, terms[:0])
		for _, id := range terms {
			counts[id]++
		}
	}
	p.terms = terms
}

// allocate decides which terms are dense and where each part writes.
func (l *builder) allocate() error {
	for _, p := range l.parts {
		for id, count := range p.counts {
			l.terms[id].DF += count
		}
	}
	var postings, columns uint64
	for id := range l.terms {
		t := &l.terms[id]
		if t.DF == 0 {
			continue
		}
		if t.Dense = uint64(t.DF)*denseShare >= uint64(l.size); t.Dense {
			t.start = uint32(columns)
			columns++
		} else {
			t.start = uint32(postings)
			postings += uint64(t.DF)
		}
	}
	if postings > math.MaxUint32 {
		return fmt.Errorf("%d postings: want at most %d", postings, uint32(math.MaxUint32))
	}
	l.docs, l.impacts = make([]uint32, postings), make([]uint16, postings)
	l.columns = make([]group, columns*uint64(groups(l.size)))
	l.bitmaps = make([]uint64, columns*uint64(bitmapWords(l.size)))
	if l.noted != nil {
		l.notes, l.noteColumns = make([]uint16, postings), make([]uint16, columns*uint64(l.size))
	}
	for i := range l.parts {
		l.parts[i].cursors = make([]cursor, len(l.terms))
	}
	for id, t := range l.terms {
		c := cursor{next: t.start, dense: t.Dense}
		for i := range l.parts {
			p := &l.parts[i]
			p.cursors[id] = c
			if !t.Dense {
				c.next += p.counts[id]
			}
		}
	}
	return nil
}

// write writes the postings of some documents. No two parts write to one word of
// memory.
func (l *builder) write(i, from, to int) {
	p := &l.parts[i]
	g, w := groups(l.size), bitmapWords(l.size)
	cursors, docs, all, notes := p.cursors, l.docs, l.impacts[:len(l.docs)], l.notes
	terms, impacts := p.terms, p.impacts
	for doc := from; doc < to; doc++ {
		terms, impacts = l.source.Postings(doc, terms[:0], impacts[:0])
		impacts = impacts[:len(terms)]
		if l.noted != nil {
			p.notes = l.noted(doc, p.notes[:0])[:len(terms)]
		}
		for i, id := range terms {
			c, value := &cursors[id], impacts[i]
			c.max = max(c.max, value)
			if c.dense {
				l.columns[int(c.next)*g+doc/4][lane(uint32(doc))] = value
				l.bitmaps[int(c.next)*w+doc/64] |= 1 << (doc % 64)
				if l.noted != nil {
					l.noteColumns[int(c.next)*l.size+doc] = p.notes[i]
				}
				continue
			}
			docs[c.next], all[c.next] = uint32(doc), value
			if l.noted != nil {
				notes[c.next] = p.notes[i]
			}
			c.next++
		}
	}
	p.terms, p.impacts = terms, impacts
}
