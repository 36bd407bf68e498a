package fielded

import (
	"math"
	"slices"

	"caliper/engine/retrieval"
)

// QueryWord is a word of a query as it is looked up.
type QueryWord struct {
	Stem string
	IDF  float64 // where no tool has it, the idf of such a word
}

// Addition is what a document gains beside its score.
type Addition struct {
	Doc   uint32
	Value float64 // above 0
}

// Words returns the distinct words of a query, without stop words, in the order in which
// they are first said.
func (x *Index) Words(query string) []QueryWord {
	s := x.acquire(query)
	defer x.release(s)
	return slices.Clone(s.readWords())
}

// readWords returns the distinct words of the query. They are overwritten by the next
// query.
func (s *searcher) readWords() []QueryWord {
	s.said = s.said[:0]
	for i := range s.queryWords {
		o := &s.queryWords[i]
		w := QueryWord{Stem: string(s.query.stems[o.from:o.to])}
		if o.term >= 0 {
			w.IDF = s.terms[o.term].idf
		}
		if w.IDF == 0 {
			w.IDF = s.x.recipe.idf(0, s.x.Len(), 0)
		}
		s.said = append(s.said, w)
	}
	return s.said
}

// SearchAdding is SearchInto, where documents gain beside their scores: the score of a
// document is that of Search, 0 where Search does not find it, plus its addition. add
// returns the additions for the words of the query, each document once.
//
// Only documents with an addition are asked for beside the k best: without one, a
// document is among the k best only if it is among those of Search. One that is no
// candidate has at most the score of the last candidate, so its record is read only if
// its addition lifts that above the worst of k documents that are known.
func (x *Index) SearchAdding(dst []retrieval.Hit, query string, k int, add func(words []QueryWord) []Addition) retrieval.Result {
	if k <= 0 {
		return retrieval.Result{Hits: dst}
	}
	s := x.acquire(query)
	defer x.release(s)
	added := add(s.readWords())
	s.rank(k, 0)
	s.gain(added, k)
	sortFirst(s.gained, k, compareGained)
	for _, g := range s.gained[:min(k, len(s.gained))] {
		dst = append(dst, retrieval.Hit{Doc: int(g.Doc), Score: g.Value})
	}
	return retrieval.Result{Hits: dst}
}

// ScoredAdding returns how many documents a search with additions finds: the number of
// hits of SearchAdding without a limit.
func (x *Index) ScoredAdding(query string, add func(words []QueryWord) []Addition) int {
	count := x.Scored(query)
	s := x.acquire(query)
	defer x.release(s)
	for _, a := range add(s.readWords()) {
		if slices.Contains(s.pinned, a.Doc) {
			continue
		}
		r := s.scanDocument(a.Doc)
		s.forget(r)
		if r.bm25f == 0 {
			count++
		}
	}
	return count
}

// gain sets gained to all documents that can be among the k best, with their scores and
// additions together.
func (s *searcher) gain(added []Addition, k int) {
	s.gained = s.gained[:0]
	least := math.Inf(1) // the most that a document scores that is no candidate
	for _, r := range s.ranking {
		s.gained = append(s.gained, Addition{r.doc, r.score})
		least = min(least, r.score)
	}
	if len(s.ranking) == 0 {
		least = 0
	}
	rest := s.scanned[len(s.candidates):]
	for i := range rest {
		s.gained = append(s.gained, Addition{rest[i].doc, rest[i].behind})
	}
	if s.place == nil {
		s.place = map[uint32]int{}
	}
	clear(s.place)
	for i, g := range s.gained {
		s.place[g.Doc] = i
	}
	known := len(s.gained)
	s.spareAdded = s.spareAdded[:0]
	for _, a := range added {
		if at, ok := s.place[a.Doc]; ok {
			s.gained[at].Value += a.Value
		} else {
			s.spareAdded = append(s.spareAdded, a)
		}
	}
	worst := 0.0 // of k known documents
	if known >= k {
		selectFirst(s.gained, k, compareGained)
		worst = s.gained[0].Value
		for _, g := range s.gained[:k] {
			worst = min(worst, g.Value)
		}
	}
	for _, a := range s.spareAdded {
		if a.Value+least < worst {
			continue
		}
		r := s.scanDocument(a.Doc)
		s.forget(r)
		s.gained = append(s.gained, Addition{a.Doc, s.scoreBehind(r.bm25f) + a.Value})
	}
}

// compareGained orders by score, the highest first, then by document.
func compareGained(a, b Addition) int { return compare(a.Value, b.Value, a.Doc, b.Doc) }
