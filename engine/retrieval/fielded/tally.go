package fielded

// A tally is how often a term is in each field of a tool. Tools have few different
// ones: a catalog of 100,000 tools has some hundreds. So a record has the number of
// the tally, and an index computes what depends on it once for all tools.
type tally [fields]uint32

// once reports whether a term with this tally is only once in a tool.
func (t *tally) once() bool {
	sum := uint32(0)
	for _, n := range t {
		sum += n
	}
	return sum == 1
}

// tallies numbers the tallies of the tools of a corpus. They are only added. Tally f
// belongs to a term that is once in field f and in no other.
type tallies struct {
	list    []tally
	numbers map[tally]uint32
}

func newTallies() tallies {
	t := tallies{numbers: make(map[tally]uint32)}
	for f := range fields {
		var once tally
		once[f] = 1
		t.number(once)
	}
	return t
}

// number returns the number of a tally, which it adds if it is new.
func (t *tallies) number(of tally) uint32 {
	n, ok := t.numbers[of]
	if !ok {
		n = uint32(len(t.list))
		t.list = append(t.list, of)
		t.numbers[of] = n
	}
	return n
}

// presence is the knowledge of an index about a tally.
type presence struct {
	frequency float64 // weighted by fields
	count     uint32  // without weights
	fields    fieldSet
}

// presences returns what each tally is by the weights of the fields. The weights are
// added one by one in the order of fields, so that a frequency is the same to the
// last bit as when the words are counted.
func (r *Recipe) presences(list []tally) []presence {
	all := make([]presence, len(list))
	for i, t := range list {
		p := &all[i]
		for f, n := range t {
			if n > 0 {
				p.fields |= 1 << f
			}
			p.count += n
			for range n {
				p.frequency += r.Fields[f]
			}
		}
	}
	return all
}

// fieldSet is a set of fields.
type fieldSet uint8

func (s fieldSet) has(f Field) bool { return s>>f&1 != 0 }
