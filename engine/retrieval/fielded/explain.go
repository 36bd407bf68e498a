package fielded

import (
	"fmt"
	"strings"

	"caliper/engine/retrieval"
)

// Components of an explanation, in the order in which they stand and are
// added. Those that add nothing are left out, but for BM25F.
const (
	BM25F               = "bm25f"         // a leaf for each term of the query
	DescriptionCoverage = "description"   // share of the description that the query covers; a leaf for each term
	NameCoverage        = "name"          // share of the name that words of the query cover; a leaf for each
	BestSentence        = "sentence"      // BM25F for the sentence of the query that it answers best; a leaf for each term
	Letters             = "letters"       // likeness of the letters of the name
	Pairs               = "pairs"         // a leaf for each two neighbours of the query that are neighbours here
	Pin                 = "pin"           // the query has the name
	CoveredAbove        = "covered above" // taken, because better ranks cover the same
)

// Explain tells how a document came to its score for a query, 0 included. The
// children are components, whose weight and norm are those of the recipe and
// the largest value among the candidates, or, for what is covered, the whole of
// it. A document that is no candidate has BM25F alone, less the most that better
// ranks can take. Messages hold nothing but words, numbers, and letters, marks
// and digits of any script. A document the catalog does not have is a panic.
func (x *Index) Explain(query string, doc int) retrieval.Explanation {
	s := x.borrow(query)
	defer x.giveBack(s)
	s.rank(0)
	for _, r := range s.ranking {
		if int(r.doc) == doc {
			return s.explainCandidate(&s.candidates[r.candidate])
		}
	}
	return s.explainOther(s.readDocument(uint32(doc)))
}

// explainCandidate explains the score of a candidate.
func (s *searcher) explainCandidate(c *candidate) retrieval.Explanation {
	root := retrieval.Explanation{
		Value:   c.final(),
		Message: fmt.Sprintf("sum of components, one of %d candidates", len(s.candidates)),
	}
	for part, explain := range [components]func(*candidate) retrieval.Explanation{
		bm25f:               func(c *candidate) retrieval.Explanation { return s.explainBM25F(&c.reading) },
		descriptionCoverage: s.explainDescription,
		nameCoverage:        s.explainName,
		bestSentence:        s.explainSentence,
		nameLetters:         s.explainLetters,
		neighbours:          s.explainPairs,
		pin:                 s.explainPin,
	} {
		if value := c.parts[part]; value != 0 || component(part) == bm25f {
			e := explain(c)
			e.Value = value
			root.Children = append(root.Children, e)
		}
	}
	if c.taken != 0 {
		root.Children = append(root.Children, retrieval.Explanation{
			Component: CoveredAbove,
			Value:     c.taken,
			Message: fmt.Sprintf("better ranks cover %.0f %% of it, which take up to %.0f %%",
				-100*c.taken/(c.score*s.takes()), 100*s.takes()),
		})
	}
	return root
}

// explainOther explains the score of a document that is no candidate.
func (s *searcher) explainOther(r reading) retrieval.Explanation {
	root := retrieval.Explanation{Value: s.behind(r.bm25f)}
	e := s.explainBM25F(&r)
	e.Value = share(r.bm25f, s.largest)
	root.Children = append(root.Children, e)
	if r.bm25f == 0 {
		root.Message = "not found: the tool holds no word of the query, and none that these bring"
		return root
	}
	root.Message = fmt.Sprintf("behind the %d candidates: bm25f alone", len(s.candidates))
	if taken := float64(e.Value * s.takes()); taken != 0 {
		root.Children = append(root.Children, retrieval.Explanation{
			Component: CoveredAbove,
			Value:     -taken,
			Message:   fmt.Sprintf("as if better ranks covered all of it: %.0f %%", 100*s.takes()),
		})
	}
	return root
}

