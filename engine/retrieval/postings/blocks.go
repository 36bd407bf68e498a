package postings

// blockGroups is how many groups of a column are added up at a time when there
// are more columns than one loop takes: the sums stay in the nearest cache.
const blockGroups = 128

// block holds the sums of 4*blockGroups documents in pairs, as columns.go has
// them.
type block [blockGroups][2]uint64

// leadMany offers the sums of all documents and of any number of dense terms.
func (s *Searcher) leadMany(terms []step) {
	var b block
	bias := s.top.bias()
	n := groups(s.lists.size)
	for from := 0; from < n; from += blockGroups {
		to := min(from+blockGroups, n)
		b.open(s.sums[from*4 : to*4])
		i := 0
		for ; len(terms)-i >= 2; i += 2 {
			x, y := &terms[i], &terms[i+1]
			b.add2(s.lists.column(x.Term)[from:to], s.lists.column(y.Term)[from:to], uint64(x.weight), uint64(y.weight))
		}
		if i < len(terms) {
			b.add(s.lists.column(terms[i].Term)[from:to], uint64(terms[i].weight))
		}
		for j := range to - from {
			pair := &b[j&(blockGroups-1)]
			if ((pair[0]+bias)|(pair[1]+bias))&highest != 0 {
				bias = s.top.offerFour(from+j, pair[0], pair[1])
			}
		}
	}
}

// open makes the block that of some sums.
func (b *block) open(sums []uint32) {
	for i := range b {
		if len(sums) < 4 {
			return
		}
		b[i][0], b[i][1] = pairs(sums)
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
