package postings

// Ahead returns how many documents are better than one, which holds a term of
// the plan, by real scores: those whose sums are larger by more than rounding,
// and those within it of which ahead says so. spare is that of Candidates. It
// costs a pass over the postings of the plan and one over all sums.
func (s *Searcher) Ahead(doc, spare uint32, ahead func(doc uint32) bool) int {
	s.prepare(false, spare)
	for i := range s.plan {
		s.addAll(&s.plan[i])
	}
	count := countAhead(s.sums[:s.lists.size], nil, s.sums[doc], s.slackBefore(len(s.plan)), ahead)
	clear(s.sums)
	return count
}

// countAhead counts the sums of better documents than one of a given sum; docs
// are the documents of the sums, in order from 0 when nil.
func countAhead(sums, docs []uint32, own, slack uint32, ahead func(doc uint32) bool) int {
	count := 0
	for i, sum := range sums {
		switch {
		case sum > own && sum-own > slack:
			count++
		case sum == 0 || own > sum && own-sum > slack:
		default:
			doc := uint32(i)
			if docs != nil {
				doc = docs[i]
			}
			if ahead(doc) {
				count++
			}
		}
	}
	return count
}

// addAll adds a term to the sums, without a record of the documents reached.
func (s *Searcher) addAll(t *step) {
	if t.Dense {
		addColumn(s.sums, s.lists.column(t.Term), uint64(t.weight))
		return
	}
	docs, impacts := s.lists.Sparse(t.Term)
	for i, doc := range docs {
		s.sums[doc] += uint32(impacts[i]) * t.weight
	}
}
