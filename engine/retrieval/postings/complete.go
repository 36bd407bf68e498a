package postings

// complete adds the terms from step i on to the sums of the leaders, and drops
// those that fall behind: to the last term when the sums are the scores, else
// for as long as that is cheaper than the caller's scores of them.
func (s *Searcher) complete(i int) {
	apart := false // the leaders' sums went on without the others
	for ; i < len(s.plan); i++ {
		t, n := &s.plan[i], len(s.top.docs)
		switch {
		case !s.exact && t.Dense && n <= 2*s.top.k, !s.exact && !t.Dense && n*scoreCost <= int(t.DF):
			return
		case t.Dense:
			apart = true
			column := s.lists.column(t.Term)
			for j, doc := range s.top.docs {
				s.top.sums[j] += uint32(impactOf(column, doc)) * t.weight
			}
		case s.exact && (apart || n*findCost <= int(t.DF)):
			apart = true
			for j, doc := range s.top.docs {
				s.top.sums[j] += uint32(s.lists.Impact(t.Term, doc)) * t.weight
			}
		default:
			s.addTouched(t)
			for j, doc := range s.top.docs {
				s.top.sums[j] = s.sums[doc]
			}
		}
		s.top.again(s.slackBefore(i+1) + s.rest[i+1])
	}
}
