package fielded

import (
	"math"
	"slices"

	"caliper/engine/retrieval"
)

// QueryWord is a word of a query as it is looked up.
type QueryWord struct {
	Stem   string
	IDF    float64 // where no tool has it, the idf of such a word
	Weight float64 // in the query
	Held   bool    // a tool has it
}

// Addition is the gain of a document beside its score.
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

// Written returns the words of Words as the query writes them.
func (x *Index) Written(query string) (list []string) {
	s := x.acquire(query)
	defer x.release(s)
	for i := range s.queryWords {
		list = append(list, s.wordOf(uint32(i)))
	}
	return list
}

// asked returns the query without candidates.
func (s *searcher) asked() Asked {
	s.saidAt = s.saidAt[:0]
	for i := range s.tokens {
		t := &s.tokens[i]
		if t.word < 0 {
			continue
		}
		said := Said{t.word, t.sentence}
		if s.sentences == 0 {
			said.Sentence = -1
		}
		s.saidAt = append(s.saidAt, said)
	}
	return Asked{Words: s.readWords(), Said: s.saidAt}
}

// Ask calls ask with a query, without candidates.
func (x *Index) Ask(query string, ask func(Asked)) {
	s := x.acquire(query)
	defer x.release(s)
	ask(s.asked())
}

// readWords returns the distinct words of the query. They are overwritten by the next
// query.
func (s *searcher) readWords() []QueryWord {
	s.said = s.said[:0]
	for i := range s.queryWords {
		o := &s.queryWords[i]
		w := QueryWord{Stem: string(s.query.stems[o.from:o.to]), Weight: o.weight}
		if o.term >= 0 {
			w.IDF = s.terms[o.term].idf
		}
		if w.Held = w.IDF > 0; !w.Held {
			w.IDF = s.x.recipe.idf(0, s.x.Len(), 0)
		}
		s.said = append(s.said, w)
	}
	return s.said
}

// Asked is a query whose gains SearchAdding asks for. It is overwritten by the
// next one.
type Asked struct {
	Words      []QueryWord
	Said       []Said     // in order
	Candidates []Addition // the tools that are scored in full, with their scores, in no order
	Best       float64    // the best of these scores
}

// Said is one occurrence of a word in a query.
type Said struct {
	Word     int32 // its index in Words
	Sentence int32 // -1: the query has one sentence, or more than are counted
}

// Gain is the gains of documents beside their scores.
type Gain struct {
	Added []Addition // each document once
	Share float64    // of its score: what a document gains that is not Known; 0 or more
	Known func(doc uint32) bool
}

// SearchAdding is SearchInto, where documents gain beside their scores: the score of a
// document is Search's, 0 where Search does not find it, plus its addition, or plus
// a share of its score. gain returns what they gain for a query.
//
// A document that gains a share stays behind those that gain it too and are before it in
// Search. So the k best are among the first of Search and those with an addition, as soon
// as the score of the last of the first, with its share, is below those of k known ones;
// more are searched for until it is. A document with an addition that is not among them
// has at most the score of the last candidate, so its record is read only if its addition
// lifts that above the worst of k documents that are known.
func (x *Index) SearchAdding(dst []retrieval.Hit, query string, k int, gain func(Asked) Gain) retrieval.Result {
	if k <= 0 {
		return retrieval.Result{Hits: dst}
	}
	const grows = 8
	for depth := max(k, x.recipe.Candidates); ; depth *= grows {
		s := x.acquire(query)
		s.rank(depth)
		best := s.gather()
		a := s.asked()
		a.Candidates, a.Best = s.gained[:len(s.ranking)], best
		g := gain(a)
		least := math.Inf(-1) // the most that a document scores that was not gathered
		if g.Share > 0 && len(s.gained) >= depth && depth < x.Len() {
			slices.SortFunc(s.gained, compareGained)
			least = s.gained[depth-1].Value
		}
		s.gain(g, k)
		slices.SortFunc(s.gained, compareGained)
		all := math.IsInf(least, -1) || s.gained[k-1].Value > least+float64(least*g.Share)
		if all {
			for _, known := range s.gained[:min(k, len(s.gained))] {
				dst = append(dst, retrieval.Hit{Doc: int(known.Doc), Score: known.Value})
			}
		}
		x.release(s)
		if all {
			return retrieval.Result{Hits: dst}
		}
	}
}

// Compared is a document with what it gains, apart from its score.
type Compared struct {
	Addition
	Score float64 // 0 where Search does not find it
	Other float64 // what it gains whatever Value is
}

