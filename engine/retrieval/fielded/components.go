package fielded

import "slices"

// component is a part of a score.
type component uint8

const (
	bm25f component = iota
	descriptionCoverage
	nameCoverage
	bestSentence
	nameLetters
	neighbours
	pin
	components
)

// candidate is a document that is scored in full.
type candidate struct {
	reading
	parts  [components]float64
	piece  int32     // that it answers best, -1 when there are none
	why    pinReason // of its pin
	server bool      // and its toolset is said, too
	score  float64   // sum of parts
	taken  float64   // by better ranks: 0 or negative
}

// final is the score of a candidate.
func (c *candidate) final() float64 { return c.score + c.taken }

// maxima are the largest values among the candidates, by which components are
// divided.
type maxima struct {
	letters, pairs float64
	pieces         [maxPieces]float64
}

// scoreAll sets the parts and scores of the candidates.
func (s *searcher) scoreAll() {
	s.maxima = maxima{}
	s.readLetters()
	s.pieceScores = slices.Grow(s.pieceScores[:0], s.pieces*len(s.candidates))
	for i := range s.candidates {
		c := &s.candidates[i]
		s.cover(c)
		c.parts[nameLetters] = s.cosine(c.doc)
		s.maxima.letters = max(s.maxima.letters, c.parts[nameLetters])
		for _, n := range s.neighboursOf(&c.reading) {
			c.parts[neighbours] += n.value
		}
		s.maxima.pairs = max(s.maxima.pairs, c.parts[neighbours])
		s.scorePieces(c)
		c.parts[pin], c.why = s.pinOf(c.doc)
		if c.why > exactName && s.saysServer(c) {
			c.server = true
			c.parts[pin] += float64(c.parts[pin] * s.x.recipe.Server)
		}
	}
	r := &s.x.recipe
	for i := range s.candidates {
		c := &s.candidates[i]
		c.parts[bm25f] = share(c.bm25f, s.largest)
		c.parts[nameLetters] = r.Letters * share(c.parts[nameLetters], s.maxima.letters)
		c.parts[neighbours] = r.Pairs * share(c.parts[neighbours], s.maxima.pairs)
		for piece, v := range s.pieceScores[i*s.pieces:][:s.pieces] {
			if v = r.Sentence * share(v, s.maxima.pieces[piece]); v > c.parts[bestSentence] {
				c.parts[bestSentence], c.piece = v, int32(piece)
			}
		}
		for _, part := range c.parts {
			c.score += part
		}
	}
}

// share returns a value as a share of the largest, 0 of 0.
func share(value, largest float64) float64 {
	if largest == 0 {
		return 0
	}
	return value / largest
}

// cover sets how much of a candidate's description and name the query covers.
func (s *searcher) cover(c *candidate) {
	var description, name float64
	for _, h := range s.hitsOf(&c.reading) {
		t := &s.terms[h.place]
		if h.fields.has(Description) {
			description += t.share
		}
		if h.fields.has(Name) && t.own >= 0 {
			name += t.share
		}
	}
	f := &s.x.facts[c.doc]
	c.parts[descriptionCoverage] = s.x.recipe.DescriptionCoverage * share(description, f.description)
	c.parts[nameCoverage] = s.x.recipe.NameCoverage * share(name, f.name)
}

// scorePieces appends the BM25F of a candidate for each piece of the query.
func (s *searcher) scorePieces(c *candidate) {
	for piece := range s.pieces {
		shares, sum := s.pieceShares(piece), 0.0
		for _, h := range s.hitsOf(&c.reading) {
			sum += float64(shares[h.place] * h.saturation)
		}
		s.pieceScores = append(s.pieceScores, sum)
		s.maxima.pieces[piece] = max(s.maxima.pieces[piece], sum)
	}
}
