package lint

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"sync"

	"caliper/engine/whatif"
	"caliper/model"
	"caliper/model/words"
)

// Two tools are near duplicates when the weighted Jaccard similarity of their
// shingles is nearDuplicate or more. Shingles are the words of the name without
// its server's prefix, the words of the description, the pairs of words that stand
// beside each other in it, and the names of the parameters: pairs distinguish
// "copy a page to a note" from "copy a note to a page" where the words are the
// same. Function words are left out before pairs are made, so that an article
// makes no difference, but for those that distinguish opposites. A shingle of df
// of n tools weighs ln(1 + m/df) squared, as in a cosine of tf-idf vectors, so
// that what a server says in every description makes no duplicates; m is n, and
// at least leastCrowd: that a word stands in two tools of three does not make
// it common, it may be what makes them duplicates.
const (
	nearDuplicate = 0.75
	leastShingles = 4
	leastCrowd    = 1000
	maxCandidates = 256 // tools that one is compared with, the earliest
)

// duplicates returns, for every tool that has near duplicates before it in
// the registry, the most similar of them.
//
// It is a prefix-filtering join (Bayardo, Ma and Srikant, Scaling Up All Pairs
// Similarity Search, 2007; Xiao et al., PPJoin, 2008): with shingles in one
// order, rarest first, the first one that two sets of similarity t share is
// in each where the rest of the set, with it, still has t of its weight; only
// tools that meet there are compared. Tools of equal sets are found by a hash
// of them, and the first stands for all.
func (c *check) duplicates(ctx context.Context) []draft {
	tools := c.s.Registry.Tools
	near := &neighbours{sets: make([]shingled, len(tools)), equal: map[uint64]int{}, byPrefix: sharers{of: map[uint64]chain{}}}
	c.near = near
	if parallel(ctx, len(tools), func(i int) { near.sets[i].hashes = shingles(tools[i]) }) != nil {
		return nil // Run ends with the error
	}
	if parallel(ctx, len(near.df), near.countShare) != nil {
		return nil
	}
	if parallel(ctx, len(tools), func(i int) { near.sets[i].weigh(&near.df, len(tools)) }) != nil {
		return nil
	}
	var out []draft
	for i, set := range near.sets {
		if len(set.hashes) < leastShingles || ctx.Err() != nil {
			continue
		}
		best, most := near.nearest(set, func(int) bool { return true })
		if best >= 0 {
			out = append(out, c.duplicate(tools[i], tools[best], most))
		}
		if most == 1 {
			continue
		}
		near.equal[hashAll(set.hashes)] = i
		for _, h := range set.prefix {
			near.byPrefix.add(h, int32(i))
		}
		near.sets[i].prefix = nil // nothing asks for it again
	}
	return out
}

// neighbours is the facts of the tools that were compared.
type neighbours struct {
	sets     []shingled // by Tool.Index
	df       frequencies
	equal    map[uint64]int // first tool of a set, by its hash
	byPrefix sharers        // tools by each shingle of their prefix
}

// frequencies are how many tools have each shingle, in shares that are counted at the
// same time.
type frequencies [8]map[uint64]int32

// countShare counts one share of the shingles.
func (n *neighbours) countShare(share int) {
	count := map[uint64]int32{}
	for _, set := range n.sets {
		for _, h := range set.hashes {
			if h%uint64(len(n.df)) == uint64(share) {
				count[h]++
			}
		}
	}
	n.df[share] = count
}

// nearest returns the kept tool most like a set, among those that may be, and
// how like; -1 when none is a near duplicate.
func (n *neighbours) nearest(set shingled, may func(int) bool) (best int, most float64) {
	if first, ok := n.equal[hashAll(set.hashes)]; ok && may(first) {
		return first, 1
	}
	best = -1
	for _, j := range n.byPrefix.candidates(set.prefix) {
		if s := similarity(set, n.sets[j]); s >= nearDuplicate && s > most && may(int(j)) {
			best, most = int(j), s
		}
	}
	return best, most
}

// newDuplicate reports the result of an edit if it is a near duplicate of a tool
// that it was not like before.
func (c *check) newDuplicate(t, old *model.Tool) []draft {
	set := shingled{hashes: shingles(t)}
	before := c.near.sets[old.Index]
	if len(set.hashes) < leastShingles || slices.Equal(set.hashes, before.hashes) {
		return nil
	}
	set.weigh(&c.near.df, len(c.near.sets))
	best, most := c.near.nearest(set, func(j int) bool {
		return j != old.Index && similarity(before, c.near.sets[j]) < nearDuplicate
	})
	if best < 0 {
		return nil
	}
	return []draft{c.duplicate(t, c.s.Registry.Tools[best], most)}
}