// Compare returns the documents that SearchAdding ranks for the additions of a query, with
// some fewer than it would read: the candidates of Search, and those with an addition, of
// which there are two kinds.
func (x *Index) Compare(query string, add func(Asked) (values, others []Addition)) []Compared {
	s := x.acquire(query)
	defer x.release(s)
	s.rank(0)
	best := s.gather()
	out, place := make([]Compared, len(s.gained)), make(map[uint32]int, len(s.gained))
	for i, known := range s.gained {
		out[i], place[known.Doc] = Compared{Addition: Addition{Doc: known.Doc}, Score: known.Value}, i
	}
	of := func(doc uint32) *Compared {
		at, ok := place[doc]
		if !ok {
			r := s.scanDocument(doc)
			s.forget(r)
			at, place[doc] = len(out), len(out)
			out = append(out, Compared{Addition: Addition{Doc: doc}, Score: s.scoreBehind(r.bm25f)})
		}
		return &out[at]
	}
	a := s.asked()
	a.Candidates, a.Best = s.gained[:len(s.ranking)], best
	values, others := add(a)
	for _, g := range values {
		of(g.Doc).Value = g.Value
	}
	for _, g := range others {
		of(g.Doc).Other = g.Value
	}
	return out
}

// ScoredAdding returns how many documents a search with additions finds: the number of
// hits of SearchAdding without a limit.
func (x *Index) ScoredAdding(query string, add func(Asked) []Addition) int {
	count := x.Scored(query)
	s := x.acquire(query)
	defer x.release(s)
	for _, a := range add(s.asked()) {
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

// gather sets gained to the candidates and the rest, with their scores, and returns
// the best one.
func (s *searcher) gather() (best float64) {
	s.gained = s.gained[:0]
	for _, r := range s.ranking {
		s.gained = append(s.gained, Addition{r.doc, r.final()})
		best = max(best, r.final())
	}
	for _, h := range s.rest {
		s.gained = append(s.gained, Addition{uint32(h.Doc), h.Score})
	}
	return best
}

// gain adds what documents gain to those gathered, and those that gain enough to be among
// the k best.
func (s *searcher) gain(g Gain, k int) {
	least := math.Inf(1) // the most that a document scores that is no candidate
	for _, r := range s.ranking {
		least = min(least, r.final())
	}
	if len(s.ranking) == 0 {
		least = 0
	}
	places := s.places
	for i := range s.gained {
		known := &s.gained[i]
		places[known.Doc] = uint32(i + 1)
		if g.Share > 0 && !g.Known(known.Doc) {
			known.Value += float64(known.Value * g.Share)
		}
	}
	known := len(s.gained)
	s.spareAdded = s.spareAdded[:0]
	for _, a := range g.Added {
		if at := places[a.Doc]; at > 0 {
			s.gained[at-1].Value += a.Value
		} else {
			s.spareAdded = append(s.spareAdded, a)
		}
	}
	for _, known := range s.gained {
		places[known.Doc] = 0
	}
	worst := 0.0 // of k known documents
	if known >= k {
		slices.SortFunc(s.gained, compareGained)
		worst = s.gained[k-1].Value
	}
	for _, a := range s.spareAdded {
		share := 0.0
		if g.Share > 0 && !g.Known(a.Doc) {
			share = g.Share
		}
		if a.Value+least+float64(least*share) < worst {
			continue
		}
		r := s.scanDocument(a.Doc)
		s.forget(r)
		score := s.scoreBehind(r.bm25f)
		s.gained = append(s.gained, Addition{a.Doc, score + float64(score*share) + a.Value})
	}
}

// compareGained orders by score, the highest first, then by document.
func compareGained(a, b Addition) int { return compare(a.Value, b.Value, a.Doc, b.Doc) }

// RankBySearch is the Rank of a ranker that adds to the scores of fielded. It asks for more
// and more of the best until the document is among them.
func RankBySearch(x retrieval.Ranker, query string, doc int) (rank int, score float64, ok bool) {
	if doc < 0 || doc >= x.Len() {
		return 0, 0, false
	}
	const first, grows = 64, 8
	for k := first; ; k *= grows {
		hits := x.Search(query, k).Hits
		for i, h := range hits {
			if h.Doc == doc {
				return i + 1, h.Score, true
			}
		}
		if len(hits) < k || k >= x.Len() {
			return 0, 0, false
		}
	}
}