func (s *searcher) explainBM25F(r *reading) retrieval.Explanation {
	e := retrieval.Explanation{
		Component: BM25F,
		Weight:    1,
		Norm:      s.largest,
		Message:   fmt.Sprintf("BM25F %.2f of at most %.2f", r.bm25f, s.largest),
	}
	hits := s.hitsOf(r)
	for i := range s.own {
		if place := s.own[i].place; place >= 0 && len(hits) > 0 && hits[0].place == uint32(place) {
			e.Children = append(e.Children, s.explainHit(r, hits[0], s.terms[place].share/s.largest))
			hits = hits[1:]
			continue
		}
		e.Children = append(e.Children, s.explainMissing(i, r))
	}
	for _, h := range hits {
		e.Children = append(e.Children, s.explainHit(r, h, s.terms[h.place].share/s.largest))
	}
	return e
}

func (s *searcher) explainDescription(c *candidate) retrieval.Explanation {
	whole, weight := s.x.facts[c.doc].description, s.x.recipe.DescriptionCoverage
	e := retrieval.Explanation{Component: DescriptionCoverage, Weight: weight, Norm: whole}
	for _, h := range s.hitsOf(&c.reading) {
		if h.fields.has(Description) {
			e.Children = append(e.Children, s.explainCovered(c, h, weight/whole))
		}
	}
	e.Message = coverage(c.parts[descriptionCoverage]/weight, Description)
	return e
}

func (s *searcher) explainName(c *candidate) retrieval.Explanation {
	whole, weight := s.x.facts[c.doc].name, s.x.recipe.NameCoverage
	e := retrieval.Explanation{Component: NameCoverage, Weight: weight, Norm: whole}
	for _, h := range s.hitsOf(&c.reading) {
		if h.fields.has(Name) && s.terms[h.place].own >= 0 {
			e.Children = append(e.Children, s.explainCovered(c, h, weight/whole))
		}
	}
	e.Message = coverage(c.parts[nameCoverage]/weight, Name)
	return e
}

func coverage(covered float64, f Field) string {
	return fmt.Sprintf("the query covers %.0f %% of the %v, by idf", 100*covered, f)
}

func (s *searcher) explainSentence(c *candidate) retrieval.Explanation {
	weight, most := s.x.recipe.Sentence, s.maxima.pieces[c.piece]
	e := retrieval.Explanation{
		Component: BestSentence,
		Weight:    weight,
		Norm:      most,
		Message:   fmt.Sprintf("sentence %d of %d: BM25F %.2f of at most %.2f", c.piece+1, s.pieces, c.parts[bestSentence]/weight*most, most),
	}
	shares := s.pieceShares(int(c.piece))
	for _, h := range s.hitsOf(&c.reading) {
		if shares[h.place] > 0 {
			e.Children = append(e.Children, s.explainHit(&c.reading, h, weight*shares[h.place]/most))
		}
	}
	return e
}

func (s *searcher) explainLetters(c *candidate) retrieval.Explanation {
	weight, most := s.x.recipe.Letters, s.maxima.letters
	return retrieval.Explanation{
		Component: Letters,
		Weight:    weight,
		Norm:      most,
		Message:   fmt.Sprintf("trigrams of the name: likeness %.2f of at most %.2f", c.parts[nameLetters]/weight*most, most),
	}
}

func (s *searcher) explainPairs(c *candidate) retrieval.Explanation {
	weight, most := s.x.recipe.Pairs, s.maxima.pairs
	e := retrieval.Explanation{
		Component: Pairs,
		Weight:    weight,
		Norm:      most,
		Message:   "neighbours in the query, and in the name, toolset or description",
	}
	for _, n := range s.neighboursOf(&c.reading) {
		p := &s.pairs[n.pair]
		first, second := &s.terms[p.first], &s.terms[p.second]
		token := s.stemOf(first) + " " + s.stemOf(second)
		idf := first.idf + second.idf
		e.Children = append(e.Children, retrieval.Explanation{
			Token:   token,
			Value:   weight * n.value / most,
			Message: fmt.Sprintf("%s: idf %.2f × %.2f", token, idf, n.value/idf),
			IDF:     idf,
			TFNorm:  n.value / idf,
		})
	}
	return e
}

func (s *searcher) explainPin(c *candidate) retrieval.Explanation {
	message := map[pinReason]string{
		exactName: "the query has the name",
		exactOwn:  "the query has the name that the tool has on its server",
		nameWords: "the query says the name, in words",
		saidName:  "the query says the name, among other words",
		nearName:  "the query all but has the name",
	}[c.why]
	if c.server {
		message += ", and a word of the toolset"
	}
	return retrieval.Explanation{Component: Pin, Message: message}
}

