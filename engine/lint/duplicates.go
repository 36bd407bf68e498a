package lint

import (
	"cmp"
	"context"
	"encoding/binary"
	"hash/fnv"
	"io"
	"math"
	"slices"
	"strings"

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
	near := &neighbours{sets: make([]shingled, len(tools)), equal: map[uint64]int{}, byPrefix: map[uint64][]int{}, df: map[uint64]int{}}
	c.near = near
	if parallel(ctx, len(tools), func(i int) { near.sets[i].hashes = shingles(tools[i]) }) != nil {
		return nil // Run ends with the error
	}
	for _, set := range near.sets {
		for _, h := range set.hashes {
			near.df[h]++
		}
	}
	if parallel(ctx, len(tools), func(i int) { near.sets[i].weigh(near.df, len(tools)) }) != nil {
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
			near.sets[i] = near.sets[best] // equal, and kept once
			continue
		}
		near.equal[hashAll(set.hashes)] = i
		for _, h := range set.prefix {
			if len(near.byPrefix[h]) < maxCandidates {
				near.byPrefix[h] = append(near.byPrefix[h], i)
			}
		}
	}
	return out
}

// neighbours is the facts of the tools that were compared.
type neighbours struct {
	sets     []shingled       // by Tool.Index
	df       map[uint64]int   // how many tools have a shingle
	equal    map[uint64]int   // first tool of a set, by its hash
	byPrefix map[uint64][]int // by each shingle of their prefix: the first tools, at most maxCandidates
}

// nearest returns the kept tool most like a set, among those that may be, and
// how like; -1 when none is a near duplicate.
func (n *neighbours) nearest(set shingled, may func(int) bool) (best int, most float64) {
	if first, ok := n.equal[hashAll(set.hashes)]; ok && may(first) {
		return first, 1
	}
	var candidates []int
	for _, h := range set.prefix {
		candidates = append(candidates, n.byPrefix[h]...)
	}
	slices.Sort(candidates)
	candidates = slices.Compact(candidates)
	best = -1
	for _, j := range candidates[:min(len(candidates), maxCandidates)] {
		if s := similarity(set, n.sets[j]); s >= nearDuplicate && s > most && may(j) {
			best, most = j, s
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
	set.weigh(c.near.df, len(c.near.sets))
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
func (s *shingled) weigh(df map[uint64]int, n int) {
	weights := make(map[uint64]float64, len(s.hashes))
	s.weights = make([]float64, len(s.hashes))
	for i, h := range s.hashes {
		w := math.Log1p(float64(max(n, leastCrowd)) / float64(max(1, df[h])))
		w *= w
		s.weights[i], weights[h] = w, w
		s.weight += w
	}
	s.prefix = slices.Clone(s.hashes)
	slices.SortFunc(s.prefix, func(a, b uint64) int { return cmp.Or(cmp.Compare(weights[b], weights[a]), cmp.Compare(a, b)) })
	rest, most := s.weight, 0
	for ; most < len(s.prefix) && rest >= nearDuplicate*s.weight*(1-1e-9); most++ {
		rest -= weights[s.prefix[most]]
	}
	s.prefix = s.prefix[:most]
}

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
	for _, name := range t.PropertyNames() {
		out = append(out, hashOf('n', name, ""))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// hashOf returns a hash of two words of a kind. It is the same in every run.
func hashOf(kind rune, a, b string) uint64 {
	h := fnv.New64a()
	io.WriteString(h, string(kind)+a+"\x00"+b+"\x00")
	return h.Sum64()
}

// hashAll returns a hash of a sequence.
func hashAll(list []uint64) uint64 {
	h := fnv.New64a()
	_ = binary.Write(h, binary.LittleEndian, list)
	return h.Sum64()
}
