package lint

import "slices"

// sharers holds for each shingle the tools that have it. The tools of all shingles are
// links of one array, and a shingle has the places of its first and its last: a slice for
// each shingle would be millions of pointers in a registry of a hundred thousand tools,
// which the garbage collector would follow.
type sharers struct {
	of    map[uint64]chain
	links []link
}

// chain is the tools of one shingle, in the order in which they were added.
type chain struct{ first, last int32 } // in links

// link is one tool of a chain.
type link struct {
	tool int32
	next int32 // in links; of the last one, 0
}

// add adds a tool to a shingle's.
func (s *sharers) add(shingle uint64, tool int32) {
	at := int32(len(s.links))
	s.links = append(s.links, link{tool: tool})
	c, known := s.of[shingle]
	if !known {
		s.of[shingle] = chain{at, at}
		return
	}
	s.links[c.last].next = at
	s.of[shingle] = chain{c.first, at}
}

// candidates returns the first tools that share a shingle of a prefix, in the order of the
// registry.
func (s *sharers) candidates(prefix []uint64) []int32 {
	var out []int32
	for _, h := range prefix {
		c, known := s.of[h]
		if !known {
			continue
		}
		for at, n := c.first, 0; n < maxCandidates; n++ {
			out = append(out, s.links[at].tool)
			if at == c.last {
				break
			}
			at = s.links[at].next
		}
	}
	slices.Sort(out)
	out = slices.Compact(out)
	return out[:min(len(out), maxCandidates)]
}
