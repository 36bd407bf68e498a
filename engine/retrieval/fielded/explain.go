package fielded

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"caliper/engine/retrieval"
)

// Components of an explanation, in the order in which they are shown and added.
// Those that are 0 are left out, except BM25F.
const (
	BM25F               = "bm25f"         // a leaf for each term of the query
	DescriptionCoverage = "description"   // share of the description that the query covers; a leaf for each term
	NameCoverage        = "name"          // share of the name that words of the query cover; a leaf for each
	BestSentence        = "sentence"      // BM25F for the sentence of the query that it answers best; a leaf for each term
	Letters             = "letters"       // likeness of the letters of the name
	Pairs               = "pairs"         // a leaf for each two neighbours of the query that are neighbours here
	Arguments           = "arguments"     // kinds of values in the query that the tool takes
	ServerSupport       = "server"        // share of the best score of a tool of the same toolset
	Pin                 = "pin"           // the query has the name
	CoveredAbove        = "covered above" // taken, because better ranks cover the same
)

// Explain returns how the score of a document for a query is computed, also when
// it is 0. The children of the root are components. Their Weight is the
// Recipe, and their Norm what the value is divided by: the largest value among
// the candidates, or the idf of the whole description or name. A document that is
// not a candidate has BM25F alone, less the most that a candidate can lose to
// better ranks. Messages have only letters, marks and digits of the query and the
// tool. Explain panics when the catalog does not have the document.
func (x *Index) Explain(query string, doc int) retrieval.Explanation {
	s := x.acquire(query)
	defer x.release(s)
	s.rank(0)
	for _, c := range s.ranking {
		if int(c.doc) == doc {
			root := retrieval.Explanation{
				Value:   c.final(),
				Message: fmt.Sprintf("sum of components, one of %d candidates", len(s.candidates)),
			}
			for i, explain := range [components]func(*candidate) retrieval.Explanation{
				bm25f: func(c *candidate) retrieval.Explanation { return s.explainBM25F(&c.scanned) },
				descriptionCoverage: func(c *candidate) retrieval.Explanation {
					return s.explainCoverage(c, descriptionCoverage, Description)
				},
				nameCoverage:   func(c *candidate) retrieval.Explanation { return s.explainCoverage(c, nameCoverage, Name) },
				bestSentence:   s.explainSentence,
				nameLetters:    s.explainLetters,
				neighbourPairs: s.explainPairs,
				argumentKinds: func(c *candidate) retrieval.Explanation {
					message := fmt.Sprintf("the query gives %v; a parameter takes %v", s.given, s.given&s.x.documents[doc].takes)
					return retrieval.Explanation{Component: Arguments, Weight: s.x.recipe.Arguments, Message: message}
				},
				serverSupport: s.explainServer,
				pin:           s.explainPin,
			} {
				if value := c.values[i]; value != 0 || component(i) == bm25f {
					e := explain(c)
					e.Value = value
					root.Children = append(root.Children, e)
				}
			}
			if c.penalty != 0 {
				root.Children = append(root.Children, retrieval.Explanation{
					Component: CoveredAbove,
					Value:     c.penalty,
					Message: fmt.Sprintf("better ranks cover %.0f %% of it, which take up to %.0f %%",
						-100*c.penalty/(c.score*s.maxPenalty()), 100*s.maxPenalty()),
				})
			}
			return root
		}
	}
	r := s.scanDocument(uint32(doc)) // it is no candidate
	root := retrieval.Explanation{Value: s.scoreBehind(r.bm25f)}
	e := s.explainBM25F(&r)
	e.Value = ratio(r.bm25f, s.largest)
	root.Children = append(root.Children, e)
	if r.bm25f == 0 {
		root.Message = "not found: the tool has no word of the query, and none related to one"
		return root
	}
	root.Message = fmt.Sprintf("after the %d candidates: bm25f alone", len(s.candidates))
	if taken := float64(e.Value * s.maxPenalty()); taken != 0 {
		root.Children = append(root.Children, retrieval.Explanation{
			Component: CoveredAbove,
			Value:     -taken,
			Message:   fmt.Sprintf("as if better ranks covered all of it: %.0f %%", 100*s.maxPenalty()),
		})
	}
	return root
}

