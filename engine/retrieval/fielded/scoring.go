package fielded

import (
	"slices"

	"caliper/model"
)

// component is one of the values that a score is the sum of.
type component uint8

const (
	bm25f component = iota
	descriptionCoverage
	nameCoverage
	bestSentence
	nameLetters
	neighbourPairs
	argumentKinds
	serverSupport // of the components above
	pin
	components
)

// candidate is a document that is scored by all components.
type candidate struct {
	scanned
	values     [components]float64
	sentence   int32     // the sentence of the query that it answers best; -1: none
	reason     pinReason // why it is pinned
	serverWord bool      // the query also has a word of its toolset
	score      float64   // sum of values
	penalty    float64   // what better ranks take from score: 0 or negative
}

// final returns the score of a candidate.
func (c *candidate) final() float64 { return c.score + c.penalty }

// scoreAll sets the components and scores of the candidates.
func (s *searcher) scoreAll() {
	s.mostLetters, s.mostPairs, s.mostSentences = 0, 0, [maxSentences]float64{}
	s.readTrigrams()
	s.sentenceScores = slices.Grow(s.sentenceScores[:0], s.sentences*len(s.candidates))
	for i := range s.candidates {
		c := &s.candidates[i]
		// How much of the description and the name the query covers, and the BM25F for each sentence.
		f := &s.x.stats[c.doc]
		c.values[descriptionCoverage] = s.x.recipe.DescriptionCoverage * ratio(c.description, f.description)
		c.values[nameCoverage] = s.x.recipe.NameCoverage * ratio(c.name, f.name)
		hits := s.hits[c.hits.from:c.hits.to]
		for sentence := range s.sentences {
			weights, score := s.sentenceWeights(sentence), 0.0
			for i := range hits {
				score += float64(weights[hits[i].term] * hits[i].saturation)
			}
			s.sentenceScores = append(s.sentenceScores, score)
			s.mostSentences[sentence] = max(s.mostSentences[sentence], score)
		}
		if f.letters > 0 { // the cosine of the trigrams, times the length of the query's vector
			sum, weights, idf, asked := 0.0, s.x.gramWeights, s.x.gramIDF, s.askedGrams
			for _, g := range s.x.documents[c.doc].record.trigrams() {
				gram := g >> gramShift
				sum += float64(weights[g&gramCounts] * idf[gram] * asked[gram])
			}
			c.values[nameLetters] = sum / f.letters
		}
		s.mostLetters = max(s.mostLetters, c.values[nameLetters])
		for _, n := range s.pairHits[c.pairHits.from:c.pairHits.to] {
			c.values[neighbourPairs] += n.value
		}
		s.mostPairs = max(s.mostPairs, c.values[neighbourPairs])
		if s.given != 0 { // the share of the kinds of values in the query that the tool takes
			c.values[argumentKinds] = s.x.recipe.Arguments * (float64((s.given & s.x.documents[c.doc].takes).count()) / float64(s.given.count()))
		}
		s.setPin(c)
	}
	r := &s.x.recipe
	for i := range s.candidates {
		c := &s.candidates[i]
		c.values[bm25f] = ratio(c.bm25f, s.largest)
		c.values[nameLetters] = r.Letters * ratio(c.values[nameLetters], s.mostLetters)
		c.values[neighbourPairs] = r.Pairs * ratio(c.values[neighbourPairs], s.mostPairs)
		for sentence, v := range s.sentenceScores[i*s.sentences:][:s.sentences] {
			if v = r.Sentence * ratio(v, s.mostSentences[sentence]); v > c.values[bestSentence] {
				c.values[bestSentence], c.sentence = v, int32(sentence)
			}
		}
		for _, value := range c.values[:serverSupport] {
			c.score += value
		}
	}
	s.supportServers()
}

// setPin sets what a candidate gains because the query has its name.
func (s *searcher) setPin(c *candidate) {
	c.values[pin], c.reason = s.pinOf(c)
	if c.reason > exactName && s.namesServer(c) {
		c.serverWord = true
		c.values[pin] += float64(c.values[pin] * s.x.recipe.ServerWord)
	}
}

// ratio returns a value divided by the largest, or 0 when the largest is 0.
func ratio(value, largest float64) float64 {
	if largest == 0 {
		return 0
	}
	return value / largest
}

