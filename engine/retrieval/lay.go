package retrieval

import (
	"context"
	"fmt"
	"math"
	"sync"

	"caliper/model"
)

// laying is the work of making one index: documents are split into parts, one
// per core, whose postings are first counted and then written, each part into
// its own range of every term's postings.
type laying struct {
	*Index
	tools []*model.Tool
	parts []part
}

// part is a range of documents and, per term, where its next posting goes.
type part struct {
	from, to int
	tokens   int
	counts   []uint32 // documents of the part that hold the term
	cursors  []cursor
	names    nameList
}

// cursor is the state of one term while a part is written.
type cursor struct {
	next  uint32 // next posting, or the number of the column
	max   uint16
	dense bool
}

// lay makes the index of documents whose tokens dict numbers.
func lay(ctx context.Context, dict dictionary, tools []*model.Tool, documents [][]uint32, p Params) (*Index, error) {
	l := laying{
		Index: &Index{params: p, dict: dict, documents: documents, terms: make([]term, dict.len())},
		tools: tools,
	}
	l.split()
	if err := l.each(ctx, l.count); err != nil {
		return nil, err
	}
	if err := l.place(); err != nil {
		return nil, err
	}
	if err := l.each(ctx, l.write); err != nil {
		return nil, err
	}
	l.join()
	x := l.Index // what the searchers refer to: not the laying and its tools
	x.searchers.New = func() any { return newSearcher(x) }
	return x, nil
}

// split makes the parts. They begin at multiples of 64, so that no two write
// to one word of a bitmap.
func (l *laying) split() {
	n := len(l.documents)
	l.parts = make([]part, workers(n))
	for i := range l.parts {
		l.parts[i].from = n * i / len(l.parts) &^ 63
		l.parts[i].to = n
		if i > 0 {
			l.parts[i-1].to = l.parts[i].from
		}
	}
}

// each runs step for a batch of documents after another of each part, the
// parts at the same time, until the context ends.
func (l *laying) each(ctx context.Context, step func(p *part, from, to int)) error {
	var wg sync.WaitGroup
	for i := range l.parts {
		wg.Go(func() {
			p := &l.parts[i]
			for from := p.from; from < p.to && ctx.Err() == nil; from += batch {
				step(p, from, min(from+batch, p.to))
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}

// count counts the postings of some documents, and takes their names.
func (l *laying) count(p *part, from, to int) {
	if p.counts == nil {
		p.counts = make([]uint32, len(l.terms))
	}
	for doc := from; doc < to; doc++ {
		tokens := l.documents[doc]
		p.tokens += len(tokens)
		last := uint32(math.MaxUint32)
		for _, id := range tokens {
			if id != last {
				p.counts[id]++
				last = id
			}
		}
	}
	p.names.add(l.tools[from:to])
}

// place decides which terms are dense and where each part writes.
func (l *laying) place() error {
	n, tokens := len(l.documents), 0
	for _, p := range l.parts {
		tokens += p.tokens
		for id, count := range p.counts {
			l.terms[id].df += count
		}
	}
	if tokens == 0 {
		return nil
	}
	l.avgdl = float64(tokens) / float64(n)
	var postings, columns uint64
	for id := range l.terms {
		t := &l.terms[id]
		if t.df == 0 {
			continue
		}
		if t.dense = uint64(t.df)*denseShare >= uint64(n); t.dense {
			t.start = uint32(columns)
			columns++
		} else {
			t.start = uint32(postings)
			postings += uint64(t.df)
		}
	}
	if postings > math.MaxUint32 {
		return fmt.Errorf("bm25: %d postings: want at most %d", postings, uint32(math.MaxUint32))
	}
	l.docs, l.impacts = make([]uint32, postings), make([]uint16, postings)
	l.columns = make([]uint16, columns*uint64(n))
	l.bitmaps = make([]uint64, columns*uint64(words(n)))
	l.cursors()
	return nil
}

// cursors sets the cursors of all parts.
func (l *laying) cursors() {
	for i := range l.parts {
		l.parts[i].cursors = make([]cursor, len(l.terms))
	}
	for id, t := range l.terms {
		if t.df == 0 {
			continue
		}
		c := cursor{next: t.start, dense: t.dense}
		for i := range l.parts {
			p := &l.parts[i]
			p.cursors[id] = c
			if !t.dense && p.counts != nil {
				c.next += p.counts[id]
			}
		}
	}
}

// write writes the postings of some documents.
func (l *laying) write(p *part, from, to int) {
	n, w := len(l.documents), words(len(l.documents))
	for doc := from; doc < to; doc++ {
		tokens := l.documents[doc]
		if len(tokens) == 0 {
			continue
		}
		norm := l.params.lengthNorm(len(tokens), l.avgdl)
		once := impact(1, norm)
		for i := 0; i < len(tokens); {
			id, tf := tokens[i], 1
			for i++; i < len(tokens) && tokens[i] == id; i++ {
				tf++
			}
			value := once
			if tf > 1 {
				value = impact(tf, norm)
			}
			c := &p.cursors[id]
			c.max = max(c.max, value)
			if c.dense {
				l.columns[int(c.next)*n+doc] = value
				l.bitmaps[int(c.next)*w+doc/64] |= 1 << (doc % 64)
				continue
			}
			l.docs[c.next], l.impacts[c.next] = uint32(doc), value
			c.next++
		}
	}
}

// join takes together what the parts found.
func (l *laying) join() {
	size := 0
	for _, p := range l.parts {
		for id, c := range p.cursors {
			l.terms[id].max = max(l.terms[id].max, c.max)
		}
		size += len(p.names.text)
	}
	l.names = nameList{text: make([]byte, 0, size), ends: make([]int, 0, len(l.documents))}
	for _, p := range l.parts {
		l.names.join(p.names)
	}
}