func (s *searcher) explainBM25F(r *scanned) retrieval.Explanation {
	e := retrieval.Explanation{
		Component: BM25F,
		Weight:    1,
		Norm:      s.largest,
		Message:   fmt.Sprintf("BM25F %.2f of at most %.2f", r.bm25f, s.largest),
	}
	hits := s.hits[r.hits.from:r.hits.to]
	for i := range s.queryWords {
		if at := s.queryWords[i].term; at >= 0 && len(hits) > 0 && hits[0].term == uint32(at) {
			e.Children = append(e.Children, s.explainHit(r, hits[0], s.terms[at].idfWeight/s.largest))
			hits = hits[1:]
			continue
		}
		o := &s.queryWords[i]
		missing := retrieval.Explanation{Token: string(s.query.stems[o.from:o.to]), Word: s.wordOf(uint32(i)), DL: int(s.x.documents[r.doc].record[ToolsetText])}
		missing.Message = missing.Word + ": in no tool of the catalog"
		if o.term >= 0 && s.terms[o.term].df > 0 {
			t := &s.terms[o.term]
			missing.DF, missing.IDF = t.df, t.idf
			missing.Message = missing.Word + ": not in this tool"
		}
		e.Children = append(e.Children, missing)
	}
	for _, h := range hits {
		e.Children = append(e.Children, s.explainHit(r, h, s.terms[h.term].idfWeight/s.largest))
	}
	return e
}

// explainCoverage explains how much of the description or the name the query covers.
func (s *searcher) explainCoverage(c *candidate, part component, f Field) retrieval.Explanation {
	stats, recipe := &s.x.stats[c.doc], &s.x.recipe
	e := retrieval.Explanation{Component: DescriptionCoverage, Weight: recipe.DescriptionCoverage, Norm: stats.description}
	if f == Name {
		e.Component, e.Weight, e.Norm = NameCoverage, recipe.NameCoverage, stats.name
	}
	for _, h := range s.hits[c.hits.from:c.hits.to] {
		if s.x.presences[h.tally].fields.has(f) && (f != Name || s.terms[h.term].word >= 0) {
			t, leaf := &s.terms[h.term], s.contribution(&c.scanned, h)
			leaf.Value = e.Weight / e.Norm * t.idfWeight
			detail := fmt.Sprintf("idf %.2f", t.idf)
			if t.weight != 1 {
				detail += fmt.Sprintf(" × %.2f", t.weight)
			}
			leaf.Say(detail)
			e.Children = append(e.Children, leaf)
		}
	}
	e.Message = fmt.Sprintf("the query covers %.0f %% of the %v, by idf", 100*(c.values[part]/e.Weight), f)
	return e
}

func (s *searcher) explainSentence(c *candidate) retrieval.Explanation {
	weight, most := s.x.recipe.Sentence, s.mostSentences[c.sentence]
	e := retrieval.Explanation{
		Component: BestSentence,
		Weight:    weight,
		Norm:      most,
		Message:   fmt.Sprintf("sentence %d of %d: BM25F %.2f of at most %.2f", c.sentence+1, s.sentences, c.values[bestSentence]/weight*most, most),
	}
	weights := s.sentenceWeights(int(c.sentence))
	for _, h := range s.hits[c.hits.from:c.hits.to] {
		if weights[h.term] > 0 {
			e.Children = append(e.Children, s.explainHit(&c.scanned, h, weight*weights[h.term]/most))
		}
	}
	return e
}

func (s *searcher) explainLetters(c *candidate) retrieval.Explanation {
	weight, most := s.x.recipe.Letters, s.mostLetters
	return retrieval.Explanation{
		Component: Letters,
		Weight:    weight,
		Norm:      most,
		Message:   fmt.Sprintf("trigrams of the name: likeness %.2f of at most %.2f", c.values[nameLetters]/weight*most, most),
	}
}

func (s *searcher) explainPairs(c *candidate) retrieval.Explanation {
	weight, most := s.x.recipe.Pairs, s.mostPairs
	e := retrieval.Explanation{
		Component: Pairs,
		Weight:    weight,
		Norm:      most,
		Message:   "neighbours in the query, and in the name, toolset or description",
	}
	for _, n := range s.pairHits[c.pairHits.from:c.pairHits.to] {
		p := &s.pairs[n.pair]
		first, second := &s.terms[p.first], &s.terms[p.second]
		token := s.stemOf(first) + " " + s.stemOf(second)
		idf := first.idf + second.idf
		leaf := retrieval.Explanation{Token: token, Value: weight * n.value / most, IDF: idf, TFNorm: n.value / idf}
		leaf.Say(fmt.Sprintf("idf %.2f × %.2f", idf, n.value/idf))
		e.Children = append(e.Children, leaf)
	}
	return e
}

