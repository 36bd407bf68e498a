package retrieval

// A column has the impacts of a dense term in groups of four documents, of which
// the second and the third are exchanged. Read as one word of 64 bits, the impacts
// of the first two documents are bits 0-15 and 32-47, those of the others bits
// 16-31 and 48-63. A mask leaves two impacts with 16 free bits above each, and one
// multiplication by a weight makes two products of 32 bits. Sums are below 2^31
// (weights.go), so that no addition carries into the neighbour, and so that adding
// 2^31 minus a bar sets the highest bit exactly when the bar is reached.

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
func impactOf(column []group, doc uint32) uint16 { return column[doc/4][lane(doc)] }

// lane returns the index of a document in its group.
func lane(doc uint32) uint32 { return doc&1<<1 | doc>>1&1 }

// word reads a group: one load, as compiled.
func (g *group) word() uint64 {
	return uint64(g[0]) | uint64(g[1])<<16 | uint64(g[2])<<32 | uint64(g[3])<<48
}

// pairs reads the first four sums: two loads.
func pairs(sums []uint32) (low, high uint64) {
	return uint64(sums[0]) | uint64(sums[1])<<32, uint64(sums[2]) | uint64(sums[3])<<32
}

// offerDense finds the leaders among all documents when the steps of the plan
// from i on are dense terms and those before are in the sums.
func (s *ListSearch) offerDense(i, k int, all bool) {
	s.top.begin(k, s.slackBefore(len(s.plan)), all)
	s.top.ordered(s.exact)
	switch terms := s.plan[i:]; len(terms) {
	case 1:
		s.offerColumn(s.lists.column(terms[0].Term), uint64(terms[0].weight))
	case 2:
		s.offerColumns2(s.lists.column(terms[0].Term), s.lists.column(terms[1].Term),
			uint64(terms[0].weight), uint64(terms[1].weight))
	default:
		s.offerColumns(terms)
	}
	s.top.trim()
}

// bias returns the number that sets the highest bit of two sums when it is added
// and they reach the bar.
func (l *leaders) bias() uint64 { return uint64(1<<31-l.bar) * both }

// offerFour offers the documents of a group whose sums reach the bar, and
// returns the new bias.
func (l *leaders) offerFour(group int, low, high uint64) uint64 {
	for j, sum := range fourOf(&[2]uint64{low, high}) {
		if sum >= l.bar {
			l.offer(uint32(group*4+j), sum)
		}
	}
	return l.bias()
}

func (s *ListSearch) offerColumn(a []group, x uint64) {
	sums, bias := s.sums, s.top.bias()
	for i := range a {
		if len(sums) < 4 {
			break // never; it shows the compiler that no index is out of range
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

func (s *ListSearch) offerColumns2(a, b []group, x, y uint64) {
	sums, bias := s.sums, s.top.bias()
	b = b[:len(a)]
	for i := range a {
		if len(sums) < 4 {
			break // never; it shows the compiler that no index is out of range
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

// blockGroups is how many groups of a column are added up at a time when there
// are more columns than one loop takes: the sums stay in the nearest cache.
const blockGroups = 128

// block holds the sums of 4*blockGroups documents in pairs, as columns.go has
// them.
type block [blockGroups][2]uint64

// offerColumns adds dense terms to the sums and offers them.
func (s *ListSearch) offerColumns(terms []step) {
	var b block
	bias := s.top.bias()
	n := groups(s.lists.size)
	for from := 0; from < n; from += blockGroups {
		to := min(from+blockGroups, n)
		s.addColumns(&b, terms, from, to)
		for j := range to - from {
			pair := &b[j&(blockGroups-1)]
			if ((pair[0]+bias)|(pair[1]+bias))&highest != 0 {
				bias = s.top.offerFour(from+j, pair[0], pair[1])
			}
		}
	}
}

// addColumns makes the block the sums of some groups, with dense terms added.
func (s *ListSearch) addColumns(b *block, terms []step, from, to int) {
	b.open(s.sums[from*4:to*4], s.lists.column(terms[0].Term)[from:to], uint64(terms[0].weight))
	i := 1
	for ; len(terms)-i >= 2; i += 2 {
		x, y := &terms[i], &terms[i+1]
		b.add2(s.lists.column(x.Term)[from:to], s.lists.column(y.Term)[from:to], uint64(x.weight), uint64(y.weight))
	}
	if i < len(terms) {
		b.add(s.lists.column(terms[i].Term)[from:to], uint64(terms[i].weight))
	}
}

// fourOf returns the four sums of a pair of words.
func fourOf(pair *[2]uint64) [4]uint32 {
	return [4]uint32{uint32(pair[0]), uint32(pair[0] >> 32), uint32(pair[1]), uint32(pair[1] >> 32)}
}

// open makes the block that of some sums, with one column added.
func (b *block) open(sums []uint32, x []group, v uint64) {
	for i := range x {
		if len(sums) < 4 {
			return // never; it shows the compiler that no index is out of range
		}
		p, pair := x[i].word(), &b[i&(blockGroups-1)]
		low, high := pairs(sums)
		pair[0], pair[1] = low+p&lanes*v, high+p>>16&lanes*v
		sums = sums[4:]
	}
}

// add adds one column.
func (b *block) add(x []group, v uint64) {
	for i := range x {
		p, pair := x[i].word(), &b[i&(blockGroups-1)]
		pair[0] += p & lanes * v
		pair[1] += p >> 16 & lanes * v
	}
}

// add2 adds two columns.
func (b *block) add2(x, y []group, v, w uint64) {
	y = y[:len(x)]
	for i := range x {
		p, q, pair := x[i].word(), y[i].word(), &b[i&(blockGroups-1)]
		pair[0] += p&lanes*v + q&lanes*w
		pair[1] += p>>16&lanes*v + q>>16&lanes*w
	}
}
