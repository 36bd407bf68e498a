package fielded

import "slices"

// A query such as "delete branch" asks for branches first. When most tools of a
// server have the noun, its idf is low, and the verb would decide. So a generic
// verb, which is in the names of tools of any kind (retrieval.Lexicon), is limited:
// weight times idf, summed over the verb and its expansions, is at most GenericVerb
// times the same sum over the content words. So one noun outweighs its verb; if
// there are several content words, the verb may weigh as much as one of them.

// limitGenericVerbs lowers wordWeights of generic verbs.
func (s *searcher) limitGenericVerbs() {
	content := 0.0
	for i := range s.queryWords {
		if s.queryWords[i].content {
			content += float64(s.wordWeights[i] * s.unitMass[i])
		}
	}
	most := s.x.recipe.GenericVerb * content
	for i := range s.queryWords {
		if v := s.wordWeights[i] * s.unitMass[i]; s.queryWords[i].generic && v > most && most > 0 {
			s.wordWeights[i] *= most / v
		}
	}
}

// weigh sets the weights of the terms, in the query and in each sentence.
func (s *searcher) weigh() {
	n := len(s.terms)
	s.wordWeights = slices.Grow(s.wordWeights[:0], len(s.queryWords))[:len(s.queryWords)]
	for i := range s.queryWords {
		s.wordWeights[i] = s.queryWords[i].weight
	}
	// What each word adds to a score per unit of its weight: its idf. For a generic verb the idf of its expansions,
	// times their factors, is added; for a word that no tool has it is the largest of these products.
	s.unitMass = slices.Grow(s.unitMass[:0], len(s.queryWords))[:len(s.queryWords)]
	for i := range s.queryWords {
		s.unitMass[i] = 0
		if at := s.catalogTerm(int32(i)); at >= 0 {
			s.unitMass[i] = s.terms[at].idf
		}
	}
	for i := range s.expansions {
		b := &s.expansions[i]
		v := float64(b.factor * s.terms[b.term].idf)
		if s.queryWords[b.word].generic {
			s.unitMass[b.word] += v
		} else if s.catalogTerm(int32(b.word)) < 0 { // such as a misspelled word
			s.unitMass[b.word] = max(s.unitMass[b.word], v)
		}
	}
	s.limitGenericVerbs()
	for i := range s.queryWords {
		o := &s.queryWords[i]
		o.limited = s.wordWeights[i] < o.weight
		o.weight = s.wordWeights[i]
	}
	// Which terms belong to content words or to their expansions.
	s.anyContent = false
	for i := range s.queryWords {
		o := &s.queryWords[i]
		s.anyContent = s.anyContent || o.content
		if o.term >= 0 {
			s.terms[o.term].content = o.content
		}
	}
	for i := range s.expansions {
		if b := &s.expansions[i]; s.queryWords[b.word].content {
			s.terms[b.term].content = true
		}
	}
	s.idfWeights = slices.Grow(s.idfWeights[:0], n*max(1, s.sentences))[:n*max(1, s.sentences)]
	s.weighTerms(s.idfWeights[:n])
	for i := range s.terms {
		t := &s.terms[i]
		t.weight = s.idfWeights[i]
		t.idfWeight, t.ownWeight = t.weight*t.idf, 0
		if t.word >= 0 {
			t.ownWeight = t.idfWeight
		}
	}
	for sentence := range s.sentences {
		clear(s.wordWeights)
		for i := range s.tokens {
			if t := &s.tokens[i]; t.sentence == int32(sentence) && t.word >= 0 {
				s.wordWeights[t.word] = max(s.wordWeights[t.word], t.weight)
			}
		}
		s.limitGenericVerbs()
		weights := s.sentenceWeights(sentence)
		s.weighTerms(weights)
		for i := range weights {
			weights[i] *= s.terms[i].idf
		}
	}
}

// sentenceWeights returns weight times idf of the terms in a sentence.
func (q *query) sentenceWeights(sentence int) []float64 {
	n := len(q.terms)
	return q.idfWeights[n*sentence:][:n]
}

// weighTerms sets the weights of the terms by wordWeights. A term of a word with a
// weight has that weight, any other the sum of its expansions.
func (s *searcher) weighTerms(weights []float64) {
	clear(weights)
	for i := range s.expansions {
		b := &s.expansions[i]
		weights[b.term] += float64(b.factor * s.wordWeights[b.word])
	}
	for i := range s.terms {
		if word := s.terms[i].word; word >= 0 && s.wordWeights[word] > 0 {
			weights[i] = s.wordWeights[word]
		} else {
			weights[i] = min(weights[i], s.x.recipe.MostExpanded)
		}
	}
}