// stemOf returns the text of a term.
func (s *searcher) stemOf(t *term) string { return string(s.x.numbers.terms.Term(t.id)) }

// wordOf returns an own word as it stands first in the query.
func (s *searcher) wordOf(own uint32) string {
	t := &s.tokens[s.own[own].token]
	return string(s.words[t.from:t.to])
}

// explainMissing explains that a document lacks an own word.
func (s *searcher) explainMissing(own int, r *reading) retrieval.Explanation {
	o := &s.own[own]
	e := retrieval.Explanation{Token: string(s.stems[o.from:o.to]), DL: int(s.x.documents[r.doc].record[ToolsetText])}
	e.Message = s.wordOf(uint32(own)) + ": in no tool of the catalog"
	if o.place >= 0 && s.terms[o.place].df > 0 {
		t := &s.terms[o.place]
		e.DF, e.IDF = int(t.df), t.idf
		e.Message = s.wordOf(uint32(own)) + ": not in this tool"
	}
	return e
}

// explainHit explains what a term adds: saturation times scale.
func (s *searcher) explainHit(r *reading, h hit, scale float64) retrieval.Explanation {
	t := &s.terms[h.place]
	e := s.contribution(r, h)
	e.Value, e.TFNorm = scale*h.saturation, h.saturation
	e.Message = fmt.Sprintf("%s: idf %.2f × %.2f", e.Token, t.idf, h.saturation)
	if t.weight != 1 {
		e.Message += fmt.Sprintf(" × %.2f", t.weight)
	}
	e.Message += " × " + h.fields.String() + s.why(h.place)
	e.Children = append(e.Children, retrieval.Explanation{
		Value: h.saturation,
		Message: fmt.Sprintf("saturation(length %.1f, average %.1f, k1=%v, b=%v)",
			s.x.documents[r.doc].record.length(&s.x.recipe.Fields), s.x.average, s.x.recipe.K1, s.x.recipe.B),
	})
	return e
}

// explainCovered explains what a term adds where it is enough that it is
// there.
func (s *searcher) explainCovered(c *candidate, h hit, scale float64) retrieval.Explanation {
	t := &s.terms[h.place]
	e := s.contribution(&c.reading, h)
	e.Value = scale * t.share
	e.Message = fmt.Sprintf("%s: idf %.2f", e.Token, t.idf)
	if t.weight != 1 {
		e.Message += fmt.Sprintf(" × %.2f", t.weight)
	}
	e.Message += s.why(h.place)
	return e
}

// contribution begins the explanation of a term that a document holds.
func (s *searcher) contribution(r *reading, h hit) retrieval.Explanation {
	t := &s.terms[h.place]
	return retrieval.Explanation{
		Token: s.stemOf(t),
		DF:    int(t.df),
		TF:    int(h.count),
		DL:    int(s.x.documents[r.doc].record[ToolsetText]),
		IDF:   t.idf,
		Children: []retrieval.Explanation{
			{Value: t.weight, Message: "weight in the query"},
			{Value: t.idf, Message: fmt.Sprintf("idf(df=%d, N=%d, with tools at large)", t.df, s.x.Len())},
		},
	}
}

// why tells what brought a term, and of a word of the query, whether it was held
// back.
func (s *searcher) why(place uint32) string {
	if own := s.terms[place].own; own >= 0 {
		if s.own[own].restrained {
			return "; a verb of tools of any kind, held below the other words"
		}
		return ""
	}
	var text strings.Builder
	for i := range s.brings {
		if b := &s.brings[i]; b.place == place {
			fmt.Fprintf(&text, "; %s ~ %s, %v", s.wordOf(b.own), s.stemOf(&s.terms[place]), b)
		}
	}
	return text.String()
}

// String tells how a word brings a term, and how much.
func (b *bringing) String() string {
	if b.how == misspelling {
		return fmt.Sprintf("%v %.2f", b.how, b.alike)
	}
	return fmt.Sprintf("%v %.2f", b.how, b.factor)
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
