package fielded

import "slices"

// A query such as “delete branch” asks for branches first. Where most tools of a
// server hold the noun, its idf is low, and the verb would decide. So a verb that
// tools of any kind are named with (package lexicon), with all that it brings,
// never weighs more than GenericVerb times what the content words of the query
// weigh together, misspelled ones as what they are taken for. One noun thereby
// outweighs its verb; among several content words the verb may be worth one.

// carry finds what own words weigh for each unit of their weight: their idf; with
// that of what they bring for generic verbs; and the largest that they bring where
// no tool holds them.
func (s *searcher) carry() {
	s.carried = slices.Grow(s.carried[:0], len(s.own))[:len(s.own)]
	for i := range s.own {
		s.carried[i] = 0
		if place := s.heldPlace(int32(i)); place >= 0 {
			s.carried[i] = s.terms[place].idf
		}
	}
	for i := range s.brings {
		b := &s.brings[i]
		v := float64(b.factor * s.terms[b.place].idf)
		if s.own[b.own].generic {
			s.carried[b.own] += v
		} else if s.heldPlace(int32(b.own)) < 0 { // a misspelled word is what it is taken for
			s.carried[b.own] = max(s.carried[b.own], v)
		}
	}
}

// restrain lowers ownWeights of generic verbs.
func (s *searcher) restrain() {
	content := 0.0
	for i := range s.own {
		if s.own[i].content {
			content += float64(s.ownWeights[i] * s.carried[i])
		}
	}
	most := s.x.recipe.GenericVerb * content
	for i := range s.own {
		if v := s.ownWeights[i] * s.carried[i]; s.own[i].generic && v > most && most > 0 {
			s.ownWeights[i] *= most / v
		}
	}
}
