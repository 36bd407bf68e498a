package retrieval

import (
	"math"
	"slices"
	"sync"
	"unicode/utf8"

	"caliper/model/words"
)

// Sizes of the formula.
const (
	atLarge       = 3000 // tools that the idf of a word is counted in
	requestWeight = 0.5  // what a word weighs in a query that requests are phrased with
	maxWords      = 1024 // different words of a query; the others are not read
	maxTextBytes  = 1 << 16
)

// evidenceStems remembers the stems of words.
var evidenceStems StemMemory

// commonWords returns the idf of every stem that tools at large have.
var commonWords = sync.OnceValue(func() map[string]float64 {
	l := EnglishLexicon()
	known := make(map[string]float64, len(l.Stems))
	for i, s := range l.Stems {
		known[s] = idfAtLarge(l.Background[i])
	}
	return known
})

// idfAtLarge returns the idf of a word that a share of the tools at large have.
func idfAtLarge(share float64) float64 {
	n := float64(atLarge * share)
	return math.Log(1 + (atLarge-n+0.5)/(n+0.5))
}

// commonIDF returns the idf of a stem.
func commonIDF(stem string) float64 {
	if v, ok := commonWords()[stem]; ok {
		return v
	}
	return idfAtLarge(0)
}

// evidenceReader is the memory of one query. It is used again by the next one.
type evidenceReader struct {
	cutter words.Cutter
	text   []byte

	words   map[string]int // of the query, by stem
	weights []float64      // of the words
	total   float64        // of the weights
	seen    []bool         // of the words: the hit has it
	covered float64        // weight of those
	names   []string       // distinct stems of the hit's name
}

var evidenceReaders = sync.Pool{New: func() any { return &evidenceReader{words: map[string]int{}} }}

// each calls visit with the words of a text in order, in lower case and without stop
// words, and with their stems.
func (r *evidenceReader) each(text string, visit func(word []byte, stem string)) {
	r.text = append(r.text[:0], text[:min(len(text), maxTextBytes)]...)
	r.cutter.Cut(r.text)
	l := EnglishLexicon()
	for word := r.cutter.Next(); word != nil; word = r.cutter.Next() {
		switch {
		case l.Kind(word) == StopWord:
		case slices.ContainsFunc(word, func(c byte) bool { return c >= utf8.RuneSelf }):
			visit(word, string(word)) // beyond ASCII a word is its own stem
		default:
			visit(word, evidenceStems.English(word))
		}
	}
}

// readQuery reads the words of a query.
func (r *evidenceReader) readQuery(query string) {
	clear(r.words)
	r.weights, r.total = r.weights[:0], 0
	l := EnglishLexicon()
	r.each(query, func(word []byte, stem string) {
		if _, known := r.words[stem]; known || len(r.weights) == maxWords {
			return
		}
		weight := commonIDF(stem)
		if l.Kind(word) == RequestWord {
			weight *= requestWeight
		}
		r.words[stem] = len(r.weights)
		r.weights = append(r.weights, weight)
		r.total += weight
	})
	r.seen = slices.Grow(r.seen[:0], len(r.weights))[:len(r.weights)]
}

// readHit returns the share of the query that a hit has, and the share of its name that
// the query has.
func (r *evidenceReader) readHit(h *Found) (covered, named float64) {
	clear(r.seen)
	r.covered, r.names = 0, r.names[:0]
	whole, said := 0.0, 0.0
	r.each(h.Tool.Name, func(_ []byte, stem string) {
		if slices.Contains(r.names, stem) {
			return
		}
		r.names = append(r.names, stem)
		whole += commonIDF(stem)
		if r.cover(stem) {
			said += commonIDF(stem)
		}
	})
	visit := func(_ []byte, stem string) { r.cover(stem) }
	r.each(h.Tool.Toolset, visit)
	r.each(h.Tool.Description, visit)
	h.Tool.EachPropertyName(func(name []byte) { r.each(string(name), visit) })
	for _, stem := range h.Taught {
		r.cover(stem)
	}
	if r.total > 0 {
		covered = min(1, r.covered/r.total)
	}
	if whole > 0 {
		named = min(1, said/whole)
	}
	return covered, named
}

// cover counts a word of the hit, and reports whether the query has it.
func (r *evidenceReader) cover(stem string) bool {
	at, ok := r.words[stem]
	if ok && !r.seen[at] {
		r.seen[at] = true
		r.covered += r.weights[at]
	}
	return ok
}
