package meaning

import (
	"cmp"
	"math"
	"slices"

	"caliper/engine/retrieval/fielded"
)

// query is a query as its meaning is read.
type query struct {
	words   []queryWord
	counts  []int32     // of the words in the whole query, then in each sentence
	parts   [][]float64 // the directions of the whole query and of its sentences
	plan    []fielded.Weighted
	docs    []uint32 // that are asked; those near come first
	added   []fielded.Addition
	weight  float64 // of meaning
	largest float64 // cosine of a document that is asked
}

// queryWord is a word of a query.
type queryWord struct {
	stem   string
	row    int32 // -1: the table does not know it
	idf    float64
	weight float64 // in the sum, where it is said once
	held   bool    // a tool has it
}

// read reads a query.
func (x *Index) read(q *query, a fielded.Asked) {
	t := x.core.table
	*q = query{}
	for _, w := range a.Words {
		word := queryWord{stem: w.Stem, row: -1, idf: w.IDF, held: w.Held}
		if row, ok := t.Find(w.Stem); ok {
			_, weight := t.Entry(row)
			word.row, word.weight = int32(row), math.Pow(w.IDF*w.Weight/usual, rarity)*weight
		}
		q.words = append(q.words, word)
	}
	parts, n := 1, len(q.words)
	for _, s := range a.Said {
		parts = max(parts, int(s.Sentence)+2)
	}
	q.counts = make([]int32, parts*n)
	for _, s := range a.Said {
		q.counts[s.Word]++
		if s.Sentence >= 0 {
			q.counts[int(s.Sentence+1)*n+int(s.Word)]++
		}
	}
	q.parts = make([][]float64, parts)
	for p := range q.parts {
		q.parts[p] = make([]float64, t.dimension)
		for i, w := range q.words {
			if by := q.weightIn(p, i); by > 0 {
				v, _ := t.Entry(int(w.row))
				v.AddTo(q.parts[p], by)
			}
		}
		scaleToUnit(q.parts[p])
	}
}

// weightIn returns the weight of a word in the sum of a part: 0, the whole query, or one of
// its sentences.
func (q *query) weightIn(part, word int) float64 {
	n := q.counts[part*len(q.words)+word]
	if n == 0 {
		return 0
	}
	return q.words[word].weight * (1 + math.Log(float64(n)))
}

// scaleToUnit makes the Euclidean length of a vector 1, unless it is 0.
func scaleToUnit(v []float64) (length float64) {
	for _, x := range v {
		length += float64(x * x)
	}
	if length = math.Sqrt(length); length == 0 {
		return 0
	}
	for i := range v {
		v[i] /= length
	}
	return length
}

// findNear sets docs to the tools whose words are nearest in meaning to those of the query,
// at most reach.
func (x *Index) findNear(q *query) {
	rarest := q.words
	if len(rarest) > mostWords {
		rarest = slices.Clone(rarest)
		slices.SortStableFunc(rarest, func(a, b queryWord) int { return cmp.Compare(b.idf, a.idf) })
		rarest = rarest[:mostWords]
	}
	planned := map[uint32]int{} // index in plan, by term
	for _, w := range rarest {
		if w.row < 0 {
			continue
		}
		near := x.core.nearTo(w.row)
		for _, n := range near {
			if n.Weight < leastNear && near[0].Weight >= leastNear {
				break
			}
			weight := n.Weight * w.weight * w.idf
			if at, ok := planned[n.Term]; ok {
				q.plan[at].Weight = max(q.plan[at].Weight, weight)
				continue
			}
			planned[n.Term] = len(q.plan)
			q.plan = append(q.plan, fielded.Weighted{Term: n.Term, Weight: weight})
		}
	}
	if len(q.plan) > 0 && x.Len() <= reach {
		for doc := range uint32(x.Len()) {
			q.docs = append(q.docs, doc)
		}
		return
	}
	q.docs = x.words.AppendTop(nil, q.plan, reach)
}

// additions returns what tools gain for their meaning: the candidates of fielded, and the
// tools with near words.
func (x *Index) additions(q *query, a fielded.Asked) []fielded.Addition {
	x.read(q, a)
	x.findNear(q)
	for near, i := q.docs, 0; i < len(a.Candidates); i++ {
		if doc := a.Candidates[i].Doc; !slices.Contains(near, doc) {
			q.docs = append(q.docs, doc)
		}
	}
	q.weight = x.weightFor(q, a.Words)
	for docs := range slices.Chunk(q.docs, four) {
		near, _ := x.meanings(q, docs)
		for i, doc := range docs {
			if near[i] > 0 {
				q.added = append(q.added, fielded.Addition{Doc: doc, Value: near[i]})
				q.largest = max(q.largest, near[i])
			}
		}
	}
	for i := range q.added {
		q.added[i].Value *= x.unitOf(q)
	}
	q.added = slices.DeleteFunc(q.added, func(f fielded.Addition) bool { return f.Value <= 0 })
	return q.added
}

// weightFor returns the weight of meaning for a query: more, the more of it no tool has in
// words.
func (x *Index) weightFor(q *query, words []fielded.QueryWord) float64 {
	whole, strange := 0.0, 0.0
	for i, w := range words {
		whole += w.IDF * w.Weight
		if !w.Held && q.words[i].row >= 0 {
			strange += w.IDF * w.Weight
		}
	}
	if whole == 0 {
		return x.weight
	}
	share := strange / whole
	return x.weight * (1 + strangeTimes*share*share*share*share)
}

// unitOf returns what a meaning is multiplied by.
func (x *Index) unitOf(q *query) float64 {
	switch {
	case x.alone:
		return 1
	case q.largest == 0:
		return 0
	}
	return q.weight / q.largest
}

// meanings returns how near one to four documents are in meaning to a query, and for each the
// sentence, from 1, that is nearest; 0 where none has a part.
func (x *Index) meanings(q *query, docs []uint32) (near [four]float64, sentence [four]int) {
	var units [four]*unit
	for i := range units {
		units[i] = x.core.vector(docs[min(i, len(docs)-1)])
	}
	whole := alongFour(q.parts[0], units)
	for i := range whole {
		whole[i] = max(0, whole[i])
	}
	best := whole
	for p := 1; p < len(q.parts); p++ {
		for i, cosine := range alongFour(q.parts[p], units) {
			if cosine > best[i] {
				best[i], sentence[i] = cosine, p
			}
		}
	}
	for i := range near {
		near[i] = (whole[i] + best[i]) / 2
	}
	return near, sentence
}

// NearWords returns the stems of terms of the catalog that are near in meaning to words of a
// query, each once.
func (x *Index) NearWords(text string) []string {
	q := new(query)
	x.words.Ask(text, func(a fielded.Asked) { x.read(q, a) })
	x.findNear(q)
	var stems []string
	for _, p := range q.plan {
		stem, _ := x.words.Term(p.Term)
		stems = append(stems, string(stem))
	}
	return stems
}
