package retrieval

import "slices"

// Lists are the postings of one catalog of documents. They never change and
// are safe for concurrent use.
type Lists struct {
	size  int    // documents
	terms []Term // by number

	docs    []uint32 // of the sparse terms, term by term: documents, ascending,
	impacts []uint16 // and impacts
	notes   []uint16 // and notes, if there are any

	columns []group  // impacts of the dense terms, groups(size) each; 0: not in the document
	bitmaps []uint64 // documents of the dense terms, words(size) each

	noteColumns []uint16 // notes of the dense terms, size each; 0: not in the document
}

// Term has the figures of a term in a catalog and where its postings are. The zero
// value is a term that no document has.
type Term struct {
	DF    uint32 // documents that have it
	Max   uint16 // its largest impact
	Dense bool   // its impacts are a column

	start uint32 // first posting; of a dense term, the number of its column
}

// denseShare: a term is dense when at least one of denseShare documents has it. A
// column of 2 bytes per document is then at most a third larger than postings of 6
// bytes, is read without jumps, and has the impact of any document at once.
const denseShare = 8

// Len returns the number of documents.
func (l *Lists) Len() int { return l.size }

// Terms returns the number of terms, with those that no document has.
func (l *Lists) Terms() int { return len(l.terms) }

// Term returns a term, or the zero value when the term was added to the dictionary
// after the lists were built.
func (l *Lists) Term(id uint32) Term {
	if int(id) >= len(l.terms) {
		return Term{}
	}
	return l.terms[id]
}

// Impact returns the impact of a term in a document, 0 when the document does not
// have it. For a sparse term it costs a binary search.
func (l *Lists) Impact(t Term, doc uint32) uint16 {
	if t.Dense {
		return impactOf(l.column(t), doc)
	}
	docs, impacts := l.Sparse(t)
	if i, ok := slices.BinarySearch(docs, doc); ok {
		return impacts[i]
	}
	return 0
}

// Sparse returns the documents, ascending, and impacts of a term that is not
// dense. They must not be changed.
func (l *Lists) Sparse(t Term) (docs []uint32, impacts []uint16) {
	return l.docs[t.start:][:t.DF], l.impacts[t.start:][:t.DF]
}

// SparseNotes returns the documents, ascending, and notes of a term that is not dense.
// They must not be changed. The lists must have notes.
func (l *Lists) SparseNotes(t Term) (docs []uint32, notes []uint16) {
	return l.docs[t.start:][:t.DF], l.notes[t.start:][:t.DF]
}

// DenseNotes returns the note of a dense term in each document, 0 in those that do not
// have it. It must not be changed. The lists must have notes.
func (l *Lists) DenseNotes(t Term) []uint16 {
	return l.noteColumns[int(t.start)*l.size:][:l.size]
}

// Postings calls yield with the documents, ascending, and impacts of a term,
// until it returns false.
func (l *Lists) Postings(t Term) func(yield func(doc uint32, impact uint16) bool) {
	return func(yield func(uint32, uint16) bool) {
		if !t.Dense {
			docs, impacts := l.Sparse(t)
			for i, doc := range docs {
				if !yield(doc, impacts[i]) {
					return
				}
			}
			return
		}
		column := l.column(t)
		for doc := range uint32(l.size) {
			if impact := impactOf(column, doc); impact > 0 && !yield(doc, impact) {
				return
			}
		}
	}
}

// column returns the impacts of a dense term, see columns.go.
func (l *Lists) column(t Term) []group {
	n := groups(l.size)
	return l.columns[int(t.start)*n:][:n]
}

// bitmap returns the documents of a dense term.
func (l *Lists) bitmap(t Term) []uint64 {
	n := bitmapWords(l.size)
	return l.bitmaps[int(t.start)*n:][:n]
}

// bitmapWords returns the length of a bitmap of n documents.
func bitmapWords(n int) int { return (n + 63) / 64 }
