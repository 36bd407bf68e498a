package retrieval

import "sync"

// Index is the searchable form of one catalog. It never changes and is safe
// for concurrent use.
type Index struct {
	params    Params
	avgdl     float64    // mean number of tokens of a document
	dict      dictionary // frozen; numbers terms of other catalogs too
	documents [][]uint32 // tokens of each document, shared with the corpus
	terms     []term     // by term number

	docs    []uint32 // postings of the sparse terms, term by term: documents, ascending,
	impacts []uint16 // and impacts

	columns []uint16 // impacts of the dense terms, one column of len(documents) per term; 0: not in the document
	bitmaps []uint64 // documents of the dense terms, one bitmap of words(len(documents)) per term

	names     nameList
	champions champions
	searchers sync.Pool
}

// term is where one term's impacts are.
type term struct {
	start uint32 // first posting; of a dense term, the number of its column
	df    uint32 // documents that hold it; 0: not in this catalog
	max   uint16 // largest impact
	dense bool
}

// denseShare makes a term dense when it stands in one document of so many or
// more. A column of 2 bytes per document is then at most a third larger than
// postings of 6, is read without jumps, and answers for any document at once.
const denseShare = 8

// Len returns the number of documents.
func (x *Index) Len() int { return len(x.documents) }

// Stats describes an index.
type Stats struct {
	Docs     int     // documents
	Terms    int     // distinct terms
	Tokens   int     // tokens of all documents
	Postings int     // pairs of document and term
	AvgDL    float64 // tokens per document; 0 when there is none
}

// Stats returns the figures of the index. It costs a pass over the terms.
func (x *Index) Stats() Stats {
	s := Stats{Docs: len(x.documents), AvgDL: x.avgdl}
	for _, t := range x.terms {
		if t.df > 0 {
			s.Terms++
			s.Postings += int(t.df)
		}
	}
	for _, d := range x.documents {
		s.Tokens += len(d)
	}
	return s
}

// words returns the length of a bitmap of n documents.
func words(n int) int { return (n + 63) / 64 }

// column returns the impacts of a dense term.
func (x *Index) column(t term) []uint16 {
	n := len(x.documents)
	return x.columns[int(t.start)*n:][:n]
}

// bitmap returns the documents of a dense term.
func (x *Index) bitmap(t term) []uint64 {
	n := words(len(x.documents))
	return x.bitmaps[int(t.start)*n:][:n]
}

// postings returns the documents and impacts of a sparse term.
func (x *Index) postings(t term) ([]uint32, []uint16) {
	return x.docs[t.start:][:t.df], x.impacts[t.start:][:t.df]
}
