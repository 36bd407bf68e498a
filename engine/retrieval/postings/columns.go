package postings

// A column holds the impacts of a dense term, in groups of four documents whose
// second and third have changed places. Read as one word, the impacts of the
// first two stand in bits 0-15 and 32-47, those of the others in bits 16-31 and
// 48-63: a mask leaves two impacts with room between them, and one
// multiplication by a weight makes two products of 32 bits. Sums stay below 2^31
// (weights.go), so that no addition carries into the neighbour, and so that
// adding 2^31 less a bar sets the highest bit exactly where the bar is reached.

const (
	lanes   = 0x0000ffff_0000ffff
	highest = 0x80000000_80000000
	both    = 0x00000001_00000001
)

// group is four neighbours of a column.
type group [4]uint16

// groups returns how many groups n documents make.
func groups(n int) int { return (n + 3) / 4 }

// impactOf returns the impact of a document.
func impactOf(column []group, doc uint32) uint16 { return column[doc/4][place(doc)] }

// place returns the place of a document in its group.
func place(doc uint32) uint32 { return doc&1<<1 | doc>>1&1 }

// word reads a group: one load, as compiled.
func (g *group) word() uint64 {
	return uint64(g[0]) | uint64(g[1])<<16 | uint64(g[2])<<32 | uint64(g[3])<<48
}

// pairs reads the first four sums: two loads.
func pairs(sums []uint32) (low, high uint64) {
	return uint64(sums[0]) | uint64(sums[1])<<32, uint64(sums[2]) | uint64(sums[3])<<32
}

// addDense finds the leaders among all documents when the steps of the plan
// from i on are dense terms and those before are in the sums.
func (s *Searcher) addDense(i, k int, all bool) {
	s.top.begin(k, s.slackBefore(len(s.plan)), all)
	s.top.ordered(s.exact)
	switch terms := s.plan[i:]; len(terms) {
	case 1:
		s.lead1(s.lists.column(terms[0].Term), uint64(terms[0].weight))
	case 2:
		s.lead2(s.lists.column(terms[0].Term), s.lists.column(terms[1].Term),
			uint64(terms[0].weight), uint64(terms[1].weight))
	case 3:
		s.lead3(s.lists.column(terms[0].Term), s.lists.column(terms[1].Term), s.lists.column(terms[2].Term),
			uint64(terms[0].weight), uint64(terms[1].weight), uint64(terms[2].weight))
	default:
		s.leadMany(terms)
	}
	s.top.trim()
}

// addColumn adds one column to sums.
func addColumn(sums []uint32, a []group, x uint64) {
	for i := range a {
		p, four := a[i].word(), sums[i*4:][:4]
		low, high := p&lanes*x, p>>16&lanes*x
		four[0] += uint32(low)
		four[1] += uint32(low >> 32)
		four[2] += uint32(high)
		four[3] += uint32(high >> 32)
	}
}

// bias returns what sets the highest bit of sums that are worth offering.
func (l *leaders) bias() uint64 { return uint64(1<<31-l.bar) * both }

// offerFour offers the documents of a group whose sums reach the bar, and
// returns the new bias.
func (l *leaders) offerFour(group int, low, high uint64) uint64 {
	for j, sum := range [4]uint32{uint32(low), uint32(low >> 32), uint32(high), uint32(high >> 32)} {
		if sum >= l.bar {
			l.offer(uint32(group*4+j), sum)
		}
	}
	return l.bias()
}

func (s *Searcher) lead1(a []group, x uint64) {
	sums, bias := s.sums, s.top.bias()
	for i := range a {
		if len(sums) < 4 {
			break // never; tells the compiler
		}
		p := a[i].word()
		low, high := pairs(sums)
		low += p & lanes * x
		high += p >> 16 & lanes * x
		if ((low+bias)|(high+bias))&highest != 0 {
			bias = s.top.offerFour(i, low, high)
		}
		sums = sums[4:]
	}
}

func (s *Searcher) lead2(a, b []group, x, y uint64) {
	sums, bias := s.sums, s.top.bias()
	b = b[:len(a)]
	for i := range a {
		if len(sums) < 4 {
			break // never; tells the compiler
		}
		p, q := a[i].word(), b[i].word()
		low, high := pairs(sums)
		low += p&lanes*x + q&lanes*y
		high += p>>16&lanes*x + q>>16&lanes*y
		if ((low+bias)|(high+bias))&highest != 0 {
			bias = s.top.offerFour(i, low, high)
		}
		sums = sums[4:]
	}
}

func (s *Searcher) lead3(a, b, c []group, x, y, z uint64) {
	sums, bias := s.sums, s.top.bias()
	b, c = b[:len(a)], c[:len(a)]
	for i := range a {
		if len(sums) < 4 {
			break // never; tells the compiler
		}
		p, q, r := a[i].word(), b[i].word(), c[i].word()
		low, high := pairs(sums)
		low += p&lanes*x + q&lanes*y + r&lanes*z
		high += p>>16&lanes*x + q>>16&lanes*y + r>>16&lanes*z
		if ((low+bias)|(high+bias))&highest != 0 {
			bias = s.top.offerFour(i, low, high)
		}
		sums = sums[4:]
	}
}