func (s *searcher) explainServer(c *candidate) retrieval.Explanation {
	weight := s.x.recipe.ServerSupport
	best := c.values[serverSupport] / weight
	e := retrieval.Explanation{Component: ServerSupport, Weight: weight}
	switch own := c.score - c.values[serverSupport] - c.values[pin]; {
	case s.x.servers[c.doc] == aloneOnServer:
		e.Message = fmt.Sprintf("a tool without a toolset supports itself: %.2f", best)
	case own*(1+nearlyEqual) >= best:
		e.Message = fmt.Sprintf("it is the best of its toolset: %.2f", best)
	default:
		e.Message = fmt.Sprintf("the best of its toolset has %.2f", best)
	}
	return e
}

func (s *searcher) explainPin(c *candidate) retrieval.Explanation {
	message := map[pinReason]string{
		exactName:     "the query has the name",
		exactOriginal: "the query has the name that the tool has on its server",
		nameWords:     "the query says the name, in words",
		nameWithin:    "the query says the name, among other words",
		nearName:      "the query all but has the name",
	}[c.reason]
	if c.serverWord {
		message += ", and a word of the toolset"
	}
	return retrieval.Explanation{Component: Pin, Message: message}
}

// stemOf returns the text of a term.
func (s *searcher) stemOf(t *term) string { return string(s.x.vocabulary.terms.Term(t.term)) }

// wordOf returns a query word as it is written first in the query.
func (s *searcher) wordOf(word uint32) string {
	t := &s.tokens[s.queryWords[word].token]
	return string(s.query.words[t.from:t.to])
}

// explainHit explains what a term adds to BM25F: its saturation times scale.
func (s *searcher) explainHit(r *scanned, h hit, scale float64) retrieval.Explanation {
	t := &s.terms[h.term]
	e := s.contribution(r, h)
	e.Value, e.TFNorm = scale*h.saturation, h.saturation
	detail := fmt.Sprintf("idf %.2f × %.2f", t.idf, h.saturation)
	if t.weight != 1 {
		detail += fmt.Sprintf(" × %.2f", t.weight)
	}
	e.Say(detail + " in " + s.x.presences[h.tally].fields.String())
	e.Children = append(e.Children, retrieval.Explanation{
		Value: h.saturation,
		Message: fmt.Sprintf("saturation(length %.1f, average %.1f, k1=%v, b=%v)",
			s.x.documents[r.doc].record.length(&s.x.recipe.Fields), s.x.average, s.x.recipe.K1, s.x.recipe.B),
	})
	return e
}

// contribution returns what the explanations of a term have in common.
func (s *searcher) contribution(r *scanned, h hit) retrieval.Explanation {
	t := &s.terms[h.term]
	e := retrieval.Explanation{
		Token: s.stemOf(t),
		DF:    int(t.df),
		TF:    int(s.x.presences[h.tally].count),
		DL:    int(s.x.documents[r.doc].record[ToolsetText]),
		IDF:   t.idf,
		Children: []retrieval.Explanation{
			{Value: t.weight, Message: "weight in the query"},
			{Value: t.idf, Message: fmt.Sprintf("idf(df=%d, N=%d, with tools at large)", t.df, s.x.Len())},
		},
	}
	if t.word >= 0 && s.queryWords[t.word].limited {
		e.Note = "a verb of tools of any kind, held below the other words"
	}
	if t.word < 0 {
		var bring []*expansion
		for i := range s.expansions {
			if b := &s.expansions[i]; b.term == h.term {
				bring = append(bring, b)
			}
		}
		weight := func(b *expansion) float64 { return b.factor * s.queryWords[b.word].weight }
		slices.SortStableFunc(bring, func(a, b *expansion) int { return cmp.Compare(weight(b), weight(a)) })
		for _, b := range bring { // the weightiest first
			f := retrieval.Source{Word: s.wordOf(b.word), Sign: "~", Near: b.factor, How: fmt.Sprintf("%v %.2f", b.kind, b.factor)}
			if b.likeness > 0 {
				f.Near, f.How = b.likeness, fmt.Sprintf("%v %.2f × %.2f", b.kind, b.likeness, b.factor/b.likeness)
			}
			if b.kind == meaning {
				f.Sign = "≈"
			}
			if own := s.queryWords[b.word].weight; own != 1 {
				f.How += fmt.Sprintf(" × %.2f", own)
			}
			e.From = append(e.From, f)
		}
	}
	return e
}

// String returns the fields in words.
func (s fieldSet) String() string {
	var names []string
	for f := range fields {
		if s.has(f) {
			names = append(names, f.String())
		}
	}
	return strings.Join(names, ", ")
}
