package lint

import (
	"cmp"
	"context"
	"encoding/binary"
	"hash/fnv"
	"io"
	"maps"
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
	near, prefixes, err := newNeighbours(ctx, tools)
	if err != nil {
		return nil // Run ends with the error
	}
	c.near = near
	var out []draft
	for i, set := range near.sets {
		if len(set.shingles) < leastShingles || ctx.Err() != nil {
			continue
		}
		best, most := near.nearest(set, prefixes[i], func(int) bool { return true })
		if best >= 0 {
			out = append(out, c.duplicate(tools[i], tools[best], most))
		}
		if most == 1 {
			near.sets[i] = near.sets[best] // equal, and kept once
			continue
		}
		near.equal[hashAll(set.shingles)] = i
		for _, id := range prefixes[i] {
			if len(near.byPrefix[id]) < maxCandidates {
				near.byPrefix[id] = append(near.byPrefix[id], int32(i))
			}
		}
	}
	return out
}

// neighbours is the facts of the tools that were compared. Shingles are numbered in the order of
// their hashes.
type neighbours struct {
	sets     []shingled         // by Tool.Index
	hashes   []uint64           // of the shingles, ascending
	weights  []float64          // of each
	rarest   float64            // the weight of a shingle that no tool has
	equal    map[uint64]int     // first tool of a set, by its hash
	byPrefix map[uint32][]int32 // by each shingle of their prefix: the first tools, at most maxCandidates
}

// shingled is the set of a tool's shingles.
type shingled struct {
	shingles []uint32 // that tools of the registry have, ascending
	weight   float64  // of all, also of those that none has
}

// newNeighbours returns the sets of tools, and the prefix of each. The error is ctx's.
func newNeighbours(ctx context.Context, tools []*model.Tool) (*neighbours, [][]uint32, error) {
	n := &neighbours{sets: make([]shingled, len(tools)), equal: map[uint64]int{}, byPrefix: map[uint32][]int32{}}
	hashes := make([][]uint64, len(tools))
	if err := parallel(ctx, len(tools), func(i int) { hashes[i] = shingles(tools[i]) }); err != nil {
		return nil, nil, err
	}
	df := map[uint64]int{}
	for _, set := range hashes {
		for _, h := range set {
			df[h]++
		}
	}
	weigh := func(df int) float64 {
		w := math.Log1p(float64(max(len(tools), leastCrowd)) / float64(df))
		return w * w
	}
	n.rarest = weigh(1)
	n.hashes = slices.Sorted(maps.Keys(df))
	for _, h := range n.hashes {
		n.weights = append(n.weights, weigh(df[h]))
	}
	prefixes := make([][]uint32, len(tools))
	return n, prefixes, parallel(ctx, len(tools), func(i int) { n.sets[i], prefixes[i] = n.weigh(hashes[i]) })
}

// weigh returns the set of a tool's shingles, and its prefix, the rarest first: those that a similar
// set shares one of.
func (n *neighbours) weigh(hashes []uint64) (set shingled, prefix []uint32) {
	type shingle struct {
		number int // -1: no tool has it
		weight float64
	}
	all := make([]shingle, len(hashes))
	set.shingles = make([]uint32, 0, len(hashes))
	for i, h := range hashes {
		all[i] = shingle{-1, n.rarest}
		if number, known := slices.BinarySearch(n.hashes, h); known {
			all[i] = shingle{number, n.weights[number]}
			set.shingles = append(set.shingles, uint32(number))
		}
		set.weight += all[i].weight
	}
	slices.SortStableFunc(all, func(a, b shingle) int { return cmp.Compare(b.weight, a.weight) })
	rest := set.weight
	for _, s := range all {
		if rest < nearDuplicate*set.weight*(1-1e-9) {
			break
		}
		if rest -= s.weight; s.number >= 0 {
			prefix = append(prefix, uint32(s.number))
		}
	}
	return set, prefix
}

// nearest returns the kept tool most like a set with a prefix, among those that may be, and
// how like; -1 when none is a near duplicate.
func (n *neighbours) nearest(set shingled, prefix []uint32, may func(int) bool) (best int, most float64) {
	if first, ok := n.equal[hashAll(set.shingles)]; ok && n.sets[first].weight == set.weight && may(first) {
		return first, 1
	}
	var candidates []int32
	for _, number := range prefix {
		candidates = append(candidates, n.byPrefix[number]...)
	}
	slices.Sort(candidates)
	candidates = slices.Compact(candidates)
	best = -1
	for _, j := range candidates[:min(len(candidates), maxCandidates)] {
		if s := n.similarity(set, n.sets[j]); s >= nearDuplicate && s > most && may(int(j)) {
			best, most = int(j), s
		}
	}
	return best, most
}

// newDuplicate reports the result of an edit if it is a near duplicate of a tool
// that it was not like before.
func (c *check) newDuplicate(t, old *model.Tool) []draft {
	hashes, before := shingles(t), c.near.sets[old.Index]
	set, prefix := c.near.weigh(hashes)
	if len(hashes) < leastShingles || set.weight == before.weight && slices.Equal(set.shingles, before.shingles) {
		return nil
	}
	best, most := c.near.nearest(set, prefix, func(j int) bool {
		return j != old.Index && c.near.similarity(before, c.near.sets[j]) < nearDuplicate
	})
	if best < 0 {
		return nil
	}
	return []draft{c.duplicate(t, c.s.Registry.Tools[best], most)}
}

// similarity returns the weighted Jaccard similarity of two sets, and 0 when
// their weights alone say that it is below nearDuplicate.
func (n *neighbours) similarity(a, b shingled) float64 {
	if min(a.weight, b.weight) < nearDuplicate*max(a.weight, b.weight)*(1-1e-9) {
		return 0
	}
	both := 0.0
	for i, j := 0, 0; i < len(a.shingles) && j < len(b.shingles); {
		switch {
		case a.shingles[i] < b.shingles[j]:
			i++
		case a.shingles[i] > b.shingles[j]:
			j++
		default:
			both += n.weights[a.shingles[i]]
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
func (c *check) leftOut(t, first *model.Tool) Remedy {
	return c.about(Remedy{
		Change: "leave it out where " + first.Qualified + " does the same",
		Edits:  []whatif.Edit{{Tool: t, Remove: true}},
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
func hashAll(list []uint32) uint64 {
	h := fnv.New64a()
	_ = binary.Write(h, binary.LittleEndian, list)
	return h.Sum64()
}