// shingled is the set of a tool's shingles.
type shingled struct {
	hashes  []uint64  // sorted
	weights []float64 // of each
	weight  float64   // of all
	prefix  []uint64  // rarest first: those that a similar set shares one of
}

// weigh fills in what depends on how common shingles are among n tools.
func (s *shingled) weigh(df *frequencies, n int) {
	room := weighing.Get().(*[]weighted)
	defer weighing.Put(room)
	*room = slices.Grow((*room)[:0], len(s.hashes))[:len(s.hashes)]
	ordered := *room
	s.weights = make([]float64, len(s.hashes))
	for i, h := range s.hashes {
		w := math.Log1p(float64(max(n, leastCrowd)) / float64(max(1, df[h%uint64(len(df))][h])))
		w *= w
		s.weights[i], ordered[i] = w, weighted{h, w}
		s.weight += w
	}
	slices.SortFunc(ordered, func(a, b weighted) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.hash, b.hash))
	})
	rest, n := s.weight, 0
	for ; n < len(ordered) && rest >= nearDuplicate*s.weight*(1-1e-9); n++ {
		rest -= ordered[n].weight
	}
	s.prefix = make([]uint64, n)
	for i := range s.prefix {
		s.prefix[i] = ordered[i].hash
	}
}

// weighted is a shingle with its weight.
type weighted struct {
	hash   uint64
	weight float64
}

// weighing keeps the memory in which the shingles of one tool are sorted.
var weighing = sync.Pool{New: func() any { return new([]weighted) }}

// similarity returns the weighted Jaccard similarity of two sets, and 0 when
// their weights alone say that it is below nearDuplicate.
func similarity(a, b shingled) float64 {
	if min(a.weight, b.weight) < nearDuplicate*max(a.weight, b.weight)*(1-1e-9) {
		return 0
	}
	both := 0.0
	for i, j := 0, 0; i < len(a.hashes) && j < len(b.hashes); {
		switch {
		case a.hashes[i] < b.hashes[j]:
			i++
		case a.hashes[i] > b.hashes[j]:
			j++
		default:
			both += a.weights[i]
			i++
			j++
		}
	}
	return both / (a.weight + b.weight - both)
}

// duplicate returns the finding of a pair. What helps is to leave one out.
func (c *check) duplicate(t, first *model.Tool, like float64) draft {
	how := "says the same as"
	if like < 1 {
		how = "says nearly the same as"
	}
	d := found(NearDuplicate, Warning, t, "%s %s (%.0f %% alike by their words)", how, first.Qualified, math.Floor(100*min(like, 1)))
	return d.with(c.leftOut(t, first))
}

// leftOut plans to leave a tool out; the rank belongs to the tool that stands
// for it.
func (c *check) leftOut(t, first *model.Tool) plan {
	return c.about(plan{
		change: "leave it out where " + first.Qualified + " does the same",
		edits:  []whatif.Edit{{Tool: t, Remove: true}},
	}, first, NameQuery(first))
}

// opposites are the function words that distinguish opposites.
var opposites = set("from", "into", "no", "not", "on", "to", "in", "only", "other")

// shingles returns the hashes of a tool's shingles, each once, sorted.
func shingles(t *model.Tool) []uint64 {
	var out []uint64
	for _, w := range words.Identifier(ownName(t)) {
		out = append(out, hashOf('m', strings.ToLower(w), ""))
	}
	last := ""
	for w := range words.Each(t.Description) {
		if functionWords[w] && !opposites[w] {
			continue
		}
		out = append(out, hashOf('w', w, ""))
		if last != "" {
			out = append(out, hashOf('p', last, w))
		}
		last = w
	}
	t.EachPropertyName(func(name []byte) { out = append(out, hashOf('n', name, nil)) })
	slices.Sort(out)
	return slices.Clone(slices.Compact(out))
}

// The FNV-1a hash of 64 bits, which is the same in every run.
const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

// hashOf returns a hash of two words of a kind.
func hashOf[T string | []byte](kind byte, a, b T) uint64 {
	h := (fnvOffset ^ uint64(kind)) * fnvPrime
	for _, s := range [...]T{a, b} {
		for i := range len(s) {
			h = (h ^ uint64(s[i])) * fnvPrime
		}
		h *= fnvPrime // as behind a zero byte
	}
	return h
}

// hashAll returns a hash of a sequence.
func hashAll(list []uint64) uint64 {
	h := uint64(fnvOffset)
	for _, v := range list {
		for range 8 {
			h = (h ^ v&0xff) * fnvPrime
			v >>= 8
		}
	}
	return h
}