// diversify ranks the candidates, and puts the first k in order; all where k is 0.
//
// A query of several sentences wants several things, so what better ranks cover
// counts less below them. The best candidate has the first rank. Let most(t) be
// the most that a term t adds to the BM25F of any candidate. A rank covers of t
// what t adds to its own BM25F, divided by most(t). A candidate then loses
// CoveredAbove times the share of its BM25F that the first Covering ranks cover,
// and the best of the others has the next rank. Scores never rise from rank to
// rank, because the covered words only grow.
func (s *searcher) diversify(k int) {
	s.ranking = s.ranking[:0]
	for i := range s.candidates {
		s.ranking = append(s.ranking, &s.candidates[i])
	}
	if s.maxPenalty() == 0 {
		sortFirst(s.ranking, k)
		return
	}
	// The most that each term adds to a candidate.
	n := len(s.terms)
	s.most = slices.Grow(s.most[:0], n)[:n]
	s.covered = slices.Grow(s.covered[:0], n)[:n]
	clear(s.most)
	clear(s.covered)
	for i := range s.candidates {
		for _, h := range s.hits[s.candidates[i].hits.from:s.candidates[i].hits.to] {
			s.most[h.term] = max(s.most[h.term], s.terms[h.term].idfWeight*h.saturation)
		}
	}
	left := s.ranking
	for range min(s.x.recipe.Covering, len(left)) {
		best := 0
		s.penalise(left[0])
		for i, c := range left[1:] {
			if compareRanked(c, left[best]) > 0 {
				continue // its score can only fall, because penalties only grow
			}
			if s.penalise(c); compareRanked(c, left[best]) < 0 {
				best = 1 + i
			}
		}
		for _, h := range s.hits[left[best].hits.from:left[best].hits.to] {
			if most := s.most[h.term]; most > 0 {
				s.covered[h.term] = max(s.covered[h.term], s.terms[h.term].idfWeight*h.saturation/most)
			}
		}
		left[0], left[best] = left[best], left[0]
		left = left[1:]
	}
	for _, c := range left {
		s.penalise(c)
	}
	slices.SortFunc(left, compareRanked)
}

// sortFirst puts the first k of a list in order; all where k is 0.
func sortFirst(list []*candidate, k int) {
	if k == 0 || k >= len(list) {
		slices.SortFunc(list, compareRanked)
		return
	}
	for i, c := range list {
		if i >= k {
			if compareRanked(c, list[k-1]) > 0 {
				continue
			}
			list[i], i = list[k-1], k-1
		}
		for ; i > 0 && compareRanked(c, list[i-1]) < 0; i-- {
			list[i] = list[i-1]
		}
		list[i] = c
	}
}

func compareRanked(a, b *candidate) int { return compare(a.final(), b.final(), a.doc, b.doc) }

// penalise sets the penalty of a candidate.
func (s *searcher) penalise(c *candidate) {
	sum := 0.0
	for _, h := range s.hits[c.hits.from:c.hits.to] {
		sum += float64(s.terms[h.term].idfWeight*h.saturation) * s.covered[h.term]
	}
	c.penalty = -float64(c.score * float64(s.maxPenalty()*min(1, ratio(sum, c.bm25f))))
}

// A server that has one tool for what a query asks is likely to have the others, too.
// So a candidate gains a share of the best score of its toolset, which is the server for
// the tools of MCP servers. One that has only verbs of the query, such as "list", gains
// nothing, so that a noun still outweighs its verb (weights.go).

// aloneOnServer is the number of the server of a tool without a toolset.
const aloneOnServer = 0

// numberServers returns the number of the toolset of each tool, and how many numbers
// there are. Tools without a toolset have aloneOnServer.
func numberServers(tools []*model.Tool) (servers []uint32, count int) {
	numbers := map[string]uint32{model.NoToolset: aloneOnServer}
	servers = make([]uint32, len(tools))
	for i, t := range tools {
		if i > 0 && t.Toolset == tools[i-1].Toolset {
			servers[i] = servers[i-1]
			continue
		}
		number, ok := numbers[t.Toolset]
		if !ok {
			number = uint32(len(numbers))
			numbers[t.Toolset] = number
		}
		servers[i] = number
	}
	return servers, len(numbers)
}

// supportServers sets serverSupport of the candidates from their scores without it and
// without pin, and adds both to their scores.
func (s *searcher) supportServers() {
	s.serverBest = slices.Grow(s.serverBest[:0], s.x.serverCount)[:s.x.serverCount]
	best := s.serverBest // of the candidates of each server
	clear(best)
	for i := range s.candidates {
		c := &s.candidates[i]
		server := s.x.servers[c.doc]
		best[server] = max(best[server], c.score)
	}
	for i := range s.candidates {
		c := &s.candidates[i]
		// It needs a content word of the query, or an expansion of one; without content words in the query all count.
		if !s.anyContent || slices.ContainsFunc(s.hits[c.hits.from:c.hits.to], func(h hit) bool { return s.terms[h.term].content }) {
			most := c.score
			if server := s.x.servers[c.doc]; server != aloneOnServer {
				most = best[server]
			}
			c.values[serverSupport] = s.x.recipe.ServerSupport * most
		}
		c.score += c.values[serverSupport]
		c.score += c.values[pin]
	}
}
