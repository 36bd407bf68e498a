package retrieval

// addDense finds the leaders among all documents when the steps of the plan
// from i on are dense terms and those before are in the sums.
func (s *searcher) addDense(i, k int, all bool) {
	for ; len(s.plan)-i > 3; i += 3 {
		a, b, c := s.plan[i], s.plan[i+1], s.plan[i+2]
		addColumns(s.sums, s.x.column(a.term), s.x.column(b.term), s.x.column(c.term), a.weight, b.weight, c.weight)
		s.reached = len(s.sums)
	}
	s.top.begin(k, s.slackBefore(len(s.plan)), all)
	switch terms := s.plan[i:]; len(terms) {
	case 1:
		s.lead1(s.x.column(terms[0].term), terms[0].weight)
	case 2:
		s.lead2(s.x.column(terms[0].term), s.x.column(terms[1].term), terms[0].weight, terms[1].weight)
	default:
		s.lead3(s.x.column(terms[0].term), s.x.column(terms[1].term), s.x.column(terms[2].term),
			terms[0].weight, terms[1].weight, terms[2].weight)
	}
	s.top.trim()
}

// addColumns adds three columns to sums.
func addColumns(sums []uint32, a, b, c []uint16, x, y, z uint32) {
	a, b, c = a[:len(sums)], b[:len(sums)], c[:len(sums)]
	for doc := range sums {
		sums[doc] += uint32(a[doc])*x + uint32(b[doc])*y + uint32(c[doc])*z
	}
}

func (s *searcher) lead1(a []uint16, x uint32) {
	sums := s.sums
	a = a[:len(sums)]
	for doc, sum := range sums {
		if sum += uint32(a[doc]) * x; sum >= s.top.bar {
			s.top.offer(uint32(doc), sum)
		}
	}
}

func (s *searcher) lead2(a, b []uint16, x, y uint32) {
	sums := s.sums
	a, b = a[:len(sums)], b[:len(sums)]
	for doc, sum := range sums {
		if sum += uint32(a[doc])*x + uint32(b[doc])*y; sum >= s.top.bar {
			s.top.offer(uint32(doc), sum)
		}
	}
}

func (s *searcher) lead3(a, b, c []uint16, x, y, z uint32) {
	sums := s.sums
	a, b, c = a[:len(sums)], b[:len(sums)], c[:len(sums)]
	for doc, sum := range sums {
		if sum += uint32(a[doc])*x + uint32(b[doc])*y + uint32(c[doc])*z; sum >= s.top.bar {
			s.top.offer(uint32(doc), sum)
		}
	}
}
