package retrieval

import (
	"testing"

	"pgregory.net/rapid"
)

// TestNotes: every posting has the note that was given for it, and a document without
// the term has none.
func TestNotes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := drawBags(t, 300)
		l := b.lay(t)
		for id := range uint32(200) {
			term := l.Term(id)
			notes := make([]uint16, len(b))
			switch {
			case term.DF == 0:
			case term.Dense:
				copy(notes, l.DenseNotes(term))
			default:
				docs, of := l.SparseNotes(term)
				for i, doc := range docs {
					notes[doc] = of[i]
				}
			}
			for doc, note := range notes {
				want := uint16(0)
				if b[doc][id] > 0 {
					want = noteOf(doc, id)
				}
				if note != want {
					t.Fatalf("term %d in document %d has note %d, want %d", id, doc, note, want)
				}
			}
		}
	})
}
