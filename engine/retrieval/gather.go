package retrieval

import "slices"

// members are the documents that Gather found, ascending, with their sums.
type members struct {
	docs, sums []uint32
	counts     []uint16 // terms of the plan that each has
}

// Gather finds the documents that have the term gate, which must be in the plan,
// and at least least of the plan's terms in all. Until the next question Gathered,
// GatheredBest and GatheredAbove are about them. spare is
// that of Candidates. Gather costs a pass over the documents of the gate, with a
// search in the lists of the other terms for each of them.
func (s *ListSearch) Gather(gate uint32, least int, spare uint32) {
	s.prepare(false, spare)
	m := &s.members
	m.docs, m.sums = m.docs[:0], m.sums[:0]
	for i := range s.plan {
		if t := &s.plan[i]; t.id == gate {
			m.open(s.lists, t)
		}
	}
	m.counts = slices.Grow(m.counts[:0], len(m.docs))[:len(m.docs)]
	for i := range m.counts {
		m.counts[i] = 1
	}
	for i := range s.plan {
		switch t := &s.plan[i]; {
		case t.id == gate:
		case t.Dense:
			m.addColumn(s.lists.column(t.Term), t.weight)
		default:
			docs, impacts := s.lists.Sparse(t.Term)
			m.addSparse(docs, impacts, t.weight)
		}
	}
	if least > 1 {
		m.require(least)
	}
}

// Gathered returns the gathered documents.
func (s *ListSearch) Gathered() []uint32 { return s.members.docs }

// open makes the documents of a term the members.
func (m *members) open(l *Lists, t *step) {
	if !t.Dense {
		docs, impacts := l.Sparse(t.Term)
		m.docs = append(m.docs, docs...)
		for _, impact := range impacts {
			m.sums = append(m.sums, uint32(impact)*t.weight)
		}
		return
	}
	column := l.column(t.Term)
	for doc := range uint32(l.size) {
		if impact := impactOf(column, doc); impact > 0 {
			m.docs, m.sums = append(m.docs, doc), append(m.sums, uint32(impact)*t.weight)
		}
	}
}

// addColumn adds a dense term to the members' sums.
func (m *members) addColumn(column []group, weight uint32) {
	sums, counts := m.sums[:len(m.docs)], m.counts[:len(m.docs)]
	for i, doc := range m.docs {
		impact := uint32(impactOf(column, doc))
		sums[i] += impact * weight
		counts[i] += uint16((impact + 0xffff) >> 16)
	}
}

// addSparse adds a sparse term to the members' sums. The search for each
// member goes on from the last, by doubling steps.
func (m *members) addSparse(docs []uint32, impacts []uint16, weight uint32) {
	at := 0
	for i, doc := range m.docs {
		step := 1
		for at+step < len(docs) && docs[at+step] < doc {
			at += step
			step *= 2
		}
		for ; step > 0; step /= 2 {
			if at+step < len(docs) && docs[at+step] < doc {
				at += step
			}
		}
		if at < len(docs) && docs[at] < doc {
			at++
		}
		if at == len(docs) {
			return
		}
		if docs[at] == doc {
			m.sums[i] += uint32(impacts[at]) * weight
			m.counts[i]++
		}
	}
}

// require drops the members that have fewer than least terms.
func (m *members) require(least int) {
	n := 0
	for i, count := range m.counts {
		if int(count) >= least {
			m.docs[n], m.sums[n] = m.docs[i], m.sums[i]
			n++
		}
	}
	m.docs, m.sums = m.docs[:n], m.sums[:n]
}

// GatheredBest returns every gathered document that can be among the best k by
// real scores, ties included, and few others, ascending, until the next
// question.
func (s *ListSearch) GatheredBest(k int) []uint32 {
	s.top.begin(k, s.slackBefore(len(s.plan)), k >= len(s.members.docs))
	for i, sum := range s.members.sums {
		if sum >= s.top.bar {
			s.top.offer(s.members.docs[i], sum)
		}
	}
	s.top.trim()
	return s.top.docs
}
